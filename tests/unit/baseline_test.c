/* SPDX-License-Identifier: MIT */
#include "tests/unit/picture_fixture.h"

#include "core/baseline.h"
#include "core/picture_private.h"
#include "core/spread.h"

#define SECOND UINT64_C(1000000000)

static void
add_at(struct fixture *f, uint64_t second, const char *path, uint64_t weight)
{
	struct cell cell = { .weight = weight, .stack = stack_of(f, path) };

	count_cell(f, second * SECOND + SECOND / 3, cell);
}

static uint64_t
base_of(struct fixture *f, const char *path)
{
	return picture_base_total(f->picture, node_of(f, path));
}

static void
a_moment_ago_and_since_then_are_all(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .since_ns = 20 * SECOND + 5 };
	struct baseline *baseline;
	node_id gone;

	add_at(f, 10, "main;gone", 5);
	add_at(f, 19, "main;both", 2);
	add_at(f, 20, "main;both", 3);
	update(f);
	gone = node_of(f, "main;gone");
	baseline = baseline_until(f->profile, filter.since_ns);
	picture_set_baseline(f->picture, baseline);
	assert_true(keeps_ids(f, &filter));
	add_at(f, 21, "main;new", 4);
	update(f);
	assert_int_equal(picture_total(f->picture), 7);
	assert_int_equal(picture_base_total(f->picture, 0), 7);
	assert_int_equal(node_of(f, "main;gone"), gone);
	assert_int_equal(total_of(f, "main;gone"), 0);
	assert_int_equal(base_of(f, "main;gone"), 5);
	assert_int_equal(base_of(f, "main;both"), 2);
	assert_int_equal(total_of(f, "main;both"), 3);
	assert_int_equal(base_of(f, "main;new"), 0);
	assert_int_equal(picture_base_self(f->picture, gone), 5);
	assert_int_equal(picture_base_self(f->picture, 0), 0);
	assert_int_equal(function(f, "gone")->base_self, 5);
	assert_int_equal(function(f, "gone")->total, 0);
	assert_int_equal(function(f, "main")->base_total, 7);
	picture_set_baseline(f->picture, NULL);
	assert_int_equal(picture_base_total(f->picture, 0), 0);
	baseline_free(baseline);
}

static void
a_baseline_goes_through_the_same_filter(void **state)
{
	struct fixture *f = *state;
	struct transform merge = { .kind = TRANSFORM_MERGE };
	struct filter filter = { .transforms = &merge, .ntransforms = 1 };
	struct baseline *baseline;

	add_at(f, 1, "main;a;b", 5);
	add_at(f, 1, "main;c", 1);
	update(f);
	baseline = baseline_until(f->profile, UINT64_MAX);
	picture_set_baseline(f->picture, baseline);
	add_at(f, 3, "main;a;b", 2);
	merge.about.func = function(f, "a")->func;
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(base_of(f, "main;b"), 5);
	assert_int_equal(total_of(f, "main;b"), 7);
	filter.shape = SHAPE_INVERTED;
	filter.ntransforms = 0;
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(base_of(f, "b;a;main"), 5);
	assert_int_equal(function(f, "b")->base_self, 5);
	assert_int_equal(function(f, "main")->base_self, 0);
	filter.shape = SHAPE_CALLEES;
	filter.kind = KIND_FAULT;
	keeps_ids(f, &filter);
	assert_int_equal(picture_base_total(f->picture, 0), 0);
	baseline_free(baseline);
}

/* A function NAME of /lib/MODULE, at PLACE; called from main. */
static stack_id
code_in(struct fixture *f, const char *module, const char *name,
	uint64_t place)
{
	struct module row = { .kind = MODULE_LIBRARY };
	struct symbol symbol = { .start = place, .name = name };
	struct frame frame = { .offset = place };
	frame_id id;

	row.path = text(f, module);
	frame.module = profile_module(f->profile, &row);
	id = profile_frame(f->profile, &frame);
	if (name)
		names_set(f->names, id, &symbol);
	return profile_push(f->profile, stack_of(f, "main"), id);
}

static void
add_stack(struct fixture *f, stack_id stack, const char *thread,
	  uint64_t weight)
{
	struct cell cell = { .stack = stack, .weight = weight };

	cell.thread = profile_thread_named(f->profile, text(f, thread));
	count_cell(f, 0, cell);
}

