/* SPDX-License-Identifier: MIT */
/*
 * stride.h - plain frames one after the other, as most of all are.
 *
 * One whose rule is RULE_SP or RULE_BP and has been found before, whose return
 * address follows a call (but for the leaf), and whose frame lies in the
 * memory's window, further up than its callee's: such frames need nothing that
 * could fail, and no check but these. RULE_END ends the walk. What is not like
 * that ends the stride, and the walk takes the frame as it takes any
 * (unwind.c).
 *
 * Rules are kept by address, and until the mappings change.
 */
#ifndef SAMPLER_UNWIND_STRIDE_H
#define SAMPLER_UNWIND_STRIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rows.h"
#include "sampler/unwind/step.h"

struct rules;
struct stride;

/*
 * Unless it KEEPS_RULES it only keeps which addresses have one, and asks RULES
 * each time: for tests and benchmarks.
 */
struct stride *stride_new(bool keeps_rules);
void stride_free(struct stride *stride);

/* The mappings have changed. */
void stride_forget(struct stride *stride);

/*
 * RULE was found for a frame whose PC is inside of a call or IS_EXACT, the
 * leaf's.
 */
void stride_keep(struct stride *stride, uint64_t pc, bool is_exact,
		 const struct rule *rule);

/*
 * Walk on from STATE, the walk's leaf or a caller, as far as it goes, at most
 * ROOM frames. Writes their pcs (callers' are return addresses minus one) and,
 * unless SPS is NULL, their stack pointers; returns how many they were, and
 * STATE is what comes next: nothing if *IS_ROOT, the last one was the first of
 * the thread.
 */
size_t stride_walk(struct stride *stride, struct rules *rules,
		   const struct walk *walk, struct state *state, uint64_t *pcs,
		   uint64_t *sps, size_t room, bool *is_root);

#endif
