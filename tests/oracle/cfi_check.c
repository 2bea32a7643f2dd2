/* SPDX-License-Identifier: MIT */
/*
 * cfi_check.c - do our unwind rules say what libdw says?
 *
 *	cfi-check FILE		every row of its tables, first and last byte
 *	cfi-check FILE N	N random addresses of its code
 *
 * A rule of ours and the same of libdw are both computed on registers and
 * memory of random content: CFA, return address and every register must come
 * out equal, from the compact table (CFA, rip, rbp) and from the full one.
 * Where libdw has no rule ours must be a hole, padding, or a stub that its
 * bytes prove.
 *
 * Prints one line: addresses, how many of them libdw knows, rows, differences.
 * Exit status 1 if there is a difference, 77 if the file has no rules at all.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rows.h"
#include "symbols/elf.h"
#include "symbols/rules.h"
#include "symbols/symbols.h"

#define SHOWN 10
#define DEPTH 64

struct checker {
	struct elf *elf;
	Dwarf_CFI *eh, *debug;
	struct writer compact_image, full_image;
	struct rows compact, full;
	uint64_t registers[X86_COUNT];
	uint64_t seed;
	uint64_t addresses, known, wrong;
};

/* What a rule makes of a register. */
struct value {
	enum { LOST, KEPT, IN_MEMORY, COMPUTED } how;
	uint64_t number;	/* address or value */
};

static uint64_t
mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

static uint64_t
next_random(struct checker *c)
{
	return mix(c->seed += UINT64_C(0x9e3779b97f4a7c15));
}

/* Memory with some content at every address. */
static uint64_t
load(uint64_t address, unsigned size)
{
	uint64_t word = mix(address);

	return size >= 8 ? word : word & (((uint64_t)1 << 8 * size) - 1);
}

/* A stack machine, for both languages. False: it cannot go on. */
struct machine {
	uint64_t stack[DEPTH];
	size_t n;
	bool failed;
};

static void
push(struct machine *m, uint64_t value)
{
	if (m->n == DEPTH)
		m->failed = true;
	else
		m->stack[m->n++] = value;
}

static uint64_t
pop(struct machine *m)
{
	if (!m->n) {
		m->failed = true;
		return 0;
	}
	return m->stack[--m->n];
}

static void
pick(struct machine *m, uint64_t below)
{
	if (below >= m->n)
		m->failed = true;
	else
		push(m, m->stack[m->n - 1 - below]);
}

static void
swap(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m);

	push(m, a);
	push(m, b);
}

static void
rot(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m), d = pop(m);

	push(m, a);
	push(m, d);
	push(m, b);
}