static struct fixture *
open_other(void)
{
	void *state;

	set_up(&state);
	return state;
}

static void
close_other(struct fixture *other)
{
	void *state = other;

	tear_down(&state);
}

static void
another_profile_is_matched_by_name_and_module(void **state)
{
	struct fixture *f = *state, *other = open_other();
	struct baseline *baseline;

	add_stack(f, code_in(f, "/lib/a.so", "read", 0x10), "", 1);
	add_stack(f, code_in(f, "/lib/b.so", "read", 0x20), "", 2);
	add_stack(f, code_in(f, "/lib/a.so", "copy", 0x30), "", 3);
	update(f);
	add_stack(other, code_in(other, "/usr/lib/b.so", "read", 0x7), "", 4);
	add(other, "main;copy", 5);
	add(other, "main;lost", 6);
	baseline = baseline_of(other->profile, other->names);
	picture_set_baseline(f->picture, baseline);
	assert_int_equal(picture_base_total(f->picture, 0), 15);
	assert_int_equal(base_of(f, "main"), 15);
	assert_int_equal(base_of(f, "main;copy"), 5);
	assert_int_equal(base_of(f, "main;lost"), 6);
	assert_int_equal(total_of(f, "main;lost"), 0);
	for (node_id node = 1; node < calltree_count(picture_tree(f->picture));
	     node++) {
		func_id func = calltree_func(picture_tree(f->picture), node);

		if (!strcmp(names_module(f->names, func), "b.so"))
			assert_int_equal(picture_base_total(f->picture, node),
					 4);
	}
	baseline_free(baseline);
	close_other(other);
}

static void
of_several_with_the_name_the_called_one_is_meant(void **state)
{
	struct fixture *f = *state, *other = open_other();
	stack_id below;
	struct baseline *baseline;

	/* main;init of one file, main;run;init of another */
	add_stack(f, code_in(f, "/bin/a", "init", 0x10), "", 1);
	below = profile_get_stack(f->profile, code_in(f, "/bin/a", "init",
						      0x90))->frame;
	add_stack(f, profile_push(f->profile, stack_of(f, "main;run"), below),
		  "", 2);
	update(f);
	add(other, "main;init", 3);
	add(other, "main;run;init", 4);
	baseline = baseline_of(other->profile, other->names);
	picture_set_baseline(f->picture, baseline);
	assert_int_equal(base_of(f, "main;init"), 3);
	assert_int_equal(total_of(f, "main;init"), 1);
	assert_int_equal(base_of(f, "main;run;init"), 4);
	assert_int_equal(total_of(f, "main;run;init"), 2);
	baseline_free(baseline);
	close_other(other);
}

static void
names_that_come_late_are_matched_then(void **state)
{
	struct fixture *f = *state, *other = open_other();
	struct symbol symbol = { .start = 0x10, .name = "read" };
	struct baseline *baseline;
	stack_id ours, theirs;

	ours = code_in(f, "/lib/a.so", NULL, 0x18);
	add_stack(f, ours, "", 1);
	update(f);
	theirs = code_in(other, "/lib/a.so", NULL, 0x28);
	add_stack(other, theirs, "", 4);
	baseline = baseline_of(other->profile, other->names);
	picture_set_baseline(f->picture, baseline);
	assert_int_equal(base_of(f, "main;a.so+0x18"), 0);
	assert_int_equal(base_of(f, "main;a.so+0x28"), 4);
	names_set(f->names, profile_get_stack(f->profile, ours)->frame,
		  &symbol);
	update(f);
	assert_int_equal(base_of(f, "main;read"), 0);
	names_set(other->names, profile_get_stack(other->profile,
						  theirs)->frame, &symbol);
	update(f);
	assert_int_equal(total_of(f, "main;read"), 1);
	assert_int_equal(base_of(f, "main;read"), 4);
	assert_int_equal(base_of(f, "main;a.so+0x28"), 0);
	assert_int_equal(picture_base_total(f->picture, 0), 4);
	baseline_free(baseline);
	close_other(other);
}

