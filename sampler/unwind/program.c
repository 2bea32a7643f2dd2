/* SPDX-License-Identifier: MIT */
/*
 * program.c - what a full rule computes: a stack of words, no jumps.
 *
 * A program has at most ROWS_OPS_MAX operations and each leaves at most one
 * word more, so the stack has an end and so has the run.
 */
#include "sampler/unwind/step.h"

struct words {
	uint64_t at[ROWS_OPS_MAX + 1];
	size_t depth;
};

/* An operation on one word. */
static uint64_t
change(enum op_code code, uint64_t a)
{
	switch (code) {
	case OP_NEG:
		return 0 - a;
	case OP_NOT:
		return ~a;
	default:
		return a >> 63 ? 0 - a : a;	/* OP_ABS */
	}
}

static uint64_t
shift(enum op_code code, uint64_t a, uint64_t by)
{
	uint64_t sign = code == OP_SHRA && a >> 63 ? UINT64_MAX : 0;

	if (by >= 64)
		return sign;
	if (code == OP_SHL)
		return a << by;
	return a >> by | (by ? sign << (64 - by) : 0);
}

/* An operation on two words, B the upper one. */
static uint64_t
combine(enum op_code code, uint64_t a, uint64_t b)
{
	switch (code) {
	case OP_ADD:
		return a + b;
	case OP_SUB:
		return a - b;
	case OP_MUL:
		return a * b;
	case OP_AND:
		return a & b;
	case OP_OR:
		return a | b;
	case OP_XOR:
		return a ^ b;
	case OP_EQ:
		return a == b;
	case OP_NE:
		return a != b;
	case OP_LT:
		return (int64_t)a < (int64_t)b;
	case OP_LE:
		return (int64_t)a <= (int64_t)b;
	case OP_GT:
		return (int64_t)a > (int64_t)b;
	case OP_GE:
		return (int64_t)a >= (int64_t)b;
	default:
		return shift(code, a, b);
	}
}

/* How many words OP takes note of; they must be there. */
static size_t
words_needed(const struct op *op)
{
	if (op->code >= OP_ADD && op->code <= OP_SHRA)
		return 2;
	if (op->code >= OP_EQ && op->code < OP_CODES)
		return 2;
	switch (op->code) {
	case OP_CONST:
	case OP_REG:
		return 0;
	case OP_SWAP:
	case OP_OVER:
		return 2;
	case OP_ROT:
		return 3;
	case OP_PICK:
		return op->value < 0 ? SIZE_MAX : (size_t)op->value + 1;
	default:
		return 1;
	}
}

static bool
is_pushing(const struct op *op)
{
	return op->code == OP_CONST || op->code == OP_REG ||
	       op->code == OP_DUP || op->code == OP_OVER ||
	       op->code == OP_PICK;
}

/* The word that OP puts on the stack; TOP is above the present one. */
static uint64_t
pushed(const struct op *op, const struct state *state, const uint64_t *top)
{
	switch (op->code) {
	case OP_CONST:
		return (uint64_t)(int64_t)op->value;
	case OP_REG:
		return state->regs.r[op->reg] + (uint64_t)(int64_t)op->value;
	case OP_DUP:
		return top[-1];
	case OP_OVER:
		return top[-2];
	default:
		return top[-1 - op->value];	/* OP_PICK */
	}
}

static bool
load(const struct walk *walk, const struct op *op, uint64_t *word)
{
	uint64_t loaded = 0;

	if (op->reg == 8)
		return walk_read_word(walk, *word, word);
	if (!walk->memory->read(walk->memory->ctx, *word, &loaded, op->reg))
		return false;
	*word = loaded;
	return true;
}

/* The order of the upper three words. */
static void
rearrange(enum op_code code, uint64_t *top)
{
	uint64_t word = top[-1];

	top[-1] = top[-2];
	if (code == OP_SWAP) {
		top[-2] = word;
	} else {
		top[-2] = top[-3];
		top[-3] = word;
	}
}

static enum step
operate(const struct walk *walk, const struct op *op,
	const struct state *state, struct words *stack)
{
	uint64_t *top = stack->at + stack->depth;

	if (is_pushing(op)) {
		*top = pushed(op, state, top);
		stack->depth++;
		return STEP_CALLER;
	}
	switch (op->code) {
	case OP_DROP:
		stack->depth--;
		break;
	case OP_SWAP:
	case OP_ROT:
		rearrange(op->code, top);
		break;
	case OP_ADD_CONST:
		top[-1] += (uint64_t)(int64_t)op->value;
		break;
	case OP_DEREF:
		if (!load(walk, op, &top[-1]))
			return STEP_UNREADABLE;
		break;
	case OP_NEG:
	case OP_NOT:
	case OP_ABS:
		top[-1] = change(op->code, top[-1]);
		break;
	default:
		top[-2] = combine(op->code, top[-2], top[-1]);
		stack->depth--;
	}
	return STEP_CALLER;
}

/* Is OP one, and can it be done? */
static enum step
check(const struct op *op, const struct state *state, size_t depth)
{
	if (op->code >= OP_CODES || words_needed(op) > depth)
		return STEP_NO_RULE;
	if (op->code == OP_DEREF && op->reg != 1 && op->reg != 2 &&
	    op->reg != 4 && op->reg != 8)
		return STEP_NO_RULE;
	if (op->code != OP_REG)
		return STEP_CALLER;
	if (op->reg >= X86_COUNT)
		return STEP_NO_RULE;
	return state->known & REG_BIT(op->reg) ? STEP_CALLER :
	       step_without(op->reg);
}

enum step
program_run(const struct walk *walk, const struct op *ops, size_t n,
	    const struct state *state, const uint64_t *first,
	    uint64_t *result)
{
	struct words stack;
	enum step step = STEP_CALLER;
	size_t i;

	stack.depth = 0;
	if (first)
		stack.at[stack.depth++] = *first;
	if (n > ROWS_OPS_MAX)
		return STEP_NO_RULE;
	for (i = 0; i < n && step == STEP_CALLER; i++) {
		step = check(&ops[i], state, stack.depth);
		if (step == STEP_CALLER)
			step = operate(walk, &ops[i], state, &stack);
	}
	if (step == STEP_CALLER && !stack.depth)
		return STEP_NO_RULE;
	if (step == STEP_CALLER)
		*result = stack.at[stack.depth - 1];
	return step;
}
