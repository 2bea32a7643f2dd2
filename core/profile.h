/* SPDX-License-Identifier: MIT */
/*
 * profile.h - everything that was sampled, as addresses and counts.
 *
 *	modules   what code comes from: a file, the kernel, a JIT
 *	frames    one place in the code: (module, offset), or a bare name when
 *	          a file gave no more
 *	stacks    a trie: each stack is its caller's stack plus one frame, so
 *	          equal beginnings are stored once; 0 is the empty stack
 *	threads   (pid, tid, start time) and the name last seen
 *	slots     counts of (stack, thread, kind), one table for each second
 *
 * All of them are interned: equal things have equal ids, ids count up, and
 * what an id means never changes (a thread's name and end apart). Stacks are
 * interned by address and never by name; names come later and live beside
 * (core/names.h).
 *
 * Two of these exist in a live session. Capture fills one under a lock; main
 * takes what is new out of it with profile_take() and owns the other, which
 * every view, filter and file is made from. Ids are the same in both.
 *
 * Slots age: 1 s each for the last hour, 10 s for the last day, one for
 * everything older. The sum over all slots is always exact, up to 2^64 - 1.
 * When slots outgrow their part of the bound old ones are merged sooner; when
 * the tables do, new stacks become the one frame "[too many stacks]" and new
 * threads the unknown one. The bound is for both profiles of a session.
 *
 * A profile is not safe to share between threads; its owner locks.
 */
#ifndef CORE_PROFILE_H
#define CORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/strings.h"

typedef uint32_t module_id;	/* 0: no module, the frame has only a name */
typedef uint32_t frame_id;
typedef uint32_t stack_id;	/* 0: the empty stack */
typedef uint32_t thread_id;	/* 0: no thread is known (a loaded file) */

enum kind {
	KIND_CPU,		/* was running; weight counts samples */
	KIND_BLOCKED,		/* waited; weight in microseconds */
	KIND_RUNNABLE,		/* waited for a CPU; microseconds */
	KIND_FAULT,		/* page faults */
	KIND_SWITCH,		/* context switches */
	KIND_COUNT
};

enum module_kind {
	MODULE_NONE,
	MODULE_PROGRAM,		/* what the process runs */
	MODULE_LIBRARY,		/* any other file mapped executable */
	MODULE_VDSO,		/* the kernel's page in every process */
	MODULE_KERNEL,		/* offsets are kernel addresses */
	MODULE_JIT,		/* a process's code without a file; offsets
				   are its addresses */
};

/* What a frame is, for its suffix in a file and its colour on screen. */
enum frame_kind {
	FRAME_CODE,		/* compiled code */
	FRAME_KERNEL,		/* _[k] */
	FRAME_INLINED,		/* _[i] */
	FRAME_JIT,		/* _[j] */
	FRAME_THREAD,		/* a thread's name as the outermost frame */
	FRAME_NOTE,		/* "[cut]" and the like: not the target's */
};

/*
 * A file, a JIT or the kernel. Two modules are the same when all but PATH
 * agree, and PATH too when there is no INODE. Strings are ids in the
 * profile's table.
 */
struct module {
	enum module_kind kind;
	string_id path;		/* as the process names it, cleaned */
	uint64_t dev, inode;	/* 0 without a file; JIT: inode is the pid */
	uint64_t mtime_ns;	/* 0 when unknown */
};

#define FRAME_ADDRESS (((uint64_t)1 << 48) - 1)

struct frame {
	module_id module;
	enum frame_kind kind;
	string_id name;		/* only when MODULE is 0 */
	/*
	 * Where, as seen from the file: file offset for files and vdso, the
	 * address itself for kernel and JIT. A JIT's code is thrown away and
	 * its address used again: above FRAME_ADDRESS is a number that grows
	 * when that was seen to happen (symbols/versions.h). For a caller it
	 * is the byte before the return address, so that it lies inside the
	 * call.
	 */
	uint64_t offset;
};

struct stack {
	stack_id parent;	/* the caller's stack; always a smaller id */
	frame_id frame;
	uint32_t depth;		/* 1 for an outermost frame */
};

/* PID is 0 when only the name is known; TID then tells threads apart. */
struct thread {
	pid_t pid, tid;
	uint64_t start;		/* clock ticks after boot, /proc stat 22 */
	string_id name;
	bool ended;
};

/* One count. What a slot is made of and what profile_take() reports. */
struct cell {
	stack_id stack;
	thread_id thread;
	enum kind kind;
	uint64_t weight;
	uint64_t time_ns;	/* when its slot starts; not read by
				   profile_add() */
};