/* Operations that both languages have; named as DWARF names them. */
static void
compute(struct machine *m, unsigned atom)
{
	uint64_t b = pop(m);
	uint64_t a = atom == DW_OP_neg || atom == DW_OP_not ||
				     atom == DW_OP_abs
			     ? 0 : pop(m);
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (atom) {
	case DW_OP_plus: push(m, a + b); break;
	case DW_OP_minus: push(m, a - b); break;
	case DW_OP_mul: push(m, a * b); break;
	case DW_OP_and: push(m, a & b); break;
	case DW_OP_or: push(m, a | b); break;
	case DW_OP_xor: push(m, a ^ b); break;
	case DW_OP_shl: push(m, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(m, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(m, (uint64_t)(x >> (b < 63 ? b : 63))); break;
	case DW_OP_neg: push(m, -b); break;
	case DW_OP_not: push(m, ~b); break;
	case DW_OP_abs: push(m, y < 0 ? -b : b); break;
	case DW_OP_eq: push(m, x == y); break;
	case DW_OP_ne: push(m, x != y); break;
	case DW_OP_lt: push(m, x < y); break;
	case DW_OP_le: push(m, x <= y); break;
	case DW_OP_gt: push(m, x > y); break;
	case DW_OP_ge: push(m, x >= y); break;
	default: m->failed = true;
	}
}

static void
run_theirs_plain(struct checker *c, struct machine *m, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		push(m, atom - DW_OP_lit0);
	else if (atom >= DW_OP_breg0 && atom < DW_OP_breg0 + X86_COUNT)
		push(m, c->registers[atom - DW_OP_breg0] + op->number);
	else if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
		push(m, op->number);
	else
		compute(m, atom);
}

static void
run_theirs(struct checker *c, struct machine *m, const Dwarf_Op *op,
	   uint64_t cfa)
{
	switch (op->atom) {
	case DW_OP_call_frame_cfa: push(m, cfa); break;
	case DW_OP_stack_value:
	case DW_OP_nop: break;
	case DW_OP_plus_uconst: push(m, pop(m) + op->number); break;
	case DW_OP_deref: push(m, load(pop(m), 8)); break;
	case DW_OP_deref_size:
		push(m, load(pop(m), (unsigned)op->number));
		break;
	case DW_OP_bregx:
		if (op->number < X86_COUNT)
			push(m, c->registers[op->number] + op->number2);
		else
			m->failed = true;
		break;
	case DW_OP_dup: pick(m, 0); break;
	case DW_OP_over: pick(m, 1); break;
	case DW_OP_pick: pick(m, op->number); break;
	case DW_OP_drop: pop(m); break;
	case DW_OP_swap: swap(m); break;
	case DW_OP_rot: rot(m); break;
	default: run_theirs_plain(c, m, op);
	}
}

static bool
theirs(struct checker *c, const Dwarf_Op *ops, size_t n, uint64_t cfa,
       uint64_t *result)
{
	struct machine m = { .n = 0 };

	for (size_t i = 0; i < n && !m.failed; i++)
		run_theirs(c, &m, &ops[i], cfa);
	*result = pop(&m);
	return !m.failed;
}

static bool
their_register(struct checker *c, Dwarf_Frame *frame, int number,
	       uint64_t cfa, struct value *out)
{
	Dwarf_Op own[3], *ops;
	size_t n;

	*out = (struct value){ .how = LOST };
	if (dwarf_frame_register(frame, number, own, &ops, &n))
		return false;
	if (!ops && !n) {
		out->how = KEPT;
		return true;
	}
	if (!n)
		return true;
	if (n == 1 && (ops[0].atom == DW_OP_regx ||
		       (ops[0].atom >= DW_OP_reg0 &&
			ops[0].atom <= DW_OP_reg31))) {
		uint64_t reg = ops[0].number;

		if (ops[0].atom != DW_OP_regx)
			reg = (uint64_t)ops[0].atom - DW_OP_reg0;

		out->how = reg < X86_COUNT ? COMPUTED : LOST;
		out->number = reg < X86_COUNT ? c->registers[reg] : 0;
		return true;
	}
	out->how = ops[n - 1].atom == DW_OP_stack_value ? COMPUTED
							: IN_MEMORY;
	return theirs(c, ops, n, cfa, &out->number);
}

static void
run_ours(struct checker *c, struct machine *m, const struct op *op)
{
	static const uint8_t atoms[OP_CODES] = {
		[OP_ADD] = DW_OP_plus, [OP_SUB] = DW_OP_minus,
		[OP_MUL] = DW_OP_mul, [OP_AND] = DW_OP_and,
		[OP_OR] = DW_OP_or, [OP_XOR] = DW_OP_xor,
		[OP_SHL] = DW_OP_shl, [OP_SHR] = DW_OP_shr,
		[OP_SHRA] = DW_OP_shra, [OP_NEG] = DW_OP_neg,
		[OP_NOT] = DW_OP_not, [OP_ABS] = DW_OP_abs,
		[OP_EQ] = DW_OP_eq, [OP_NE] = DW_OP_ne, [OP_LT] = DW_OP_lt,
		[OP_LE] = DW_OP_le, [OP_GT] = DW_OP_gt, [OP_GE] = DW_OP_ge,
	};
	uint64_t value = (uint64_t)(int64_t)op->value;

	switch (op->code) {
	case OP_CONST: push(m, value); break;
	case OP_REG: push(m, c->registers[op->reg] + value); break;
	case OP_ADD_CONST: push(m, pop(m) + value); break;
	case OP_DEREF: push(m, load(pop(m), op->reg)); break;
	case OP_DUP: pick(m, 0); break;
	case OP_OVER: pick(m, 1); break;
	case OP_PICK: pick(m, value); break;
	case OP_DROP: pop(m); break;
	case OP_SWAP: swap(m); break;
	case OP_ROT: rot(m); break;
	default: compute(m, atoms[op->code]);
	}
}

static struct value
our_value(struct checker *c, const struct column *column,
	  const struct op *ops, const uint64_t *cfa)
{
	struct machine m = { .n = 0 };
	uint64_t number = (uint64_t)(int64_t)column->value;

	switch (column->how) {
	case COLUMN_SAME:
		return (struct value){ KEPT, 0 };
	case COLUMN_AT_CFA:
		return (struct value){ IN_MEMORY, *cfa + number };
	case COLUMN_IS_CFA:
		return (struct value){ COMPUTED, *cfa + number };
	case COLUMN_REG:
		return (struct value){ COMPUTED,
				       c->registers[column->reg] + number };
	case COLUMN_AT_CODE:
	case COLUMN_IS_CODE:
		break;
	default:
		return (struct value){ LOST, 0 };
	}
	if (cfa)
		push(&m, *cfa);
	for (size_t i = 0; i < column->ops && !m.failed; i++)
		run_ours(c, &m, &ops[column->value + (int32_t)i]);
	number = pop(&m);
	if (m.failed)
		return (struct value){ LOST, 0 };
	return (struct value){ column->how == COLUMN_AT_CODE ? IN_MEMORY
							     : COMPUTED,
			       number };
}

static bool
is_equal(struct value a, struct value b)
{
	return a.how == b.how && a.number == b.number;
}

/*
 * Of registers that no rule names, libdw 0.188 believes that rax is kept and
 * rbx lost: its table of the ABI's registers means rbx where it says 0, which
 * is rax.
 */
static bool
is_slip(int reg, struct value ours, struct value libdw)
{
	return (reg == X86_RAX && ours.how == LOST && libdw.how == KEPT) ||
	       (reg == X86_RBX && ours.how == KEPT && libdw.how == LOST);
}

static void
complain(struct checker *c, uint64_t vaddr, const char *what,
	 struct value ours, struct value libdw)
{
	if (c->wrong++ >= SHOWN)
		return;
	printf("%#" PRIx64 ": %s: ours %d %#" PRIx64 ", libdw %d %#" PRIx64
	       "\n", vaddr, what, ours.how, ours.number, libdw.how,
	       libdw.number);
}

/* Compare one full rule with the frame; of a compact one what it has. */
static void
compare(struct checker *c, uint64_t vaddr, Dwarf_Frame *frame,
	const struct full_rule *full, const struct op *ops, bool is_compact)
{
	static const char *const names[X86_COUNT] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
		"r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
	};
	struct value ours, libdw = { .how = COMPUTED };
	Dwarf_Op *cfa_ops;
	uint64_t cfa = 0;
	size_t n;

	their_register(c, frame, X86_RIP, 0, &ours);
	if (ours.how == LOST) {
		ours = our_value(c, &full->r[X86_RIP], ops, &cfa);
		if (ours.how != LOST)
			complain(c, vaddr, "not the end", ours,
				 (struct value){ LOST, 0 });
		return;
	}
	if (dwarf_frame_cfa(frame, &cfa_ops, &n) || !n ||
	    !theirs(c, cfa_ops, n, 0, &libdw.number))
		libdw.how = LOST;
	ours = our_value(c, &full->cfa, ops, NULL);
	if (!is_equal(ours, libdw)) {
		complain(c, vaddr, is_compact ? "compact CFA" : "CFA", ours,
			 libdw);
		return;
	}
	cfa = ours.number;
	for (int i = 0; i < X86_COUNT; i++) {
		if (is_compact && i != X86_RIP && i != X86_RBP && i != X86_RSP)
			continue;
		if (!their_register(c, frame, i, cfa, &libdw))
			continue;
		ours = our_value(c, &full->r[i], ops, &cfa);
		if (!is_equal(ours, libdw) && !is_slip(i, ours, libdw))
			complain(c, vaddr, names[i], ours, libdw);
	}
}

static Dwarf_Frame *
frame_at(struct checker *c, uint64_t vaddr)
{
	Dwarf_Frame *frame = NULL;

	if (c->eh && !dwarf_cfi_addrframe(c->eh, vaddr, &frame))
		return frame;
	if (c->debug && !dwarf_cfi_addrframe(c->debug, vaddr, &frame))
		return frame;
	return NULL;
}

/* What may stand where libdw knows nothing. */
static bool
may_be_hole(struct checker *c, uint64_t vaddr, const struct rule *rule)
{
	if (rule->kind == RULE_NONE || rule->kind == RULE_FP ||
	    rule->kind == RULE_SIGNAL || rule->kind == RULE_PLT)
		return true;
	for (uint64_t i = 1; i <= 15; i++) {
		Dwarf_Frame *frame = frame_at(c, vaddr - i);

		free(frame);
		if (frame)
			return true;
	}
	return rule->kind == RULE_SP && rule->cfa <= 24;	/* a stub */
}

static void
check(struct checker *c, uint64_t offset)
{
	struct op ops[RULES_OPS_MAX];
	struct full_rule lengthened;
	const struct full_rule *full;
	const struct rule *rule;
	Dwarf_Frame *frame;
	uint64_t vaddr;
	size_t nops;

	if (!elf_vaddr_of(c->elf, offset, &vaddr))
		return;
	c->addresses++;
	for (size_t i = 0; i < X86_COUNT; i++)
		c->registers[i] = next_random(c) & ~(uint64_t)7;
	c->registers[X86_RIP] = vaddr;
	rule = rows_rule(&c->compact, offset);
	full = rows_full_at(&c->full, offset);
	frame = frame_at(c, vaddr);
	/* A segment has data beside its code; tables have the code alone. */
	if (!frame && !rows_has(&c->compact, offset))
		return;
	if (!rule || !full) {
		complain(c, vaddr, "no rule", (struct value){ LOST, 0 },
			 (struct value){ LOST, 0 });
	} else if (!frame) {
		if (!may_be_hole(c, vaddr, rule))
			complain(c, vaddr, "a rule from nowhere",
				 (struct value){ LOST, rule->kind },
				 (struct value){ LOST, 0 });
	} else {
		c->known++;
		compare(c, vaddr, frame, full, c->full.ops, false);
		if (rule->kind == RULE_FULL)
			full = rows_full(&c->compact, (uint64_t)rule->cfa);
		else
			rules_lengthen(rule, &lengthened, ops, &nops);
		if (rule->kind == RULE_FULL && full)
			compare(c, vaddr, frame, full, c->compact.ops, true);
		else
			compare(c, vaddr, frame, &lengthened, ops, true);
	}
	free(frame);
}

/* Each row of the full table, which has all that the compact one has. */
static void
check_all(struct checker *c)
{
	const struct rows_header *h = c->full.header;

	for (uint32_t page = 0; page < h->pages; page++) {
		uint64_t base = (uint64_t)(h->first + page) << ROWS_PAGE_LOG;

		for (uint32_t i = c->full.starts[page];
		     i < c->full.starts[page + 1]; i++) {
			uint64_t at = base + (c->full.rows[i] >> 16);

			check(c, at);
			if (i > c->full.starts[page] && at)
				check(c, at - 1);
		}
	}
}

static void
check_some(struct checker *c, uint64_t n)
{
	while (n--) {
		const Elf64_Phdr *p;

		do
			p = &c->elf->segments[next_random(c) %
					      c->elf->nsegments];
		while (p->p_type != PT_LOAD || !(p->p_flags & PF_X) ||
		       !p->p_filesz);
		check(c, p->p_offset + next_random(c) % p->p_filesz);
	}
}

static bool
is_sorted(const struct rows *rows)
{
	for (uint32_t page = 0; page < rows->header->pages; page++)
		for (uint32_t i = rows->starts[page];
		     i + 1 < rows->starts[page + 1]; i++)
			if (rows->rows[i] >> 16 >= rows->rows[i + 1] >> 16)
				return false;
	return true;
}

static bool
build(struct checker *c, const char *file)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct error err;
	bool ok;

	ok = symbols_open(symbols, 1, MODULE_LIBRARY,
			  open(file, O_RDONLY | O_CLOEXEC), &hint, &err) &&
	     symbols_rows(symbols, 1, 0, 0, false, &c->compact_image) &&
	     symbols_rows(symbols, 1, 0, 0, true, &c->full_image) &&
	     rows_open(c->compact_image.bytes, c->compact_image.len,
		       &c->compact) &&
	     rows_open(c->full_image.bytes, c->full_image.len, &c->full);
	symbols_free(symbols);
	return ok;
}

