/* SPDX-License-Identifier: MIT */
#include "tests/unit/picture_fixture.h"

#include "core/pattern.h"
#include "core/picture_private.h"

static func_id
func_of(struct fixture *f, const char *name)
{
	return names_of(f->names, profile_get_stack(f->profile,
						    stack_of(f, name))->frame);
}

static struct transform
about(struct fixture *f, enum transform_kind kind, const char *name)
{
	return (struct transform){
		.kind = kind,
		.about = { .kind = SUBJECT_FUNC, .func = func_of(f, name) },
	};
}

/* Show what SHAPE and the N transforms of LIST leave. */
static node_id *
show(struct fixture *f, enum shape shape, const char *pivot,
     const struct transform *list, size_t n)
{
	struct filter filter = { .shape = shape, .transforms = list,
				 .ntransforms = n };

	if (pivot)
		filter.pivot = func_of(f, pivot);
	return picture_set_filter(f->picture, &filter, NULL);
}

static void
apply(struct fixture *f, const struct transform *list, size_t n)
{
	free(show(f, SHAPE_CALLEES, NULL, list, n));
}

static uint64_t
self_of(struct fixture *f, const char *path)
{
	return calltree_self(picture_tree(f->picture), node_of(f, path));
}

/* Of the one transform: "dropped changed". */
static void
check_removed(struct fixture *f, uint64_t dropped, uint64_t changed)
{
	struct removed removed = picture_removed(f->picture, 0);

	assert_int_equal(removed.dropped, dropped);
	assert_int_equal(removed.changed, changed);
	assert_int_equal(picture_total(f->picture) + dropped, 15);
}

/* As in core/transform.h: 1, 2, 4 and 8 samples. */
static void
add_four(struct fixture *f)
{
	add(f, "main;a;b;c", 1);
	add(f, "main;a;d", 2);
	add(f, "b;a;b;d", 4);
	add(f, "main;a;b", 8);
	update(f);
}

static void
focus_leaves_the_stacks_with_such_a_frame(void **state)
{
	struct fixture *f = *state;
	struct transform focus;
	node_id d;

	add_four(f);
	d = node_of(f, "main;a;d");
	focus = about(f, TRANSFORM_FOCUS, "b");
	assert_null(show(f, SHAPE_CALLEES, NULL, &focus, 1));
	assert_int_equal(total_of(f, "main;a;b;c"), 1);
	assert_int_equal(total_of(f, "main"), 9);
	assert_int_equal(total_of(f, "b;a;b;d"), 4);
	assert_int_equal(node_of(f, "main;a;d"), d);	/* a ghost */
	assert_int_equal(total_of(f, "main;a;d"), 0);
	check_removed(f, 2, 0);
	focus.about.is_inverse = true;
	assert_null(show(f, SHAPE_CALLEES, NULL, &focus, 1));
	assert_int_equal(total_of(f, "main;a;d"), 2);
	check_removed(f, 13, 0);
}

static void
exclude_leaves_the_others(void **state)
{
	struct fixture *f = *state;
	struct transform exclude;

	add_four(f);
	exclude = about(f, TRANSFORM_EXCLUDE, "b");
	assert_null(show(f, SHAPE_CALLEES, NULL, &exclude, 1));
	assert_int_equal(picture_total(f->picture), 2);
	assert_int_equal(total_of(f, "main;a;d"), 2);
	check_removed(f, 13, 0);
	add(f, "main;b", 1);
	add(f, "main;e", 1);
	update(f);
	assert_int_equal(picture_total(f->picture), 3);
	assert_int_equal(picture_removed(f->picture, 0).dropped, 14);
}

static void
merged_frames_give_their_time_to_the_caller(void **state)
{
	struct fixture *f = *state;
	struct transform merge;

	add_four(f);
	merge = about(f, TRANSFORM_MERGE, "b");
	apply(f, &merge, 1);
	assert_int_equal(total_of(f, "main;a;c"), 1);
	assert_int_equal(total_of(f, "main;a;d"), 2);
	assert_int_equal(total_of(f, "a;d"), 4);
	assert_int_equal(self_of(f, "main;a"), 8);
	assert_int_equal(node_of(f, "main;a;b"), NODE_NONE);
	check_removed(f, 0, 13);
}

