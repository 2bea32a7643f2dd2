/* SPDX-License-Identifier: MIT */
/*
 * engine_libdw.c - elfutils over a recording, its Dwfl kept for each process.
 */
#include <elfutils/libdwfl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/oracle/engine.h"

struct engine_state {
	struct samples *samples;
	struct kept_list kept;
	/* Of the walk that runs now; libdwfl keeps a pointer to us. */
	const struct raw *raw;
	struct sample_memory memory;
	struct chain *out;
};

static pid_t
next_thread(Dwfl *dwfl, void *arg, void **thread)
{
	struct engine_state *state = arg;

	(void)dwfl;
	if (*thread)
		return 0;
	*thread = arg;
	return state->raw->tid;
}

static bool
get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread)
{
	(void)dwfl, (void)tid;
	*thread = arg;
	return true;
}

static bool
read_memory(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *word, void *arg)
{
	struct engine_state *state = arg;

	(void)dwfl;
	return samples_read(&state->memory, addr, word, sizeof(*word));
}

static bool
set_registers(Dwfl_Thread *thread, void *arg)
{
	struct engine_state *state = arg;

	return dwfl_thread_state_registers(thread, 0, X86_COUNT,
					   state->raw->regs.r);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

static int
find_no_debuginfo(Dwfl_Module *module, void **userdata, const char *name,
		  Dwarf_Addr base, const char *file, const char *debuglink,
		  GElf_Word crc, char **debug)
{
	(void)module, (void)userdata, (void)name, (void)base, (void)file;
	(void)debuglink, (void)crc, (void)debug;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_no_debuginfo,
	.section_address = dwfl_offline_section_address,
};

/* libdwfl takes files only. */
static int
file_of(const struct sample_file *file)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	if (fd >= 0 && write(fd, file->bytes, file->len) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static Dwfl_Module *
report(struct engine_state *state, Dwfl *dwfl, const struct mapping *mapping)
{
	const struct sample_file *file = samples_file(state->samples, mapping);
	uint64_t bias;
	char name[64];
	int fd = -1;

	if (!mapping->is_executable || !engine_bias(file, mapping, &bias) ||
	    dwfl_addrmodule(dwfl, mapping->start))
		return NULL;
	if (mapping->kind == MODULE_VDSO)
		fd = file_of(file);
	/* A file may be there twice; by one name libdwfl would move it. */
	snprintf(name, sizeof(name), "%llx", (unsigned long long)bias);
	return dwfl_report_elf(dwfl, name, file->path, fd, bias, true);
}

static Dwfl *
new_dwfl(struct engine_state *state, const struct sample_process *process)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Elf *elf = NULL;
	size_t i;

	dwfl_report_begin(dwfl);
	for (i = 0; i < maps_count(process->maps); i++) {
		Dwfl_Module *module = report(state, dwfl,
					     maps_at(process->maps, i));
		Dwarf_Addr bias;

		if (module && !elf)
			elf = dwfl_module_getelf(module, &bias);
	}
	dwfl_report_end(dwfl, NULL, NULL);
	if (!elf || !dwfl_attach_state(dwfl, elf, process->pid,
				       &thread_callbacks, state)) {
		dwfl_end(dwfl);
		return NULL;
	}
	return dwfl;
}

static Dwfl *
dwfl_of(struct engine_state *state, const struct raw *raw)
{
	struct kept *kept = kept_of(&state->kept, raw->process);
	uint64_t fingerprint = engine_fingerprint(raw->process->maps);

	if (kept->state && kept->fingerprint != fingerprint) {
		dwfl_end(kept->state);
		kept->state = NULL;
	}
	kept->fingerprint = fingerprint;
	if (!kept->state)
		kept->state = new_dwfl(state, raw->process);
	return kept->state;
}

static int
on_frame(Dwfl_Frame *frame, void *arg)
{
	struct engine_state *state = arg;
	struct chain *out = state->out;
	bool is_activation;
	Dwarf_Addr pc;

	if (out->n == CHAIN_MAX || !dwfl_frame_pc(frame, &pc, &is_activation))
		return DWARF_CB_ABORT;
	out->pcs[out->n++] = pc - !is_activation;
	return DWARF_CB_OK;
}

static void *
libdw_open(struct samples *samples, const struct engine_config *config)
{
	struct engine_state *state = xcalloc(1, sizeof(*state));

	(void)config;
	state->samples = samples;
	return state;
}

static void
libdw_walk(void *ctx, const struct raw *raw, struct chain *out)
{
	struct engine_state *state = ctx;
	Dwfl *dwfl;

	state->raw = raw;
	state->memory = (struct sample_memory){ state->samples, raw, SIZE_MAX };
	state->out = out;
	out->n = 0;
	dwfl = dwfl_of(state, raw);
	if (dwfl)
		dwfl_getthread_frames(dwfl, raw->tid, on_frame, state);
}

static void
libdw_close(void *ctx)
{
	struct engine_state *state = ctx;
	size_t i;

	for (i = 0; i < state->kept.count; i++)
		if (state->kept.kept[i].state)
			dwfl_end(state->kept.kept[i].state);
	free(state->kept.kept);
	free(state);
}

const struct engine engine_libdw = {
	.name = "libdw",
	.open = libdw_open,
	.walk = libdw_walk,
	.close = libdw_close,
};
