/* SPDX-License-Identifier: MIT */
/*
 * engine.h - the unwinders that are held against each other.
 *
 *	engine_ours		sampler/unwind/ on tables of local_rows.h
 *	engine_libunwind	its remote interface
 *	engine_libdw		dwfl_getthread_frames()
 *
 * None of the three is the truth by itself: each of the libraries stops or
 * errs somewhere. Two that agree against the third are a reason to look.
 */
#ifndef TESTS_ORACLE_ENGINE_H
#define TESTS_ORACLE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sample.h"
#include "tests/oracle/local_rows.h"
#include "tests/oracle/samples.h"

#define CHAIN_MAX 4096

/*
 * Leaf first, in the measure of unwind_stack(): return addresses minus one,
 * but for the leaf and what a signal interrupted.
 */
struct chain {
	uint64_t pcs[CHAIN_MAX];
	size_t n;
	enum unwind_end end;	/* engine_ours only */
};

/*
 * Frames from the leaf on that are the same. One byte is no other frame, but
 * counted in INEXACT (may be NULL).
 */
size_t chain_common(const struct chain *a, const struct chain *b,
		    uint64_t *inexact);

struct engine_config {
	enum unwind_mode mode;		/* ours */
	struct local_rows *rows;	/* ours: borrowed */
	size_t limit;			/* bytes of the stack copy; 0: all */
	bool has_no_cache;
};

struct engine {
	const char *name;
	void *(*open)(struct samples *samples,
		      const struct engine_config *config);
	void (*walk)(void *state, const struct raw *raw, struct chain *out);
	void (*close)(void *state);
};

extern const struct engine engine_ours, engine_libunwind, engine_libdw;

/*
 * Run-time minus link-time address of MAPPING, by the segment that has its
 * offset. False if its file is no ELF file with such a segment.
 */
bool engine_bias(const struct sample_file *file, const struct mapping *mapping,
		 uint64_t *bias);

/* Changes when the executable files of MAPS do, and not when a JIT's do. */
uint64_t engine_fingerprint(const struct maps *maps);

/*
 * What an engine keeps of each process, by its own order of asking; *SLOT is
 * NULL the first time.
 */
struct kept {
	const struct sample_process *process;
	uint64_t fingerprint;
	void *state;
};
struct kept_list {
	struct kept *kept;
	size_t count, capacity;
};
struct kept *kept_of(struct kept_list *list,
		     const struct sample_process *process);

#endif
