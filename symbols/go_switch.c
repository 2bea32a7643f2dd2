/* SPDX-License-Identifier: MIT */
/*
 * go_switch.c - what the instructions around a change of stacks say.
 */
#include "symbols/go_switch.h"

#include <string.h>

#include "core/base.h"
#include "symbols/rules.h"

#define NOWHERE SIZE_MAX

static int
digit_of(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

/* Do the bytes at AT have FORM, "48 8b 58 ?"? Then *LEN is its length. */
static bool
has_form(const struct go_code *code, size_t at, const char *form, size_t *len)
{
	size_t n = 0;

	for (; *form; n++) {
		bool is_any = *form == '?';

		if (at + n >= code->len ||
		    (!is_any && code->bytes[at + n] !=
		     (digit_of(form[0]) << 4 | digit_of(form[1]))))
			return false;
		form += is_any ? 1 : 2;
		form += *form == ' ';
	}
	*len = n;
	return true;
}

/* Behind the first FORM in [FROM, TO), or NOWHERE. */
static size_t
behind(const struct go_code *code, size_t from, size_t to, const char *form)
{
	size_t len;

	for (size_t at = from; at < to && at < code->len; at++)
		if (has_form(code, at, form, &len))
			return at + len;
	return NOWHERE;
}

/* The displacement of one byte, or of four, that ends before AT. */
static int32_t
small(const struct go_code *code, size_t at)
{
	return (int8_t)code->bytes[at - 1];
}

static int32_t
large(const struct go_code *code, size_t at)
{
	uint32_t value;

	memcpy(&value, code->bytes + at - 4, 4);
	return (int32_t)value;
}

bool
go_switch_is(const char *name)
{
	static const char *const all[] = {
		"runtime.systemstack", "runtime.morestack",
		"runtime.asmcgocall", "runtime.cgocallback",
		"runtime.nanotime1", "runtime.nanotime", "runtime.walltime",
		"time.now", "runtime.sigfwd", "runtime.callCgoSigaction",
		"runtime.callCgoMmap", "runtime.callCgoMunmap", "gogo",
		"runtime.asyncPreempt",
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (!strcmp(name, all[i]))
			return true;
	return false;
}

/* mov g_m(%rax), %rbx; mov m_curg(%rbx), %rax; mov g_sp(%rax), %rsp */
static bool
read_offsets(const struct go_code *code, struct go_layout *out)
{
	size_t call = behind(code, 0, code->len, "ff d7");
	size_t m, curg, sp;

	if (call == NOWHERE)
		return false;
	m = behind(code, call, call + 32, "48 8b 58 ?");
	if (m == NOWHERE)
		return false;
	out->g_m = small(code, m);
	curg = behind(code, m, m + 4, "48 8b 83 ? ? ? ?");
	if (curg != NOWHERE) {
		out->m_curg = large(code, curg);
	} else {
		curg = behind(code, m, m + 4, "48 8b 43 ?");
		if (curg == NOWHERE)
			return false;
		out->m_curg = small(code, curg);
	}
	sp = behind(code, curg, curg + 32, "48 8b 60 ?");
	if (sp == NOWHERE)
		return false;
	out->g_sp = small(code, sp);
	return true;
}

void
go_switch_layout(const struct go_code *code, struct go_layout *layout)
{
	const char *name = code->func->name;
	size_t bp;

	if (!strcmp(name, "runtime.systemstack") &&
	    read_offsets(code, layout))
		layout->has_offsets = true;
	if (strcmp(name, "gosave_systemstack_switch"))
		return;
	bp = behind(code, 0, code->len, "49 89 6e ?");
	if (bp != NOWHERE)
		layout->g_bp = small(code, bp);
}

/* --- programs */

static void
put(struct go_stretch *s, enum op_code code, uint8_t reg, int32_t value)
{
	s->ops[s->nops++] = (struct op){ .code = (uint8_t)code, .reg = reg,
					 .value = value };
}

static void
put_word(struct go_stretch *s)
{
	put(s, OP_DEREF, 8, 0);
}

/* The program of COLUMN is what was put since FIRST. */
static void
set_code(struct go_stretch *s, struct column *column, size_t first)
{
	column->how = COLUMN_IS_CODE;
	column->ops = (uint16_t)(s->nops - first);
	column->value = (int32_t)first;
}

static void
begin(struct go_stretch *s, size_t from, size_t to)
{
	memset(s, 0, sizeof(*s));
	s->from = from;
	s->to = to;
	s->is_full = true;
	rules_begin(&s->full);
}

/* g.m.curg + OFFSET */
static void
put_goroutine(struct go_stretch *s, const struct go_layout *layout,
	      int32_t offset)
{
	put(s, OP_REG, X86_R14, layout->g_m);
	put_word(s);
	put(s, OP_ADD_CONST, 0, layout->m_curg);
	put_word(s);
	put(s, OP_ADD_CONST, 0, offset);
}

/* Zero the address on top unless g.m.curg.sched.bp is rbp. */
static void
put_check(struct go_stretch *s, const struct go_layout *layout)
{
	put_goroutine(s, layout, layout->g_bp);
	put_word(s);
	put(s, OP_REG, X86_RBP, 0);
	put(s, OP_EQ, 0, 0);
	put(s, OP_NEG, 0, 0);
	put(s, OP_AND, 0, 0);
}

static bool
is_known(const struct go_layout *layout)
{
	return layout->has_offsets && layout->g_bp;
}

/* The stack that was left is not found by records that are not known. */
static void
put_nowhere(struct go_stretch *s)
{
	put(s, OP_CONST, 0, 0);
	set_code(s, &s->full.cfa, 0);
}

/* --- functions */

static size_t
of_systemstack(const struct go_code *code, const struct go_layout *layout,
	       struct go_stretch *out)
{
	size_t call = behind(code, 0, code->len, "ff d7");
	size_t low, from, to;

	if (call == NOWHERE)
		return 0;
	/* mov %rbx, %rsp, or mov g_sp(%rdx), %rsp */
	low = call > 24 ? call - 24 : 0;
	from = behind(code, low, call, "48 89 dc");
	if (from == NOWHERE)
		from = behind(code, low, call, "48 8b 62 ?");
	to = behind(code, call, call + 64, "48 8b 60 ?");
	if (from == NOWHERE || to == NOWHERE)
		return 0;
	begin(out, from, to);
	out->full.leaves = LEAVE_TO_CALL;
	if (!is_known(layout)) {
		put_nowhere(out);
		return 1;
	}
	put_goroutine(out, layout, layout->g_sp);
	put_word(out);
	put(out, OP_ADD_CONST, 0, 8);
	put_check(out, layout);
	set_code(out, &out->full.cfa, 0);
	return 1;
}

/*
 * The function that needs a larger stack called this one before it had a
 * frame; where it goes on is the goroutine's sched.
 */
static size_t
of_morestack(const struct go_code *code, const struct go_layout *layout,
	     struct go_stretch *out)
{
	size_t from = behind(code, 0, code->len, "48 8b 63 ?"), first;

	if (from == NOWHERE)
		return 0;
	begin(out, from, code->len);
	out->full.leaves = LEAVE_TO_GROW;
	if (!is_known(layout)) {
		put_nowhere(out);
		return 1;
	}
	put_goroutine(out, layout, layout->g_sp);
	put_word(out);
	put_check(out, layout);
	set_code(out, &out->full.cfa, 0);
	first = out->nops;
	put_goroutine(out, layout, layout->g_sp + 8);
	put_word(out);
	set_code(out, &out->full.r[X86_RIP], first);
	return 1;
}

/*
 * CFA = *(*(rsp + SAVED) + TOP) - *(rsp + DEPTH) + 8: the goroutine's stack
 * may be copied to another place while C calls back, so its rsp is kept as a
 * distance from the top.
 */
static void
put_distance(struct go_stretch *s, int32_t saved, int32_t top, int32_t depth)
{
	put(s, OP_REG, X86_RSP, saved);
	put_word(s);
	put(s, OP_ADD_CONST, 0, top);
	put_word(s);
	put(s, OP_REG, X86_RSP, depth);
	put_word(s);
	put(s, OP_SUB, 0, 0);
	put(s, OP_ADD_CONST, 0, 8);
	set_code(s, &s->full.cfa, 0);
}

static void
compact(struct go_stretch *s, size_t from, size_t to, struct rule rule)
{
	begin(s, from, to);
	s->is_full = false;
	s->rule = rule;
}

/*
 * One call of C: the old rsp is in rdx before it and, as what says FORM, on
 * the stack from it on. FORM is that of the instruction that changes rsp.
 */
static size_t
of_c_call(const struct go_code *code, size_t *at, const char *form,
	  struct go_stretch *out)
{
	size_t from = behind(code, *at, code->len, form), call, end, word, top;

	if (from == NOWHERE)
		return 0;
	call = behind(code, from, from + 64, "ff d0");
	if (call == NOWHERE)
		return 0;
	end = behind(code, call, call + 40, "48 89 f4");
	/* A position-independent program loads an offset first. */
	word = behind(code, call, call + 8, "48 8b 74 24 ?");
	*at = call;
	if (end == NOWHERE)
		return 0;
	compact(&out[0], from, call - 2,
		(struct rule){ RULE_REG, X86_RDX, 0, 8 });
	if (word != NOWHERE) {
		compact(&out[1], call - 2, end,
			(struct rule){ RULE_DEREF, X86_RSP, 0,
				       small(code, word) + (8 << 16) });
		return 2;
	}
	word = behind(code, call, call + 8, "48 8b 7c 24 ?");
	top = behind(code, call, call + 13, "48 8b 77 ?");
	if (word == NOWHERE || top == NOWHERE ||
	    behind(code, top, top + 1, "48 2b 74 24 ?") == NOWHERE)
		return 1;
	begin(&out[1], call - 2, end);
	put_distance(&out[1], small(code, word), small(code, top),
		     small(code, top + 5));
	return 2;
}

static size_t
of_asmcgocall(const struct go_code *code, struct go_stretch *out)
{
	size_t at = 0, n = of_c_call(code, &at, "48 8b 66 ?", out);

	/* There, without a goroutine to come back to. */
	return n ? n + of_c_call(code, &at, "c3 48 83 ec ?", out + n) : 0;
}

/*
 * It makes its frame where C called it, and rbp points there up to the end:
 * that leads back without a look at any record.
 */
static size_t
of_cgocallback(const struct go_code *code, struct go_stretch *out)
{
	size_t from = behind(code, 0, code->len, "48 89 fc"), to;

	if (from == NOWHERE)
		return 0;
	to = behind(code, from, code->len, "48 8b 66 ?");
	if (to == NOWHERE)
		return 0;
	compact(out, from, to, (struct rule){ RULE_BP, 0, -2, 16 });
	return 1;
}

/* A goroutine is taken up again: the last few instructions are on its stack,
   as a frame that is not there. */
static size_t
of_gogo(const struct go_code *code, struct go_stretch *out)
{
	size_t from = behind(code, 0, code->len, "48 8b 23");

	if (from == NOWHERE)
		return 0;
	compact(out, from, code->len, (struct rule){ .kind = RULE_END });
	return 1;
}

/*
 * A signal's handler has made it look as if what it interrupted had called
 * this: where that goes on is no return address, and all registers are kept.
 * Its frame is largest while it calls.
 */
static size_t
of_preemption(const struct go_code *code, struct go_stretch *out)
{
	struct pc_values v;
	int32_t largest = 8;

	pc_values_open(code->tab, code->func, code->func->pcsp, &v);
	while (pc_values_next(&v)) {
		if (v.value <= largest)
			continue;
		largest = v.value;
		begin(out, v.from - code->func->start,
		      v.to - code->func->start);
	}
	if (largest == 8)
		return 0;
	for (size_t i = 0; i < X86_COUNT; i++)
		out->full.r[i].how = COLUMN_UNDEFINED;
	out->full.cfa = (struct column){ .how = COLUMN_REG, .reg = X86_RSP,
					 .value = largest + 8 };
	out->full.r[X86_RSP].how = COLUMN_IS_CFA;
	out->full.r[X86_RBP] = (struct column){ .how = COLUMN_AT_CFA,
						.value = -16 };
	out->full.r[X86_RIP] = (struct column){ .how = COLUMN_AT_CFA,
						.value = -8 };
	out->full.is_signal = true;
	return 1;
}

/*
 * mov %rsp, R ... mov R, %rsp, where calls keep R and nothing else is put
 * there: from the first on, R tells the frame up to the end.
 */
static size_t
of_kept(const struct go_code *code, struct go_stretch *out)
{
	static const struct {
		const char *save, *restore;
		uint8_t reg;
	} forms[] = {
		{ "48 89 e3", "48 89 dc", X86_RBX },
		{ "49 89 e4", "4c 89 e4", X86_R12 },
		{ "49 89 e5", "4c 89 ec", X86_R13 },
	};
	int32_t depth;

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		size_t from = behind(code, 0, code->len, forms[i].save);

		if (from == NOWHERE ||
		    behind(code, from, code->len, forms[i].restore) ==
			    NOWHERE ||
		    !pclntab_depth(code->tab, code->func,
				   code->func->start + from, &depth))
			continue;
		compact(out, from, code->len,
			(struct rule){ RULE_REG, forms[i].reg,
				       depth > 8 ? -2 : 0, depth + 8 });
		return 1;
	}
	return 0;
}

size_t
go_switch_stretches(const struct go_code *code, const struct go_layout *layout,
		    struct go_stretch out[GO_STRETCHES])
{
	const char *name = code->func->name;

	if (!strcmp(name, "runtime.systemstack"))
		return of_systemstack(code, layout, out);
	if (!strcmp(name, "runtime.morestack"))
		return of_morestack(code, layout, out);
	if (!strcmp(name, "runtime.asmcgocall"))
		return of_asmcgocall(code, out);
	if (!strcmp(name, "runtime.cgocallback"))
		return of_cgocallback(code, out);
	if (!strcmp(name, "gogo"))
		return of_gogo(code, out);
	if (!strcmp(name, "runtime.asyncPreempt"))
		return of_preemption(code, out);
	return of_kept(code, out);
}
