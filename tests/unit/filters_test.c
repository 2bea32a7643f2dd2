/* SPDX-License-Identifier: MIT */
/*
 * filters_test.c - what is shown, and the way back.
 */
#include "app/filters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/pattern.h"

#include <cmocka.h>

static struct transform
about(enum transform_kind kind, func_id func)
{
	return (struct transform){ .kind = kind, .about = {
		.kind = SUBJECT_FUNC, .func = func } };
}

static void
at_first_everything_is_shown_and_nothing_can_be_undone(void **state)
{
	struct filters filters = { 0 };

	(void)state;
	assert_int_equal(filters_now(&filters)->ntransforms, 0);
	assert_false(filters_undo(&filters));
	assert_false(filters_redo(&filters));
	filters_fini(&filters);
}

static void
each_change_can_be_undone_and_done_again(void **state)
{
	struct transform one = about(TRANSFORM_FOCUS, 1);
	struct transform two = about(TRANSFORM_MERGE, 2);
	struct filters filters = { 0 };

	(void)state;
	assert_true(filters_add(&filters, &one));
	assert_true(filters_add(&filters, &two));
	assert_int_equal(filters_now(&filters)->ntransforms, 2);
	assert_true(filters_undo(&filters));
	assert_int_equal(filters_now(&filters)->ntransforms, 1);
	assert_true(filters_redo(&filters));
	assert_int_equal(filters_now(&filters)->transforms[1].about.func, 2);
	assert_true(filters_undo(&filters));
	assert_true(filters_undo(&filters));
	assert_int_equal(filters_now(&filters)->ntransforms, 0);
	assert_false(filters_undo(&filters));
	filters_fini(&filters);
}

static void
what_was_undone_is_forgotten_by_a_new_change(void **state)
{
	struct transform one = about(TRANSFORM_FOCUS, 1);
	struct transform two = about(TRANSFORM_MERGE, 2);
	struct filters filters = { 0 };

	(void)state;
	filters_add(&filters, &one);
	filters_undo(&filters);
	filters_add(&filters, &two);
	assert_false(filters_redo(&filters));
	assert_int_equal(filters_now(&filters)->transforms[0].about.func, 2);
	filters_fini(&filters);
}

static void
a_transform_is_removed_from_the_middle(void **state)
{
	struct transform one = about(TRANSFORM_FOCUS, 1);
	struct transform two = about(TRANSFORM_MERGE, 2);
	struct filters filters = { 0 };

	(void)state;
	filters_add(&filters, &one);
	filters_add(&filters, &two);
	assert_true(filters_remove(&filters, &one));
	assert_int_equal(filters_now(&filters)->ntransforms, 1);
	assert_int_equal(filters_now(&filters)->transforms[0].about.func, 2);
	assert_false(filters_remove(&filters, &one));
	filters_fini(&filters);
}

static void
threads_and_patterns_are_its_own(void **state)
{
	struct filters filters = { 0 };
	thread_id threads[] = { 3, 4 };
	struct filter filter = { .threads = threads, .nthreads = 2 };
	struct transform transform = { .kind = TRANSFORM_EXCLUDE,
				       .about.kind = SUBJECT_PATTERN };
	struct error err;

	(void)state;
	filters_set(&filters, &filter);
	threads[0] = 9;
	assert_int_equal(filters_now(&filters)->threads[0], 3);
	assert_true(pattern_open("^gc", &transform.about.pattern, &err));
	assert_true(filters_add(&filters, &transform));
	pattern_free(transform.about.pattern);
	assert_int_equal(pattern_match(filters_now(&filters)->
				       transforms[0].about.pattern, "gc_run"),
			 PATTERN_YES);
	filters_fini(&filters);
}

static void
steps_and_transforms_are_bounded(void **state)
{
	struct filters filters = { 0 };
	struct transform each;

	(void)state;
	for (func_id i = 0; i < TRANSFORMS_MAX; i++) {
		each = about(TRANSFORM_MERGE, i);
		assert_true(filters_add(&filters, &each));
	}
	each = about(TRANSFORM_MERGE, 99);
	assert_false(filters_add(&filters, &each));
	for (int i = 0; i < 1000; i++)
		filters_set(&filters, &(struct filter){ .window_ns = 1 });
	assert_true(filters.count <= 200);
	assert_true(filters_undo(&filters));
	filters_fini(&filters);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_first_everything_is_shown_and_nothing_can_be_undone),
		cmocka_unit_test(each_change_can_be_undone_and_done_again),
		cmocka_unit_test(what_was_undone_is_forgotten_by_a_new_change),
		cmocka_unit_test(a_transform_is_removed_from_the_middle),
		cmocka_unit_test(threads_and_patterns_are_its_own),
		cmocka_unit_test(steps_and_transforms_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