/* What the sampler could not see or do. Counts of samples unless said. */
struct losses {
	uint64_t samples;	/* kept */
	uint64_t lost;		/* the kernel dropped them, or we did */
	uint64_t cut;		/* the stack's outer end is missing */
	uint64_t guessed;	/* some frame came from a guess */
	uint64_t stitched;	/* the outer end is that of an earlier one */
	uint64_t deep;		/* the middle of the stack is left out */
	uint64_t rules_late;	/* unwind rules did not come in time */
	uint64_t unresolved;	/* leaf still without a name (set by main) */
	uint64_t throttled;	/* times the kernel paused the event */
	uint64_t late;		/* out of order by more than the window */
};

struct profile;

#define PROFILE_BOUND ((size_t)128 << 20)	/* live; the default */
#define PROFILE_BOUND_FILE ((size_t)2 << 30)	/* for one loaded file */

struct profile *profile_new(void);
void profile_free(struct profile *profile);

/* Keep to about BYTES of memory from now on. */
void profile_set_bound(struct profile *profile, size_t bytes);

/* Texts of this profile; owned by it. */
struct strings *profile_strings(struct profile *profile);
const char *profile_text(const struct profile *profile, string_id id);

/* Intern; the argument is copied. */
module_id profile_module(struct profile *profile, const struct module *module);
frame_id profile_frame(struct profile *profile, const struct frame *frame);
stack_id profile_push(struct profile *profile, stack_id parent, frame_id frame);
thread_id profile_thread(struct profile *profile, pid_t pid, pid_t tid,
			 uint64_t start);

/* The thread of which a file told NAME and no more; 0 for an empty name. */
thread_id profile_thread_named(struct profile *profile, string_id name);

void profile_name_thread(struct profile *profile, thread_id thread,
			 string_id name);
void profile_end_thread(struct profile *profile, thread_id thread);

/* Look up; the pointers are valid until the next call that interns. */
const struct module *profile_get_module(const struct profile *p, module_id id);
const struct frame *profile_get_frame(const struct profile *p, frame_id id);
const struct stack *profile_get_stack(const struct profile *p, stack_id id);
const struct thread *profile_get_thread(const struct profile *p, thread_id id);

/* How many there are; ids run from 0 (the empty or unknown one) upward. */
size_t profile_modules(const struct profile *profile);
size_t profile_frames(const struct profile *profile);
size_t profile_stacks(const struct profile *profile);
size_t profile_threads(const struct profile *profile);

/*
 * Count WEIGHT on CELL's stack, thread and kind in the slot of TIME_NS (any
 * clock that only goes forward; 0 for a file without times).
 */
void profile_add(struct profile *profile, uint64_t time_ns,
		 const struct cell *cell);

/* Sum of all weights of KIND ever added. */
uint64_t profile_total(const struct profile *profile, enum kind kind);

/* The kind that PROFILE has counts of; the first if it has several. */
enum kind profile_kind(const struct profile *profile);

/* Did a total reach 2^64 - 1 and stop there? */
bool profile_is_saturated(const struct profile *profile);

/* First and last time that was added; 0 when nothing was. */
uint64_t profile_first_ns(const struct profile *profile);
uint64_t profile_last_ns(const struct profile *profile);

struct losses *profile_losses(struct profile *profile);

typedef void (*cell_fn)(void *ctx, const struct cell *cell);

/*
 * Hand every count of slots that touch [FROM_NS, TO_NS) to FN; the same
 * (stack, thread, kind) may come several times, once for each slot.
 */
void profile_each(const struct profile *profile, uint64_t from_ns,
		  uint64_t to_ns, cell_fn fn, void *ctx);

/* How many that are, of all slots. */
size_t profile_cells(const struct profile *profile);

/*
 * Move everything new from SRC into DST: rows of the tables that DST does not
 * have yet, thread names, losses (all but UNRESOLVED), and all counts, which
 * are gone from SRC afterwards. Each count moved is also handed to FN (may be
 * NULL). DST must have got all its rows from SRC: nothing else may intern in
 * it. Quick: the caller holds SRC's lock, so FN only notes.
 */
void profile_take(struct profile *dst, struct profile *src, cell_fn fn,
		  void *ctx);

/* Weight of KIND that profile_take() would move. */
uint64_t profile_waiting(const struct profile *profile, enum kind kind);

/*
 * What is known about the whole: "host", "comm", "event", "tag.version" …
 * KEY is of [a-z0-9.-]; any other is refused with false. Both are copied; a
 * NULL value removes the key. profile_get() returns NULL for an unknown key.
 */
bool profile_set(struct profile *profile, const char *key, const char *value);
const char *profile_get(const struct profile *profile, const char *key);

/* The Ith key in bytewise order, or NULL past the last. */
const char *profile_key(const struct profile *profile, size_t i);

size_t profile_bytes(const struct profile *profile);	/* memory in use */

#endif
