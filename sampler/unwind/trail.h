/* SPDX-License-Identifier: MIT */
/*
 * trail.h - on over a change of stacks, by what was kept of the sample's
 * time. Inside of unwind/.
 *
 * A goroutine's stack is not copied with a sample that was taken while the
 * thread had left it for its own, and a moment later it looks otherwise:
 *
 *	copied		leaf  o-o-o  the function that changes stacks
 *	not copied	             |  caller  o-o-o  first
 *
 * But rbp led from one to the other, and the kernel has followed it (core/
 * memory.h, trail). So the caller's callers are known; the caller itself,
 * which such a chain leaves out, is told by the call (struct rows_site), by
 * what the function that was called has on its stack or, as long as that is
 * nothing, guessed.
 *
 * All of it holds for code that keeps frame pointers: a trail is followed as
 * long as each frame's rule says that it has one.
 */
#ifndef SAMPLER_UNWIND_TRAIL_H
#define SAMPLER_UNWIND_TRAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampler/unwind/rules.h"
#include "sampler/unwind/step.h"

/* A frame to come. */
struct trail_frame {
	uint64_t rip, rsp;
};

/* Return addresses to go on by. Plain value; zeroed: there are none. */
struct trail {
	struct trail_frame before[2];	/* that frame pointers leave out */
	unsigned nbefore, at_before;
	const uint64_t *ras;	/* borrowed from the walk's memory */
	size_t n, at;
	uint64_t fp;		/* RAS[0] was at *(fp + 8) */
	bool is_on;
	bool is_left;		/* at this very frame */
	bool is_guess;		/* one of its callers is, or where it goes on */
};

/*
 * Begin at the frame of STATE, whose code changes stacks by FULL, or go on
 * with what was left there; CALLEE is the pc of the frame below it, 0 if that
 * is not known. False if nothing is known of that time.
 */
bool trail_begin_at_switch(struct trail *trail, const struct walk *walk,
			   const struct full *full, const struct state *state,
			   uint64_t callee);

/*
 * Go on by a guess where that has found nothing since what was called for more
 * stack keeps nothing yet, or in no copy. RECORDED is the function that wanted
 * it, by records of a later time or NULL: believed if it fits, though the same
 * caller may have called another one by then. Else it is the one that was seen
 * at that place before, if only one was.
 */
bool trail_begin_at_grower(struct trail *trail, const struct walk *walk,
			   const struct regs *recorded);

/*
 * Begin at the frame of STATE, if its return address lies outside of the
 * memory's window and by RULE its code keeps frame pointers.
 */
bool trail_begin(struct trail *trail, const struct walk *walk,
		 const struct rule *rule, const struct state *state);

/*
 * One frame up from STATE, which is at code with RULE. Its caller's rip is in
 * the trail, its rsp is counted by rules. False, and STATE as it was, if the
 * trail does not lead on from there.
 */
bool trail_step(struct trail *trail, const struct walk *walk,
		const struct rule *rule, struct state *state);

/*
 * End the trail in the frame of STATE, which is to go on by its rule. False
 * if too little is known of it.
 */
bool trail_leave(struct trail *trail, const struct walk *walk,
		 struct state *state);

#endif
