/* SPDX-License-Identifier: MIT */
#include "core/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/calltree.h"

#include <cmocka.h>

struct fixture {
	struct profile *profile;
	struct names *names;
	module_id module;
};

static string_id
text(struct fixture *f, const char *bytes)
{
	return strings_add(profile_strings(f->profile), bytes, strlen(bytes));
}

static int
set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct module module = { .kind = MODULE_LIBRARY, .inode = 5 };

	f->profile = profile_new();
	f->names = names_new(f->profile);
	module.path = text(f, "/usr/lib/libz.so.1");
	f->module = profile_module(f->profile, &module);
	*state = f;
	return 0;
}

static int
tear_down(void **state)
{
	struct fixture *f = *state;

	names_free(f->names);
	profile_free(f->profile);
	free(f);
	return 0;
}

static frame_id
frame_at(struct fixture *f, uint64_t offset)
{
	struct frame frame = { .module = f->module, .offset = offset };

	return profile_frame(f->profile, &frame);
}

static void
set(struct fixture *f, frame_id frame, uint64_t start, const char *name)
{
	struct symbol symbol = { .start = start, .name = name };

	names_set(f->names, frame, &symbol);
}

static const char *
name_of(struct fixture *f, frame_id frame)
{
	return names_text(f->names, names_of(f->names, frame));
}

static void
a_frame_without_symbol_stands_for_itself(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x1203), b = frame_at(f, 0x1288);

	assert_string_equal(name_of(f, a), "libz.so.1+0x1203");
	assert_int_not_equal(names_of(f->names, a), names_of(f->names, b));
	assert_string_equal(names_module(f->names, names_of(f->names, a)),
			    "libz.so.1");
	assert_false(names_get(f->names, names_of(f->names, a))->is_named);
}

static void
kernel_jit_and_vdso_are_named_by_kind(void **state)
{
	static const struct {
		enum module_kind kind;
		const char *name;
	} rows[] = {
		{ MODULE_KERNEL, "[kernel]+0xffffffff81000000" },
		{ MODULE_JIT, "[jit]+0xffff81000000" },	/* without version */
		{ MODULE_VDSO, "[vdso]+0xffffffff81000000" },
		{ MODULE_LIBRARY, "[unknown]+0xffffffff81000000" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct module module = { .kind = rows[i].kind };

		f->module = profile_module(f->profile, &module);
		assert_string_equal(
			name_of(f, frame_at(f, 0xffffffff81000000)),
			rows[i].name);
	}
}

static void
a_late_name_keeps_the_id_and_merges_the_next(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x1203), b = frame_at(f, 0x1288);
	func_id first = names_of(f->names, a), second = names_of(f->names, b);
	uint64_t generation = names_generation(f->names);

	set(f, a, 0x1200, "inflate");
	assert_int_equal(names_of(f->names, a), first);
	assert_int_equal(names_generation(f->names), generation);
	set(f, b, 0x1200, "inflate");
	assert_int_equal(names_of(f->names, b), first);
	assert_int_equal(names_final(f->names, second), first);
	assert_int_equal(names_generation(f->names), generation + 1);
	assert_string_equal(names_text(f->names, second), "inflate");
	assert_int_equal(names_moves(f->names), 0);
}

static void
equal_names_at_two_starts_are_two_functions(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x1203), b = frame_at(f, 0x5288);

	set(f, a, 0x1200, "init");
	set(f, b, 0x5200, "init");
	assert_int_not_equal(names_of(f->names, a), names_of(f->names, b));
}

static void
a_better_answer_renames_or_moves(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x1203), b = frame_at(f, 0x1488);
	func_id func;

	set(f, a, 0x1200, "exported");
	set(f, b, 0x1200, "exported");
	func = names_of(f->names, a);
	set(f, a, 0x1200, "exported_v2");
	assert_int_equal(names_of(f->names, a), func);
	assert_string_equal(name_of(f, b), "exported_v2");
	assert_int_equal(names_moves(f->names), 0);
	set(f, b, 0x1400, "hidden");
	assert_string_equal(name_of(f, b), "hidden");
	assert_string_equal(name_of(f, a), "exported_v2");
	assert_int_equal(names_moves(f->names), 1);
}