static void
from_makes_the_outermost_such_frame_the_root(void **state)
{
	struct fixture *f = *state;
	struct transform from;

	add_four(f);
	from = about(f, TRANSFORM_FROM, "b");
	apply(f, &from, 1);
	assert_int_equal(total_of(f, "b;c"), 1);
	assert_int_equal(total_of(f, "b;a;b;d"), 4);
	assert_int_equal(self_of(f, "b"), 8);
	assert_int_equal(calltree_next(picture_tree(f->picture),
				       node_of(f, "b")), NODE_NONE);
	check_removed(f, 2, 9);
}

static void
a_call_below_itself_goes_on_as_the_outer_one(void **state)
{
	struct fixture *f = *state;
	struct transform recursion;

	add(f, "b;a;b;a;b;d", 1);
	add(f, "b;b;b", 2);
	add(f, "b;a;c", 4);
	add(f, "b;a;a;c", 8);
	recursion = about(f, TRANSFORM_RECURSION, "b");
	apply(f, &recursion, 1);
	assert_int_equal(total_of(f, "b;d"), 1);
	assert_int_equal(self_of(f, "b"), 2);
	assert_int_equal(total_of(f, "b;a;c"), 4);
	assert_int_equal(total_of(f, "b;a;a;c"), 8);
	check_removed(f, 0, 3);
	recursion.about.kind = SUBJECT_ALL;
	apply(f, &recursion, 1);
	assert_int_equal(total_of(f, "b;a;c"), 12);
	assert_int_equal(node_of(f, "b;a;a"), NODE_NONE);
	check_removed(f, 0, 11);
	add(f, "x;a;y;x;z;a", 16);	/* the first a went with y */
	update(f);
	assert_int_equal(total_of(f, "x;z;a"), 16);
}

/* A frame of module NAME that is called after its place. */
static frame_id
frame_in(struct fixture *f, const char *name, uint64_t offset)
{
	struct module module = { .kind = MODULE_LIBRARY };
	struct frame frame = { .kind = FRAME_CODE, .offset = offset };

	module.path = text(f, name);
	frame.module = profile_module(f->profile, &module);
	return profile_frame(f->profile, &frame);
}

/* Below main: one frame for each letter of CODE, of modules a and b. */
static void
add_code(struct fixture *f, const char *code, uint64_t weight)
{
	struct cell cell = { .weight = weight,
			     .stack = stack_of(f, "main") };

	for (uint64_t at = 0; code[at]; at++)
		cell.stack = profile_push(f->profile, cell.stack, frame_in(
			f, code[at] == 'a' ? "/lib/a.so" : "/lib/b.so", at));
	count_cell(f, 0, cell);
}

static void
runs_of_a_library_become_one_frame(void **state)
{
	struct fixture *f = *state;
	struct transform library = { .kind = TRANSFORM_LIBRARY };

	add_code(f, "aabba", 1);
	add_code(f, "abb", 2);
	add_code(f, "b", 12);
	library.about = (struct subject){
		.kind = SUBJECT_FUNC,
		.func = names_of(f->names, frame_in(f, "/lib/a.so", 1)),
	};
	apply(f, &library, 1);
	assert_int_equal(total_of(f, "main;a.so"), 3);
	assert_int_equal(total_of(f, "main;a.so;b.so+0x2;b.so+0x3;a.so"), 1);
	assert_int_equal(total_of(f, "main;a.so;b.so+0x1;b.so+0x2"), 2);
	check_removed(f, 0, 3);
	assert_string_equal(names_module(f->names, function(
		f, "a.so")->func), "a.so");
	library.about = (struct subject){ .kind = SUBJECT_ALL };
	apply(f, &library, 1);
	assert_int_equal(total_of(f, "main;a.so;b.so;a.so"), 1);
	assert_int_equal(self_of(f, "main;a.so;b.so"), 2);
	assert_int_equal(self_of(f, "main;b.so"), 12);
	assert_int_equal(function(f, "main")->self, 0);
}

