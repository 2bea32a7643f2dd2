/* SPDX-License-Identifier: MIT */
/*
 * unwind.c - the walk: frame by frame, by which registers, and when to stop.
 *
 * A walk begins compact: it knows of a caller no more than rip, rsp and rbp.
 * Where a rule is based on another register it is taken back to the last
 * frame that had them all, and from there on to this one by full rules:
 *
 *	leaf    frame    frame    frame (CFA = rbx + 16)    frame
 *	  o---c---o---c----o---c----X			compact
 *	  o---f---o---f----o---f----o-------f-----------o---c--  full, then
 *							compact again
 */
#include "sampler/unwind/unwind.h"

#include "sampler/unwind/course.h"
#include "sampler/unwind/frames.h"
#include "sampler/unwind/rules.h"
#include "sampler/unwind/step.h"
#include "sampler/unwind/stride.h"
#include "sampler/unwind/unwinder.h"

#define HANDLERS_MAX 8		/* places that are tried */

/*
 * Frames on another stack (a signal's, a fiber's) may lie lower, so growth
 * proves nothing. Instead remember one frame and look for it again, longer
 * each time: finds every cycle after at most three rounds.
 */
static bool
is_looping(struct loop_check *check, const struct regs *regs)
{
	if (check->steps && regs->r[X86_RIP] == check->pc &&
	    regs->r[X86_RSP] == check->sp)
		return true;
	if (check->steps++ == check->limit) {
		check->pc = regs->r[X86_RIP];
		check->sp = regs->r[X86_RSP];
		check->steps = 1;
		check->limit = check->limit * 2 + 2;
	}
	return false;
}

/* --- one frame */

/* Which code the frame at C is in, and by which rule it goes on. */
static enum rules_answer
look_up(struct unwinder *unwinder, struct course *c, struct rule *rule)
{
	uint64_t rip = c->at.regs.r[X86_RIP];
	struct walk *walk = &c->walk;

	if (unwinder->rules)
		return rules_find(unwinder->rules, walk, rip, rule,
				  &c->is_planted);
	c->is_planted = !walk->is_leaf && code_at(walk, rip).is_planted;
	walk->pc = rip - !(walk->is_leaf || c->is_planted);
	rule->kind = RULE_FP;
	return walk_is_code(walk, rip - !walk->is_leaf) ? RULES_HERE :
	       RULES_NO_CODE;
}

/* --- the walk */

static enum unwind_end
verdict(enum step step, bool is_guess)
{
	switch (step) {
	case STEP_ROOT:
		return is_guess ? UNWIND_GUESSED : UNWIND_COMPLETE;
	case STEP_UNREADABLE:
		return UNWIND_CUT;
	case STEP_WAITS:
		return UNWIND_WAITS;
	case STEP_CALLER:
	case STEP_SIGNAL:
		return UNWIND_STUCK;
	default:
		return UNWIND_NO_RULE;
	}
}

bool
unwind_is_after_call(const struct maps *maps, const struct memory *memory,
		     uint64_t addr)
{
	struct walk walk = walk_of(maps, memory);

	return code_at(&walk, addr).is_after_call;
}

size_t
unwind_limit(size_t max)
{
	return 2 * max;
}

/*
 * A step needs a register that a compact walk does not know. Go back to
 * START, the last frame that knew them all, to come here by full rules. False
 * if this frame is that one, or was come to so already: then nobody knows;
 * and once the middle of a deep stack is gone.
 */
static bool
take_back(struct course *c, const struct course *start, size_t max)
{
	size_t n = c->n;

	if (n < c->full || n == start->n || n >= max)
		return false;
	*c = *start;
	c->full = n + 1;
	return true;
}

/* A frame pointer that nobody knows, by what its frame looks like. */
static bool
find_base(const struct unwinder *unwinder, struct course *c)
{
	if (c->at.known & REG_BIT(X86_RBP) || unwinder->mode == UNWIND_CFI ||
	    !base_find(&c->walk, &c->at.regs, &c->at.regs.r[X86_RBP],
		       &c->is_guess))
		return false;
	c->at.known |= REG_BIT(X86_RBP);
	return true;
}

/* Is rbp all that RULE can lack? A full walk knows no more of that. */
static bool
is_by_base(const struct rule *rule)
{
	return rule->kind == RULE_BP || rule->kind == RULE_FP ||
	       rule->kind == RULE_NONE ||
	       (rule->kind == RULE_DEREF && rule->reg == X86_RBP);
}

/* C's frame lacks a register, and no way through its callees finds it. */
static enum step
step_without_it(struct unwinder *unwinder, struct course *c,
		const struct rule *rule)
{
	enum step step = STEP_NEEDS;

	if (find_base(unwinder, c))
		step = course_step(unwinder, c, rule);
	if (step == STEP_NEEDS)
		step = course_thumb(unwinder, c, false);
	return step == STEP_NEEDS ? STEP_NO_RULE : step;
}

