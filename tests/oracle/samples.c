/* SPDX-License-Identifier: MIT */
/*
 * samples.c - a recording, read back.
 */
#include "tests/oracle/samples.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC_LEN 8

/* Executable memory without a file. */
struct code {
	pid_t pid;
	uint64_t addr;
	const uint8_t *bytes;
	size_t len;
};

struct samples {
	const uint8_t *bytes;
	size_t len, at;
	struct sample_process **processes;
	size_t nprocesses, processes_capacity;
	struct sample_file **files;
	size_t nfiles, files_capacity;
	struct code *codes;
	size_t ncodes, codes_capacity;
};

/* --- files */

static const uint8_t *
map_file(const char *path, size_t *len, struct stat *st)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;

	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) &&
	    st->st_size > 0)
		bytes = mmap(NULL, (size_t)st->st_size, PROT_READ, MAP_PRIVATE,
			     fd, 0);
	if (fd >= 0)
		close(fd);
	if (bytes == MAP_FAILED)
		return NULL;
	*len = (size_t)st->st_size;
	return bytes;
}

/* The kernel's image is one and the same in all processes. */
static void
take_vdso(struct sample_file *file)
{
	const Elf64_Ehdr *elf = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (!elf)
		return;
	file->bytes = (const void *)elf;
	file->len = elf->e_shoff + (size_t)elf->e_shnum * elf->e_shentsize;
}

/* One more than the index of MAPPING's file. */
static module_id
number_of(struct samples *samples, const struct mapping *mapping)
{
	struct sample_file *file;
	struct stat st = { 0 };
	size_t i;

	for (i = 0; i < samples->nfiles; i++) {
		file = samples->files[i];
		if (file->inode == mapping->inode &&
		    file->dev == mapping->dev &&
		    !strcmp(file->path, mapping->path))
			return (module_id)i + 1;
	}
	samples->files = grow(samples->files, samples->nfiles,
			      &samples->files_capacity,
			      sizeof(struct sample_file *));
	file = samples->files[samples->nfiles++] = xcalloc(1, sizeof(*file));
	file->path = xstrdup(mapping->path);
	file->dev = mapping->dev;
	file->inode = mapping->inode;
	if (mapping->kind == MODULE_VDSO)
		take_vdso(file);
	else if (mapping->path[0] == '/')
		file->bytes = map_file(file->path, &file->len, &st);
	/* Another file has its name by now. */
	if (file->bytes && mapping->inode && st.st_ino != mapping->inode)
		file->bytes = NULL;
	return (module_id)samples->nfiles;
}

const struct sample_file *
samples_file(struct samples *samples, const struct mapping *mapping)
{
	module_id number = number_of(samples, mapping);

	return samples->files[number - 1];
}

/* --- memory */

static const struct code *
find_code(const struct samples *samples, pid_t pid, uint64_t addr)
{
	size_t i;

	for (i = samples->ncodes; i > 0; i--) {
		const struct code *code = &samples->codes[i - 1];

		if (code->pid == pid && addr - code->addr < code->len)
			return code;
	}
	return NULL;
}

/* What is at ADDR up to the end of its mapping. */
static const uint8_t *
find_bytes(struct samples *samples, const struct sample_process *process,
	   uint64_t addr, size_t *len)
{
	const struct code *code = find_code(samples, process->pid, addr);
	const struct mapping *mapping = maps_find(process->maps, addr);
	const struct sample_file *file;
	uint64_t offset;

	if (code) {
		*len = code->len - (addr - code->addr);
		return code->bytes + (addr - code->addr);
	}
	if (!mapping || mapping->is_writable)
		return NULL;
	if (!mapping->module)
		return NULL;
	file = samples->files[mapping->module - 1];
	offset = addr - mapping->start + mapping->file_offset;
	if (!file->bytes || offset >= file->len)
		return NULL;
	*len = file->len - offset;
	if (*len > mapping->end - addr)
		*len = mapping->end - addr;
	return file->bytes + offset;
}

static size_t
copied(const struct sample_memory *memory)
{
	return memory->raw->stack_len < memory->limit ?
		       memory->raw->stack_len : memory->limit;
}

struct memory
samples_memory(struct sample_memory *from)
{
	return (struct memory){
		.read = samples_read,
		.ctx = from,
		.window = from->raw->stack,
		.window_addr = from->raw->regs.r[X86_RSP],
		.window_len = copied(from),
		.trail = from->raw->trail,
		.ntrail = from->raw->ntrail,
		.trail_fp = from->raw->regs.r[X86_RBP],
	};
}

bool
samples_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	const struct sample_memory *memory = ctx;
	const struct raw *raw = memory->raw;
	uint64_t into = addr - raw->regs.r[X86_RSP];
	size_t there = 0;
	const uint8_t *bytes;

	if (into < copied(memory) && len <= copied(memory) - into) {
		memcpy(buf, raw->stack + into, len);
		return true;
	}
	bytes = find_bytes(memory->samples, raw->process, addr, &there);
	if (!bytes || there < len)
		return false;
	memcpy(buf, bytes, len);
	return true;
}

/* --- records */