static void
a_pattern_means_names_or_for_libraries_modules(void **state)
{
	struct fixture *f = *state;
	struct transform transform = {
		.kind = TRANSFORM_MERGE,
		.about = { .kind = SUBJECT_PATTERN },
	};
	struct pattern **pattern = &transform.about.pattern;

	add_code(f, "ab", 1);
	assert_true(pattern_open("^b\\.so", pattern, NULL));
	apply(f, &transform, 1);
	assert_int_equal(self_of(f, "main;a.so+0x0"), 1);
	transform.kind = TRANSFORM_LIBRARY;
	apply(f, &transform, 1);
	assert_int_equal(self_of(f, "main;a.so+0x0;b.so"), 1);
	pattern_free(*pattern);		/* the picture has its share */
	add_code(f, "abbb", 2);
	update(f);
	assert_int_equal(self_of(f, "main;a.so+0x0;b.so"), 3);
}

static void
all_but_a_pattern_are_merged(void **state)
{
	struct fixture *f = *state;
	struct transform transform = {
		.kind = TRANSFORM_MERGE,
		.about = { .kind = SUBJECT_PATTERN, .is_inverse = true },
	};

	add_four(f);
	assert_true(pattern_open("a|c", &transform.about.pattern, NULL));
	apply(f, &transform, 1);
	pattern_free(transform.about.pattern);
	assert_int_equal(self_of(f, "main;a;c"), 1);
	assert_int_equal(self_of(f, "main;a"), 10);
	assert_int_equal(self_of(f, "a"), 4);
}

static void
transforms_see_what_earlier_ones_left(void **state)
{
	struct fixture *f = *state;
	struct transform list[2];

	add_four(f);
	list[0] = about(f, TRANSFORM_MERGE, "b");
	list[1] = about(f, TRANSFORM_FOCUS, "b");
	apply(f, list, 2);
	assert_int_equal(picture_total(f->picture), 0);
	assert_int_equal(picture_removed(f->picture, 1).dropped, 15);
	list[0] = about(f, TRANSFORM_FOCUS, "b");
	list[1] = about(f, TRANSFORM_MERGE, "b");
	apply(f, list, 2);
	assert_int_equal(picture_total(f->picture), 13);
	assert_int_equal(picture_removed(f->picture, 1).changed, 13);
	assert_int_equal(total_of(f, "main;a;c"), 1);
}

static void
thread_rows_can_be_focused_on_and_merged(void **state)
{
	struct fixture *f = *state;
	struct transform list[1];
	struct filter filter = { .thread_rows = true, .transforms = list };

	add_as(f, "main;a", "one", 1);
	add_as(f, "main;a", "two", 2);
	keeps_ids(f, &filter);
	filter.ntransforms = 1;
	list[0] = (struct transform){ TRANSFORM_FOCUS, {
		.func = calltree_func(picture_tree(f->picture),
				      node_of(f, "two")) } };
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(total_of(f, "two;main;a"), 2);
	assert_int_equal(picture_total(f->picture), 2);
	list[0].kind = TRANSFORM_MERGE;
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(total_of(f, "one;main;a"), 1);
	assert_int_equal(total_of(f, "main;a"), 2);
	filter.ntransforms = 0;
	filter.shape = SHAPE_INVERTED;
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(total_of(f, "two;a;main"), 2);
	assert_int_equal(function(f, "a")->self, 3);
	assert_int_equal(function(f, "two")->self, 0);
}

static void
an_inverted_tree_begins_with_what_was_executed(void **state)
{
	struct fixture *f = *state;

	add_four(f);
	free(show(f, SHAPE_INVERTED, NULL, NULL, 0));
	assert_int_equal(total_of(f, "d"), 6);
	assert_int_equal(total_of(f, "d;a;main"), 2);
	assert_int_equal(total_of(f, "d;b;a;b"), 4);
	assert_int_equal(total_of(f, "b;a;main"), 8);
	assert_int_equal(picture_total(f->picture), 15);
	assert_int_equal(function(f, "d")->self, 6);
	assert_int_equal(function(f, "b")->self, 8);
	assert_int_equal(function(f, "b")->total, 13);
	assert_int_equal(function(f, "main")->self, 0);
}

