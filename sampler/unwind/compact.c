/* SPDX-License-Identifier: MIT */
/*
 * compact.c - one step by a compact rule: where the caller's frame begins,
 * the return address below it, and perhaps rbp.
 */
#include "sampler/unwind/step.h"

/* CFA of a rule that is seldom. */
static __attribute__((noinline)) enum step
find_cfa(const struct walk *walk, const struct rule *rule,
	 const struct state *state, uint64_t *cfa)
{
	uint64_t base = state->regs.r[rule->reg];
	int32_t offset = rule->cfa;

	if (rule->kind == RULE_PLT) {
		*cfa = state->regs.r[X86_RSP] + 8 +
		       ((int32_t)(walk->pc % 16) >= rule->cfa ? 8 : 0);
		return STEP_CALLER;
	}
	if (rule->kind != RULE_REG && rule->kind != RULE_DEREF)
		return rule->kind == RULE_END ? STEP_ROOT : STEP_NO_RULE;
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

static enum step
step_to(const struct walk *walk, const struct rule *rule, uint64_t cfa,
	struct state *state)
{
	uint64_t *r = state->regs.r, ra, saved;
	/* Whether rbp is saved is as good as random: no branch on it. */
	bool is_saved = rule->rbp != 0;
	uint64_t slot = cfa + (uint64_t)((int64_t)(rule->rbp - !is_saved) * 8);

	if (!walk_read_word(walk, cfa - 8, &ra))
		return STEP_UNREADABLE;
	if (walk_is_popped(walk, slot, r[X86_RSP]))
		saved = r[X86_RBP];
	else if (!walk_read_word(walk, slot, &saved))
		return STEP_UNREADABLE;
	else
		state->known |= (uint32_t)is_saved << X86_RBP;
	r[X86_RIP] = ra;
	r[X86_RSP] = cfa;
	r[X86_RBP] = is_saved ? saved : r[X86_RBP];
	state->known &= REGS_COMPACT;
	return STEP_CALLER;
}

enum step
compact_step(const struct walk *walk, const struct rule *rule,
	     struct state *state)
{
	uint64_t offset = (uint64_t)(int64_t)rule->cfa, cfa;
	enum step step;

	if (rule->kind == RULE_SP)
		return step_to(walk, rule, state->regs.r[X86_RSP] + offset,
			       state);
	if (rule->kind == RULE_BP && state->known & REG_BIT(X86_RBP))
		return step_to(walk, rule, state->regs.r[X86_RBP] + offset,
			       state);
	if (rule->kind == RULE_BP)
		return STEP_NEEDS;
	if (rule->kind == RULE_SIGNAL) {
		step = signal_step(walk, &state->regs);
		if (step == STEP_SIGNAL)
			state->known = REGS_ALL;
		return step;
	}
	step = find_cfa(walk, rule, state, &cfa);
	return step == STEP_CALLER ? step_to(walk, rule, cfa, state) : step;
}
