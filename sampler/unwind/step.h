/* SPDX-License-Identifier: MIT */
/*
 * step.h - one frame up, by one of several rules. Inside of unwind/.
 *
 * A step takes the registers of a frame and turns them into its caller's.
 * They change only when the answer is STEP_CALLER or STEP_SIGNAL.
 */
#ifndef SAMPLER_UNWIND_STEP_H
#define SAMPLER_UNWIND_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/maps.h"
#include "core/memory.h"
#include "core/rows.h"

enum step {
	STEP_CALLER,		/* the registers are the caller's now */
	STEP_SIGNAL,		/* and were interrupted, not calling */
	STEP_ROOT,		/* there is no caller: the first frame */
	STEP_NO_RULE,		/* this way leads no further */
	STEP_UNREADABLE,	/* a word that was needed cannot be read */
	STEP_NEEDS,		/* a register that only a full walk knows */
	STEP_WAITS,		/* a table of rules is not here yet */
};

struct code;

/* What a step may look at; borrowed. */
struct walk {
	const struct maps *maps;
	const struct memory *memory;
	struct code *code;	/* what is known of its bytes; or NULL */
	uint64_t words;		/* places of a word in the memory's window */
	uint64_t pc;		/* inside the frame's code, see unwind.h */
	bool is_leaf;		/* or interrupted by a signal */
	bool may_wait;
	bool is_by_chain;	/* only frame pointers are asked for */
};

struct walk walk_of(const struct maps *maps, const struct memory *memory);

/* What is not in the window; apart, so that the usual way stays short. */
bool walk_read_far(const struct walk *walk, uint64_t addr, uint64_t *word);

static inline bool
walk_read_word(const struct walk *walk, uint64_t addr, uint64_t *word)
{
	const struct memory *memory = walk->memory;
	uint64_t at = addr - memory->window_addr;

	if (at < walk->words) {
		memcpy(word, (const uint8_t *)memory->window + at,
		       sizeof(*word));
		return true;
	}
	return walk_read_far(walk, addr, word);
}

/* Does ADDR lie in memory that can be executed? */
bool walk_is_code(const struct walk *walk, uint64_t addr);

/*
 * Has the leaf, whose rsp is RSP, taken what was in SLOT off its stack again?
 * No further below than a function saves registers: what lies there may be
 * another stack.
 */
#define POPPED_MAX 512

static inline bool
walk_is_popped(const struct walk *walk, uint64_t slot, uint64_t rsp)
{
	return walk->is_leaf && rsp - slot - 1 < POPPED_MAX;
}

/* Registers of a frame, and which of them are really that frame's. */
struct state {
	struct regs regs;
	uint32_t known;		/* a bit for each X86_* */
};

#define REG_BIT(reg) ((uint32_t)1 << (reg))
#define REGS_ALL (REG_BIT(X86_COUNT) - 1)
/* What every step finds. */
#define REGS_COMPACT (REG_BIT(X86_RIP) | REG_BIT(X86_RSP) | REG_BIT(X86_RBP))
/* What a function must leave as it found it (psABI 3.2.1). */
#define REGS_KEPT                                                            \
	(REG_BIT(X86_RBX) | REG_BIT(X86_RBP) | REG_BIT(X86_RSP) |            \
	 REG_BIT(X86_R12) | REG_BIT(X86_R13) | REG_BIT(X86_R14) |            \
	 REG_BIT(X86_R15))

/*
 * What a step that needs REG answers where it is not known: a full walk may
 * still find it if it is one that is kept.
 */
static inline enum step
step_without(unsigned reg)
{
	return REGS_KEPT & REG_BIT(reg) ? STEP_NEEDS : STEP_NO_RULE;
}

/* --- compact.c, full.c, program.c: rules of tables (core/rows.h) */

/* By any RULE but RULE_NONE, _FP and _FULL. */
enum step compact_step(const struct walk *walk, const struct rule *rule,
		       struct state *state);