int
main(int argc, char **argv)
{
	struct checker c = { .seed = 1 };
	struct error err;
	Dwarf *dwarf;
	Elf *elf;
	int fd;

	if (argc < 2)
		return 2;
	elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !elf_open(dup(fd), &c.elf, &err) || !build(&c, argv[1]))
		return 77;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	c.eh = dwarf_getcfi_elf(elf);
	dwarf = elf_find(c.elf, ".debug_frame")
			? dwarf_begin_elf(elf, DWARF_C_READ, NULL)
			: NULL;
	c.debug = dwarf ? dwarf_getcfi(dwarf) : NULL;
	if (!is_sorted(&c.compact) || !is_sorted(&c.full)) {
		printf("%s: rows are not sorted\n", argv[1]);
		c.wrong++;
	}
	if (argc > 2)
		check_some(&c, strtoull(argv[2], NULL, 10));
	else
		check_all(&c);
	printf("%s: %" PRIu64 " addresses, libdw knows %" PRIu64
	       ", %u rows, %u rules, %" PRIu64 " wrong\n", argv[1],
	       c.addresses, c.known, c.compact.header->rows,
	       c.compact.header->rules, c.wrong);
	dwarf_cfi_end(c.eh);
	dwarf_end(dwarf);
	elf_end(elf);
	elf_free(c.elf);
	close(fd);
	writer_free(&c.compact_image);
	writer_free(&c.full_image);
	return c.wrong != 0;
}
