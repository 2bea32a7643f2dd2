/* SPDX-License-Identifier: MIT */
/*
 * compare_test.c - small profiles whose difference is plain to see.
 */
#include "core/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/load.h"

/* "main;f 12", each in every one of SECONDS. */
struct line {
	const char *stack;
	uint64_t weight;
};

static void
count_line(struct profile *profile, const struct line *line, uint64_t second)
{
	struct cell cell = { .weight = line->weight };
	char *copy = strdup(line->stack), *rest = copy, *name;

	while ((name = strsep(&rest, ";"))) {
		bool is_kernel = strncmp(name, "k:", 2) == 0;
		struct frame frame = { .kind = is_kernel ? FRAME_KERNEL :
						FRAME_CODE };

		name += is_kernel ? 2 : 0;
		frame.name = strings_add(profile_strings(profile), name,
					 strlen(name));
		cell.stack = profile_push(profile, cell.stack,
					  profile_frame(profile, &frame));
	}
	profile_add(profile, second * 1000000000, &cell);
	free(copy);
}

static void
add_lines(struct comparison *comparison, enum side side,
	  const struct line *lines, unsigned seconds)
{
	struct profile *profile = profile_new();
	struct names *names = names_new(profile);

	for (unsigned i = 0; i < (seconds ? seconds : 1); i++)
		for (size_t k = 0; lines[k].stack; k++)
			count_line(profile, &lines[k], seconds ? i + 1 : 0);
	comparison_add(comparison, side, profile, names, KIND_CPU);
	names_free(names);
	profile_free(profile);
}

static struct comparison *
compare(const struct line *base, const struct line *other, unsigned seconds)
{
	struct comparison *c = comparison_new(&compare_default);

	add_lines(c, SIDE_BASE, base, seconds);
	add_lines(c, SIDE_OTHER, other, seconds);
	comparison_judge(c);
	return c;
}

static uint32_t
find(const struct comparison *comparison, const char *name)
{
	size_t count;
	const struct compared *rows = comparison_rows(comparison, &count);

	for (size_t i = 1; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return (uint32_t)i;
	fail_msg("there is no %s", name);
	return 0;
}

static const struct compared *
row(const struct comparison *comparison, const char *name)
{
	size_t count;

	return &comparison_rows(comparison, &count)[find(comparison, name)];
}

#define ROW_LINES(...) ((const struct line[]){ __VA_ARGS__, { NULL, 0 } })

static void
shares_and_verdicts_of_a_function_that_grew(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;a", 80 }, { "main;b", 20 }),
		ROW_LINES({ "main;a", 60 }, { "main;b", 40 }), 60);

	(void)state;
	assert_true(fabs(row(c, "b")->total.share[SIDE_BASE] - 0.2) < 1e-9);
	assert_true(fabs(row(c, "b")->total.share[SIDE_OTHER] - 0.4) < 1e-9);
	assert_int_equal(row(c, "b")->verdict, CHANGE_REGRESSED);
	assert_int_equal(row(c, "a")->verdict, CHANGE_IMPROVED);
	assert_int_equal(row(c, "main")->verdict, CHANGE_NONE);
	assert_int_equal(comparison_whole(c)->changed, 2);
	assert_true(comparison_whole(c)->p < 1e-6);
	comparison_free(c);
}

static void
what_was_not_there_is_new_and_back_it_is_gone(void **state)
{
	const struct line *one = ROW_LINES({ "main;a", 100 });
	const struct line *two = ROW_LINES({ "main;a", 90 },
					   { "main;b", 10 });
	struct comparison *c = compare(one, two, 60);

	(void)state;
	assert_int_equal(row(c, "b")->verdict, CHANGE_NEW);
	comparison_free(c);
	c = compare(two, one, 60);
	assert_int_equal(row(c, "b")->verdict, CHANGE_GONE);
	comparison_free(c);
}

static void
few_samples_cannot_tell_and_say_how_many_would(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;a", 8 }, { "main;b", 2 }),
		ROW_LINES({ "main;a", 7 }, { "main;b", 3 }), 10);

	(void)state;
	assert_int_equal(row(c, "b")->verdict, CHANGE_UNKNOWN);
	/* 3.17^2 * (0.2 * 0.8 + 0.3 * 0.7) / 0.03^2, of 100 */
	assert_true(row(c, "b")->total.needs > 35);
	assert_true(row(c, "b")->total.needs < 50);
	assert_true(comparison_whole(c)->p > 0.05);
	comparison_free(c);
}