/* One frame, and the step to its caller. */
static enum step
take_frame(struct unwinder *unwinder, struct course *c,
	   const struct course *start, const struct frames *out)
{
	bool was_planted = c->is_planted;
	struct rule rule;
	enum rules_answer answer = look_up(unwinder, c, &rule);
	enum step step = STEP_WAITS;

	c->is_leaving = false;
	if (answer == RULES_NO_CODE) {
		/* What a hand-made stack begins with has no caller. */
		if (!c->walk.is_leaf)
			return was_planted ? STEP_ROOT : STEP_NO_RULE;
		rule.kind = RULE_NONE;
	}
	frames_store(out, c->n, c->walk.pc, c->at.regs.r[X86_RSP]);
	if (unwinder->stride && answer == RULES_HERE && !c->is_planted)
		stride_keep(unwinder->stride, c->walk.pc, c->walk.is_leaf,
			    &rule);
	if (answer != RULES_WAIT)
		step = course_step(unwinder, c, &rule);
	if (step == STEP_NEEDS) {
		if (!is_by_base(&rule) && take_back(c, start, out->max))
			return c->step;
		step = step_without_it(unwinder, c, &rule);
	}
	c->callee = c->walk.pc;
	c->n++;
	return step;
}

/* Frames that need no thought, up to the leaf's part of the room. */
static void
take_stride(const struct unwinder *unwinder, struct course *c,
	    const struct frames *out)
{
	size_t room = unwind_leaf_part(out->max), n;
	bool is_root;

	if (c->n >= room || c->n < c->full || c->trail.is_on)
		return;
	n = stride_walk(unwinder->stride, unwinder->rules, &c->walk, &c->at,
			out->pcs + c->n, out->sps ? out->sps + c->n : NULL,
			room - c->n, &is_root);
	if (!n)
		return;
	c->n += n;
	c->is_planted = c->walk.is_leaf = false;
	c->callee = out->pcs[c->n - 1];
	c->step = is_root ? STEP_ROOT : STEP_CALLER;
}

/* C is the caller of a frame that may have left it for a handler. */
static void
leave(struct course *c, struct course *left)
{
	*left = *c;
	if (handler_has_come(&c->walk, c->at.regs.r[X86_RIP]))
		handler_find(&c->walk, &c->at.regs);
}

/*
 * HOT: allocates nothing; bounded by unwind_limit(). LEFT becomes the caller
 * of the last frame that may have left it for a handler.
 */
static void
go(struct unwinder *unwinder, struct course *c, const struct frames *out,
   struct course *left)
{
	struct course start;	/* the last that knew all registers */
	size_t limit = unwind_limit(out->max);
	bool has_begun = false;

	while (c->step == STEP_CALLER || c->step == STEP_SIGNAL) {
		c->walk.is_leaf = c->step == STEP_SIGNAL;
		if (!has_begun || c->walk.is_leaf ||
		    (c->full && c->n == c->full))
			start = *c;
		has_begun = true;
		if (unwinder->stride)
			take_stride(unwinder, c, out);
		if (c->step == STEP_ROOT)
			return;
		if (!c->at.regs.r[X86_RIP] && !c->walk.is_leaf) {
			c->step = STEP_ROOT;
			c->is_at_zero = true;
			return;
		}
		if (is_looping(&c->check, &c->at.regs) || c->n == limit)
			return;
		c->step = take_frame(unwinder, c, &start, out);
		if (c->is_leaving && c->step == STEP_CALLER)
			leave(c, left);
	}
}

static bool
is_lost(enum step step)
{
	return step != STEP_ROOT && step != STEP_WAITS;
}

/*
 * A walk that went astray, or perhaps so, behind a frame that LEFT its callers,
 * once more.
 */
static void
go_to_handler(struct unwinder *unwinder, struct course *c,
	      const struct frames *out, const struct course *left)
{
	struct course handler = *left, next;
	bool was_lost = is_lost(c->step);
	unsigned i;

	for (i = 0; i < HANDLERS_MAX &&
		    handler_find(&handler.walk, &handler.at.regs); i++) {
		*c = handler;
		go(unwinder, c, out, &next);
		/* A word of zero below it proves nothing. */
		if (!is_lost(c->step) && c->n > handler.n + 1 &&
		    (was_lost || !c->is_at_zero))
			return;
	}
	*c = *left;	/* none: as it was */
	go(unwinder, c, out, &next);
}

/* HOT: each of these is written for each walk, and what is not is not. */
static void
begin(struct course *c, const struct unwinder *unwinder, struct walk walk,
      const struct regs *regs)
{
	c->walk = walk;
	c->walk.code = unwinder->code;
	c->walk.is_by_chain = unwinder->mode == UNWIND_FP;
	c->at.regs = *regs;
	c->at.known = REGS_ALL & ~regs->missing;
	c->step = STEP_SIGNAL;	/* the leaf's pc is exact, too */
	c->n = c->full = 0;
	c->is_guess = c->is_planted = c->is_leaving = c->is_at_zero = false;
	c->trail = (struct trail){ .is_on = false };
	c->callee = 0;
	c->check = (struct loop_check){ .limit = 1 };
}

size_t
unwind_stack(struct unwinder *unwinder, const struct maps *maps,
	     const struct regs *regs, const struct memory *memory,
	     bool may_wait, uint64_t *pcs, uint64_t *sps, size_t max,
	     enum unwind_end *end)
{
	struct frames out = { .pcs = pcs, .sps = sps, .max = max };
	struct course c, left;

	unwinder_check_maps(unwinder, maps);
	begin(&c, unwinder, walk_of(maps, memory), regs);
	c.walk.may_wait = may_wait;
	left.walk.maps = NULL;
	go(unwinder, &c, &out, &left);
	if (left.walk.maps && (is_lost(c.step) || c.is_at_zero))
		go_to_handler(unwinder, &c, &out, &left);
	*end = verdict(c.step, c.is_guess);
	if (c.n > max) {
		frames_straighten(&out, c.n);
		if (*end != UNWIND_WAITS)
			*end = UNWIND_DEEP;
	}
	return c.n;
}
