/* SPDX-License-Identifier: MIT */
#include "tests/unit/picture_fixture.h"

static void
counts_show_after_an_update(void **state)
{
	struct fixture *f = *state;

	add(f, "main;read", 3);
	add(f, "main;write", 4);
	assert_int_equal(picture_total(f->picture), 0);
	update(f);
	assert_int_equal(picture_total(f->picture), 7);
	add(f, "main;read", 1);
	add(f, "main;read;copy", 1);
	update(f);
	assert_int_equal(total_of(f, "main;read"), 5);
	assert_int_equal(calltree_self(picture_tree(f->picture),
				       node_of(f, "main;read")), 4);
}

static void
a_new_picture_holds_what_the_profile_has(void **state)
{
	struct fixture *f = *state;
	struct picture *second;

	add(f, "main;read", 3);
	second = picture_new(f->profile, f->names);
	assert_int_equal(picture_total(second), 3);
	picture_free(second);
}

static void
few_and_many_counts_give_the_same_tree(void **state)
{
	struct fixture *f = *state;
	char path[] = "main;a;a;a";
	struct picture *second;

	for (int i = 0; i < 2000; i++) {
		path[5] = (char)('a' + i % 7);
		path[7] = (char)('a' + i % 11);
		path[9] = (char)('a' + i % 13);
		add(f, path, 1);
		if (i % 10 == 0)
			update(f);
	}
	update(f);
	second = picture_new(f->profile, f->names);
	assert_int_equal(calltree_count(picture_tree(second)),
			 calltree_count(picture_tree(f->picture)));
	for (node_id i = 0; i < calltree_count(picture_tree(second)); i++)
		assert_int_equal(
			calltree_total(picture_tree(second), i),
			calltree_total(picture_tree(f->picture), i));
	picture_free(second);
}

static void
recursion_is_counted_once(void **state)
{
	struct fixture *f = *state;

	add(f, "main;fib;fib;fib", 5);
	add(f, "main;fib;leaf;fib", 2);
	add(f, "main;other", 1);
	update(f);
	assert_int_equal(function(f, "fib")->total, 7);
	assert_int_equal(function(f, "fib")->self, 7);
	assert_int_equal(function(f, "leaf")->total, 2);
	assert_int_equal(function(f, "main")->total, 8);
	assert_int_equal(function(f, "main")->self, 0);
}

static void
count_frame(void *ctx, frame_id frame)
{
	(void)frame;
	++*(size_t *)ctx;
}

static void
hidden_kernel_frames_count_on_their_caller(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .hide_kernel = true };

	add(f, "main;read;^sys_read;^copy", 5);
	add(f, "^idle", 2);
	update(f);
	assert_int_equal(total_of(f, "main;read;^sys_read;^copy"), 5);
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(calltree_self(picture_tree(f->picture),
				       node_of(f, "main;read")), 5);
	assert_int_equal(node_of(f, "main;read;^sys_read"), NODE_NONE);
	assert_int_equal(calltree_self(picture_tree(f->picture), 0), 2);
	assert_int_equal(picture_total(f->picture), 7);
	add(f, "main;read;^sys_read", 1);
	update(f);
	assert_int_equal(total_of(f, "main;read"), 6);
}

/* A stack of code of one module, by offsets; names are told to NAMES. */
static stack_id
code_stack(struct fixture *f, const uint64_t *offsets, size_t n)
{
	struct module module = { .kind = MODULE_PROGRAM, .inode = 1 };
	struct frame frame = { .kind = FRAME_CODE };
	stack_id stack = 0;

	frame.module = profile_module(f->profile, &module);
	for (size_t i = 0; i < n; i++) {
		frame.offset = offsets[i];
		stack = profile_push(f->profile, stack,
				     profile_frame(f->profile, &frame));
	}
	return stack;
}

static frame_id
name_code(struct fixture *f, stack_id stack, const char *name)
{
	frame_id frame = profile_get_stack(f->profile, stack)->frame;
	struct symbol symbol = { .name = name };

	symbol.start = profile_get_frame(f->profile, frame)->offset & ~15ull;
	names_set(f->names, frame, &symbol);
	return frame;
}

static node_id
child_called(struct fixture *f, node_id parent, const char *name)
{
	const struct calltree *tree = picture_tree(f->picture);

	for (node_id n = calltree_first(tree, parent); n != NODE_NONE;
	     n = calltree_next(tree, n))
		if (!strcmp(names_text(f->names, calltree_func(tree, n)),
			    name))
			return n;
	return NODE_NONE;
}

static void
inline_there(struct fixture *f, frame_id frame, const char *name)
{
	struct symbol_place places[] = { { "", "a.c", 3 }, { name, "a.c", 9 } };

	names_set_places(f->names, frame, places, 2);
}

