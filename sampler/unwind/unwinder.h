/* SPDX-License-Identifier: MIT */
/*
 * unwinder.h - what a walk keeps for the next one. Inside of unwind/.
 *
 * unwinder.c makes it and lets go of it, unwind.c walks with it.
 */
#ifndef SAMPLER_UNWIND_UNWINDER_H
#define SAMPLER_UNWIND_UNWINDER_H

#include <stdint.h>

#include "sampler/unwind/unwind.h"

struct unwinder {
	enum unwind_mode mode;
	struct code *code;
	struct rules *rules;	/* or NULL: */
	struct cfi *cfi;	/* libunwind in its place; both NULL in
				   UNWIND_FP */
	struct stride *stride;	/* or NULL, as RULES */
	uint64_t generation;	/* of the mappings that it is good for */
};

/* Before each walk: forget what is not true of MAPS any more. */
void unwinder_check_maps(struct unwinder *unwinder, const struct maps *maps);

#endif