static void
a_function_known_by_its_start_gets_its_name_later(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x1203), b = frame_at(f, 0x1288);
	func_id func;

	set(f, a, 0x1200, NULL);
	set(f, b, 0x1200, NULL);
	func = names_of(f->names, a);
	assert_int_equal(names_of(f->names, b), func);
	assert_string_equal(name_of(f, a), "libz.so.1+0x1200");
	set(f, a, 0x1200, "inflate");
	assert_string_equal(name_of(f, b), "inflate");
	set(f, b, 0x1200, NULL);
	assert_string_equal(name_of(f, b), "inflate");
	assert_int_equal(names_of(f->names, a), func);
}

static void
names_are_cleaned(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 1);
	struct symbol symbol = { .name = "evil\x1b[2J" };
	struct symbol_place places[] = { { "", "a\nb.c", 7 },
					 { "in\x1b", "", 0 } };
	const struct frame_place *kept;
	size_t n;

	names_set(f->names, a, &symbol);
	names_set_places(f->names, a, places, 2);
	assert_string_equal(name_of(f, a), "evil\\x1b[2J");
	kept = names_places(f->names, a, &n);
	assert_int_equal(n, 2);
	assert_string_equal(names_string(f->names, kept[0].file),
			    "a\\x0ab.c");
	assert_int_equal(kept[0].line, 7);
	assert_int_equal(kept[0].func, FUNC_NONE);
	assert_string_equal(names_text(f->names, kept[1].func), "in\\x1b");
	assert_int_equal(kept[1].file, 0);
}

static func_id
inlined_at(struct fixture *f, frame_id frame, size_t i)
{
	size_t n;
	const struct frame_place *places = names_places(f->names, frame, &n);

	return i < n ? places[i].func : FUNC_NONE;
}

static void
an_inlined_function_is_one_wherever_it_was_inlined(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x10), b = frame_at(f, 0x90);
	struct symbol_place one[] = { { "", "", 0 }, { "mix", "m.c", 3 } };
	struct symbol_place two[] = { { "", "", 0 }, { "twice", "m.c", 9 },
				      { "mix", "m.c", 4 } };
	func_id mix;

	set(f, a, 0x10, "mix");
	names_set_places(f->names, a, one, 2);
	names_set_places(f->names, b, two, 3);
	mix = inlined_at(f, a, 1);
	assert_int_equal(inlined_at(f, b, 2), mix);
	assert_int_not_equal(inlined_at(f, b, 1), mix);
	assert_int_equal(names_get(f->names, mix)->kind, FRAME_INLINED);
	assert_int_not_equal(names_of(f->names, a), mix);
	assert_int_equal(inlined_at(f, frame_at(f, 0x500), 1), FUNC_NONE);
}

static void
only_other_inlined_functions_move_stacks(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x10);
	struct symbol_place places[] = { { "", "a.c", 1 }, { "mix", "", 0 } };

	names_set_places(f->names, a, places, 1);
	assert_int_equal(names_moves(f->names), 0);
	names_set_places(f->names, a, places, 2);
	assert_int_equal(names_moves(f->names), 1);
	places[1].line = 4;
	names_set_places(f->names, a, places, 2);
	assert_int_equal(names_moves(f->names), 1);
	places[1].name = "max";
	names_set_places(f->names, a, places, 2);
	assert_int_equal(names_moves(f->names), 2);
	names_set_places(f->names, a, places, 1);
	assert_int_equal(names_moves(f->names), 3);
}