static void
below_and_above_a_pivot_count_each_stack_once(void **state)
{
	struct fixture *f = *state;

	add_four(f);
	free(show(f, SHAPE_BELOW, "b", NULL, 0));
	assert_int_equal(total_of(f, "b"), 13);
	assert_int_equal(self_of(f, "b"), 8);
	assert_int_equal(total_of(f, "b;c"), 1);
	assert_int_equal(total_of(f, "b;a;b;d"), 4);
	assert_int_equal(picture_removed(f->picture, 0).dropped, 2);
	free(show(f, SHAPE_ABOVE, "b", NULL, 0));
	assert_int_equal(total_of(f, "b"), 13);
	assert_int_equal(total_of(f, "b;a;main"), 9);
	assert_int_equal(self_of(f, "b"), 4);
	assert_int_equal(picture_removed(f->picture, 0).dropped, 2);
	assert_int_equal(function(f, "b")->self, 13);
}

static void
a_tree_without_room_counts_on_what_it_has(void **state)
{
	struct fixture *f = *state;

	f->picture->nodes_max = 10;
	for (int i = 0; i < 26; i++) {
		char path[] = "main;x;leaf";

		path[5] = (char)('a' + i);
		add(f, path, 1);
	}
	update(f);
	free(show(f, SHAPE_INVERTED, NULL, NULL, 0));
	assert_true(calltree_count(picture_tree(f->picture)) <= 20);
	assert_int_equal(total_of(f, "leaf"), 26);
	assert_int_equal(total_of(f, "leaf;a;main"), 1);
	assert_int_equal(total_of(f, "leaf;[too many calls]"), 22);
	assert_int_equal(picture_total(f->picture), 26);
}

/* Under the N transforms of LIST, the node of FROM goes on as that of TO. */
static void
check_goes_on(struct fixture *f, const char *from, enum shape shape,
	      const struct transform *list, size_t n, const char *to)
{
	node_id node = node_of(f, from), *map = show(f, shape, NULL, list, n);

	assert_int_not_equal(node, NODE_NONE);
	assert_non_null(map);
	assert_int_equal(map[0], 0);
	assert_int_equal(map[node], *to ? node_of(f, to) : 0);
	free(map);
}

static void
what_is_left_of_a_call_goes_on_and_comes_back(void **state)
{
	struct fixture *f = *state;
	struct transform b;

	add_four(f);
	b = about(f, TRANSFORM_MERGE, "b");
	check_goes_on(f, "main;a;b;c", SHAPE_CALLEES, &b, 1, "main;a;c");
	check_goes_on(f, "main;a;c", SHAPE_CALLEES, NULL, 0, "main;a;b;c");
	check_goes_on(f, "main;a;b", SHAPE_CALLEES, &b, 1, "main;a");
	check_goes_on(f, "main;a", SHAPE_CALLEES, NULL, 0, "main;a");
	b.kind = TRANSFORM_FROM;
	check_goes_on(f, "b;a;b", SHAPE_CALLEES, &b, 1, "b;a;b");
	check_goes_on(f, "b;c", SHAPE_CALLEES, NULL, 0, "main;a;b;c");
	check_goes_on(f, "main;a", SHAPE_CALLEES, &b, 1, "");
}

static void
a_call_goes_on_in_the_library_that_it_became(void **state)
{
	struct fixture *f = *state;
	struct transform library = { .kind = TRANSFORM_LIBRARY,
				     .about.kind = SUBJECT_ALL };

	add_code(f, "aab", 1);
	update(f);
	check_goes_on(f, "main;a.so+0x0;a.so+0x1;b.so+0x2", SHAPE_CALLEES,
		      &library, 1, "main;a.so;b.so");
	check_goes_on(f, "main;a.so;b.so", SHAPE_CALLEES, NULL, 0,
		      "main;a.so+0x0;a.so+0x1;b.so+0x2");
	check_goes_on(f, "main;a.so+0x0;a.so+0x1", SHAPE_CALLEES, &library, 1,
		      "main;a.so");
}

static void
a_call_goes_on_in_a_tree_the_other_way_round(void **state)
{
	struct fixture *f = *state;

	add_four(f);
	check_goes_on(f, "main;a;b;c", SHAPE_INVERTED, NULL, 0, "c");
	check_goes_on(f, "b;a;main", SHAPE_CALLEES, NULL, 0, "main");
	check_goes_on(f, "main;a", SHAPE_INVERTED, NULL, 0, "b;a");
}