static struct sample_process *
get_process(struct samples *samples, pid_t pid)
{
	struct sample_process *process;
	size_t i;

	for (i = 0; i < samples->nprocesses; i++)
		if (samples->processes[i]->pid == pid)
			return samples->processes[i];
	samples->processes = grow(samples->processes, samples->nprocesses,
				  &samples->processes_capacity,
				  sizeof(struct sample_process *));
	process = xcalloc(1, sizeof(*process));
	process->pid = pid;
	process->maps = maps_new();
	samples->processes[samples->nprocesses++] = process;
	return process;
}

static const struct samples_record *
next_record(struct samples *samples, const uint8_t **payload)
{
	const struct samples_record *record;
	size_t left = samples->len - samples->at;

	record = (const void *)(samples->bytes + samples->at);
	if (left < sizeof(*record) || record->len > left - sizeof(*record))
		return NULL;
	*payload = (const uint8_t *)(record + 1);
	samples->at += sizeof(*record) + ((record->len + 7u) & ~(size_t)7);
	if (samples->at > samples->len)
		samples->at = samples->len;
	return record;
}

static void
add_mapping(struct samples *samples, struct sample_process *process,
	    const uint8_t *payload)
{
	const struct recorded_mapping *from = (const void *)payload;
	struct mapping mapping = {
		.start = from->start,
		.end = from->end,
		.file_offset = from->file_offset,
		.dev = from->dev,
		.inode = from->inode,
		.path = (const char *)(from + 1),
		.is_executable = from->is_executable,
		.is_writable = from->is_writable,
	};

	mapping.kind = mapping_kind(&mapping);
	maps_add(process->maps, &mapping);
	if (mapping.inode || mapping.kind == MODULE_VDSO)
		maps_set_module(process->maps, mapping.start,
				number_of(samples, &mapping));
}

static void
copy_maps(struct samples *samples, pid_t parent, pid_t child)
{
	struct sample_process *from = get_process(samples, parent);
	struct sample_process *to = get_process(samples, child);
	size_t i;

	maps_clear(to->maps);
	for (i = 0; i < maps_count(from->maps); i++)
		maps_add(to->maps, maps_at(from->maps, i));
}

#define REGS_BYTES (X86_COUNT * sizeof(uint64_t))

static void
take_sample(struct samples *samples, const struct samples_record *record,
	    const uint8_t *payload, struct raw *raw)
{
	const uint64_t *trail = (const void *)(payload + REGS_BYTES);
	size_t ntrail = trail[0];
	size_t head = REGS_BYTES + (ntrail + 1) * sizeof(*trail);

	*raw = (struct raw){
		.process = get_process(samples, record->pid),
		.tid = record->tid,
		.time_ns = record->time_ns,
		.trail = trail + 1,
		.ntrail = ntrail,
		.stack = payload + head,
		.stack_len = record->len - head,
	};
	memcpy(raw->regs.r, payload, REGS_BYTES);
}

bool
samples_next(struct samples *samples, struct raw *raw)
{
	const struct samples_record *record;
	const uint8_t *payload;

	while ((record = next_record(samples, &payload)))
		switch (record->kind) {
		case RECORD_MAPPING:
			add_mapping(samples,
				    get_process(samples, record->pid),
				    payload);
			break;
		case RECORD_EXEC:
			maps_clear(get_process(samples, record->pid)->maps);
			break;
		case RECORD_FORK:
			copy_maps(samples, record->pid, record->tid);
			break;
		case RECORD_SAMPLE:
			take_sample(samples, record, payload, raw);
			return true;
		}
	return false;
}

static void
collect_code(struct samples *samples)
{
	const struct samples_record *record;
	const uint8_t *payload;

	while ((record = next_record(samples, &payload))) {
		struct code *code;

		if (record->kind != RECORD_CODE)
			continue;
		samples->codes = grow(samples->codes, samples->ncodes,
				      &samples->codes_capacity, sizeof(*code));
		code = &samples->codes[samples->ncodes++];
		code->pid = record->pid;
		memcpy(&code->addr, payload, sizeof(code->addr));
		code->bytes = payload + sizeof(code->addr);
		code->len = record->len - sizeof(code->addr);
	}
}

void
samples_rewind(struct samples *samples)
{
	size_t i;

	samples->at = MAGIC_LEN;
	for (i = 0; i < samples->nprocesses; i++)
		maps_clear(samples->processes[i]->maps);
}

bool
samples_open(const char *path, struct samples **out, struct error *err)
{
	struct samples *samples = xcalloc(1, sizeof(*samples));
	struct stat st;

	samples->bytes = map_file(path, &samples->len, &st);
	if (!samples->bytes || samples->len < MAGIC_LEN ||
	    memcmp(samples->bytes, SAMPLES_MAGIC, MAGIC_LEN)) {
		free(samples);
		return fail(err, 0, "%s is no recording", path);
	}
	samples->at = MAGIC_LEN;
	collect_code(samples);
	samples->at = MAGIC_LEN;
	*out = samples;
	return true;
}

void
samples_close(struct samples *samples)
{
	size_t i;

	if (!samples)
		return;
	for (i = 0; i < samples->nprocesses; i++) {
		maps_free(samples->processes[i]->maps);
		free(samples->processes[i]);
	}
	for (i = 0; i < samples->nfiles; i++) {
		free((char *)samples->files[i]->path);
		free(samples->files[i]);
	}
	free(samples->processes);
	free(samples->files);
	free(samples->codes);
	munmap((void *)samples->bytes, samples->len);
	free(samples);
}
