/* SPDX-License-Identifier: MIT */
/*
 * versions.h - names of code that is made and thrown away at run time.
 *
 * A JIT uses addresses again: what lies at one depends on when it is asked
 * for. Samples carry no more than an address and a version, a number that
 * grows when something that had a name in the picture has been overwritten by
 * something else. So where nothing is used again, or only code that nobody
 * ever saw run, there is one version.
 *
 *	added	A "f"	(asked for: f)	A "g"	settled: version 1
 *	found	A, 0 -> f		A, 1 -> g
 *
 * Code that came in the same version as it was sampled in has its name from
 * then on; what was overwritten is known from the next settling on, a second
 * later at most, and counts as the old code until then.
 *
 * Later entries win. A few new ones cost a few, not all: they lie in a layer
 * of their own until it is a fourth of the rest.
 */
#ifndef SYMBOLS_VERSIONS_H
#define SYMBOLS_VERSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an offset of a JIT's frame is: version and address (core/profile.h). */
#define VERSION_SHIFT 48
#define VERSION_MAX UINT16_MAX

struct versions;

struct versions *versions_new(void);
void versions_free(struct versions *versions);

/* Room for a name of LEN bytes at *AT, as ranges_room(). */
char *versions_room(struct versions *versions, size_t len, uint32_t *at);

/* As ranges_add(): an END of START is open. Not seen before settling. */
void versions_add(struct versions *versions, uint64_t start, uint64_t end,
		  uint32_t name);
void versions_settle(struct versions *versions);

/*
 * All that is known is to be said anew. What is not is forgotten at the next
 * settling, but for what was asked for, which had its name up to now.
 */
void versions_restart(struct versions *versions);

/* The present one; and make it at least VERSION, that of another source. */
uint32_t versions_now(const struct versions *versions);
void versions_raise(struct versions *versions, uint32_t version);

/*
 * The name at OFFSET, and an offset that is one function's alone: its address
 * and the version that it came with. NULL: no code is known there. *NAME is
 * what versions_add() was given.
 */
const char *versions_find(struct versions *versions, uint64_t offset,
			  uint64_t *start, uint32_t *name);

#endif
