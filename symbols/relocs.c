/* SPDX-License-Identifier: MIT */
/*
 * relocs.c - R_X86_64_RELATIVE.
 */
#include "symbols/relocs.h"

#include <stdlib.h>
#include <string.h>

#define TABLES_MAX 16		/* of relocations; linkers make two */
#define DYNAMIC_MAX 4096	/* entries of PT_DYNAMIC */

struct reloc {
	uint64_t at, value;
};

struct relocs {
	struct reloc *list;	/* sorted by AT */
	size_t count, capacity;
};

static void
take_table(struct relocs *relocs, const Elf64_Rela *table, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (ELF64_R_TYPE(table[i].r_info) != R_X86_64_RELATIVE)
			continue;
		relocs->list = grow(relocs->list, relocs->count,
				    &relocs->capacity, sizeof(*relocs->list));
		relocs->list[relocs->count++] = (struct reloc){
			table[i].r_offset, (uint64_t)table[i].r_addend,
		};
	}
}

static void
read_table(struct relocs *relocs, const struct elf *elf, uint64_t offset,
	   uint64_t len)
{
	Elf64_Rela *table;

	if (!len || len > ELF_SECTION_MAX ||
	    len > (uint64_t)elf->stat.st_size)
		return;
	table = malloc(len);
	if (table && elf_read(elf, offset, table, len))
		take_table(relocs, table, len / sizeof(*table));
	free(table);
}

static void
read_sections(struct relocs *relocs, const struct elf *elf)
{
	unsigned tables = 0;

	for (size_t i = 0; i < elf->nsections && tables < TABLES_MAX; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (s->sh_type != SHT_RELA || !(s->sh_flags & SHF_ALLOC))
			continue;
		read_table(relocs, elf, s->sh_offset, s->sh_size);
		tables++;
	}
}

/* Without section headers: what the loader itself goes by. */
static void
read_dynamic(struct relocs *relocs, const struct elf *elf)
{
	uint64_t table = 0, len = 0, offset;
	Elf64_Dyn entry = { .d_tag = DT_NULL };

	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];
		size_t n = p->p_filesz / sizeof(entry);

		if (p->p_type != PT_DYNAMIC)
			continue;
		for (size_t k = 0; k < n && k < DYNAMIC_MAX; k++) {
			if (!elf_read(elf, p->p_offset + k * sizeof(entry),
				      &entry, sizeof(entry)) ||
			    entry.d_tag == DT_NULL)
				break;
			if (entry.d_tag == DT_RELA)
				table = entry.d_un.d_ptr;
			else if (entry.d_tag == DT_RELASZ)
				len = entry.d_un.d_val;
		}
		break;
	}
	if (table && elf_offset_of(elf, table, &offset))
		read_table(relocs, elf, offset, len);
}

static int
by_place(const void *a, const void *b)
{
	const struct reloc *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

struct relocs *
relocs_open(const struct elf *elf)
{
	struct relocs *relocs;

	if (elf->header.e_type != ET_DYN ||
	    elf->header.e_machine != EM_X86_64)
		return NULL;
	relocs = xcalloc(1, sizeof(*relocs));
	if (elf->nsections)
		read_sections(relocs, elf);
	else
		read_dynamic(relocs, elf);
	if (relocs->count)
		qsort(relocs->list, relocs->count, sizeof(*relocs->list),
		      by_place);
	return relocs;
}

void
relocs_free(struct relocs *relocs)
{
	if (!relocs)
		return;
	free(relocs->list);
	free(relocs);
}

/* The first at or behind VADDR. */
static size_t
first_at(const struct relocs *relocs, uint64_t vaddr)
{
	size_t low = 0, high = relocs->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (relocs->list[middle].at < vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void
relocs_apply(const struct relocs *relocs, uint64_t vaddr, uint8_t *bytes,
	     size_t len)
{
	if (!relocs || len < 8)
		return;
	for (size_t i = first_at(relocs, vaddr); i < relocs->count; i++) {
		uint64_t at = relocs->list[i].at - vaddr;

		if (at > len - 8)
			break;
		memcpy(bytes + at, &relocs->list[i].value, 8);
	}
}

uint64_t
relocs_find(const struct relocs *relocs, uint64_t vaddr, uint64_t value)
{
	if (!relocs)
		return UINT64_MAX;
	for (size_t i = first_at(relocs, vaddr); i < relocs->count; i++)
		if (relocs->list[i].value == value)
			return relocs->list[i].at;
	return UINT64_MAX;
}
