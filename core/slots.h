/* SPDX-License-Identifier: MIT */
/*
 * slots.h - counts over time: fine for what is new, coarse for what is old.
 *
 *	everything older | 10 s | 10 s | ... | 1 s | 1 s | ... | now
 *	                   the last day         the last hour
 *
 * A slot holds each (stack, thread, kind) once. When all of them together
 * outgrow the bound, the oldest are merged before their time; when that does
 * not help, new counts lose their thread. No weight is ever lost.
 */
#ifndef CORE_SLOTS_H
#define CORE_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/profile.h"

struct slots;

struct slots *slots_new(size_t bound);
void slots_free(struct slots *slots);
void slots_set_bound(struct slots *slots, size_t bytes);

void slots_add(struct slots *slots, uint64_t time_ns, const struct cell *cell);

/* As profile_each(). */
void slots_each(const struct slots *slots, uint64_t from_ns, uint64_t to_ns,
		cell_fn fn, void *ctx);

/* Move all counts from SRC to DST; each is handed to FN, unless NULL. */
void slots_take(struct slots *dst, struct slots *src, cell_fn fn, void *ctx);

size_t slots_count(const struct slots *slots);	/* slots, for tests */
size_t slots_cells(const struct slots *slots);	/* that slots_each() hands out */
size_t slots_bytes(const struct slots *slots);

#endif
