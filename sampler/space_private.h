/* SPDX-License-Identifier: MIT */
/*
 * space_private.h - what the files of an address space share.
 *
 *	space.c		mappings through time; a sample comes in
 *	space_memory.c	the memory that a walk sees
 *	space_torn.c	what of the walk is of the sample's own time
 *	space_walk.c	from registers to frames
 *	waiting.c	samples that are walked later
 */
#ifndef SAMPLER_SPACE_PRIVATE_H
#define SAMPLER_SPACE_PRIVATE_H

#include "core/base.h"
#include "sampler/space.h"
#include "sampler/stitch.h"
#include "sampler/waiting.h"

#define SPACE_PAGE 4096u
#define SPACE_PAGES 1024	/* of files, kept; 4 MiB at most */
#define SPACE_STACK_MAX (8u << 20)	/* of a thread's stack, as usual */
#define SPACE_KERNEL_DEPTH 128	/* frames kept; the kernel's own limit */

/* Frames of one sample: kernel, user, and two notes. */
#define SPACE_FRAMES (SPACE_KERNEL_DEPTH + SAMPLE_DEPTH + 2)

/* Mappings that somebody holds; what has several holders is not changed. */
struct map_version {
	struct maps *maps;
	unsigned holders;
};

/* A process as it was at the time of a sample. */
struct past {
	struct map_version *version;
	unsigned image;		/* which program it ran; see space.image */
};

/* The table that a walk would have needed. */
struct lack {
	module_id module;
	uint64_t offset;
	bool is_full;
};

struct space_page {
	uint64_t addr;
	uint64_t dev, inode;	/* of the file it is from; 0: of this walk */
	uint64_t walk;
	uint8_t bytes[SPACE_PAGE];
};

/* Return addresses that were looked at; to be had again from most stacks. */
#define SPACE_CHECKED 1024
struct checked_address {
	uint64_t addr;
	bool is_good;
};

struct space {
	pid_t pid;
	const struct target *target;	/* or NULL */
	struct memory memory;		/* the target's, now */
	enum unwind_mode mode;
	const struct sink *sink;
	struct waiting *waiting;
	struct map_version *now;
	unsigned image;		/* grows with each exec, and at the end */
	size_t held;		/* samples that wait */
	bool is_over;		/* space_free() was called */
	struct unwinder *unwinder;	/* made for the first sample */
	struct row_source source;
	bool knows_kernel;
	module_id kernel;
	uint64_t reread_ns;
	struct space_page *pages[SPACE_PAGES];
	struct stitch *stitch;	/* made when memory turns out to be shut */

	/* Of the walk under way, or the last one. */
	const struct raw_sample *raw;
	struct maps *maps;
	bool is_past;		/* of a program that is gone */
	uint64_t walk;		/* its number */
	struct lack lack;
	bool has_gone_on;	/* read a stack beyond its copy */
	bool is_shut;		/* was refused to do so */
	bool is_torn;		/* what was read there is of another time */
	bool was_short;		/* its copy: ended before the stack did */
	size_t reach;		/* bytes of stack that it had */
	uint64_t pcs[SAMPLE_DEPTH], sps[SAMPLE_DEPTH];
	struct frame frames[SPACE_FRAMES];
	size_t depth;

	uint64_t checked_generation;
	struct checked_address checked[SPACE_CHECKED];
};

/* --- space.c */

/* The process as it is, to come back to; it lives until it is let go. */
struct past space_hold(struct space *space);
void space_let_go(struct space *space, struct past *past);

/* --- space_memory.c */

/* What the walk under way reads. */
struct memory space_walk_memory(struct space *space);
void space_drop_pages(struct space *space);

/* --- space_torn.c */

/*
 * The walk under way has read MEMORY beyond the copy of the stack: how many of
 * the SEEN frames are the sample's. The rest has changed in between.
 */
size_t space_believe(struct space *space, const struct memory *memory,
		     size_t seen);

/* --- space_walk.c */

/*
 * Walk RAW as of PAST and deliver it. False if MAY_WAIT and the table
 * space->lack is not here yet.
 */
bool space_walk_past(struct space *space, const struct raw_sample *raw,
		     const struct past *past, bool may_wait);

#endif
