/* SPDX-License-Identifier: MIT */
/*
 * cfi_expression.c - one operation of DWARF to one or few of ours.
 *
 * The depth of the stack is known at each operation because there are no
 * jumps. So a program that reads below its stack is refused here.
 */
#include "symbols/cfi_expression.h"

#include <dwarf.h>

#include "symbols/cfi_bytes.h"

struct compiler {
	struct reader r;
	struct op *ops;
	size_t n;
	size_t depth;		/* of the stack behind OPS */
	bool failed;
};

/* Append CODE, which takes TAKEN words off the stack and leaves LEFT. */
static void
emit(struct compiler *c, enum op_code code, uint8_t reg, int64_t value,
     size_t taken, size_t left)
{
	if (c->n == ROWS_OPS_MAX || c->depth < taken || value < INT32_MIN ||
	    value > INT32_MAX) {
		c->failed = true;
		return;
	}
	c->ops[c->n++] = (struct op){ .code = (uint8_t)code, .reg = reg,
				      .value = (int32_t)value };
	c->depth = c->depth - taken + left;
}

static void
emit_binary(struct compiler *c, enum op_code code)
{
	emit(c, code, 0, 0, 2, 1);
}

/* Put 16 more bits behind the number on top. */
static void
emit_bits(struct compiler *c, uint64_t bits)
{
	emit(c, OP_CONST, 0, 16, 0, 1);
	emit_binary(c, OP_SHL);
	emit(c, OP_CONST, 0, (int64_t)(bits & 0xffff), 0, 1);
	emit_binary(c, OP_OR);
}

static void
emit_const(struct compiler *c, uint64_t value)
{
	int64_t number = (int64_t)value;

	if (number >= INT32_MIN && number <= INT32_MAX) {
		emit(c, OP_CONST, 0, number, 0, 1);
		return;
	}
	emit(c, OP_CONST, 0, (int32_t)(value >> 32), 0, 1);
	emit_bits(c, value >> 16);
	emit_bits(c, value);
}

/* TOP += VALUE, within what comes before where that is a plain sum. */
static void
emit_sum(struct compiler *c, uint64_t value)
{
	struct op *last = c->n ? &c->ops[c->n - 1] : NULL;
	int64_t sum;

	if (value <= INT32_MAX && last &&
	    (last->code == OP_REG || last->code == OP_ADD_CONST)) {
		sum = (int64_t)last->value + (int64_t)value;
		if (sum <= INT32_MAX) {
			last->value = (int32_t)sum;
			return;
		}
	}
	if (value <= INT32_MAX) {
		emit(c, OP_ADD_CONST, 0, (int64_t)value, 1, 1);
		return;
	}
	emit_const(c, value);
	emit_binary(c, OP_ADD);
}

static void
emit_register(struct compiler *c, uint64_t reg, int64_t value)
{
	if (reg >= X86_COUNT) {
		c->failed = true;
		return;
	}
	emit(c, OP_REG, (uint8_t)reg, value, 0, 1);
}

static void
emit_deref(struct compiler *c, uint8_t size)
{
	if (size != 1 && size != 2 && size != 4 && size != 8)
		c->failed = true;
	emit(c, OP_DEREF, size, 0, 1, 1);
}

static void
emit_pick(struct compiler *c, uint8_t below)
{
	if (below >= c->depth)
		c->failed = true;
	emit(c, OP_PICK, 0, below, 0, 1);
}

/* Operations that push a constant; false: CODE is none of them. */
static bool
compile_const(struct compiler *c, uint8_t code)
{
	struct reader *r = &c->r;

	switch (code) {
	case DW_OP_const1u:
		emit_const(c, cfi_u8(r));
		return true;
	case DW_OP_const1s:
		emit_const(c, (uint64_t)(int64_t)(int8_t)cfi_u8(r));
		return true;
	case DW_OP_const2u:
		emit_const(c, cfi_u16(r));
		return true;
	case DW_OP_const2s:
		emit_const(c, (uint64_t)(int64_t)(int16_t)cfi_u16(r));
		return true;
	case DW_OP_const4u:
		emit_const(c, cfi_u32(r));
		return true;
	case DW_OP_const4s:
		emit_const(c, (uint64_t)(int64_t)(int32_t)cfi_u32(r));
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		emit_const(c, cfi_u64(r));
		return true;
	case DW_OP_constu:
		emit_const(c, cfi_uleb(r));
		return true;
	case DW_OP_consts:
		emit_const(c, (uint64_t)cfi_sleb(r));
		return true;
	}
	return false;
}