/* main calls leaf from 0x12; 0x18 is code of main itself. */
static void
inlined_functions_come_between_and_nothing_is_lost(void **state)
{
	struct fixture *f = *state;
	const uint64_t path[] = { 0x12, 0x25 }, self[] = { 0x18 };
	struct cell a = { .weight = 5 }, b = { .weight = 2 };
	struct filter filter = { .hide_inlined = true };
	node_id main_node, leaf, inlined, *map;
	size_t count, level;
	frame_id call, frame;

	a.stack = code_stack(f, path, 2);
	b.stack = code_stack(f, self, 1);
	profile_add(f->profile, 0, &a);
	profile_add(f->profile, 0, &b);
	picture_note(f->picture, &a);
	picture_note(f->picture, &b);
	call = name_code(f, profile_get_stack(f->profile, a.stack)->parent,
			 "main");
	name_code(f, a.stack, "leaf");
	name_code(f, b.stack, "main");
	update(f);
	main_node = child_called(f, 0, "main");
	leaf = child_called(f, main_node, "leaf");

	inline_there(f, call, "each");
	map = picture_update(f->picture, &count);
	assert_non_null(map);
	assert_int_equal(map[main_node], main_node);
	inlined = child_called(f, main_node, "each");
	assert_int_equal(map[leaf], child_called(f, inlined, "leaf"));
	assert_int_equal(calltree_total(picture_tree(f->picture), main_node),
			 7);
	assert_int_equal(calltree_self(picture_tree(f->picture), main_node),
			 2);
	assert_int_equal(calltree_total(picture_tree(f->picture), inlined), 5);
	assert_int_equal(function(f, "each")->total, 5);
	assert_int_equal(picture_total(f->picture), 7);
	free(map);

	assert_true(picture_hottest(f->picture, inlined, FUNC_NONE, &frame,
				    &level));
	assert_int_equal(frame, call);
	assert_int_equal(level, 1);
	assert_true(picture_hottest(f->picture, main_node, FUNC_NONE, &frame,
				    &level));
	assert_int_equal(frame, call);
	assert_int_equal(level, 0);
	assert_false(picture_hottest(f->picture, 0, FUNC_NONE, &frame,
				     &level));

	assert_false(keeps_ids(f, &filter));
	main_node = child_called(f, 0, "main");
	assert_int_equal(child_called(f, main_node, "each"), NODE_NONE);
	leaf = child_called(f, main_node, "leaf");
	assert_int_equal(calltree_total(picture_tree(f->picture), leaf), 5);
	assert_int_equal(picture_total(f->picture), 7);
}

/* As in "a calls b inlined calls a". */
static void
recursion_through_inlined_functions_counts_once(void **state)
{
	struct fixture *f = *state;
	const uint64_t path[] = { 0x12, 0x14, 0x16 };
	struct cell cell = { .weight = 3 };

	cell.stack = code_stack(f, path, 3);
	profile_add(f->profile, 0, &cell);
	picture_note(f->picture, &cell);
	for (stack_id id = cell.stack; id;
	     id = profile_get_stack(f->profile, id)->parent)
		inline_there(f, name_code(f, id, "walk"), "step");
	update(f);
	assert_int_equal(function(f, "walk")->total, 3);
	assert_int_equal(function(f, "walk")->self, 0);
	assert_int_equal(function(f, "step")->total, 3);
	assert_int_equal(function(f, "step")->self, 3);
}

static void
frames_wide_enough_are_seen(void **state)
{
	struct fixture *f = *state;
	const uint64_t wide[] = { 0x12 }, thin[] = { 0x25 };
	struct cell a = { .weight = 50 }, b = { .weight = 2 };
	size_t seen = 0;

	a.stack = code_stack(f, wide, 1);
	b.stack = code_stack(f, thin, 1);
	profile_add(f->profile, 0, &a);
	profile_add(f->profile, 0, &b);
	picture_note(f->picture, &a);
	picture_note(f->picture, &b);
	update(f);
	picture_each_seen(f->picture, 10, count_frame, &seen);
	assert_int_equal(seen, 1);
	picture_each_seen(f->picture, 1, count_frame, &seen);
	assert_int_equal(seen, 3);
}

static void
a_thread_filter_keeps_nodes_and_zeroes_the_rest(void **state)
{
	struct fixture *f = *state;
	thread_id only;
	struct filter filter = { .threads = &only, .nthreads = 1 };
	node_id read, write;

	add_as(f, "main;read", "a", 3);
	add_as(f, "main;write", "b", 4);
	update(f);
	read = node_of(f, "main;read");
	write = node_of(f, "main;write");
	only = profile_thread_named(f->profile, text(f, "b"));
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_filter(f->picture)->threads[0], only);
	assert_int_equal(node_of(f, "main;read"), read);
	assert_int_equal(total_of(f, "main;read"), 0);
	assert_int_equal(calltree_total(picture_tree(f->picture), write), 4);
	assert_null(function(f, "read"));
	add_as(f, "main;read", "a", 1);
	add_as(f, "main;read", "c", 1);
	add_as(f, "main;read", "b", 1);
	update(f);
	assert_int_equal(total_of(f, "main;read"), 1);
	filter.nthreads = 0;
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_total(f->picture), 10);
}

