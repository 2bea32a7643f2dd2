/* SPDX-License-Identifier: MIT */
/*
 * profile.c - the tables of a profile, and what is known about the whole.
 *
 * Of the bound, 1/16 is for texts, 3/16 for the other tables and 9/16 for the
 * slots; what is left holds the copy of the tables on the other side of
 * profile_take(), which is not hashed and so about half as large.
 */
#include "core/profile.h"

#include <stdlib.h>

#include "core/attributes.h"
#include "core/base.h"
#include "core/slots.h"
#include "core/table.h"

#define MODULES_MAX 65536

struct profile {
	struct strings *strings;
	struct table modules, frames, stacks, threads;
	struct slots *slots;
	uint64_t total[KIND_COUNT], waiting[KIND_COUNT];
	uint64_t first_ns, last_ns;
	bool has_counts, is_saturated;
	struct losses losses;
	/* Threads in [FROM, TO) have changed since they were taken. */
	size_t touched_from, touched_to;
	struct attributes attributes;
	size_t bound;
};

static uint32_t
hash_module(const void *row)
{
	const struct module *module = row;

	return hash_words(module->inode ? module->inode : module->path,
			  module->dev ^ module->mtime_ns << 8 ^
			  (uint64_t)module->kind);
}

static bool
same_module(const void *a, const void *b)
{
	const struct module *one = a, *two = b;

	return one->kind == two->kind && one->dev == two->dev &&
	       one->inode == two->inode && one->mtime_ns == two->mtime_ns &&
	       (one->inode || one->path == two->path);
}

static uint32_t
hash_frame(const void *row)
{
	const struct frame *frame = row;

	return hash_words(frame->offset ^ (uint64_t)frame->kind << 60,
			  (uint64_t)frame->name << 32 | frame->module);
}

static bool
same_frame(const void *a, const void *b)
{
	const struct frame *one = a, *two = b;

	return one->offset == two->offset && one->module == two->module &&
	       one->kind == two->kind && one->name == two->name;
}

static uint32_t
hash_stack(const void *row)
{
	const struct stack *stack = row;

	return hash_words(stack->parent, stack->frame);
}

static bool
same_stack(const void *a, const void *b)
{
	const struct stack *one = a, *two = b;

	return one->parent == two->parent && one->frame == two->frame &&
	       one->depth == two->depth;
}

static uint32_t
hash_thread(const void *row)
{
	const struct thread *thread = row;

	return hash_words(thread->start, (uint64_t)(uint32_t)thread->pid << 32 |
			  (uint32_t)thread->tid);
}

static bool
same_thread(const void *a, const void *b)
{
	const struct thread *one = a, *two = b;

	return one->tid == two->tid && one->pid == two->pid &&
	       one->start == two->start;
}

static const struct table_kind module_rows = {
	sizeof(struct module), hash_module, same_module
};
static const struct table_kind frame_rows = {
	sizeof(struct frame), hash_frame, same_frame
};
static const struct table_kind stack_rows = {
	sizeof(struct stack), hash_stack, same_stack
};
static const struct table_kind thread_rows = {
	sizeof(struct thread), hash_thread, same_thread
};

struct profile *
profile_new(void)
{
	struct profile *profile = xcalloc(1, sizeof(*profile));

	profile->strings = strings_new();
	profile->slots = slots_new(0);
	table_init(&profile->modules, &module_rows);
	table_init(&profile->frames, &frame_rows);
	table_init(&profile->stacks, &stack_rows);
	table_init(&profile->threads, &thread_rows);
	profile_set_bound(profile, PROFILE_BOUND);
	return profile;
}

void
profile_free(struct profile *profile)
{
	if (!profile)
		return;
	attributes_fini(&profile->attributes);
	table_fini(&profile->modules);
	table_fini(&profile->frames);
	table_fini(&profile->stacks);
	table_fini(&profile->threads);
	slots_free(profile->slots);
	strings_free(profile->strings);
	free(profile);
}

void
profile_set_bound(struct profile *profile, size_t bytes)
{
	profile->bound = bytes;
	strings_set_bound(profile->strings, bytes / 16);
	slots_set_bound(profile->slots, bytes / 16 * 9);
}