/* By RULE, sound as rows_full() says, whose programs are among OPS. */
enum step full_step(const struct walk *walk, const struct full_rule *rule,
		    const struct op *ops, struct state *state);

/*
 * What the program of N operations at OPS leaves on its stack, on which the
 * words of FIRST lie at the beginning (0 or 1 of them). STEP_CALLER: there is
 * a RESULT.
 */
enum step program_run(const struct walk *walk, const struct op *ops,
		      size_t n, const struct state *state,
		      const uint64_t *first, uint64_t *result);

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

/* --- code.c: what the bytes around an address say */

struct code_facts {
	bool is_after_call;	/* a call instruction ends here */
	bool is_planted;	/* it does not: somebody wrote this address
				   to have a function entered by ret */
	bool is_signal_return;	/* the end of a signal's handler */
};

struct code *code_new(void);
void code_free(struct code *code);

/* MAPS may have changed: then forget. */
void code_check_maps(struct code *code, const struct maps *maps);

/* By WALK's code where that is kept. */
struct code_facts code_at(const struct walk *walk, uint64_t addr);

/* The same as flow_find_rule(), kept. */
bool code_rule(const struct walk *walk, uint64_t addr, struct rule *rule);

/*
 * Where a direct call that ends at RA leads to; false if none does. What a
 * call through a register or through memory leads to is not known.
 */
bool code_called(const struct walk *walk, uint64_t ra, uint64_t *start);

/*
 * A function that was called by the call that ends at OUTER was seen to call
 * what leads to the walk's pc by a call that ends at RA. Calls no more than
 * NEAR bytes apart are taken for one.
 */
void code_keep_caller(const struct walk *walk, uint64_t outer, uint64_t ra,
		      uint64_t near);

/* Where that ended. False if none was seen, or more than one. */
bool code_kept_caller(const struct walk *walk, uint64_t outer, uint64_t *ra);

/* --- flow.c: what code without rules does to its stack */

/*
 * Follow the code from ADDR on to a ret. If that is found RULE is what would
 * have been written of ADDR, RULE_SP or RULE_BP; it may be wrong where a call
 * on the way does not return.
 */
bool flow_find_rule(const struct walk *walk, uint64_t addr,
		    struct rule *rule);

/* --- base.c: a frame whose rbp is not known */

/*
 * Where rbp must point in the frame that REGS (rip and rsp) are of, no leaf:
 * by how its function begins and who has called it.
 */
bool base_find(const struct walk *walk, const struct regs *regs,
	       uint64_t *base, bool *is_guess);

/* --- fp.c: rules of thumb for code without rules */

/*
 * All of them in turn. KEEPS_FRAMES: frame pointers are usual in this code,
 * so that going by them is no guess. STEP_NEEDS: without rbp there is no way.
 */
enum step thumb_step(const struct walk *walk, struct state *state,
		     bool keeps_frames, bool *is_guess);

/* --- handler.c: a frame that leaves its callers (RULE_LEAVES) */

/*
 * Walk is at a frame that may leave. Is its return address RA that of another
 * function's call, so that it has?
 */
bool handler_has_come(const struct walk *walk, uint64_t ra);

/*
 * REGS are a handler's but for rsp, which is the thrower's: make it the
 * handler's, or what might be that. False if there is none, or no other one.
 */
bool handler_find(const struct walk *walk, struct regs *regs);

/*
 * Has the leaf, whose registers are REGS, nothing left to do but to load the
 * handler's registers? SLOT is where on the stack its address lies then.
 */
bool handler_is_next(const struct walk *walk, const struct regs *regs,
		     uint64_t *slot);

/* --- signal.c: the frame that the kernel makes for a signal handler */

/*
 * Do the bytes there end a handler? SIGNAL_RETURN_LEN further on is where a
 * thread is while the kernel brings back what the signal interrupted.
 */
#define SIGNAL_RETURN_LEN 9
bool signal_is_return(const struct walk *walk, uint64_t addr);
enum step signal_step(const struct walk *walk, struct regs *regs);

#endif