static void
what_is_sure_but_small_is_no_change(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;a", 99000 }, { "main;b", 1000 }),
		ROW_LINES({ "main;a", 98700 }, { "main;b", 1300 }), 60);

	(void)state;
	assert_true(row(c, "b")->total.p < 1e-6);
	assert_int_equal(row(c, "b")->verdict, CHANGE_NONE);
	assert_int_equal(comparison_whole(c)->changed, 0);
	comparison_free(c);
}

static void
what_has_less_than_half_a_per_cent_is_not_watched(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;a", 1000 }, { "main;b", 4 }),
		ROW_LINES({ "main;a", 1000 }, { "main;b", 1 }), 60);

	(void)state;
	assert_int_equal(row(c, "b")->verdict, CHANGE_UNWATCHED);
	comparison_free(c);
}

static void
files_without_blocks_are_taken_to_be_three_times_as_unsure(void **state)
{
	const struct line *lines = ROW_LINES({ "main;a", 500 },
					     { "main;b", 500 });
	struct comparison *c = compare(lines, lines, 0);

	(void)state;
	assert_int_equal(comparison_side(c, SIDE_BASE)->blocks, 0);
	assert_true(row(c, "a")->total.inflation[SIDE_BASE] == 3);
	assert_true(fabs(row(c, "a")->total.variance[SIDE_BASE] -
			 3 * 0.25 / 1002) < 1e-6);
	comparison_free(c);
}

static void
a_change_is_one_line_where_it_came_from(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;serve;regex;match", 60 },
			  { "main;serve;regex;alloc", 40 },
			  { "main;serve;json", 900 }),
		ROW_LINES({ "main;serve;regex;match", 120 },
			  { "main;serve;regex;alloc", 80 },
			  { "main;serve;json", 800 }), 60);
	const char *path[8];

	(void)state;
	assert_int_equal(row(c, "match")->under, find(c, "regex"));
	assert_int_equal(row(c, "alloc")->under, find(c, "regex"));
	assert_int_equal(row(c, "regex")->under, find(c, "regex"));
	assert_int_equal(comparison_whole(c)->changed, 2);
	assert_int_equal(comparison_path(c, find(c, "match"), path, 8), 4);
	assert_string_equal(path[0], "main");
	assert_string_equal(path[3], "match");
	assert_int_equal(comparison_path(c, find(c, "match"), path, 3), 3);
	assert_string_equal(path[0], "main");
	assert_string_equal(path[1], "regex");
	comparison_free(c);
}

static void
callers_stand_under_the_one_callee_that_explains_them(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;idle", 800 }, { "main;serve;regex", 100 },
			  { "main;serve;json", 100 }),
		ROW_LINES({ "main;idle", 700 }, { "main;serve;regex", 195 },
			  { "main;serve;json", 105 }), 60);

	(void)state;
	assert_int_equal(row(c, "serve")->verdict, CHANGE_REGRESSED);
	assert_int_equal(row(c, "serve")->under, find(c, "regex"));
	comparison_free(c);
}

static void
recursion_counts_once_and_ends(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;f;g;f;g", 100 }, { "main;a", 900 }),
		ROW_LINES({ "main;f;g;f;g", 200 }, { "main;a", 800 }), 60);

	(void)state;
	assert_true(fabs(row(c, "f")->total.share[SIDE_OTHER] - 0.2) < 1e-9);
	assert_true(row(c, "f")->under == find(c, "g") ||
		    row(c, "g")->under == find(c, "f"));
	comparison_free(c);
}

static void
a_new_name_at_the_same_place_is_a_move(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;serve;old", 100 }, { "main;a", 900 }),
		ROW_LINES({ "main;serve;new", 101 }, { "main;a", 899 }), 60);

	(void)state;
	assert_int_equal(row(c, "old")->verdict, CHANGE_MOVED);
	assert_int_equal(row(c, "new")->verdict, CHANGE_MOVED);
	assert_int_equal(row(c, "old")->moved, find(c, "new"));
	assert_int_equal(row(c, "new")->moved, find(c, "old"));
	assert_int_equal(comparison_whole(c)->changed, 1);
	comparison_free(c);
	c = compare(ROW_LINES({ "main;serve;old", 100 }, { "main;a", 900 }),
		    ROW_LINES({ "main;serve;a", 900 },
			      { "main;other;new", 100 }), 60);
	assert_int_equal(row(c, "new")->verdict, CHANGE_NEW);
	comparison_free(c);
}

