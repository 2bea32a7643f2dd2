/* SPDX-License-Identifier: MIT */
/*
 * go_module.c - search for the record, and its words.
 */
#include "symbols/go_module.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/relocs.h"

#define CHUNK ((size_t)256 << 10)
#define DATA_MAX ((uint64_t)512 << 20)	/* looked through */

/* Numbers of words in the record. */
enum {
	AT_TABLE = 0, AT_NAMES = 1, AT_LOWEST = 20, AT_TEXT = 22,
	AT_RODATA_OLD = 37, AT_RODATA = 39, WORDS = 42,
};

struct search {
	const struct elf *elf;
	struct relocs *relocs;
	uint64_t pclntab, names;
	bool is_old;
	struct go_module *out;
};

/* Is the record at VADDR? */
static bool
take(const struct search *s, uint64_t vaddr)
{
	uint64_t words[WORDS], offset;
	size_t rodata = s->is_old ? AT_RODATA_OLD : AT_RODATA;

	if (!elf_offset_of(s->elf, vaddr, &offset) ||
	    !elf_read(s->elf, offset, words, sizeof(words)))
		return false;
	relocs_apply(s->relocs, vaddr, (uint8_t *)words, sizeof(words));
	if (words[AT_TABLE] != s->pclntab ||
	    words[AT_NAMES] != s->pclntab + s->names ||
	    words[AT_TEXT] > words[AT_LOWEST])
		return false;
	s->out->text = words[AT_TEXT];
	if (words[rodata] && words[rodata] <= words[rodata + 1])
		s->out->funcs = words[rodata + 1];
	return true;
}

static bool
search_relocs(const struct search *s)
{
	uint64_t at = 0;

	while ((at = relocs_find(s->relocs, at, s->pclntab)) != UINT64_MAX) {
		if (take(s, at))
			return true;
		at++;
	}
	return false;
}

static bool
search_segment(const struct search *s, const Elf64_Phdr *p, uint8_t *chunk)
{
	uint64_t size = p->p_filesz < DATA_MAX ? p->p_filesz : DATA_MAX;

	for (uint64_t at = 0; at < size; at += CHUNK) {
		size_t len = size - at < CHUNK ? (size_t)(size - at) : CHUNK;

		if (!elf_read(s->elf, p->p_offset + at, chunk, len))
			return false;
		for (size_t i = 0; i + 8 <= len; i += 8)
			if (!memcmp(chunk + i, &s->pclntab, 8) &&
			    take(s, p->p_vaddr + at + i))
				return true;
	}
	return false;
}

static bool
search_data(const struct search *s)
{
	uint8_t *chunk = xreallocarray(NULL, CHUNK, 1);
	unsigned tries = 8;	/* a file may say that it has a million */
	bool is_found = false;

	for (size_t i = 0; i < s->elf->nsegments && tries && !is_found; i++) {
		const Elf64_Phdr *p = &s->elf->segments[i];

		if (p->p_type == PT_LOAD && (p->p_flags & PF_W) && tries--)
			is_found = search_segment(s, p, chunk);
	}
	free(chunk);
	return is_found;
}

bool
go_module_find(const struct elf *elf, uint64_t pclntab, uint64_t names,
	       bool is_old, struct go_module *out)
{
	struct search s = {
		.elf = elf, .relocs = relocs_open(elf), .pclntab = pclntab,
		.names = names, .is_old = is_old, .out = out,
	};
	bool is_found;

	memset(out, 0, sizeof(*out));
	is_found = search_relocs(&s) || search_data(&s);
	relocs_free(s.relocs);
	return is_found;
}
