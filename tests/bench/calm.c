/* SPDX-License-Identifier: MIT */
/*
 * calm.c - a recorded profile as a stream of random samples.
 */
#include "tests/bench/calm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "formats/format.h"

static void
note_cell(void *ctx, const struct cell *cell)
{
	struct urn *urn = ctx;
	size_t capacity = urn->capacity;

	urn->cells = grow(urn->cells, urn->count, &urn->capacity,
			  sizeof(*urn->cells));
	urn->until = grow(urn->until, urn->count, &capacity,
			  sizeof(*urn->until));
	urn->total += cell->weight;
	urn->cells[urn->count] = *cell;
	urn->until[urn->count++] = urn->total;
}

static char *
read_whole(FILE *file, size_t *len)
{
	size_t capacity = 1 << 16, n;
	char *bytes = xcalloc(capacity, 1);

	*len = 0;
	while ((n = fread(bytes + *len, 1, capacity - *len, file)) > 0) {
		*len += n;
		if (*len == capacity)
			bytes = xreallocarray(bytes, capacity *= 2, 1);
	}
	return bytes;
}

bool
urn_read(struct urn *urn, const char *path, struct error *err)
{
	FILE *file = fopen(path, "r");
	struct read_report report;
	size_t len;
	char *bytes;
	bool ok;

	memset(urn, 0, sizeof(*urn));
	if (!file)
		return fail(err, errno, "%s", path);
	bytes = read_whole(file, &len);
	fclose(file);
	urn->profile = profile_new();
	urn->names = names_new(urn->profile);
	ok = format_read(bytes, len, urn->profile, &report, err);
	free(bytes);
	profile_each(urn->profile, 0, UINT64_MAX, note_cell, urn);
	return ok;
}

void
urn_free(struct urn *urn)
{
	free(urn->cells);
	free(urn->until);
	names_free(urn->names);
	profile_free(urn->profile);
}

/* --- what is made of it */

static string_id
text_of(struct target *target, string_id id)
{
	const char *text = profile_text(target->urn->profile, id);

	return strings_add(profile_strings(target->profile), text,
			   strlen(text));
}

static frame_id
frame_of(struct target *target, frame_id id)
{
	const struct profile *from = target->urn->profile;
	struct frame frame = *profile_get_frame(from, id);
	struct module module = *profile_get_module(from, frame.module);

	if (frame.module) {
		module.path = text_of(target, module.path);
		frame.module = profile_module(target->profile, &module);
	}
	frame.name = text_of(target, frame.name);
	return profile_frame(target->profile, &frame);
}

static stack_id
stack_of(struct target *target, stack_id id)
{
	const struct stack *stack;

	if (!id)
		return 0;
	stack = profile_get_stack(target->urn->profile, id);
	return profile_push(target->profile, stack_of(target, stack->parent),
			    frame_of(target, stack->frame));
}

void
target_open(struct target *target, const struct urn *urn, uint64_t seed)
{
	*target = (struct target){ .urn = urn, .random = seed };
	target->profile = profile_new();
	target->names = names_new(target->profile);
	target->picture = picture_new(target->profile, target->names);
	target->stacks = xcalloc(urn->count, sizeof(*target->stacks));
	for (size_t i = 0; i < urn->count; i++)
		target->stacks[i] = stack_of(target, urn->cells[i].stack);
}

void
target_close(struct target *target)
{
	free(target->stacks);
	picture_free(target->picture);
	names_free(target->names);
	profile_free(target->profile);
}

static uint64_t
draw(struct target *target, uint64_t below)
{
	uint64_t x = target->random;	/* xorshift64 */

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	target->random = x;
	return x % below;
}

/* The stack that the weight AT falls on. */
static size_t
pick(const struct urn *urn, uint64_t at)
{
	size_t low = 0, high = urn->count - 1;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (urn->until[middle] > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

void
target_run(struct target *target, uint64_t time_ns, unsigned count)
{
	struct cell cell = { .kind = KIND_CPU, .weight = 1,
			     .time_ns = time_ns };
	size_t nodes;

	for (unsigned i = 0; i < count; i++) {
		cell.stack = target->stacks[pick(target->urn, draw(
			target, target->urn->total))];
		profile_add(target->profile, time_ns, &cell);
		picture_note(target->picture, &cell);
	}
	free(picture_update(target->picture, &nodes));
}
