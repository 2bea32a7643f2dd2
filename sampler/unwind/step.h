/* SPDX-License-Identifier: MIT */
/*
 * step.h - one frame up, by one of several rules. Inside of unwind/.
 *
 * A step takes the registers of a frame and turns them into its caller's.
 * REGS changes only when the answer is STEP_CALLER.
 */
#ifndef SAMPLER_UNWIND_STEP_H
#define SAMPLER_UNWIND_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/maps.h"
#include "core/memory.h"

enum step {
	STEP_CALLER,		/* REGS are the caller's now */
	STEP_SIGNAL,		/* and were interrupted, not calling */
	STEP_ROOT,		/* there is no caller: the first frame */
	STEP_NO_RULE,		/* this way leads no further */
	STEP_UNREADABLE,	/* a word that was needed cannot be read */
};

/* What a step may look at; borrowed. */
struct walk {
	const struct maps *maps;
	const struct memory *memory;
	uint64_t pc;		/* inside the frame's code, see unwind.h */
	bool is_leaf;
};

bool walk_read_word(const struct walk *walk, uint64_t addr, uint64_t *word);

/* Does ADDR lie in memory that can be executed? */
bool walk_is_code(const struct walk *walk, uint64_t addr);

/* --- libunwind.c: rules of .eh_frame, as that library reads them */

struct cfi;

struct cfi *cfi_new(void);
void cfi_free(struct cfi *cfi);

/* MAPS have changed: forget what was read of code that is gone. */
void cfi_check_maps(struct cfi *cfi, const struct maps *maps);

enum step cfi_step(struct cfi *cfi, const struct walk *walk,
		   struct regs *regs);

/*
 * Is ADDR among functions that have rules? There, another rule is a guess;
 * Go's and a JIT's code have none and keep frame pointers instead. Of a file
 * that cannot be looked into the usual is assumed.
 */
bool cfi_is_usual(struct cfi *cfi, const struct walk *walk, uint64_t addr);

/* --- fp.c: rules of thumb for code without CFI */

/* Is RA an address that a call instruction returns to? */
bool fp_is_after_call(const struct walk *walk, uint64_t ra);

/*
 * The caller by the saved frame pointer. KEEPS_FRAMES: the code here has no
 * CFI and always saves it, so its chain proves a return address.
 */
enum step fp_step(const struct walk *walk, struct regs *regs,
		  bool keeps_frames);

/* A leaf that has not made its frame yet, or has none or has left it. */
enum step fp_step_leaf(const struct walk *walk, struct regs *regs);

/* The first word of the stack that looks like a return address. */
enum step fp_step_scan(const struct walk *walk, struct regs *regs);

/* --- signal.c: the frame that the kernel makes for a signal handler */

bool signal_is_return(const struct walk *walk, uint64_t addr);
enum step signal_step(const struct walk *walk, struct regs *regs);

#endif