struct strings *
profile_strings(struct profile *profile)
{
	return profile->strings;
}

const char *
profile_text(const struct profile *profile, string_id id)
{
	return strings_get(profile->strings, id);
}

static size_t
table_sizes(const struct profile *profile)
{
	return table_bytes(&profile->modules) + table_bytes(&profile->frames) +
	       table_bytes(&profile->stacks) + table_bytes(&profile->threads);
}

static bool
is_full(const struct profile *profile)
{
	return table_sizes(profile) > profile->bound / 16 * 3;
}

/* What stands for the stacks and frames that there is no room for. */
static frame_id
too_many(struct profile *profile)
{
	static const char text[] = "[too many stacks]";
	struct frame frame = {
		.kind = FRAME_NOTE,
		.name = strings_add(profile->strings, text, sizeof(text) - 1),
	};

	return table_add(&profile->frames, &frame);
}

module_id
profile_module(struct profile *profile, const struct module *module)
{
	uint32_t id = table_find(&profile->modules, module);

	if (id != LOOKUP_NONE)
		return id;
	if (profile->modules.count >= MODULES_MAX)
		return 0;
	return table_append(&profile->modules, module);
}

frame_id
profile_frame(struct profile *profile, const struct frame *frame)
{
	uint32_t id = table_find(&profile->frames, frame);

	if (id != LOOKUP_NONE)
		return id;
	return is_full(profile) ? too_many(profile)
				: table_append(&profile->frames, frame);
}

stack_id
profile_push(struct profile *profile, stack_id parent, frame_id frame)
{
	const struct stack *caller = table_at(&profile->stacks, parent);
	struct stack stack = { parent, frame, caller->depth + 1 };
	uint32_t id = table_find(&profile->stacks, &stack);

	if (id != LOOKUP_NONE)
		return id;
	if (is_full(profile)) {
		stack = (struct stack){ 0, too_many(profile), 1 };
		if (parent && caller->frame == stack.frame)
			return parent;
		return table_add(&profile->stacks, &stack);
	}
	return table_append(&profile->stacks, &stack);
}

thread_id
profile_thread(struct profile *profile, pid_t pid, pid_t tid, uint64_t start)
{
	struct thread thread = { .pid = pid, .tid = tid, .start = start };
	uint32_t id = table_find(&profile->threads, &thread);

	if (id != LOOKUP_NONE)
		return id;
	return is_full(profile) ? 0 :
	       table_append(&profile->threads, &thread);
}

thread_id
profile_thread_named(struct profile *profile, string_id name)
{
	thread_id id = profile_thread(profile, 0, (pid_t)name, 0);

	if (id)
		profile_name_thread(profile, id, name);
	return id;
}

static struct thread *
touch_thread(struct profile *profile, thread_id id)
{
	if (profile->touched_from == profile->touched_to) {
		profile->touched_from = id;
		profile->touched_to = (size_t)id + 1;
	}
	if (id < profile->touched_from)
		profile->touched_from = id;
	if (id >= profile->touched_to)
		profile->touched_to = (size_t)id + 1;
	return table_at(&profile->threads, id);
}

void
profile_name_thread(struct profile *profile, thread_id thread, string_id name)
{
	if (thread && profile_get_thread(profile, thread)->name != name)
		touch_thread(profile, thread)->name = name;
}

void
profile_end_thread(struct profile *profile, thread_id thread)
{
	if (thread)
		touch_thread(profile, thread)->ended = true;
}

const struct module *
profile_get_module(const struct profile *p, module_id id)
{
	return table_at(&p->modules, id);
}

const struct frame *
profile_get_frame(const struct profile *p, frame_id id)
{
	return table_at(&p->frames, id);
}

const struct stack *
profile_get_stack(const struct profile *p, stack_id id)
{
	return table_at(&p->stacks, id);
}

const struct thread *
profile_get_thread(const struct profile *p, thread_id id)
{
	return table_at(&p->threads, id);
}

size_t
profile_modules(const struct profile *profile)
{
	return profile->modules.count;
}

size_t
profile_frames(const struct profile *profile)
{
	return profile->frames.count;
}