static void
another_kind_is_another_sum(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .kind = KIND_BLOCKED };
	struct cell cell = { .kind = KIND_BLOCKED, .weight = 500 };

	cell.stack = stack_of(f, "main;poll");
	profile_add(f->profile, 0, &cell);
	add(f, "main;run", 1);
	update(f);
	assert_int_equal(picture_total(f->picture), 1);
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_total(f->picture), 500);
}

static void
thread_rows_are_the_outermost_frames(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .thread_rows = true };

	add_as(f, "main;read", "a", 3);
	add_as(f, "main;read", "b", 4);
	add(f, "main;read", 5);
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(total_of(f, "a;main;read"), 3);
	assert_int_equal(total_of(f, "b;main;read"), 4);
	assert_int_equal(total_of(f, "main;read"), 5);
	add_as(f, "main;read", "b", 1);
	update(f);
	assert_int_equal(total_of(f, "b;main;read"), 5);
	assert_int_equal(function(f, "a")->total, 3);
}

static void
a_renamed_thread_takes_its_counts_along(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .thread_rows = true };
	thread_id thread;

	add_as(f, "main", "bash", 3);
	keeps_ids(f, &filter);
	thread = profile_thread_named(f->profile, text(f, "bash"));
	profile_name_thread(f->profile, thread, text(f, "redis"));
	update(f);
	assert_int_equal(total_of(f, "bash;main"), 0);
	assert_int_equal(total_of(f, "redis;main"), 3);
}

static frame_id
frame_at(struct fixture *f, uint64_t offset)
{
	struct module module = { .kind = MODULE_LIBRARY, .inode = 5 };
	struct frame frame = { .offset = offset };

	frame.module = profile_module(f->profile, &module);
	return profile_frame(f->profile, &frame);
}

static void
add_at(struct fixture *f, frame_id frame, uint64_t weight)
{
	struct cell cell = { .weight = weight };

	cell.stack = profile_push(f->profile, 0, frame);
	profile_add(f->profile, 0, &cell);
	picture_note(f->picture, &cell);
}

static void
late_names_merge_nodes_and_say_how(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x10), b = frame_at(f, 0x20);
	struct symbol symbol = { .start = 0x10, .name = "inflate" };
	size_t count = 0;
	node_id *map;

	add_at(f, a, 1);
	add_at(f, b, 2);
	assert_null(picture_update(f->picture, &count));
	names_set(f->names, a, &symbol);
	assert_null(picture_update(f->picture, &count));
	names_set(f->names, b, &symbol);
	map = picture_update(f->picture, &count);
	assert_int_equal(count, 3);
	assert_int_equal(map[1], map[2]);
	free(map);
	add_at(f, b, 4);
	update(f);
	assert_int_equal(total_of(f, "inflate"), 7);
	assert_int_equal(function(f, "inflate")->self, 7);
}

static void
a_frame_that_moves_takes_its_counts_along(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x10), b = frame_at(f, 0x20);
	struct symbol symbol = { .start = 0x10, .name = "exported" };

	names_set(f->names, a, &symbol);
	names_set(f->names, b, &symbol);
	add_at(f, a, 1);
	add_at(f, b, 2);
	update(f);
	assert_int_equal(total_of(f, "exported"), 3);
	symbol = (struct symbol){ .start = 0x20, .name = "hidden" };
	names_set(f->names, b, &symbol);
	update(f);
	assert_int_equal(total_of(f, "exported"), 1);
	assert_int_equal(total_of(f, "hidden"), 2);
	assert_int_equal(picture_total(f->picture), 3);
}

static void
a_hundred_thousand_frames_deep_is_fine(void **state)
{
	struct fixture *f = *state;
	struct cell cell = { .weight = 1 };

	for (unsigned i = 0; i < 100000; i++)
		cell.stack = profile_push(f->profile, cell.stack,
					  frame_at(f, i % 3));
	profile_add(f->profile, 0, &cell);
	picture_note(f->picture, &cell);
	update(f);
	assert_int_equal(calltree_count(picture_tree(f->picture)), 100001);
	assert_int_equal(function(f, "[unknown]+0x1")->total, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(counts_show_after_an_update),
		TEST(a_new_picture_holds_what_the_profile_has),
		TEST(few_and_many_counts_give_the_same_tree),
		TEST(recursion_is_counted_once),
		TEST(hidden_kernel_frames_count_on_their_caller),
		TEST(inlined_functions_come_between_and_nothing_is_lost),
		TEST(recursion_through_inlined_functions_counts_once),
		TEST(frames_wide_enough_are_seen),
		TEST(a_thread_filter_keeps_nodes_and_zeroes_the_rest),
		TEST(another_kind_is_another_sum),
		TEST(thread_rows_are_the_outermost_frames),
		TEST(a_renamed_thread_takes_its_counts_along),
		TEST(late_names_merge_nodes_and_say_how),
		TEST(a_frame_that_moves_takes_its_counts_along),
		TEST(a_hundred_thousand_frames_deep_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