static void
bare_names_are_one_function_for_each_kind(void **state)
{
	struct fixture *f = *state;
	struct frame frame = { .name = text(f, "read") };
	frame_id user = profile_frame(f->profile, &frame), kernel;

	frame.kind = FRAME_KERNEL;
	kernel = profile_frame(f->profile, &frame);
	assert_string_equal(name_of(f, user), "read");
	assert_string_equal(name_of(f, kernel), "read");
	assert_int_not_equal(names_of(f->names, user),
			     names_of(f->names, kernel));
	assert_true(names_get(f->names, names_of(f->names, user))->is_named);
	assert_string_equal(names_module(f->names, names_of(f->names, user)),
			    "");
	set(f, user, 5, "write");
	assert_string_equal(name_of(f, user), "read");
	assert_string_equal(name_of(f, 0), "[unknown]");
}

static void
a_threads_name_is_a_function_of_its_own(void **state)
{
	struct fixture *f = *state;
	func_id worker = names_thread(f->names, text(f, "worker"));

	assert_int_equal(names_thread(f->names, text(f, "worker")), worker);
	assert_string_equal(names_text(f->names, worker), "worker");
	assert_int_equal(names_get(f->names, worker)->kind, FRAME_THREAD);
	assert_string_equal(names_text(f->names, names_thread(f->names, 0)),
			    "[unnamed]");
}

static void
nodes_that_became_the_same_path_are_merged(void **state)
{
	struct fixture *f = *state;
	frame_id a = frame_at(f, 0x10), b = frame_at(f, 0x20);
	func_id top = names_of(f->names, frame_at(f, 0x9000));
	func_id one[] = { names_of(f->names, a), top };
	func_id two[] = { names_of(f->names, b), top };
	struct calltree *tree = calltree_new();
	node_id leaf_one = calltree_add(tree, one, 2, 3);
	node_id leaf_two = calltree_add(tree, two, 2, 4), *map;

	assert_null(calltree_renamed(tree, f->names));
	set(f, a, 0x10, "f");
	set(f, b, 0x10, "f");
	map = calltree_renamed(tree, f->names);
	assert_non_null(map);
	assert_int_equal(map[0], 0);
	assert_int_equal(map[leaf_one], map[leaf_two]);
	assert_int_equal(calltree_next(tree, calltree_first(tree, 0)),
			 NODE_NONE);
	assert_int_equal(calltree_total(tree, 0), 7);
	assert_int_equal(calltree_total(tree, map[leaf_one]), 7);
	assert_int_equal(calltree_self(tree, map[leaf_one]), 7);
	assert_int_equal(calltree_find(tree, 0, names_of(f->names, b)),
			 calltree_parent(tree, map[leaf_one]));
	assert_null(calltree_renamed(tree, f->names));
	free(map);
	calltree_free(tree);
}

static void
nodes_that_are_mostly_merged_get_new_ids(void **state)
{
	struct fixture *f = *state;
	struct calltree *tree = calltree_new();
	frame_id frames[100];
	func_id path[2];
	node_id *map;

	for (unsigned i = 0; i < 100; i++) {
		frames[i] = frame_at(f, 0x100 + i);
		path[0] = names_of(f->names, frames[i]);
		path[1] = names_thread(f->names, text(f, i % 2 ? "a" : "b"));
		calltree_add(tree, path, 2, 1);
	}
	for (unsigned i = 0; i < 100; i++)
		set(f, frames[i], 0x100, "f");
	map = calltree_renamed(tree, f->names);
	assert_int_equal(calltree_count(tree), 4);
	assert_int_equal(calltree_total(tree, map[1]), 100);
	for (node_id i = 1; i < 201; i++) {
		assert_int_equal(map[i], map[(i + 3) % 4 + 1]);
		assert_in_range(map[i], 1, 3);
	}
	assert_int_equal(calltree_self(tree, map[2]), 50);
	assert_int_equal(calltree_self(tree, map[4]), 50);
	free(map);
	calltree_free(tree);
}

static unsigned
next_random(unsigned *random, unsigned end)
{
	*random = *random * 1103515245 + 12345;
	return *random / 65536 % end;
}

