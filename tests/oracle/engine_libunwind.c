/* SPDX-License-Identifier: MIT */
/*
 * engine_libunwind.c - libunwind over a recording, as perf(1) uses it.
 */
#include <elf.h>
#include <libunwind-x86_64.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/engine.h"

/* Searches an .eh_frame_hdr; exported without a header. */
int _Ux86_64_dwarf_search_unwind_table(unw_addr_space_t as, unw_word_t ip,
				       unw_dyn_info_t *table,
				       unw_proc_info_t *found, int need_info,
				       void *arg);

#define HEADER_USUAL 0x3b031b01u	/* version and encodings */

struct engine_state {
	struct samples *samples;
	bool has_no_cache;
	struct kept_list kept;
};

/* What the callbacks get. */
struct query {
	struct samples *samples;
	const struct raw *raw;
	struct sample_memory memory;
};

/* Address of the .eh_frame_hdr that is for MAPPING; 0: none. */
static uint64_t
find_header(struct query *query, const struct mapping *mapping)
{
	const struct sample_file *file =
		samples_file(query->samples, mapping);
	const Elf64_Ehdr *elf = (const void *)file->bytes;
	const Elf64_Phdr *segment;
	uint64_t bias;
	unsigned i;

	if (!engine_bias(file, mapping, &bias))
		return 0;
	segment = (const void *)(file->bytes + elf->e_phoff);
	for (i = 0; i < elf->e_phnum; i++)
		if (segment[i].p_type == PT_GNU_EH_FRAME)
			return bias + segment[i].p_vaddr;
	return 0;
}

static int
find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *out,
	       int need_info, void *arg)
{
	struct query *query = arg;
	const struct mapping *mapping =
		maps_find(query->raw->process->maps, ip);
	uint64_t header = mapping ? find_header(query, mapping) : 0;
	unw_dyn_info_t table = { 0 };
	uint32_t head[3];

	if (!header ||
	    !samples_read(&query->memory, header, head, sizeof(head)) ||
	    head[0] != HEADER_USUAL)
		return -UNW_ENOINFO;
	table.start_ip = mapping->start;
	table.end_ip = mapping->end;
	table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
	table.u.rti.segbase = header;
	table.u.rti.table_data = header + sizeof(head);
	table.u.rti.table_len = head[2] * 8ull / sizeof(unw_word_t);
	return _Ux86_64_dwarf_search_unwind_table(space, ip, &table, out,
						  need_info, arg);
}

static void
put_unwind_info(unw_addr_space_t space, unw_proc_info_t *found, void *arg)
{
	(void)space, (void)found, (void)arg;
}

static int
no_dynamic_code(unw_addr_space_t space, unw_word_t *list, void *arg)
{
	(void)space, (void)list, (void)arg;
	return -UNW_ENOINFO;
}

/*
 * Where a personality routine is lies in memory that is written once, when the
 * program starts, and read whether it is needed or not. What the file has
 * there will do.
 */
static bool
read_file(struct query *query, uint64_t addr, unw_word_t *word)
{
	const struct mapping *mapping =
		maps_find(query->raw->process->maps, addr);
	const struct sample_file *file;
	uint64_t offset;

	if (!mapping || !mapping->inode)
		return false;
	file = samples_file(query->samples, mapping);
	offset = addr - mapping->start + mapping->file_offset;
	if (!file->bytes || offset + sizeof(*word) > file->len)
		return false;
	memcpy(word, file->bytes + offset, sizeof(*word));
	return true;
}

static int
access_mem(unw_addr_space_t space, unw_word_t addr, unw_word_t *word,
	   int is_write, void *arg)
{
	struct query *query = arg;

	(void)space;
	if (!is_write &&
	    (samples_read(&query->memory, addr, word, sizeof(*word)) ||
	     read_file(query, addr, word)))
		return 0;
	return -UNW_EINVAL;
}

static int
access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *word,
	   int is_write, void *arg)
{
	const struct query *query = arg;

	(void)space;
	if (is_write || reg < 0 || reg >= X86_COUNT)
		return -UNW_EBADREG;
	*word = query->raw->regs.r[reg];	/* both count as DWARF does */
	return 0;
}

static int
access_fpreg(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value,
	     int is_write, void *arg)
{
	(void)space, (void)reg, (void)value, (void)is_write, (void)arg;
	return -UNW_EBADREG;
}

static int
refuse_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

static unw_addr_space_t
new_space(bool has_no_cache)
{
	unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_code,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = refuse_resume,
	};
	unw_addr_space_t space = unw_create_addr_space(&accessors, 0);

	unw_set_caching_policy(space, has_no_cache ? UNW_CACHE_NONE :
						     UNW_CACHE_GLOBAL);
	return space;
}

static void *
libunwind_open(struct samples *samples, const struct engine_config *config)
{
	struct engine_state *state = xcalloc(1, sizeof(*state));

	state->samples = samples;
	state->has_no_cache = config->has_no_cache;
	return state;
}

static unw_addr_space_t
space_of(struct engine_state *state, const struct raw *raw)
{
	struct kept *kept = kept_of(&state->kept, raw->process);
	uint64_t generation = maps_generation(raw->process->maps);

	if (!kept->state)
		kept->state = new_space(state->has_no_cache);
	else if (kept->fingerprint != generation)
		unw_flush_cache(kept->state, 0, 0);
	kept->fingerprint = generation;
	return kept->state;
}

static void
libunwind_walk(void *ctx, const struct raw *raw, struct chain *out)
{
	struct engine_state *state = ctx;
	struct query query = { state->samples, raw,
			       { state->samples, raw, SIZE_MAX } };
	bool is_exact = true, is_signal;
	unw_cursor_t cursor;
	unw_word_t ip;

	out->n = 0;
	if (unw_init_remote(&cursor, space_of(state, raw), &query) < 0)
		return;
	do {
		if (unw_get_reg(&cursor, UNW_REG_IP, &ip) < 0 || !ip)
			break;
		out->pcs[out->n++] = ip - !is_exact;
		is_signal = unw_is_signal_frame(&cursor) > 0;
		is_exact = is_signal;
	} while (out->n < CHAIN_MAX && unw_step(&cursor) > 0);
}

static void
libunwind_close(void *ctx)
{
	struct engine_state *state = ctx;
	size_t i;

	for (i = 0; i < state->kept.count; i++)
		unw_destroy_addr_space(state->kept.kept[i].state);
	free(state->kept.kept);
	free(state);
}

const struct engine engine_libunwind = {
	.name = "libunwind",
	.open = libunwind_open,
	.walk = libunwind_walk,
	.close = libunwind_close,
};
