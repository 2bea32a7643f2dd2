/* SPDX-License-Identifier: MIT */
/*
 * pclntab_find.c - where in a file the table of a Go program is.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/pclntab.h"
#include "symbols/relocs.h"

#define CHUNK ((size_t)256 << 10)
#define ALIGN 32		/* of the table, by the linker */
#define TRIES_MAX 8		/* magic numbers that are none */

/* The header's first eight bytes, whatever the version. */
static bool
looks_right(const uint8_t *at)
{
	uint32_t magic;

	memcpy(&magic, at, 4);
	return (magic == 0xfffffffb || magic == 0xfffffffa ||
		magic == 0xfffffff0 || magic == 0xfffffff1) &&
	       !at[4] && !at[5] && (at[6] == 1 || at[6] == 2 || at[6] == 4) &&
	       at[7] == 8;
}

/* LEN bytes at OFFSET of the file as a table, words relocated. */
static bool
parse_at(const struct elf *elf, uint64_t offset, uint64_t vaddr, uint64_t len,
	 struct pclntab **out, struct error *err)
{
	struct relocs *relocs;
	uint8_t *bytes;

	if (len > ELF_SECTION_MAX)
		return fail(err, 0, "the Go symbol table is too large "
			    "(%llu MiB)", (unsigned long long)len >> 20);
	bytes = malloc(len + 1);
	if (!bytes || !elf_read(elf, offset, bytes, len)) {
		free(bytes);
		return fail(err, 0, "the Go symbol table cannot be read");
	}
	relocs = relocs_open(elf);
	relocs_apply(relocs, vaddr, bytes, len);
	relocs_free(relocs);
	return pclntab_parse(elf, bytes, len, vaddr, 0, out, err);
}

/* A part of the file that may have the table somewhere in it. */
struct place {
	uint64_t offset, vaddr, size;
};

/* The rest of PLACE behind each magic number in it. */
static bool
search_place(const struct elf *elf, const struct place *place, uint8_t *chunk,
	     unsigned *tries, struct pclntab **out)
{
	uint64_t at = (ALIGN - place->vaddr % ALIGN) % ALIGN;
	struct error own;

	for (; at < place->size; at += CHUNK) {
		uint64_t left = place->size - at;
		size_t len = left < CHUNK ? (size_t)left : CHUNK;

		if (!elf_read(elf, place->offset + at, chunk, len))
			return false;
		for (size_t i = 0; i + 8 <= len && *tries; i += ALIGN)
			/* What only looks like a table is no error. */
			if (looks_right(chunk + i) && (*tries)-- &&
			    parse_at(elf, place->offset + at + i,
				     place->vaddr + at + i, left - i, out,
				     &own))
				return true;
	}
	return false;
}

static void
search_segments(const struct elf *elf, uint8_t *chunk, struct pclntab **out)
{
	unsigned segments = 16, tries = TRIES_MAX;

	for (size_t i = 0; i < elf->nsegments && !*out && segments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];
		struct place place = { p->p_offset, p->p_vaddr, p->p_filesz };

		if (p->p_type == PT_LOAD && !(p->p_flags & PF_X) &&
		    segments--)
			search_place(elf, &place, chunk, &tries, out);
	}
}

/*
 * GNU ld, which links a position-independent program that uses C, puts the
 * table's section into another one.
 */
static void
search(const struct elf *elf, struct pclntab **out)
{
	const Elf64_Shdr *merged = elf_find(elf, ".data.rel.ro");
	uint8_t *chunk = xreallocarray(NULL, CHUNK, 1);
	unsigned tries = TRIES_MAX;

	if (!elf->nsections) {
		search_segments(elf, chunk, out);
	} else if (merged && elf_is_readable(elf, merged)) {
		struct place place = { merged->sh_offset, merged->sh_addr,
				       merged->sh_size };

		search_place(elf, &place, chunk, &tries, out);
	}
	free(chunk);
}

static const Elf64_Shdr *
find_section(const struct elf *elf)
{
	const Elf64_Shdr *found = elf_find(elf, ".gopclntab");

	return found ? found : elf_find(elf, ".data.rel.ro.gopclntab");
}

bool
pclntab_open(const struct elf *elf, struct pclntab **out, struct error *err)
{
	const Elf64_Shdr *section = find_section(elf);

	*out = NULL;
	if (section && elf_is_readable(elf, section))
		return parse_at(elf, section->sh_offset, section->sh_addr,
				section->sh_size, out, err);
	if (section)
		return fail(err, 0, "the Go symbol table is not in the file");
	search(elf, out);
	return true;
}
