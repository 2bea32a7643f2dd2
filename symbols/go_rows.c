/* SPDX-License-Identifier: MIT */
/*
 * go_rows.c - from depths of rsp to rules.
 *
 * A function's frame, as the compiler and the assembler make it:
 *
 *	sub $N, %rsp; mov %rbp, N-8(%rsp); lea N-8(%rsp), %rbp	until Go 1.20
 *	push %rbp; mov %rsp, %rbp; sub $N-8, %rsp		since then
 *
 * Either way rbp is at CFA - 16, and only these two forms are believed to
 * have put it there: what is assembled by hand may do anything else.
 */
#include "symbols/go_rows.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/go_sites.h"
#include "symbols/go_switch.h"

#define CODE_MAX 1024		/* bytes of a function that are looked at;
				   prologues and what changes stacks fit */
#define DEPTH_MAX (INT32_MAX - 8)

struct go_rows {
	const struct pclntab *tab;
	const struct elf *elf;
	uint64_t start, end;
	struct go_layout layout;
};

/* One function while its rules are said. */
struct saying {
	const struct go_rows *rows;
	const struct go_func *func;
	struct rows_writer *w;
	uint64_t to_offset;	/* virtual address to offset in the file */
	uint8_t bytes[CODE_MAX];
	struct go_code code;
};

static void
load_code(const struct go_rows *rows, const struct go_func *func,
	  uint8_t *bytes, struct go_code *code)
{
	uint64_t len = func->end - func->start, offset;

	*code = (struct go_code){ .tab = rows->tab, .func = func,
				  .bytes = bytes };
	if (len > CODE_MAX)
		len = CODE_MAX;
	if (elf_offset_of(rows->elf, func->start, &offset) &&
	    elf_read(rows->elf, offset, bytes, (size_t)len))
		code->len = (size_t)len;
}

struct go_rows *
go_rows_new(const struct pclntab *tab, const struct elf *elf)
{
	struct go_rows *rows = xcalloc(1, sizeof(*rows));
	size_t count = pclntab_count(tab);
	uint8_t bytes[CODE_MAX];
	struct go_code code;
	struct go_func func;

	rows->tab = tab;
	rows->elf = elf;
	for (size_t i = 0; i < count; i++) {
		if (!pclntab_at(tab, i, &func))
			continue;
		if (!rows->end)
			rows->start = func.start;
		rows->end = func.end;
		if (!strstr(func.name, "systemstack"))
			continue;
		load_code(rows, &func, bytes, &code);
		go_switch_layout(&code, &rows->layout);
	}
	return rows;
}

void
go_rows_free(struct go_rows *rows)
{
	free(rows);
}

void
go_rows_span(const struct go_rows *rows, uint64_t *start, uint64_t *end)
{
	*start = rows->start;
	*end = rows->end;
}

/* --- one function */

static void
say(const struct saying *s, uint64_t vaddr, const struct rule *rule)
{
	rows_writer_rule(s->w, vaddr + s->to_offset, rule);
}

static void
say_kind(const struct saying *s, uint64_t vaddr, enum rule_kind kind)
{
	say(s, vaddr, &(struct rule){ .kind = (uint8_t)kind });
}

/*
 * rsp has just been moved to DEPTH at VADDR: how many bytes further on is rbp
 * saved? False if it is not.
 */
static bool
saves_rbp(const struct saying *s, uint64_t vaddr, int32_t depth,
	  uint64_t *after)
{
	static const uint8_t by_8[] = { 0x48, 0x89, 0x6c, 0x24 };
	static const uint8_t by_32[] = { 0x48, 0x89, 0xac, 0x24 };
	static const uint8_t by_0[] = { 0x48, 0x89, 0x2c, 0x24 };
	uint64_t at = vaddr - s->func->start;
	const uint8_t *p = s->code.bytes + at;
	uint32_t slot;

	if (at + 8 > s->code.len)
		return false;
	*after = 0;
	if (depth == 8 && at && p[-1] == 0x55)
		return true;
	*after = 4;
	if (depth == 8 && !memcmp(p, by_0, 4))
		return true;
	*after = 5;
	if (!memcmp(p, by_8, 4) && (int8_t)p[4] == depth - 8)
		return true;
	*after = 8;
	memcpy(&slot, p + 4, 4);
	return !memcmp(p, by_32, 4) && (int32_t)slot == depth - 8;
}