static void
names_of_two_builds_are_the_same_function(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;copy.constprop.0", 100 },
			  { "main;w::h0123456789abcdef", 900 }),
		ROW_LINES({ "main;copy;copy.cold", 100 },
			  { "main;w::hfedcba9876543210", 900 }), 60);

	(void)state;
	assert_int_equal(row(c, "copy")->verdict, CHANGE_NONE);
	assert_int_equal(row(c, "copy")->total.count[SIDE_OTHER], 6000);
	assert_int_equal(row(c, "w")->verdict, CHANGE_NONE);
	comparison_free(c);
}

static void
a_busier_host_is_said_to_be_one(void **state)
{
	const struct line *calm = ROW_LINES(
		{ "main;k:asm_sysvec_apic_timer_interrupt;k:x", 10 },
		{ "main;asm_sysvec_like", 90 }, { "main;a", 900 });
	const struct line *busy = ROW_LINES(
		{ "main;k:asm_sysvec_apic_timer_interrupt;k:x", 40 },
		{ "main;asm_sysvec_like", 90 }, { "main;a", 870 });
	struct comparison *c = compare(calm, busy, 60);

	(void)state;
	assert_true(comparison_whole(c)->is_other_noisier);
	assert_false(comparison_whole(c)->is_base_noisier);
	assert_true(fabs(comparison_whole(c)->interrupts.change - 0.03) <
		    1e-9);
	comparison_free(c);
	c = compare(calm, calm, 60);
	assert_false(comparison_whole(c)->is_other_noisier);
	comparison_free(c);
}

static void
several_profiles_are_one_side(void **state)
{
	const struct line *lines = ROW_LINES({ "main;a", 60 },
					     { "main;b", 40 });
	struct comparison *c = comparison_new(&compare_default);

	(void)state;
	add_lines(c, SIDE_BASE, lines, 20);
	add_lines(c, SIDE_BASE, lines, 300);
	add_lines(c, SIDE_OTHER, lines, 40);
	comparison_judge(c);
	assert_int_equal(comparison_side(c, SIDE_BASE)->profiles, 2);
	assert_int_equal(comparison_side(c, SIDE_BASE)->samples, 32000);
	assert_int_equal(comparison_side(c, SIDE_BASE)->block_seconds, 4);
	assert_int_equal(comparison_side(c, SIDE_BASE)->blocks, 80);
	assert_int_equal(row(c, "a")->verdict, CHANGE_NONE);
	comparison_free(c);
}

static void
an_empty_side_is_no_reason_to_divide_by_it(void **state)
{
	struct comparison *c = compare(ROW_LINES({ "main;a", 60 }),
				       ROW_LINES({ "main", 0 }), 20);

	(void)state;
	assert_int_equal(row(c, "a")->total.count[SIDE_OTHER], 0);
	assert_true(row(c, "a")->total.share[SIDE_OTHER] == 0);
	comparison_free(c);
	c = compare(ROW_LINES({ "main", 0 }), ROW_LINES({ "main", 0 }), 20);
	assert_int_equal(comparison_whole(c)->changed, 0);
	assert_true(comparison_whole(c)->p == 1);
	comparison_free(c);
}

static void
cores_are_samples_by_rate_and_time(void **state)
{
	struct load load = { .seed = 1, .hz = 50, .seconds = 30, .regex = 1 };
	struct comparison *c = comparison_new(&compare_default);
	struct profile *profile = load_profile(&load);
	struct names *names = names_new(profile);

	(void)state;
	comparison_add(c, SIDE_BASE, profile, names, KIND_CPU);
	profile_set(profile, "duration", "60");
	comparison_add(c, SIDE_OTHER, profile, names, KIND_CPU);
	comparison_judge(c);
	assert_true(fabs(comparison_side(c, SIDE_BASE)->cores - 1) < 0.01);
	assert_true(fabs(comparison_side(c, SIDE_OTHER)->cores - 0.5) < 0.01);
	assert_true(comparison_side(c, SIDE_BASE)->rate == 50);
	comparison_free(c);
	names_free(names);
	profile_free(profile);
}

