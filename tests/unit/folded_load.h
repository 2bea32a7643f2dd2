/* SPDX-License-Identifier: MIT */
/*
 * folded_load.h - folded files and what was read from them.
 *
 * What comes out is compared as text, "a > b > c" for a stack, its thread
 * first.
 */
#ifndef TESTS_UNIT_FOLDED_LOAD_H
#define TESTS_UNIT_FOLDED_LOAD_H

#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A fixture and what was read from it. */
struct loaded {
	struct profile *profile;
	struct read_report report;
	struct error err;
	char *bytes;
	size_t len;
	bool ok;
};

static inline struct loaded
load_bytes(char *bytes, size_t len)
{
	struct loaded in = { .bytes = bytes, .len = len };

	in.profile = profile_new();
	in.ok = format_read(bytes, len, in.profile, &in.report, &in.err);
	return in;
}

static inline struct loaded
load_text(const char *text)
{
	return load_bytes(xstrdup(text), strlen(text));
}

static inline struct loaded
load(const char *name)
{
	char path[128], *bytes = xcalloc(1 << 16, 1);
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "tests/fixtures/%s.folded", name);
	file = fopen(path, "rb");
	assert_non_null(file);
	len = fread(bytes, 1, 1 << 16, file);
	fclose(file);
	return load_bytes(bytes, len);
}

static inline void
unload(struct loaded *in)
{
	profile_free(in->profile);
	free(in->bytes);
}

struct question {
	const struct profile *profile;
	const char *stack;
	uint64_t weight;
	size_t cells;
};

static inline void
append(char *text, size_t size, const char *name)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? " > " : "", name);
}

static inline void
spell(const struct profile *p, stack_id id, char *text, size_t size)
{
	const struct stack *stack = profile_get_stack(p, id);

	if (!id)
		return;
	spell(p, stack->parent, text, size);
	append(text, size,
	       profile_text(p, profile_get_frame(p, stack->frame)->name));
}

static inline void
note_cell(void *ctx, const struct cell *cell)
{
	struct question *q = ctx;
	char text[512] = "";

	if (cell->thread)
		append(text, sizeof(text),
		       profile_text(q->profile,
				    profile_get_thread(q->profile,
						       cell->thread)->name));
	spell(q->profile, cell->stack, text, sizeof(text));
	if (strcmp(text, q->stack) != 0)
		return;
	q->weight += cell->weight;
	q->cells++;
}

/* The weight of STACK, which must be there. */
static inline uint64_t
weight_of(const struct loaded *in, const char *stack)
{
	struct question q = { .profile = in->profile, .stack = stack };

	profile_each(in->profile, 0, UINT64_MAX, note_cell, &q);
	if (!q.cells)
		print_error("no stack %s\n", stack);
	assert_int_equal(q.cells, 1);
	return q.weight;
}

static inline uint64_t
total(const struct loaded *in)
{
	return profile_total(in->profile, KIND_CPU);
}

static inline enum frame_kind
kind_of(const struct loaded *in, const char *name)
{
	frame_id id;

	for (id = 0; id < profile_frames(in->profile); id++) {
		const struct frame *f = profile_get_frame(in->profile, id);

		if (strcmp(profile_text(in->profile, f->name), name) == 0)
			return f->kind;
	}
	print_error("no frame %s\n", name);
	assert_true(false);
	return FRAME_CODE;
}

#endif
