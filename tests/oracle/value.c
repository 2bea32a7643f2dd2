/* SPDX-License-Identifier: MIT */
/*
 * value.c - unwind rules computed, ours and libdw's.
 */
#include "tests/oracle/value.h"

#include <dwarf.h>

#define DEPTH 64

uint64_t
value_mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 33;
	x *= UINT64_C(0xc4ceb9fe1a85ec53);
	return x ^ x >> 33;
}

/* Memory with some content at every address. */
static uint64_t
load(uint64_t address, unsigned size)
{
	uint64_t word = value_mix(address);

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
run_theirs_plain(const struct regs *regs, struct machine *m,
		 const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		push(m, atom - DW_OP_lit0);
	else if (atom >= DW_OP_breg0 && atom < DW_OP_breg0 + X86_COUNT)
		push(m, regs->r[atom - DW_OP_breg0] + op->number);
	else if (atom >= DW_OP_const1u && atom <= DW_OP_consts)
		push(m, op->number);
	else
		compute(m, atom);
}

static void
run_theirs(const struct regs *regs, struct machine *m, const Dwarf_Op *op,
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
			push(m, regs->r[op->number] + op->number2);
		else
			m->failed = true;
		break;
	case DW_OP_dup: pick(m, 0); break;
	case DW_OP_over: pick(m, 1); break;
	case DW_OP_pick: pick(m, op->number); break;
	case DW_OP_drop: pop(m); break;
	case DW_OP_swap: swap(m); break;
	case DW_OP_rot: rot(m); break;
	default: run_theirs_plain(regs, m, op);
	}
}

static bool
theirs(const struct regs *regs, const Dwarf_Op *ops, size_t n, uint64_t cfa,
       uint64_t *result)
{
	struct machine m = { .n = 0 };

	for (size_t i = 0; i < n && !m.failed; i++)
		run_theirs(regs, &m, &ops[i], cfa);
	*result = pop(&m);
	return !m.failed;
}

bool
value_of_libdw(const struct regs *regs, Dwarf_Frame *frame, int number,
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
		out->number = reg < X86_COUNT ? regs->r[reg] : 0;
		return true;
	}
	out->how = ops[n - 1].atom == DW_OP_stack_value ? COMPUTED
							: IN_MEMORY;
	return theirs(regs, ops, n, cfa, &out->number);
}

static void
run_ours(const struct regs *regs, struct machine *m, const struct op *op)
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
	case OP_REG: push(m, regs->r[op->reg] + value); break;
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

struct value
value_of_ours(const struct regs *regs, const struct column *column,
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
				       regs->r[column->reg] + number };
	case COLUMN_AT_CODE:
	case COLUMN_IS_CODE:
		break;
	default:
		return (struct value){ LOST, 0 };
	}
	if (cfa)
		push(&m, *cfa);
	for (size_t i = 0; i < column->ops && !m.failed; i++)
		run_ours(regs, &m, &ops[column->value + (int32_t)i]);
	number = pop(&m);
	if (m.failed)
		return (struct value){ LOST, 0 };
	return (struct value){ column->how == COLUMN_AT_CODE ? IN_MEMORY
							     : COMPUTED,
			       number };
}

bool
cfa_of_libdw(const struct regs *regs, Dwarf_Frame *frame, uint64_t *cfa)
{
	Dwarf_Op *ops;
	size_t n;

	return !dwarf_frame_cfa(frame, &ops, &n) && n &&
	       theirs(regs, ops, n, 0, cfa);
}