static void
one_profile_can_be_both_sides(void **state)
{
	struct line before = { "main;old", 100 }, after = { "main;new", 50 };
	struct comparison *c = comparison_new(&compare_default);
	struct profile *profile = profile_new();
	struct names *names = names_new(profile);
	const struct compared_side *side;

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		count_line(profile, i < 30 ? &before : &after, i + 1);
	comparison_add_between(c, SIDE_BASE, profile, names, KIND_CPU, 0,
			       31 * UINT64_C(1000000000));
	comparison_add_between(c, SIDE_OTHER, profile, names, KIND_CPU,
			       31 * UINT64_C(1000000000), UINT64_MAX);
	comparison_judge(c);
	side = comparison_side(c, SIDE_BASE);
	assert_int_equal(side->samples, 3000);
	assert_true(fabs(side->seconds - 30) < 1);
	assert_true(side->blocks >= 15);
	assert_int_equal(comparison_side(c, SIDE_OTHER)->samples, 500);
	assert_int_equal(comparison_side(c, SIDE_OTHER)->profiles, 1);
	assert_int_equal(row(c, "old")->verdict, CHANGE_MOVED);
	assert_int_equal(row(c, "new")->verdict, CHANGE_MOVED);
	comparison_free(c);
	names_free(names);
	profile_free(profile);
}

/* The verdict on the call of NAME from CALLER, below main. */
static enum change
frame_verdict(const struct comparison *c, const char *caller, const char *name)
{
	const struct calltree *tree = comparison_tree(c);
	node_id node = calltree_find(tree, 0, find(c, "main"));
	uint64_t *base = comparison_totals(c, SIDE_BASE);
	uint64_t *other = comparison_totals(c, SIDE_OTHER);
	struct estimate e;

	node = calltree_find(tree, node, find(c, caller));
	node = calltree_find(tree, node, find(c, name));
	assert_int_not_equal(node, NODE_NONE);
	e = comparison_judge_frame(c, node, base[node], other[node]);
	free(base);
	free(other);
	return e.verdict;
}

static void
a_call_is_judged_in_the_light_of_its_function(void **state)
{
	struct comparison *c = compare(
		ROW_LINES({ "main;a;up", 10 }, { "main;b;up", 10 },
			  { "main;a;down", 20 }, { "main;b;down", 20 },
			  { "main;a;even", 10 }, { "main;b;even", 30 }),
		ROW_LINES({ "main;a;up", 25 }, { "main;b;up", 10 },
			  { "main;c;up", 10 },
			  { "main;a;down", 5 }, { "main;b;down", 10 },
			  { "main;a;even", 30 }, { "main;b;even", 10 }), 60);

	(void)state;
	assert_int_equal(frame_verdict(c, "a", "up"), CHANGE_REGRESSED);
	assert_int_equal(frame_verdict(c, "b", "up"), CHANGE_UNKNOWN);
	assert_int_equal(frame_verdict(c, "c", "up"), CHANGE_NEW);
	assert_int_equal(frame_verdict(c, "b", "down"), CHANGE_IMPROVED);
	/* It only moved from one caller to the other. */
	assert_int_equal(row(c, "even")->verdict, CHANGE_NONE);
	assert_int_equal(frame_verdict(c, "a", "even"), CHANGE_NONE);
	comparison_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_is_judged_in_the_light_of_its_function),
		cmocka_unit_test(shares_and_verdicts_of_a_function_that_grew),
		cmocka_unit_test(what_was_not_there_is_new_and_back_it_is_gone),
		cmocka_unit_test(few_samples_cannot_tell_and_say_how_many_would),
		cmocka_unit_test(what_is_sure_but_small_is_no_change),
		cmocka_unit_test(
			what_has_less_than_half_a_per_cent_is_not_watched),
		cmocka_unit_test(
			files_without_blocks_are_taken_to_be_three_times_as_unsure),
		cmocka_unit_test(a_change_is_one_line_where_it_came_from),
		cmocka_unit_test(
			callers_stand_under_the_one_callee_that_explains_them),
		cmocka_unit_test(recursion_counts_once_and_ends),
		cmocka_unit_test(a_new_name_at_the_same_place_is_a_move),
		cmocka_unit_test(names_of_two_builds_are_the_same_function),
		cmocka_unit_test(a_busier_host_is_said_to_be_one),
		cmocka_unit_test(several_profiles_are_one_side),
		cmocka_unit_test(an_empty_side_is_no_reason_to_divide_by_it),
		cmocka_unit_test(cores_are_samples_by_rate_and_time),
		cmocka_unit_test(one_profile_can_be_both_sides),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
