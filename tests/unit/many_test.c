/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/picture.h"

#include <cmocka.h>

#define SIDE 300		/* so many times so many light stacks */

/* 90,000 stacks of one sample; and 60,000 samples of root;hub;hot. */
struct crowd {
	struct profile *profile;
	struct names *names;
	struct picture *picture;
	frame_id root, hub, hot;
};

static frame_id
frame(struct crowd *c, const char *name)
{
	struct frame frame = { .kind = FRAME_CODE };

	frame.name = strings_add(profile_strings(c->profile), name,
				 strlen(name));
	return profile_frame(c->profile, &frame);
}

static void
count(struct crowd *c, const frame_id *frames, size_t depth, uint64_t weight)
{
	struct cell cell = { .kind = KIND_CPU, .weight = weight };

	for (size_t i = 0; i < depth; i++)
		cell.stack = profile_push(c->profile, cell.stack, frames[i]);
	profile_add(c->profile, 0, &cell);
}

static void
begin(struct crowd *c)
{
	char name[24];
	frame_id light[SIDE];

	c->profile = profile_new();
	c->names = names_new(c->profile);
	c->root = frame(c, "root");
	c->hub = frame(c, "hub");
	c->hot = frame(c, "hot");
	for (int i = 0; i < SIDE; i++) {
		snprintf(name, sizeof(name), "light%d", i);
		light[i] = frame(c, name);
	}
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++)
			count(c, (frame_id[]){ c->root, c->hub, light[i],
					       light[k] }, 4, 1);
	count(c, (frame_id[]){ c->root, c->hub, c->hot }, 3, 60000);
	c->picture = picture_new(c->profile, c->names);
}

static void
end(struct crowd *c)
{
	picture_free(c->picture);
	names_free(c->names);
	profile_free(c->profile);
}

/* The node of the path of NAMES, from the root down. */
static node_id
find(const struct crowd *c, const frame_id *frames, size_t depth)
{
	node_id node = 0;

	for (size_t i = 0; i < depth; i++)
		node = calltree_find(picture_tree(c->picture), node,
				     names_of(c->names, frames[i]));
	return node;
}

static void
what_is_heavy_is_found_again_among_very_many(void **state)
{
	struct crowd c;
	frame_id old[] = { 0, 0, 0 }, inner[] = { 0, 0 };
	struct transform merge = { .kind = TRANSFORM_MERGE };
	struct filter filter = { .transforms = &merge, .ntransforms = 1 };
	node_id hot, hub, *map;
	size_t n;

	(void)state;
	begin(&c);
	memcpy(old, (frame_id[]){ c.root, c.hub, c.hot }, sizeof(old));
	memcpy(inner, (frame_id[]){ c.root, c.hot }, sizeof(inner));
	merge.about.func = names_of(c.names, c.hub);
	hot = find(&c, old, 3);
	hub = find(&c, old, 2);
	map = picture_set_filter(c.picture, &filter, &n);
	assert_non_null(map);
	assert_int_equal(picture_total(c.picture), 60000 + SIDE * SIDE);
	assert_int_equal(map[hot], find(&c, inner, 2));
	assert_int_equal(map[hub], find(&c, inner, 1));
	for (size_t i = 0; i < n; i++)	/* and the others, or their callers */
		assert_true(map[i] < calltree_count(picture_tree(c.picture)));
	free(map);
	hot = find(&c, inner, 2);
	filter = (struct filter){ .shape = SHAPE_INVERTED };
	map = picture_set_filter(c.picture, &filter, NULL);
	assert_int_equal(map[hot], find(&c, &c.hot, 1));
	assert_int_equal(calltree_total(picture_tree(c.picture), map[hot]),
			 60000);
	free(map);
	end(&c);
}

/* One by one, as they come while the filter is in force, or all at once. */
static void
many_end_where_each_would_alone(void **state)
{
	static const enum shape shapes[] = { SHAPE_CALLEES, SHAPE_INVERTED };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct crowd a, b;
		struct transform merge = { .kind = TRANSFORM_MERGE };
		struct filter filter = { .shape = shapes[i],
					 .transforms = &merge,
					 .ntransforms = 1 };
		size_t n;

		begin(&a);
		merge.about.func = names_of(a.names, a.hub);
		free(picture_set_filter(a.picture, &filter, NULL));
		begin(&b);
		free(picture_set_filter(b.picture, &filter, NULL));
		for (int k = 0; k < SIDE; k++) {
			char name[24];
			struct cell cell = { .kind = KIND_CPU, .weight = 1 };

			snprintf(name, sizeof(name), "light%d", k);
			cell.stack = profile_push(b.profile, 0, frame(&b,
								      name));
			profile_add(b.profile, 0, &cell);
			picture_note(b.picture, &cell);
			cell.stack = profile_push(a.profile, 0, frame(&a,
								      name));
			profile_add(a.profile, 0, &cell);
		}
		free(picture_update(b.picture, &n));
		filter.hide_inlined = true;	/* a new tree */
		free(picture_set_filter(a.picture, &filter, NULL));
		assert_int_equal(calltree_count(picture_tree(a.picture)),
				 calltree_count(picture_tree(b.picture)));
		assert_int_equal(picture_total(a.picture),
				 picture_total(b.picture));
		for (node_id k = 0; k < calltree_count(picture_tree(
						a.picture)); k++) {
			const struct calltree *tree = picture_tree(a.picture);
			const struct calltree *other = picture_tree(b.picture);
			node_id at = calltree_parent(tree, k);
			func_id way[8];
			size_t depth = 0;

			for (at = k; at; at = calltree_parent(tree, at))
				way[depth++] = calltree_func(tree, at);
			for (at = 0; depth && at != NODE_NONE;)
				at = calltree_find(other, at, way[--depth]);
			assert_int_not_equal(at, NODE_NONE);
			assert_int_equal(calltree_total(tree, k),
					 calltree_total(other, at));
			assert_int_equal(calltree_self(tree, k),
					 calltree_self(other, at));
		}
		end(&a);
		end(&b);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_heavy_is_found_again_among_very_many),
		cmocka_unit_test(many_end_where_each_would_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
