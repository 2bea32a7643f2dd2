/* SPDX-License-Identifier: MIT */
/*
 * picture_fixture.h - a profile, its names and a picture of it, for tests.
 */
#ifndef TESTS_UNIT_PICTURE_FIXTURE_H
#define TESTS_UNIT_PICTURE_FIXTURE_H

#include "core/picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct fixture {
	struct profile *profile;
	struct names *names;
	struct picture *picture;
};

static inline string_id
text(struct fixture *f, const char *bytes)
{
	return strings_add(profile_strings(f->profile), bytes, strlen(bytes));
}

/* The stack of PATH, "main;read"; what starts with '^' is a kernel frame. */
static inline stack_id
stack_of(struct fixture *f, const char *path)
{
	char *copy = strdup(path), *rest = copy, *name;
	stack_id stack = 0;

	while ((name = strsep(&rest, ";"))) {
		struct frame frame = { .kind = FRAME_CODE };

		if (*name == '^')
			frame.kind = FRAME_KERNEL;
		frame.name = text(f, name);
		stack = profile_push(f->profile, stack,
				     profile_frame(f->profile, &frame));
	}
	free(copy);
	return stack;
}

/* Counts in the slot of TIME_NS. */
static inline void
count_cell(struct fixture *f, uint64_t time_ns, struct cell cell)
{
	cell.time_ns = time_ns - time_ns % 1000000000;
	profile_add(f->profile, time_ns, &cell);
	if (f->picture)
		picture_note(f->picture, &cell);
}

static inline void
add_as(struct fixture *f, const char *path, const char *thread,
       uint64_t weight)
{
	struct cell cell = { .kind = KIND_CPU, .weight = weight };

	cell.stack = stack_of(f, path);
	cell.thread = profile_thread_named(f->profile, text(f, thread));
	count_cell(f, 0, cell);
}

static inline void
add(struct fixture *f, const char *path, uint64_t weight)
{
	add_as(f, path, "", weight);
}

static inline int
set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->profile = profile_new();
	f->names = names_new(f->profile);
	f->picture = picture_new(f->profile, f->names);
	*state = f;
	return 0;
}

static inline int
tear_down(void **state)
{
	struct fixture *f = *state;

	picture_free(f->picture);
	names_free(f->names);
	profile_free(f->profile);
	free(f);
	return 0;
}

/* The node of PATH in the picture's tree. */
static inline node_id
node_of(struct fixture *f, const char *path)
{
	const struct calltree *tree = picture_tree(f->picture);
	char *copy = strdup(path), *rest = copy, *name;
	node_id node = 0, child;

	while (node != NODE_NONE && (name = strsep(&rest, ";"))) {
		for (child = calltree_first(tree, node); child != NODE_NONE;
		     child = calltree_next(tree, child))
			if (!strcmp(names_text(f->names,
					calltree_func(tree, child)), name))
				break;
		node = child;
	}
	free(copy);
	return node;
}

static inline uint64_t
total_of(struct fixture *f, const char *path)
{
	return calltree_total(picture_tree(f->picture), node_of(f, path));
}

static inline void
update(struct fixture *f)
{
	size_t count;

	free(picture_update(f->picture, &count));
}

static inline const struct function_row *
function(struct fixture *f, const char *name)
{
	size_t count;
	const struct function_row *rows = picture_functions(f->picture,
							    &count);

	for (size_t i = 0; i < count; i++)
		if (!strcmp(names_text(f->names, rows[i].func), name))
			return &rows[i];
	return NULL;
}

static inline bool
keeps_ids(struct fixture *f, const struct filter *filter)
{
	node_id *map = picture_set_filter(f->picture, filter, NULL);

	free(map);
	return !map;
}

#endif
