/* SPDX-License-Identifier: MIT */
/*
 * course.c - which rule for which frame.
 *
 * For each frame the rule of its module's table; where that has none, what
 * the bytes of code and the frame pointer say (fp.c), which may be a guess
 * and counts as one.
 */
#include "sampler/unwind/course.h"

#include "sampler/unwind/rules.h"

enum step
course_thumb(const struct unwinder *unwinder, struct course *c,
	     bool keeps_frames)
{
	if (unwinder->mode == UNWIND_CFI)
		return STEP_NO_RULE;
	return thumb_step(&c->walk, &c->at, keeps_frames, &c->is_guess);
}

/* By the trail that is followed; false if it does not lead on. */
static bool
step_by_trail(struct course *c, const struct rule *rule)
{
	bool leads_on = trail_step(&c->trail, &c->walk, rule, &c->at);

	c->is_guess |= c->trail.is_guess;
	return leads_on;
}

/*
 * Begin a trail at who wanted more stack by the runtime's records, which FULL
 * reads, or by what is usual. STEP_CALLER: it has begun.
 */
static enum step
begin_at_grower(struct course *c, const struct full *full)
{
	struct state grower = c->at;
	enum step step = full_step(&c->walk, full->rule, full->ops, &grower);

	if (step == STEP_NEEDS && c->n >= c->full)
		return step;
	if (trail_begin_at_grower(&c->trail, &c->walk,
				  step == STEP_CALLER ? &grower.regs : NULL))
		return STEP_CALLER;
	/* To the runtime that is the top of the thread's stack. */
	return STEP_ROOT;
}

/*
 * By the trail over a change of stacks, RULE, whose full one is FULL.
 * STEP_NO_RULE: it has none there.
 */
static enum step
step_over(struct course *c, const struct rule *rule, const struct full *full)
{
	enum step step = STEP_CALLER;

	if (!trail_begin_at_switch(&c->trail, &c->walk, full, &c->at,
				   c->callee))
		step = full->rule->leaves == LEAVE_TO_GROW ?
			       begin_at_grower(c, full) : STEP_NO_RULE;
	if (step == STEP_CALLER)
		step_by_trail(c, rule);
	return step;
}

static enum step
step_by_full(struct unwinder *unwinder, struct course *c,
	     const struct rule *rule)
{
	struct full full;
	enum step step;

	if (rules_find_full(unwinder->rules, &c->walk, rule, &full) ==
	    RULES_WAIT)
		return STEP_WAITS;
	if (full.rule && full.rule->leaves && c->walk.memory->ntrail) {
		step = step_over(c, rule, &full);
		if (step != STEP_NO_RULE)
			return step;
	}
	if (full.rule)
		return full_step(&c->walk, full.rule, full.ops, &c->at);
	return course_thumb(unwinder, c, full.instead == RULE_FP);
}

/* Does RULE, a compact one, know of registers what a full one would? */
static bool
is_whole(const struct rule *rule)
{
	return rule->kind == RULE_END || rule->kind == RULE_SIGNAL;
}

/* By RULE of a table, which says something. */
static enum step
step_by_table(struct unwinder *unwinder, struct course *c,
	      const struct rule *rule)
{
	enum step step;

	if (rule->kind == RULE_FULL)
		step = step_by_full(unwinder, c, rule);
	else if (c->n < c->full && !is_whole(rule))
		step = step_by_full(unwinder, c, NULL);
	else
		step = compact_step(&c->walk, rule, &c->at);
	/* A rule that cannot be used is as good as none. */
	return step == STEP_NO_RULE ? course_thumb(unwinder, c, false) : step;
}

/* By RULE of who may leave its callers for a handler. */
static enum step
step_or_leave(struct unwinder *unwinder, struct course *c,
	      const struct rule *rule)
{
	uint64_t slot, rip;
	bool is_next = c->walk.is_leaf &&
		       handler_is_next(&c->walk, &c->at.regs, &slot) &&
		       walk_read_word(&c->walk, slot, &rip);
	enum step step = step_by_table(unwinder, c, rule);

	c->is_leaving = !is_next;
	if (is_next && step == STEP_CALLER) {
		c->at.regs.r[X86_RIP] = rip;
		c->at.regs.r[X86_RSP] = slot + 8;
	}
	return step;
}

static enum step
step_by_rule(struct unwinder *unwinder, struct course *c,
	     const struct rule *rule)
{
	if (rule->kind == RULE_NONE || rule->kind == RULE_FP)
		return course_thumb(unwinder, c, rule->kind == RULE_FP);
	if (rule->kind == RULE_BP && rule->reg == RULE_LEAVES)
		return step_or_leave(unwinder, c, rule);
	return step_by_table(unwinder, c, rule);
}

/* By the trail that is followed, or that begins here, or by RULE. */
static enum step
step_up(struct unwinder *unwinder, struct course *c, const struct rule *rule)
{
	enum step step;

	c->trail.is_left = false;
	if (!c->trail.is_on)
		trail_begin(&c->trail, &c->walk, rule, &c->at);
	if (c->trail.is_on && rule->kind != RULE_END) {
		if (step_by_trail(c, rule))
			return STEP_CALLER;
		if (!trail_leave(&c->trail, &c->walk, &c->at))
			return STEP_NO_RULE;
	}
	step = step_by_rule(unwinder, c, rule);
	/* Such code has a first frame; zero is another thing's memory. */
	return step == STEP_CALLER && rule_keeps_frames(rule) &&
			       !c->at.regs.r[X86_RIP] ?
		       STEP_UNREADABLE : step;
}

static enum step
step_by_libunwind(const struct unwinder *unwinder, struct course *c)
{
	const struct walk *walk = &c->walk;
	enum step step;

	c->at.known = REGS_ALL;
	if (code_at(walk, c->at.regs.r[X86_RIP]).is_signal_return)
		return signal_step(walk, &c->at.regs);
	step = cfi_step(unwinder->cfi, walk, &c->at.regs);
	if (step != STEP_NO_RULE)
		return step;
	return course_thumb(unwinder, c,
			    !cfi_is_usual(unwinder->cfi, walk, walk->pc));
}

enum step
course_step(struct unwinder *unwinder, struct course *c,
	    const struct rule *rule)
{
	return unwinder->cfi ? step_by_libunwind(unwinder, c) :
	       step_up(unwinder, c, rule);
}
