/* SPDX-License-Identifier: MIT */
/*
 * compact.c - one step by a compact rule: where the caller's frame begins,
 * the return address below it, and perhaps rbp.
 */
#include "sampler/unwind/step.h"

/* CFA of RULE_REG and RULE_DEREF, which are seldom. */
static enum step
find_cfa(const struct walk *walk, const struct rule *rule,
	 const struct state *state, uint64_t *cfa)
{
	uint64_t base = state->regs.r[rule->reg];
	int32_t offset = rule->cfa;

	if (!(state->known & REG_BIT(rule->reg)))
		return step_without(rule->reg);
	if (rule->kind == RULE_DEREF) {
		base += (uint64_t)(int64_t)(int16_t)(rule->cfa & 0xffff);
		offset = rule->cfa >> 16;
		if (!walk_read_word(walk, base, &base))
			return STEP_UNREADABLE;
	}
	*cfa = base + (uint64_t)(int64_t)offset;
	return STEP_CALLER;
}

enum step
compact_step(const struct walk *walk, const struct rule *rule,
	     struct state *state)
{
	uint64_t *r = state->regs.r;
	uint64_t cfa, ra, slot, rbp = r[X86_RBP];
	enum step step;

	switch (rule->kind) {
	case RULE_SP:
		cfa = r[X86_RSP] + (uint64_t)(int64_t)rule->cfa;
		break;
	case RULE_BP:
		if (!(state->known & REG_BIT(X86_RBP)))
			return STEP_NEEDS;
		cfa = rbp + (uint64_t)(int64_t)rule->cfa;
		break;
	case RULE_PLT:
		cfa = r[X86_RSP] + 8;
		if ((int32_t)(walk->pc % 16) >= rule->cfa)
			cfa += 8;
		break;
	case RULE_REG:
	case RULE_DEREF:
		step = find_cfa(walk, rule, state, &cfa);
		if (step != STEP_CALLER)
			return step;
		break;
	case RULE_SIGNAL:
		step = signal_step(walk, &state->regs);
		if (step == STEP_SIGNAL)
			state->known = REGS_ALL;
		return step;
	case RULE_END:
		return STEP_ROOT;
	default:
		return STEP_NO_RULE;
	}
	if (!walk_read_word(walk, cfa - 8, &ra))
		return STEP_UNREADABLE;
	slot = cfa + (uint64_t)((int64_t)rule->rbp * 8);
	if (rule->rbp && !walk_is_popped(walk, slot, r[X86_RSP])) {
		if (!walk_read_word(walk, slot, &rbp))
			return STEP_UNREADABLE;
		state->known |= REG_BIT(X86_RBP);
	}
	r[X86_RIP] = ra;
	r[X86_RSP] = cfa;
	r[X86_RBP] = rbp;
	state->known &= REGS_COMPACT;
	return STEP_CALLER;
}