/* How those without operands translate: ours, words taken, words left. */
static const struct {
	uint8_t dwarf, ours, taken, left;
} plain[] = {
	{ DW_OP_dup, OP_DUP, 1, 2 },	{ DW_OP_drop, OP_DROP, 1, 0 },
	{ DW_OP_over, OP_OVER, 2, 3 },	{ DW_OP_swap, OP_SWAP, 2, 2 },
	{ DW_OP_rot, OP_ROT, 3, 3 },	{ DW_OP_abs, OP_ABS, 1, 1 },
	{ DW_OP_and, OP_AND, 2, 1 },	{ DW_OP_minus, OP_SUB, 2, 1 },
	{ DW_OP_mul, OP_MUL, 2, 1 },	{ DW_OP_neg, OP_NEG, 1, 1 },
	{ DW_OP_not, OP_NOT, 1, 1 },	{ DW_OP_or, OP_OR, 2, 1 },
	{ DW_OP_plus, OP_ADD, 2, 1 },	{ DW_OP_shl, OP_SHL, 2, 1 },
	{ DW_OP_shr, OP_SHR, 2, 1 },	{ DW_OP_shra, OP_SHRA, 2, 1 },
	{ DW_OP_xor, OP_XOR, 2, 1 },	{ DW_OP_eq, OP_EQ, 2, 1 },
	{ DW_OP_ge, OP_GE, 2, 1 },	{ DW_OP_gt, OP_GT, 2, 1 },
	{ DW_OP_le, OP_LE, 2, 1 },	{ DW_OP_lt, OP_LT, 2, 1 },
	{ DW_OP_ne, OP_NE, 2, 1 },
};

static void
compile_plain(struct compiler *c, uint8_t code)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		if (plain[i].dwarf != code)
			continue;
		emit(c, plain[i].ours, 0, 0, plain[i].taken, plain[i].left);
		return;
	}
	c->failed = true;
}

static void
compile_one(struct compiler *c)
{
	uint8_t code = cfi_u8(&c->r);
	uint64_t reg;

	if (code >= DW_OP_lit0 && code <= DW_OP_lit31) {
		emit(c, OP_CONST, 0, code - DW_OP_lit0, 0, 1);
		return;
	}
	if (code >= DW_OP_breg0 && code <= DW_OP_breg31) {
		emit_register(c, code - DW_OP_breg0, cfi_sleb(&c->r));
		return;
	}
	switch (code) {
	case DW_OP_nop:
		return;
	case DW_OP_bregx:
		reg = cfi_uleb(&c->r);
		emit_register(c, reg, cfi_sleb(&c->r));
		return;
	case DW_OP_plus_uconst:
		emit_sum(c, cfi_uleb(&c->r));
		return;
	case DW_OP_deref:
		emit_deref(c, 8);
		return;
	case DW_OP_deref_size:
		emit_deref(c, cfi_u8(&c->r));
		return;
	case DW_OP_pick:
		emit_pick(c, cfi_u8(&c->r));
		return;
	}
	if (!compile_const(c, code))
		compile_plain(c, code);
}

bool
cfi_compile(const uint8_t *bytes, size_t len, bool has_cfa,
	    struct op ops[ROWS_OPS_MAX], size_t *nops)
{
	struct compiler c = {
		.r = reader_of(bytes, len),
		.ops = ops,
		.depth = has_cfa,
	};

	while (c.r.at != c.r.end && !c.failed)
		compile_one(&c);
	*nops = c.n;
	return !c.failed && !c.r.failed && c.depth;
}