static void
threads_rows_come_and_go_around_a_call(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .thread_rows = true };
	node_id *map, node;

	add_as(f, "main;a", "one", 1);
	add_as(f, "main;a", "two", 2);
	update(f);
	node = node_of(f, "main;a");
	map = picture_set_filter(f->picture, &filter, NULL);
	assert_int_equal(map[node], node_of(f, "two;main;a"));
	free(map);
	node = node_of(f, "one;main");
	filter.thread_rows = false;
	map = picture_set_filter(f->picture, &filter, NULL);
	assert_int_equal(map[node], node_of(f, "main"));
	free(map);
}

/* Which was "zlib+0x10" when the transform was made. */
static void
a_name_that_comes_late_falls_under_a_pattern(void **state)
{
	struct fixture *f = *state;
	struct transform merge = { .kind = TRANSFORM_MERGE,
				   .about.kind = SUBJECT_PATTERN };
	struct symbol symbol = { .name = "inflate" };
	node_id *map, below;
	size_t count;

	add_code(f, "ab", 3);
	assert_true(pattern_open("^inflate$", &merge.about.pattern, NULL));
	apply(f, &merge, 1);
	pattern_free(merge.about.pattern);
	below = node_of(f, "main;a.so+0x0;b.so+0x1");
	assert_int_not_equal(below, NODE_NONE);
	names_set(f->names, frame_in(f, "/lib/a.so", 0), &symbol);
	map = picture_update(f->picture, &count);
	assert_non_null(map);
	assert_int_equal(map[below], node_of(f, "main;b.so+0x1"));
	assert_int_equal(total_of(f, "main;b.so+0x1"), 3);
	assert_int_equal(total_of(f, "main;inflate"), 0);
	assert_int_equal(picture_removed(f->picture, 0).changed, 3);
	free(map);
}

static void
the_hottest_frame_is_found_in_any_shape(void **state)
{
	struct fixture *f = *state;
	frame_id frame, wanted;
	size_t level;

	add_code(f, "ab", 1);
	add_code(f, "aab", 5);
	update(f);
	wanted = frame_in(f, "/lib/b.so", 2);
	free(show(f, SHAPE_INVERTED, NULL, NULL, 0));
	assert_true(picture_hottest(f->picture, node_of(f, "b.so+0x2"),
				    FUNC_NONE, &frame, &level));
	assert_int_equal(frame, wanted);
	assert_true(picture_hottest(f->picture, NODE_NONE, names_of(
		f->names, wanted), &frame, &level));
	assert_int_equal(frame, wanted);
	assert_true(picture_hottest(f->picture, node_of(
		f, "b.so+0x2;a.so+0x1;a.so+0x0"), FUNC_NONE, &frame, &level));
	assert_int_equal(frame, frame_in(f, "/lib/a.so", 0));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(focus_leaves_the_stacks_with_such_a_frame),
		TEST(exclude_leaves_the_others),
		TEST(merged_frames_give_their_time_to_the_caller),
		TEST(from_makes_the_outermost_such_frame_the_root),
		TEST(a_call_below_itself_goes_on_as_the_outer_one),
		TEST(runs_of_a_library_become_one_frame),
		TEST(a_pattern_means_names_or_for_libraries_modules),
		TEST(all_but_a_pattern_are_merged),
		TEST(transforms_see_what_earlier_ones_left),
		TEST(thread_rows_can_be_focused_on_and_merged),
		TEST(an_inverted_tree_begins_with_what_was_executed),
		TEST(below_and_above_a_pivot_count_each_stack_once),
		TEST(a_tree_without_room_counts_on_what_it_has),
		TEST(what_is_left_of_a_call_goes_on_and_comes_back),
		TEST(a_call_goes_on_in_the_library_that_it_became),
		TEST(a_call_goes_on_in_a_tree_the_other_way_round),
		TEST(threads_rows_come_and_go_around_a_call),
		TEST(a_name_that_comes_late_falls_under_a_pattern),
		TEST(the_hottest_frame_is_found_in_any_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
