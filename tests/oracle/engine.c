/* SPDX-License-Identifier: MIT */
/*
 * engine.c - what the unwinders share, and ours.
 */
#include "tests/oracle/engine.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

bool
engine_bias(const struct sample_file *file, const struct mapping *mapping,
	    uint64_t *bias)
{
	const Elf64_Ehdr *elf = (const void *)file->bytes;
	const Elf64_Phdr *segment;
	unsigned i;

	if (!elf || file->len < sizeof(*elf) ||
	    memcmp(elf->e_ident, ELFMAG, SELFMAG) ||
	    elf->e_phoff + elf->e_phnum * sizeof(*segment) > file->len)
		return false;
	segment = (const void *)(file->bytes + elf->e_phoff);
	for (i = 0; i < elf->e_phnum; i++, segment++) {
		uint64_t from = segment->p_offset & ~(uint64_t)(PAGE - 1);

		if (segment->p_type != PT_LOAD ||
		    !(segment->p_flags & PF_X) != !mapping->is_executable ||
		    mapping->file_offset < from ||
		    mapping->file_offset >= segment->p_offset +
						    segment->p_filesz)
			continue;
		*bias = mapping->start - mapping->file_offset +
			segment->p_offset - segment->p_vaddr;
		return true;
	}
	return false;
}

uint64_t
engine_fingerprint(const struct maps *maps)
{
	uint64_t print = 0;
	size_t i;

	for (i = 0; i < maps_count(maps); i++) {
		const struct mapping *mapping = maps_at(maps, i);

		if (!mapping->is_executable ||
		    (!mapping->inode && mapping->kind != MODULE_VDSO))
			continue;
		print = (print ^ mapping->start) * 0x9e3779b97f4a7c15u;
		print = (print ^ mapping->end) * 0x9e3779b97f4a7c15u;
		print = (print ^ mapping->inode) * 0x9e3779b97f4a7c15u;
		print ^= print >> 32;
	}
	return print;
}

struct kept *
kept_of(struct kept_list *list, const struct sample_process *process)
{
	size_t i;

	for (i = 0; i < list->count; i++)
		if (list->kept[i].process == process)
			return &list->kept[i];
	list->kept = grow(list->kept, list->count, &list->capacity,
			  sizeof(*list->kept));
	list->kept[list->count] = (struct kept){ .process = process };
	return &list->kept[list->count++];
}

size_t
chain_common(const struct chain *a, const struct chain *b,
	     uint64_t *inexact)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++) {
		if (a->pcs[i] - b->pcs[i] + 1 > 2)
			break;
		if (inexact)
			*inexact += a->pcs[i] != b->pcs[i];
	}
	return i;
}

/* --- ours */

struct ours {
	struct samples *samples;
	struct engine_config config;
	struct row_source source;
	struct kept_list kept;
};

static void *
ours_open(struct samples *samples, const struct engine_config *config)
{
	struct ours *ours = xcalloc(1, sizeof(*ours));

	ours->samples = samples;
	ours->config = *config;
	if (config->rows)
		ours->source = local_rows_source(config->rows);
	return ours;
}

static void
ours_walk(void *state, const struct raw *raw, struct chain *out)
{
	struct ours *ours = state;
	struct kept *kept = kept_of(&ours->kept, raw->process);
	struct sample_memory from = { ours->samples, raw,
		ours->config.limit ? ours->config.limit : SIZE_MAX };
	struct memory memory = samples_memory(&from);

	if (!kept->state) {
		kept->state = unwind_new(ours->config.mode,
					 ours->config.rows ? &ours->source :
							     NULL);
		unwind_use_cache(kept->state, !ours->config.has_no_cache);
	}
	out->n = unwind_stack(kept->state, raw->process->maps, &raw->regs,
			      &memory, false, out->pcs, NULL, CHAIN_MAX,
			      &out->end);
	if (out->n > CHAIN_MAX)
		out->n = CHAIN_MAX;
}

static void
ours_close(void *state)
{
	struct ours *ours = state;
	size_t i;

	for (i = 0; i < ours->kept.count; i++)
		unwind_free(ours->kept.kept[i].state);
	free(ours->kept.kept);
	free(ours);
}

const struct engine engine_ours = {
	.name = "flametop",
	.open = ours_open,
	.walk = ours_walk,
	.close = ours_close,
};