/* From VADDR on RULE, as far as that lies in [FROM, TO). */
static void
say_in(const struct saying *s, uint64_t vaddr, uint64_t from, uint64_t to,
       const struct rule *rule)
{
	if (vaddr < to)
		say(s, vaddr > from ? vaddr : from, rule);
}

/* The rules of the frame for that part of the function. */
static void
say_frame(const struct saying *s, uint64_t from, uint64_t to)
{
	struct rule rule = { .kind = RULE_SP, .reg = X86_RBP };
	int32_t made = 0;	/* depth at which rbp was saved; 0: never */
	struct pc_values v;
	uint64_t after;

	pc_values_open(s->rows->tab, s->func, s->func->pcsp, &v);
	while (pc_values_next(&v)) {
		bool is_frame = v.value >= 0 && v.value <= DEPTH_MAX;

		rule.kind = is_frame ? RULE_SP : RULE_NONE;
		rule.reg = is_frame ? X86_RBP : 0;
		rule.cfa = is_frame ? v.value + 8 : 0;
		rule.rbp = is_frame && made && v.value >= made ? -2 : 0;
		if (v.to > from)
			say_in(s, v.from, from, to, &rule);
		if (!is_frame || made || !v.value ||
		    !saves_rbp(s, v.from, v.value, &after) ||
		    after >= v.to - v.from)
			continue;
		made = v.value;
		rule.rbp = -2;
		if (v.to > from)
			say_in(s, v.from + after, from, to, &rule);
	}
}

/* Stretches with rules of their own, and the frame before and between. */
static void
say_switch(const struct saying *s)
{
	struct go_stretch all[GO_STRETCHES];
	size_t n = go_switch_stretches(&s->code, &s->rows->layout, all);
	uint64_t start = s->func->start, at = start;

	for (size_t i = 0; i < n; i++) {
		uint64_t from = start + all[i].from;

		if (from > at)
			say_frame(s, at, from);
		if (all[i].is_full)
			rows_writer_full(s->w, from + s->to_offset,
					 &all[i].full, all[i].ops);
		else
			say(s, from, &all[i].rule);
		at = start + all[i].to;
	}
	if (at < s->func->end)
		say_frame(s, at, s->func->end);
}

/* Where goroutines and threads of the runtime begin. */
static bool
is_outermost(const struct go_func *func)
{
	static const char *const all[] = {
		"runtime.goexit", "runtime.mstart", "runtime.rt0_go",
		"runtime.mcall", "_rt0_amd64", "_rt0_amd64_linux",
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (!strcmp(func->name, all[i]))
			return true;
	/* The kernel calls this one, and its frame leads on. */
	return (func->flags & GO_TOP_FRAME) &&
	       strcmp(func->name, "runtime.sigtramp");
}

/*
 * The kernel returns to the first byte of this one, which is looked up as the
 * byte before, like the address behind a call.
 */
static bool
is_signal_return(const struct go_func *func)
{
	return !strncmp(func->name, "runtime.sigreturn", 17);
}

static void
say_function(struct saying *s)
{
	const struct go_func *func = s->func;

	if (is_signal_return(func)) {
		say_kind(s, func->start - 1, RULE_SIGNAL);
	} else if (is_outermost(func)) {
		say_kind(s, func->start, RULE_END);
	} else if (!func->pcsp) {
		say_kind(s, func->start, RULE_NONE);
	} else {
		load_code(s->rows, func, s->bytes, &s->code);
		if (!strcmp(func->name, "runtime.systemstack"))
			go_sites_say(s->rows->tab, s->rows->elf, func->start,
				     s->to_offset, s->w);
		if (go_switch_is(func->name))
			say_switch(s);
		else
			say_frame(s, func->start, func->end);
	}
}

void
go_rows_say(const struct go_rows *rows, uint64_t from, uint64_t to,
	    struct rows_writer *w)
{
	struct saying s = { .rows = rows, .w = w };
	size_t count = pclntab_count(rows->tab);
	struct go_func func;
	uint64_t offset;

	if (!elf_offset_of(rows->elf, rows->start, &offset))
		return;
	s.to_offset = offset - rows->start;
	s.func = &func;
	for (size_t i = pclntab_number(rows->tab, from); i < count; i++) {
		if (!pclntab_at(rows->tab, i, &func))
			continue;
		if (func.start >= to)
			return;
		say_function(&s);
	}
	say_kind(&s, rows->end, RULE_NONE);
}