static void
threads_of_another_profile_are_known_by_name(void **state)
{
	struct fixture *f = *state, *other = open_other();
	thread_id only;
	struct filter filter = { .threads = &only, .nthreads = 1,
				 .thread_rows = true };
	struct baseline *baseline;

	add_as(f, "main", "one", 1);
	add_as(f, "main", "two", 2);
	add_as(other, "main", "zero", 8);
	add_as(other, "main", "two", 4);
	only = profile_thread_named(f->profile, text(f, "two"));
	baseline = baseline_of(other->profile, other->names);
	picture_set_baseline(f->picture, baseline);
	assert_int_equal(base_of(f, "main"), 12);
	keeps_ids(f, &filter);
	assert_int_equal(total_of(f, "two;main"), 2);
	assert_int_equal(base_of(f, "two;main"), 4);
	assert_int_equal(picture_base_total(f->picture, 0), 4);
	baseline_free(baseline);
	close_other(other);
}

/* f has all of a second or nothing of it, four seconds each. */
static void
add_phases(struct fixture *f, uint64_t from, uint64_t until)
{
	for (uint64_t second = from; second < until; second++)
		add_at(f, second, second / 4 % 2 ? "main;f" : "main;g", 100);
}

static void
the_same_baseline_again_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct picture_mark mark = { 0 };
	const struct picture_news *news;
	struct baseline *baseline;
	size_t count;

	add_at(f, 1, "main;a", 5);
	update(f);
	baseline = baseline_until(f->profile, UINT64_MAX);
	picture_set_baseline(f->picture, baseline);
	picture_read_news(f->picture, &mark, &news, &count);
	picture_set_baseline(f->picture, baseline);
	assert_true(picture_read_news(f->picture, &mark, &news, &count));
	assert_int_equal(count, 0);
	assert_int_equal(base_of(f, "main;a"), 5);
	picture_set_baseline(f->picture, NULL);
	assert_false(picture_read_news(f->picture, &mark, &news, &count));
	baseline_free(baseline);
}

static void
phases_make_both_sides_less_sure(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .since_ns = 100 * SECOND };
	struct baseline *baseline;
	struct inflations inflations;

	add_phases(f, 20, 120);
	update(f);
	inflations = picture_inflations(f->picture, function(f, "f")->func);
	assert_true(inflations.now == 1 && inflations.base == 1);
	baseline = baseline_until(f->profile, filter.since_ns);
	picture_set_baseline(f->picture, baseline);
	assert_true(keeps_ids(f, &filter));
	update(f);
	inflations = picture_inflations(f->picture, function(f, "f")->func);
	assert_true(inflations.base > 100);
	add_phases(f, 120, 220);
	update(f);
	inflations = picture_inflations(f->picture, function(f, "f")->func);
	assert_true(inflations.now > 100);
	inflations = picture_inflations(f->picture,
					function(f, "main")->func);
	assert_true(inflations.now == 1);
	picture_set_baseline(f->picture, NULL);
	baseline_free(baseline);
}

/* What was known of it is taken away, so that looking again is seen. */
static void
what_was_before_is_looked_at_again_for_names_alone(void **state)
{
	struct fixture *f = *state;
	struct symbol symbol = { .start = 0x10, .name = "h" };
	struct baseline *baseline;
	stack_id unnamed = code_in(f, "/lib/a.so", NULL, 0x18);
	struct inflations inflations;

	add_phases(f, 20, 120);
	add_stack(f, unnamed, "", 1);
	update(f);
	baseline = baseline_until(f->profile, 100 * SECOND);
	picture_set_baseline(f->picture, baseline);
	spread_free(f->picture->base.then);
	f->picture->base.then = NULL;
	add_phases(f, 120, 220);
	update(f);
	inflations = picture_inflations(f->picture, function(f, "f")->func);
	assert_true(inflations.now > 100 && inflations.base == 1);
	names_set(f->names, profile_get_stack(f->profile, unnamed)->frame,
		  &symbol);
	add_phases(f, 220, 260);
	update(f);
	inflations = picture_inflations(f->picture, function(f, "f")->func);
	assert_true(inflations.now > 100 && inflations.base > 100);
	picture_set_baseline(f->picture, NULL);
	baseline_free(baseline);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_moment_ago_and_since_then_are_all),
		TEST(a_baseline_goes_through_the_same_filter),
		TEST(another_profile_is_matched_by_name_and_module),
		TEST(of_several_with_the_name_the_called_one_is_meant),
		TEST(names_that_come_late_are_matched_then),
		TEST(threads_of_another_profile_are_known_by_name),
		TEST(the_same_baseline_again_changes_nothing),
		TEST(phases_make_both_sides_less_sure),
		TEST(what_was_before_is_looked_at_again_for_names_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
