/* SPDX-License-Identifier: MIT */
/*
 * unwind.c - the walk: which rule for which frame, and when to stop.
 *
 * For each frame in this order: a signal's frame; the module's CFI; for a
 * leaf, what the bytes at its pc say of a frame in the making; the frame
 * pointer; at last the nearest word of the stack behind a call. Each later
 * rule is tried only where the earlier has no answer, and from the leaf's
 * last resort on the stack counts as guessed.
 */
#include "sampler/unwind/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/step.h"

#define KNOWN_LOG 12

/* What is known of one address: asked for every frame, so kept. */
struct known {
	uint64_t addr;
	bool is_signal_return;	/* the end of a signal's handler */
	bool is_planted;	/* no call returns here: somebody wrote this
				   address to have a function entered by ret */
};

struct unwinder {
	enum unwind_mode mode;
	struct cfi *cfi;
	uint64_t generation;
	struct known known[1 << KNOWN_LOG];
};

/* A walk comes back to where it was: one of its frames repeats. */
struct loop_check {
	uint64_t pc, sp;
	size_t steps, limit;
};

struct unwinder *
unwind_new(enum unwind_mode mode, const struct row_source *source)
{
	struct unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	(void)source;
	unwinder->mode = mode;
	unwinder->cfi = mode == UNWIND_FP ? NULL : cfi_new();
	return unwinder;
}

void
unwind_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	cfi_free(unwinder->cfi);
	free(unwinder);
}

bool
walk_read_word(const struct walk *walk, uint64_t addr, uint64_t *word)
{
	return walk->memory->read(walk->memory->ctx, addr, word,
				  sizeof(*word));
}

bool
walk_is_code(const struct walk *walk, uint64_t addr)
{
	const struct mapping *mapping = maps_find(walk->maps, addr);

	return mapping && mapping->is_executable;
}

static void
check_maps(struct unwinder *unwinder, const struct maps *maps)
{
	if (unwinder->cfi)
		cfi_check_maps(unwinder->cfi, maps);
	if (unwinder->generation == maps_generation(maps))
		return;
	unwinder->generation = maps_generation(maps);
	memset(unwinder->known, 0, sizeof(unwinder->known));
}

static const struct known *
look_up(struct unwinder *unwinder, const struct walk *walk, uint64_t addr)
{
	size_t i = (addr ^ addr >> KNOWN_LOG) & ((1 << KNOWN_LOG) - 1);
	struct known *known = &unwinder->known[i];

	if (known->addr != addr) {
		known->addr = addr;
		known->is_signal_return = signal_is_return(walk, addr);
		known->is_planted = !fp_is_after_call(walk, addr);
	}
	return known;
}

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

/* Code without CFI. */
static enum step
step_by_thumb(struct unwinder *unwinder, const struct walk *walk,
	      struct regs *regs, bool *is_guess)
{
	bool is_usual = unwinder->cfi &&
			cfi_is_usual(unwinder->cfi, walk, walk->pc);
	enum step step = STEP_NO_RULE;

	if (walk->is_leaf)
		step = fp_step_leaf(walk, regs);
	if (step != STEP_NO_RULE)
		return step;
	/* Its functions have rules and no frame pointers; this one may. */
	*is_guess |= is_usual;
	step = fp_step(walk, regs, !is_usual);
	if (step != STEP_NO_RULE && !(is_usual && step == STEP_ROOT))
		return step;
	if (!walk->is_leaf && !is_usual)
		return STEP_NO_RULE;
	*is_guess = true;
	return fp_step_scan(walk, regs);
}

static enum step
step_once(struct unwinder *unwinder, const struct walk *walk,
	  struct regs *regs, bool *is_guess)
{
	enum step step = STEP_NO_RULE;

