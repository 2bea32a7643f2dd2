/* SPDX-License-Identifier: MIT */
/*
 * unwind.h - registers + memory + modules -> frames + why it ended.
 *
 * Pure: no system call but what MEMORY does, no state but caches. The engine
 * behind it may change; this interface is what samplers and tests know.
 *
 * Per address: CFI where the module has it, the frame pointer where it has
 * not. A frame found by frame pointer in a module that has CFI elsewhere is a
 * guess, and the walk says so.
 */
#ifndef SAMPLER_UNWIND_UNWIND_H
#define SAMPLER_UNWIND_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "core/maps.h"
#include "core/memory.h"
#include "core/sample.h"

enum unwind_mode { UNWIND_AUTO, UNWIND_FP, UNWIND_CFI };

struct unwinder;

/* One for each address space; it caches by address. */
struct unwinder *unwind_new(enum unwind_mode mode);
void unwind_free(struct unwinder *unwinder);

/*
 * Walk from REGS. Writes at most MAX program counters, leaf first: the leaf's
 * as it is, callers' as return addresses minus one (except below a signal
 * frame). Returns how many frames it saw; *END says why it stopped. A short
 * stack is still a stack: the caller keeps what it got and counts the reason.
 *
 * More frames than MAX end as UNWIND_DEEP: of PCS the first
 * unwind_leaf_part(MAX) are then the leaf's, the rest the outermost ones. The
 * walk gives up at unwind_limit(MAX) frames.
 */
size_t unwind_stack(struct unwinder *unwinder, const struct maps *maps,
		    const struct regs *regs, const struct memory *memory,
		    uint64_t *pcs, size_t max, enum unwind_end *end);

size_t unwind_leaf_part(size_t max);
size_t unwind_limit(size_t max);

#endif