/* The same tree below A of ONE as below B of OTHER, by final names. */
static void
assert_same(struct fixture *f, const struct calltree *one, node_id a,
	    const struct calltree *other, node_id b)
{
	size_t children = 0, others = 0;

	assert_int_equal(calltree_self(one, a), calltree_self(other, b));
	assert_int_equal(calltree_total(one, a), calltree_total(other, b));
	assert_int_equal(calltree_depth(one, a), calltree_depth(other, b));
	for (node_id i = calltree_first(one, a); i != NODE_NONE;
	     i = calltree_next(one, i), children++) {
		func_id func = calltree_func(one, i);
		node_id twin = calltree_find(other, b, func);

		assert_int_equal(names_final(f->names, func), func);
		assert_int_equal(calltree_find(one, a, func), i);
		assert_int_equal(calltree_parent(one, i), a);
		assert_true(i > a);
		assert_int_not_equal(twin, NODE_NONE);
		assert_same(f, one, i, other, twin);
	}
	for (node_id i = calltree_first(other, b); i != NODE_NONE;
	     i = calltree_next(other, i))
		others++;
	assert_int_equal(children, others);
}

enum { FRAMES = 60, STACKS = 400, DEPTH = 7 };

/* Frames 4k to 4k + 3 lie in one function, and get its name one by one. */
static void
merging_bit_by_bit_is_as_good_as_building_anew(void **state)
{
	struct fixture *f = *state;
	struct calltree *tree = calltree_new(), *anew;
	static unsigned stacks[STACKS][DEPTH];
	static node_id leaves[STACKS];
	frame_id frames[FRAMES];
	func_id path[DEPTH];
	unsigned random = 99, n;

	for (unsigned i = 0; i < FRAMES; i++)
		frames[i] = frame_at(f, i * 16);
	for (unsigned round = 0; round < 40; round++) {
		for (unsigned i = 0; i < 3; i++) {
			n = next_random(&random, FRAMES);
			set(f, frames[n], n / 4 * 64, n % 2 ? "named" : NULL);
		}
		for (unsigned i = round * 10; i < round * 10 + 10; i++) {
			for (n = 0; n < DEPTH; n++) {
				stacks[i][n] = next_random(&random, FRAMES);
				path[n] = names_of(f->names,
						   frames[stacks[i][n] %
							  (n < 3 ? 8 : 60)]);
			}
			leaves[i] = calltree_add(tree, path, DEPTH, i + 1);
		}
		node_id *map = calltree_renamed(tree, f->names);

		anew = calltree_new();
		for (unsigned i = 0; i < round * 10 + 10; i++) {
			leaves[i] = map ? map[leaves[i]] : leaves[i];
			for (n = 0; n < DEPTH; n++)
				path[n] = names_of(f->names,
						   frames[stacks[i][n] %
							  (n < 3 ? 8 : 60)]);
			calltree_add(anew, path, DEPTH, i + 1);
			for (node_id up = leaves[i]; n--;
			     up = calltree_parent(tree, up))
				assert_int_equal(calltree_func(tree, up),
						 path[n]);
		}
		assert_same(f, tree, 0, anew, 0);
		assert_same(f, anew, 0, tree, 0);
		calltree_sum(tree);
		assert_same(f, tree, 0, anew, 0);
		calltree_free(anew);
		free(map);
	}
	calltree_free(tree);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_frame_without_symbol_stands_for_itself),
		TEST(kernel_jit_and_vdso_are_named_by_kind),
		TEST(a_late_name_keeps_the_id_and_merges_the_next),
		TEST(equal_names_at_two_starts_are_two_functions),
		TEST(a_better_answer_renames_or_moves),
		TEST(a_function_known_by_its_start_gets_its_name_later),
		TEST(names_are_cleaned),
		TEST(an_inlined_function_is_one_wherever_it_was_inlined),
		TEST(only_other_inlined_functions_move_stacks),
		TEST(bare_names_are_one_function_for_each_kind),
		TEST(a_threads_name_is_a_function_of_its_own),
		TEST(nodes_that_became_the_same_path_are_merged),
		TEST(nodes_that_are_mostly_merged_get_new_ids),
		TEST(merging_bit_by_bit_is_as_good_as_building_anew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
