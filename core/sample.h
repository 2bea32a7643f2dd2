/* SPDX-License-Identifier: MIT */
/*
 * sample.h - what a sampler delivers: time, thread, stack, weight.
 */
#ifndef CORE_SAMPLE_H
#define CORE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/profile.h"

/* Deepest stack kept; deeper ones lose their middle, and say so. */
#define SAMPLE_DEPTH 8192

/* Why a walk stopped. Only the first two are whole stacks. */
enum unwind_end {
	UNWIND_COMPLETE,	/* reached the thread's first frame */
	UNWIND_STITCHED,	/* and its end is that of the last one */
	UNWIND_GUESSED,		/* reached an end, but a frame was a guess */
	UNWIND_CUT,		/* a stack word could not be read */
	UNWIND_NO_RULE,		/* neither CFI nor a frame pointer led on */
	UNWIND_STUCK,		/* the next frame was not further up */
	UNWIND_DEEP,		/* more than SAMPLE_DEPTH frames */
	UNWIND_WAITS,		/* tables of rules are not here yet; never in
				   a struct sample */
	UNWIND_END_COUNT
};

/* What a sampler has to say in place of a frame. */
enum sample_note {
	NOTE_UNMAPPED,		/* [unknown]: no code is mapped there */
	NOTE_CUT,		/* [cut]: outermost, the callers are missing */
	NOTE_SWITCH,		/* [stack switch, not read]: the same, on
				   another stack than the one copied */
	NOTE_LEFT_OUT,		/* [left out]: the middle of a deep stack */
	NOTE_COUNT
};

/* The text of a note, for struct frame's NAME. */
const char *sample_note_text(uint64_t note);

struct sample {
	uint64_t time_ns;	/* CLOCK_MONOTONIC */
	pid_t pid, tid;
	enum kind kind;
	uint64_t weight;
	enum unwind_end end;
	bool is_late;		/* walked without tables that it waited for */
	/*
	 * Leaf first, kernel frames before user frames; only MODULE, KIND and
	 * OFFSET of each are set. Borrowed for the call. A frame without a
	 * module is a note: KIND is FRAME_NOTE, OFFSET says which.
	 */
	const struct frame *frames;
	size_t depth;
};

#endif
