/* SPDX-License-Identifier: MIT */
/*
 * list_test.c - choosing rows.
 */
#include "tui/list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#include <cmocka.h>

static const struct list_row fruit[] = {
	{ .id = 10, .text = "apple" },	 { .id = 20, .text = "Banana" },
	{ .id = 30, .text = "cherry" },	 { .id = 40, .text = "date" },
	{ .id = 50, .text = "elderberry" },
};

static struct list *
fruit_list(bool can_mark)
{
	struct list *list = list_new("fruit", "name", can_mark);

	list_set_rows(list, fruit, ARRAY_LEN(fruit));
	return list;
}

static void
expect_current(const struct list *list, uint64_t expected)
{
	uint64_t id = 0;

	assert_true(list_current(list, &id));
	assert_int_equal(id, expected);
}

static void
type(struct list *list, const char *text)
{
	for (; *text; text++)
		assert_int_equal(list_key(list, (unsigned char)*text),
				 LIST_GOES_ON);
}

static void
arrows_move_and_stop_at_the_ends(void **state)
{
	struct list *list = fruit_list(false);

	(void)state;
	list_key(list, KEYS_UP);
	expect_current(list, 10);
	list_key(list, KEYS_DOWN);
	expect_current(list, 20);
	list_key(list, KEYS_END);
	list_key(list, KEYS_DOWN);
	expect_current(list, 50);
	list_key(list, KEYS_HOME);
	expect_current(list, 10);
	assert_int_equal(list_key(list, KEYS_ENTER), LIST_CHOSEN);
	list_free(list);
}

static void
typing_filters_in_any_case(void **state)
{
	struct list *list = fruit_list(false);
	uint64_t id;

	(void)state;
	type(list, "b");
	expect_current(list, 20);
	type(list, "erry");
	expect_current(list, 50);
	type(list, "!");
	assert_false(list_current(list, &id));
	assert_int_equal(list_key(list, KEYS_ENTER), LIST_GOES_ON);
	list_key(list, KEYS_BACKSPACE);
	expect_current(list, 50);
	assert_int_equal(list_key(list, KEYS_ESCAPE), LIST_GOES_ON);
	expect_current(list, 50);
	assert_int_equal(list_key(list, KEYS_ESCAPE), LIST_LEFT);
	list_free(list);
}

static void
the_cursor_stays_on_its_row_when_others_come_and_go(void **state)
{
	struct list *list = fruit_list(false);
	const struct list_row now[] = { fruit[4], fruit[0], fruit[2] };

	(void)state;
	list_key(list, KEYS_DOWN);
	list_key(list, KEYS_DOWN);
	list_set_rows(list, now, ARRAY_LEN(now));
	expect_current(list, 30);
	list_set_rows(list, now, 1);
	expect_current(list, 50);
	list_set_rows(list, NULL, 0);
	list_key(list, KEYS_DOWN);
	list_set_rows(list, fruit, 5);
	expect_current(list, 10);
	list_free(list);
}

static void
marks_follow_their_rows(void **state)
{
	struct list *list = fruit_list(true);
	struct list_row now[] = { fruit[3], fruit[2], fruit[1], fruit[0] };
	uint64_t *ids;

	(void)state;
	assert_int_equal(list_marked(list, &ids), 1);
	assert_int_equal(ids[0], 10);
	free(ids);
	list_key(list, KEYS_DOWN);
	list_key(list, ' ');
	list_key(list, ' ');
	list_key(list, ' ');
	list_key(list, KEYS_UP);
	list_key(list, ' ');		/* takes the mark of 40 back */
	now[3].is_marked = true;	/* seen before: the user's word counts */
	list_set_rows(list, now, ARRAY_LEN(now));
	assert_int_equal(list_marked(list, &ids), 2);
	assert_int_equal(ids[0], 30);
	assert_int_equal(ids[1], 20);
	free(ids);
	list_free(list);
}

static void
a_row_may_come_marked(void **state)
{
	struct list *list = list_new("x", "y", true);
	struct list_row row = { .id = 7, .text = "seven", .is_marked = true };
	uint64_t *ids;

	(void)state;
	list_set_rows(list, &row, 1);
	assert_int_equal(list_marked(list, &ids), 1);
	assert_int_equal(ids[0], 7);
	free(ids);
	list_free(list);
}

static void
without_marks_a_blank_is_text(void **state)
{
	struct list *list = fruit_list(false);
	uint64_t id;

	(void)state;
	type(list, " ");
	assert_false(list_current(list, &id));
	list_free(list);
}

static void
the_row_under_the_cursor_is_always_drawn(void **state)
{
	struct list *list = fruit_list(true);

	(void)state;
	for (int height = 0; height < 9; height++) {
		struct canvas *canvas = canvas_new(30, height, false);
		char *dump;

		list_key(list, height % 2 ? KEYS_END : KEYS_HOME);
		list_draw(list, canvas, (struct rect){ 0, 0, 30, height });
		dump = canvas_dump(canvas, false);
		assert_true(height == 0 || strstr(dump, height % 2 ?
						  ">  elderberry" :
						  ">  apple"));
		free(dump);
		canvas_free(canvas);
	}
	list_free(list);
}

static void
a_list_is_drawn_with_filter_heading_and_count(void **state)
{
	struct list *list = fruit_list(true);
	struct canvas *canvas = canvas_new(24, 6, true);
	char *dump;

	(void)state;
	list_key(list, KEYS_DOWN);
	list_key(list, ' ');
	type(list, "a");
	list_draw(list, canvas, (struct rect){ 0, 0, 24, 6 });
	dump = canvas_dump(canvas, false);
	assert_string_equal(dump,
			    "fruit: a\n"
			    "   name\n"
			    "   apple\n"
			    " * Banana\n"
			    ">  date\n"
			    "3 of 5, 1 marked   type\n");
	free(dump);
	canvas_free(canvas);
	list_free(list);
}

static void
a_row_that_is_cut_shows_it(void **state)
{
	const struct list_row rows[] = {
		{ .id = 1, .text = "waits for descriptor" },
		{ .id = 2, .text = "sleeps a while longer" },
	};
	struct list *list = list_new("threads", "state", false);
	struct canvas *canvas = canvas_new(23, 3, true);
	char *dump;

	(void)state;
	list_set_rows(list, rows, ARRAY_LEN(rows));
	list_draw(list, canvas, (struct rect){ 0, 0, 23, 3 });
	dump = canvas_dump(canvas, false);
	assert_string_equal(dump, "threads:\n"
				  ">  waits for descriptor\n"
				  "   sleeps a while long~\n");
	free(dump);
	canvas_free(canvas);
	list_free(list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrows_move_and_stop_at_the_ends),
		cmocka_unit_test(typing_filters_in_any_case),
		cmocka_unit_test(
			the_cursor_stays_on_its_row_when_others_come_and_go),
		cmocka_unit_test(marks_follow_their_rows),
		cmocka_unit_test(a_row_may_come_marked),
		cmocka_unit_test(without_marks_a_blank_is_text),
		cmocka_unit_test(the_row_under_the_cursor_is_always_drawn),
		cmocka_unit_test(a_list_is_drawn_with_filter_heading_and_count),
		cmocka_unit_test(a_row_that_is_cut_shows_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