size_t
profile_stacks(const struct profile *profile)
{
	return profile->stacks.count;
}

size_t
profile_threads(const struct profile *profile)
{
	return profile->threads.count;
}

static void
add_total(struct profile *profile, enum kind kind, uint64_t weight)
{
	uint64_t *total = &profile->total[kind];

	if (weight > UINT64_MAX - *total)
		profile->is_saturated = true;
	*total = add_saturating(*total, weight);
	profile->waiting[kind] =
		add_saturating(profile->waiting[kind], weight);
}

static void
add_span(struct profile *profile, uint64_t first_ns, uint64_t last_ns)
{
	if (!profile->has_counts || first_ns < profile->first_ns)
		profile->first_ns = first_ns;
	if (last_ns > profile->last_ns)
		profile->last_ns = last_ns;
	profile->has_counts = true;
}

void
profile_add(struct profile *profile, uint64_t time_ns, const struct cell *cell)
{
	slots_add(profile->slots, time_ns, cell);
	add_total(profile, cell->kind, cell->weight);
	add_span(profile, time_ns, time_ns);
}

uint64_t
profile_total(const struct profile *profile, enum kind kind)
{
	return profile->total[kind];
}

enum kind
profile_kind(const struct profile *profile)
{
	for (int kind = 0; kind < KIND_COUNT; kind++)
		if (profile->total[kind])
			return (enum kind)kind;
	return KIND_CPU;
}

bool
profile_is_saturated(const struct profile *profile)
{
	return profile->is_saturated;
}

uint64_t
profile_waiting(const struct profile *profile, enum kind kind)
{
	return profile->waiting[kind];
}

uint64_t
profile_first_ns(const struct profile *profile)
{
	return profile->first_ns;
}

uint64_t
profile_last_ns(const struct profile *profile)
{
	return profile->last_ns;
}

struct losses *
profile_losses(struct profile *profile)
{
	return &profile->losses;
}

void
profile_each(const struct profile *profile, uint64_t from_ns, uint64_t to_ns,
	     cell_fn fn, void *ctx)
{
	slots_each(profile->slots, from_ns, to_ns, fn, ctx);
}

size_t
profile_cells(const struct profile *profile)
{
	return slots_cells(profile->slots);
}

/* Names and ends of threads that DST has already. */
static void
take_threads(struct profile *dst, struct profile *src)
{
	size_t to = src->touched_to;

	if (to > dst->threads.count)
		to = dst->threads.count;
	for (size_t i = src->touched_from; i < to; i++)
		*touch_thread(dst, (thread_id)i) =
			*profile_get_thread(src, (thread_id)i);
	src->touched_from = src->touched_to = 0;
	table_take(&dst->threads, &src->threads);
}

void
profile_take(struct profile *dst, struct profile *src, cell_fn fn, void *ctx)
{
	uint64_t unresolved = dst->losses.unresolved;

	strings_take(dst->strings, src->strings);
	table_take(&dst->modules, &src->modules);
	table_take(&dst->frames, &src->frames);
	table_take(&dst->stacks, &src->stacks);
	take_threads(dst, src);
	dst->losses = src->losses;
	dst->losses.unresolved = unresolved;
	slots_take(dst->slots, src->slots, fn, ctx);
	if (src->has_counts)
		add_span(dst, src->first_ns, src->last_ns);
	for (int kind = 0; kind < KIND_COUNT; kind++) {
		add_total(dst, (enum kind)kind, src->waiting[kind]);
		src->waiting[kind] = 0;
	}
	dst->is_saturated |= src->is_saturated;
}

bool
profile_set(struct profile *profile, const char *key, const char *value)
{
	return attributes_set(&profile->attributes, key, value);
}

const char *
profile_get(const struct profile *profile, const char *key)
{
	return attributes_get(&profile->attributes, key);
}

const char *
profile_key(const struct profile *profile, size_t i)
{
	return i < profile->attributes.count ?
	       profile->attributes.rows[i].key : NULL;
}

size_t
profile_bytes(const struct profile *profile)
{
	return strings_bytes(profile->strings) + table_sizes(profile) +
	       slots_bytes(profile->slots);
}
