/* SPDX-License-Identifier: MIT */
/*
 * full.c - one step by a full rule: every register that can be had.
 */
#include "sampler/unwind/step.h"

/* What a column is computed from. */
struct frame_of_rule {
	const struct walk *walk;
	const struct op *ops;
	const struct state *state;
	const uint64_t *cfa;	/* NULL while it is sought */
};

/* What COLUMN's program leaves. */
static enum step
run(const struct frame_of_rule *f, const struct column *column,
    uint64_t *value)
{
	return program_run(f->walk, f->ops + column->value, column->ops,
			   f->state, f->cfa, value);
}

/*
 * The register at SLOT, or OLD where the leaf has taken it off the stack
 * already.
 */
static enum step
load(const struct frame_of_rule *f, uint64_t slot, unsigned reg,
     uint64_t *value)
{
	uint64_t rsp = f->state->regs.r[X86_RSP];

	if (reg != X86_RIP && walk_is_popped(f->walk, slot, rsp)) {
		*value = f->state->regs.r[reg];
		return f->state->known & REG_BIT(reg) ? STEP_CALLER :
		       step_without(reg);
	}
	return walk_read_word(f->walk, slot, value) ? STEP_CALLER :
	       STEP_UNREADABLE;
}

/*
 * What COLUMN of the register REG says. STEP_CALLER: it has a VALUE;
 * STEP_ROOT: it is lost.
 */
static enum step
evaluate(const struct frame_of_rule *f, const struct column *column,
	 unsigned reg, uint64_t *value)
{
	uint64_t offset = (uint64_t)(int64_t)column->value, slot;
	enum step step;

	switch (column->how) {
	case COLUMN_SAME:
		*value = f->state->regs.r[reg];
		return f->state->known & REG_BIT(reg) ? STEP_CALLER :
		       step_without(reg);
	case COLUMN_AT_CFA:
		return load(f, *f->cfa + offset, reg, value);
	case COLUMN_IS_CFA:
		*value = *f->cfa + offset;
		return STEP_CALLER;
	case COLUMN_REG:
		*value = f->state->regs.r[column->reg] + offset;
		return f->state->known & REG_BIT(column->reg) ?
			STEP_CALLER : step_without(column->reg);
	case COLUMN_AT_CODE:
		step = run(f, column, &slot);
		return step == STEP_CALLER ? load(f, slot, reg, value) : step;
	case COLUMN_IS_CODE:
		return run(f, column, value);
	default:
		return STEP_ROOT;
	}
}

static enum step
find_cfa(struct frame_of_rule *f, const struct column *column, uint64_t *cfa)
{
	enum step step = STEP_NO_RULE;

	if (column->how == COLUMN_REG || column->how == COLUMN_IS_CODE)
		step = evaluate(f, column, X86_RSP, cfa);
	f->cfa = cfa;
	return step;
}

/* The column of REG, rsp's put in words. */
static struct column
column_of(const struct full_rule *rule, unsigned reg)
{
	struct column column = rule->r[reg];

	if (reg == X86_RSP && (column.how == COLUMN_SAME ||
			       column.how == COLUMN_UNDEFINED))
		column = (struct column){ .how = COLUMN_IS_CFA };
	return column;
}

/* A return address that nothing is said of is none. */
static bool
is_without_return(const struct full_rule *rule)
{
	return rule->r[X86_RIP].how == COLUMN_SAME;
}

enum step
full_step(const struct walk *walk, const struct full_rule *rule,
	  const struct op *ops, struct state *state)
{
	struct frame_of_rule f = { .walk = walk, .ops = ops, .state = state };
	struct state caller = *state;
	uint64_t cfa;
	enum step step = find_cfa(&f, &rule->cfa, &cfa);
	unsigned reg;

	if (rule->r[X86_RIP].how == COLUMN_UNDEFINED &&
	    rule->cfa.how != COLUMN_UNDEFINED)
		return STEP_ROOT;
	if (step != STEP_CALLER || is_without_return(rule))
		return step == STEP_CALLER ? STEP_NO_RULE : step;
	caller.known = 0;
	for (reg = 0; reg < X86_COUNT; reg++) {
		struct column column = column_of(rule, reg);

		step = evaluate(&f, &column, reg, &caller.regs.r[reg]);
		if (step == STEP_CALLER)
			caller.known |= REG_BIT(reg);
		else if (reg == X86_RIP || reg == X86_RSP)
			return step;
		/* What a call may change is the caller's no more. */
		if (column.how == COLUMN_SAME && !rule->is_signal)
			caller.known &= ~REG_BIT(reg) | REGS_KEPT;
	}
	*state = caller;
	return rule->is_signal ? STEP_SIGNAL : STEP_CALLER;
}
