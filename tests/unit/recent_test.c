/* SPDX-License-Identifier: MIT */
#include "tests/unit/picture_fixture.h"

#define SECOND UINT64_C(1000000000)

static void
add_at(struct fixture *f, uint64_t second, const char *path, uint64_t weight)
{
	struct cell cell = { .weight = weight, .stack = stack_of(f, path) };

	count_cell(f, second * SECOND + SECOND / 3, cell);
}

static void
check_recent(struct fixture *f, const char *name, uint64_t self,
	     uint64_t total)
{
	assert_int_equal(function(f, name)->recent_self, self);
	assert_int_equal(function(f, name)->recent_total, total);
}

static void
a_window_holds_the_last_slots_and_moves_on(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .window_ns = 5 * SECOND };
	node_id old;

	add_at(f, 10, "main;old", 1);
	add_at(f, 14, "main;new", 2);
	add_at(f, 15, "main;new", 4);
	update(f);
	old = node_of(f, "main;old");
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_total(f->picture), 7);
	assert_int_equal(picture_from_ns(f->picture), 10 * SECOND);
	add_at(f, 16, "main;new", 8);
	update(f);
	assert_int_equal(picture_total(f->picture), 14);
	assert_int_equal(picture_from_ns(f->picture), 11 * SECOND);
	assert_int_equal(node_of(f, "main;old"), old);
	assert_int_equal(total_of(f, "main;old"), 0);
	assert_null(function(f, "old"));
	add_at(f, 7, "main;late", 16);		/* out of it */
	add_at(f, 11, "main;late", 32);		/* in */
	update(f);
	assert_int_equal(picture_total(f->picture), 46);
	filter.window_ns = 0;
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_total(f->picture), 63);
	assert_int_equal(picture_from_ns(f->picture), 0);
}

static void
a_window_is_all_where_there_are_no_times(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .window_ns = SECOND };

	add(f, "main", 3);
	assert_true(keeps_ids(f, &filter));
	assert_int_equal(picture_total(f->picture), 3);
}

static void
the_later_of_window_and_since_counts(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .window_ns = 5 * SECOND,
				 .since_ns = 18 * SECOND + 7 };

	for (uint64_t second = 10; second < 21; second++)
		add_at(f, second, "main", 1);
	keeps_ids(f, &filter);
	assert_int_equal(picture_total(f->picture), 3);
	filter.since_ns = 12 * SECOND;
	keeps_ids(f, &filter);
	assert_int_equal(picture_total(f->picture), 6);
}

static void
rows_have_the_last_seconds_beside_all(void **state)
{
	struct fixture *f = *state;

	picture_recent(f->picture, 5);
	add_at(f, 10, "main;a", 1);
	add_at(f, 15, "main;a;a", 2);
	update(f);
	check_recent(f, "a", 3, 3);
	check_recent(f, "main", 0, 3);
	add_at(f, 16, "main;b", 4);
	update(f);
	check_recent(f, "a", 2, 2);
	check_recent(f, "main", 0, 6);
	assert_int_equal(function(f, "main")->total, 7);
	assert_int_equal(picture_recent_total(f->picture), 6);
	add_at(f, 40, "main;c", 1);
	update(f);
	check_recent(f, "a", 0, 0);
	check_recent(f, "main", 0, 1);
	picture_recent(f->picture, 0);
	check_recent(f, "main", 0, 0);
}

static void
the_last_seconds_stand_beside_a_window_of_one(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .window_ns = SECOND };

	picture_recent(f->picture, 5);
	add_at(f, 10, "main;a", 1);
	add_at(f, 11, "main;a", 2);
	keeps_ids(f, &filter);
	for (uint64_t second = 12; second < 15; second++) {
		add_at(f, second, "main;b", 4);
		update(f);
	}
	assert_int_equal(picture_total(f->picture), 8);
	check_recent(f, "main", 0, 15);
	check_recent(f, "b", 12, 12);
	assert_null(function(f, "a"));
}

static void
a_trend_is_second_by_second(void **state)
{
	struct fixture *f = *state;
	struct moment moments[4];
	struct filter filter = { .shape = SHAPE_INVERTED };
	func_id a;

	add_at(f, 10, "main;a", 1);
	add_at(f, 12, "main;a;b", 2);
	update(f);
	a = function(f, "a")->func;
	picture_trend(f->picture, a, moments, 4);
	assert_int_equal(moments[1].total, 0);
	picture_recent(f->picture, 5);
	for (int i = 0; i < 2; i++) {
		picture_trend(f->picture, a, moments, 4);
		assert_int_equal(moments[0].total, 0);
		assert_int_equal(moments[1].total, 1);
		assert_int_equal(moments[1].self, 1);
		assert_int_equal(moments[2].total, 0);
		assert_int_equal(moments[3].total, 2);
		assert_int_equal(moments[3].self, 0);
		keeps_ids(f, &filter);
	}
	add_at(f, 13, "main", 5);
	update(f);
	picture_trend(f->picture, a, moments, 4);
	assert_int_equal(moments[0].total, 1);
	assert_int_equal(moments[3].total, 0);
	picture_trend(f->picture, FUNC_NONE, moments, 4);
	assert_int_equal(moments[2].total, 2);
	assert_int_equal(moments[3].total, 5);
}

static void
a_trend_follows_names_that_come_late(void **state)
{
	struct fixture *f = *state;
	struct module module = { .kind = MODULE_LIBRARY, .inode = 5 };
	struct symbol symbol = { .start = 0x10, .name = "inflate" };
	struct frame frame = { 0 };
	struct moment moment;
	frame_id frames[2];

	picture_recent(f->picture, 5);
	frame.module = profile_module(f->profile, &module);
	for (int i = 0; i < 2; i++) {
		struct cell cell = { .weight = 1 };

		frame.offset = 0x10 + (uint64_t)i;
		frames[i] = profile_frame(f->profile, &frame);
		cell.stack = profile_push(f->profile, 0, frames[i]);
		count_cell(f, 7 * SECOND, cell);
	}
	update(f);
	for (int i = 0; i < 2; i++)
		names_set(f->names, frames[i], &symbol);
	update(f);
	picture_trend(f->picture, function(f, "inflate")->func, &moment, 1);
	assert_int_equal(moment.self, 2);
	check_recent(f, "inflate", 2, 2);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(a_window_holds_the_last_slots_and_moves_on),
		TEST(a_window_is_all_where_there_are_no_times),
		TEST(the_later_of_window_and_since_counts),
		TEST(rows_have_the_last_seconds_beside_all),
		TEST(the_last_seconds_stand_beside_a_window_of_one),
		TEST(a_trend_is_second_by_second),
		TEST(a_trend_follows_names_that_come_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
