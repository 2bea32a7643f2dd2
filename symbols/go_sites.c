/* SPDX-License-Identifier: MIT */
/*
 * go_sites.c - search for calls, and for functions loaded before them.
 */
#include "symbols/go_sites.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/relocs.h"

#define FUNC_MAX ((size_t)1 << 16)	/* bytes of a function looked at */
#define TOTAL_MAX ((size_t)64 << 20)	/* and of all of them */
#define CALL_LEN 5
#define LEA_LEN 7

struct search {
	const struct pclntab *tab;
	const struct elf *elf;
	struct relocs *relocs;
	uint64_t systemstack, to_offset;
	struct rows_writer *w;
	const struct go_func *func;	/* that is looked at */
	uint8_t *code;
	size_t len;
};

/* Where the instruction of N bytes at AT leads, by its last four. */
static uint64_t
target_of(const struct search *s, size_t at, size_t n)
{
	int32_t distance;

	memcpy(&distance, s->code + at + n - 4, 4);
	return s->func->start + at + n + (uint64_t)(int64_t)distance;
}

static bool
is_start(const struct search *s, uint64_t vaddr, struct go_func *func)
{
	return pclntab_find(s->tab, vaddr, func) && func->start == vaddr;
}

/* The function whose code is at VADDR, or whose address is there. */
static bool
find_given(const struct search *s, uint64_t vaddr, struct go_func *given)
{
	uint64_t offset, word;

	if (is_start(s, vaddr, given))
		return true;
	if (!elf_offset_of(s->elf, vaddr, &offset) ||
	    !elf_read(s->elf, offset, &word, sizeof(word)))
		return false;
	relocs_apply(s->relocs, vaddr, (uint8_t *)&word, sizeof(word));
	return is_start(s, word, given);
}

/* lea X(%rip), R */
static bool
is_load(const uint8_t *code)
{
	return (code[0] == 0x48 || code[0] == 0x4c) && code[1] == 0x8d &&
	       (code[2] & 0xc7) == 0x05;
}

/* The call at AT; what it is given has been loaded behind FROM. */
static void
say_call(const struct search *s, size_t from, size_t at)
{
	struct rows_site site = {
		.caller = (uint32_t)(s->func->start + s->to_offset),
		.ret = (uint32_t)(s->func->start + at + CALL_LEN +
				  s->to_offset),
	};
	struct go_func given;
	bool is_said = false;

	for (; from + LEA_LEN <= at; from++) {
		if (!is_load(s->code + from) ||
		    !find_given(s, target_of(s, from, LEA_LEN), &given))
			continue;
		site.from = (uint32_t)(given.start + s->to_offset);
		site.to = (uint32_t)(given.end + s->to_offset);
		rows_writer_site(s->w, &site);
		is_said = true;
	}
	if (!is_said)
		rows_writer_site(s->w, &site);
}

static void
search_function(const struct search *s)
{
	size_t from = 0;

	for (size_t at = 0; at + CALL_LEN <= s->len; at++) {
		if (s->code[at] != 0xe8 ||
		    target_of(s, at, CALL_LEN) != s->systemstack)
			continue;
		say_call(s, from, at);
		from = at + CALL_LEN;
	}
}

void
go_sites_say(const struct pclntab *tab, const struct elf *elf,
	     uint64_t systemstack, uint64_t to_offset, struct rows_writer *w)
{
	struct go_func func;
	struct search s = {
		.tab = tab, .elf = elf, .relocs = relocs_open(elf),
		.systemstack = systemstack, .to_offset = to_offset, .w = w,
		.func = &func, .code = xreallocarray(NULL, FUNC_MAX, 1),
	};
	size_t count = pclntab_count(tab), total = 0;
	uint64_t offset;

	for (size_t i = 0; i < count && total < TOTAL_MAX; i++) {
		if (!pclntab_at(tab, i, &func) ||
		    strncmp(func.name, "runtime", 7) != 0)
			continue;
		s.len = func.end - func.start < FUNC_MAX ?
				(size_t)(func.end - func.start) : FUNC_MAX;
		total += s.len;
		if (elf_offset_of(elf, func.start, &offset) &&
		    elf_read(elf, offset, s.code, s.len))
			search_function(&s);
	}
	relocs_free(s.relocs);
	free(s.code);
}
