/* SPDX-License-Identifier: MIT */
/*
 * course.h - a walk on its way, and one step of it. Inside of unwind/.
 */
#ifndef SAMPLER_UNWIND_COURSE_H
#define SAMPLER_UNWIND_COURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/unwind/step.h"
#include "sampler/unwind/trail.h"
#include "sampler/unwind/unwinder.h"

/* A walk comes back to where it was: one of its frames repeats. */
struct loop_check {
	uint64_t pc, sp;
	size_t steps, limit;
};

/* A walk on its way. */
struct course {
	struct walk walk;
	struct state at;
	enum step step;		/* how AT was reached */
	size_t n;		/* frames before AT */
	size_t full;		/* frames below this number go by full rules */
	bool is_guess;		/* one of them was */
	bool is_planted;	/* the last one's return address */
	bool is_leaving;	/* the last one's rule was RULE_LEAVES */
	bool is_at_zero;	/* the root is one by its return address */
	struct trail trail;	/* of return addresses to go by */
	uint64_t callee;	/* pc of the frame before AT; 0: none */
	struct loop_check check;
};

/*
 * The step from the frame at C, which is in code with RULE: by the trail that
 * C follows or that begins here, or by RULE, or by what the code looks like;
 * by libunwind where that serves.
 */
enum step course_step(struct unwinder *unwinder, struct course *c,
		      const struct rule *rule);

/* The same by what the code looks like, unless only tables are wanted. */
enum step course_thumb(const struct unwinder *unwinder, struct course *c,
		       bool keeps_frames);

#endif