	if (look_up(unwinder, walk, regs->r[X86_RIP])->is_signal_return)
		return signal_step(walk, regs);
	if (unwinder->cfi)
		step = cfi_step(unwinder->cfi, walk, regs);
	if (step == STEP_NO_RULE && unwinder->mode != UNWIND_CFI)
		step = step_by_thumb(unwinder, walk, regs, is_guess);
	return step;
}

static enum unwind_end
verdict(enum step step, bool is_guess)
{
	switch (step) {
	case STEP_ROOT:
		return is_guess ? UNWIND_GUESSED : UNWIND_COMPLETE;
	case STEP_UNREADABLE:
		return UNWIND_CUT;
	default:
		return UNWIND_NO_RULE;
	}
}

/*
 * Store frame number N. When there is no more room the leaf's part stays and
 * the rest is a ring of the newest, the outermost ones.
 */
static void
store(uint64_t *words, size_t max, size_t n, uint64_t word)
{
	size_t leaf = unwind_leaf_part(max);

	if (words)
		words[n < max ? n : leaf + (n - leaf) % (max - leaf)] = word;
}

static void
reverse(uint64_t *from, uint64_t *to)
{
	while (from + 1 < to) {
		uint64_t pc = *from;

		*from++ = *--to;
		*to = pc;
	}
}

/* Turn the ring so that it begins with its oldest frame. */
static void
straighten(uint64_t *words, size_t max, size_t n)
{
	size_t leaf = unwind_leaf_part(max);
	uint64_t *ring = words + leaf, *end = words + max;
	uint64_t *oldest = ring + (n - leaf) % (max - leaf);

	if (!words)
		return;
	reverse(ring, oldest);
	reverse(oldest, end);
	reverse(ring, end);
}

bool
unwind_is_after_call(const struct maps *maps, const struct memory *memory,
		     uint64_t addr)
{
	struct walk walk = { .maps = maps, .memory = memory };

	return fp_is_after_call(&walk, addr);
}

size_t
unwind_leaf_part(size_t max)
{
	return max - max / 4;
}

size_t
unwind_limit(size_t max)
{
	return 2 * max;
}

size_t
unwind_stack(struct unwinder *unwinder, const struct maps *maps,
	     const struct regs *regs, const struct memory *memory,
	     bool may_wait, uint64_t *pcs, uint64_t *sps, size_t max,
	     enum unwind_end *end)
{
	struct walk walk = { .maps = maps, .memory = memory };
	struct regs at = *regs;
	struct loop_check check = { .limit = 1 };
	enum step step = STEP_SIGNAL;	/* the leaf's pc is exact, too */
	bool is_guess = false, is_planted = false;
	size_t n = 0;

	(void)may_wait;
	check_maps(unwinder, maps);
	while (step == STEP_CALLER || step == STEP_SIGNAL) {
		bool is_bottom = is_planted;

		if (at.r[X86_RIP] == 0) {
			step = STEP_ROOT;
			break;
		}
		if (is_looping(&check, &at) || n == unwind_limit(max))
			break;
		if (n && !walk_is_code(&walk, at.r[X86_RIP] - 1)) {
			/* What a hand-made stack begins with has no caller. */
			step = is_bottom ? STEP_ROOT : STEP_NO_RULE;
			break;
		}
		walk.is_leaf = step == STEP_SIGNAL;
		is_planted = !walk.is_leaf &&
			look_up(unwinder, &walk, at.r[X86_RIP])->is_planted;
		walk.pc = at.r[X86_RIP] - !(walk.is_leaf || is_planted);
		store(sps, max, n, at.r[X86_RSP]);
		store(pcs, max, n++, walk.pc);
		step = step_once(unwinder, &walk, &at, &is_guess);
	}
	*end = step == STEP_CALLER || step == STEP_SIGNAL ?
		UNWIND_STUCK : verdict(step, is_guess);
	if (n > max) {
		straighten(pcs, max, n);
		straighten(sps, max, n);
		*end = UNWIND_DEEP;
	}
	return n;
}
