/* SPDX-License-Identifier: MIT */
#include "tui/view.h"

#include "tests/unit/stage_check.h"

static void
open_small(struct stage *stage)
{
	stage_open(stage, &view_table);
	stage_add(stage, "main;parse;read", 20);
	stage_add(stage, "main;parse", 1205);
	stage_add(stage, "main;eval;call", 9);
	stage_settle(stage, 80, 8);
}

static void
columns_come_with_the_width(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	check(&s, 40, 4,
	      "   SELF▾   TOTAL  FUNCTION\n"
	      "  97.6 %  99.3 %  parse\n"
	      "   1.6 %   1.6 %  read\n"
	      "   0.7 %   0.7 %  call\n");
	check(&s, 80, 3,
	      "   SELF▾     samples   TOTAL     samples  FUNCTION          "
	      "    MODULE\n"
	      "  97.6 %       1,205  99.3 %       1,225  parse\n"
	      "   1.6 %          20   1.6 %          20  read\n");
	check(&s, 120, 2,
	      "   SELF▾                samples   TOTAL     samples  "
	      "FUNCTION                                   MODULE\n"
	      "  97.6 % █████████▊       1,205  99.3 %       1,225  "
	      "parse\n");
	stage_close(&s);
}

/* Count WEIGHT on PATH in the second of SECONDS. */
static void
add_at(struct stage *s, const char *path, uint64_t seconds, uint64_t weight)
{
	char *copy = xstrdup(path), *rest = copy, *name;
	struct cell cell = { .kind = KIND_CPU, .weight = weight,
			     .time_ns = seconds * 1000000000u };

	while ((name = strsep(&rest, ";")))
		cell.stack = profile_push(s->profile, cell.stack,
					  stage_frame(s, name));
	free(copy);
	profile_add(s->profile, cell.time_ns, &cell);
	picture_note(s->picture, &cell);
}

/* What was 90 of 100 is one of ten in the last five seconds. */
static void
open_on_a_change(struct stage *s)
{
	stage_open(s, &view_table);
	picture_recent(s->picture, 5);
	add_at(s, "main;old", 100, 90);
	add_at(s, "main;new", 118, 6);
	add_at(s, "main;new", 119, 3);
	add_at(s, "main;old", 120, 1);
}

static void
the_last_seconds_stand_beside_all_of_them(void **state)
{
	struct stage s;

	(void)state;
	open_on_a_change(&s);
	check(&s, 60, 4,
	      "   SELF▾     5 s   TOTAL  FUNCTION              MODULE\n"
	      "  91.0 %  10.0 %  91.0 %  old\n"
	      "   9.0 %  90.0 %   9.0 %  new\n"
	      "   0.0 %   0.0 % 100.0 %  main\n");
	stage_keys(&s, "sort-right");
	assert_string_equal(stage_cursor(&s), "old");
	check(&s, 80, 3,
	      "    SELF    5 s▾    trend   TOTAL  FUNCTION              "
	      "       MODULE\n"
	      "   9.0 %  90.0 %       ▆▃   9.0 %  new\n"
	      "  91.0 %  10.0 %           91.0 %  old\n");
	stage_close(&s);
}

static void
the_last_seconds_are_of_the_share_that_is_sorted_by(void **state)
{
	struct stage s;

	(void)state;
	open_on_a_change(&s);
	stage_settle(&s, 80, 4);
	stage_keys(&s, "sort-right sort-right");
	check(&s, 80, 4,
	      "    SELF  TOTAL▾     5 s    trend  FUNCTION              "
	      "       MODULE\n"
	      "   0.0 % 100.0 % 100.0 %       ▆▃  main\n"
	      "  91.0 %  91.0 %  10.0 %           old\n"
	      "   9.0 %   9.0 %  90.0 %       ▆▃  new\n");
	stage_keys(&s, "sort-right");
	check(&s, 60, 4,
	      "    SELF   TOTAL    5 s▾  FUNCTION              MODULE\n"
	      "   0.0 % 100.0 % 100.0 %  main\n"
	      "   9.0 %   9.0 %  90.0 %  new\n"
	      "  91.0 %  91.0 %  10.0 %  old\n");
	stage_keys(&s, "sort-right");
	check(&s, 60, 4,
	      "    SELF     5 s   TOTAL  FUNCTION▾             MODULE\n"
	      "   0.0 %   0.0 % 100.0 %  main\n"
	      "   9.0 %  90.0 %   9.0 %  new\n"
	      "  91.0 %  10.0 %  91.0 %  old\n");
	stage_close(&s);
}

static void
the_cursor_stays_on_its_function(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down");
	assert_string_equal(stage_cursor(&s), "read");
	stage_add(&s, "main;eval;call", 100);
	stage_settle(&s, 80, 8);
	assert_string_equal(stage_cursor(&s), "read");
	stage_keys(&s, "up");
	assert_string_equal(stage_cursor(&s), "call");
	stage_close(&s);
}

static void
the_first_row_follows_the_leader(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	assert_string_equal(stage_cursor(&s), "parse");
	stage_add(&s, "main;eval;call", 5000);
	stage_settle(&s, 80, 8);
	assert_string_equal(stage_cursor(&s), "call");
	stage_close(&s);
}

static void
rows_stay_after_sorting_once(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "relayout down");
	assert_string_equal(stage_cursor(&s), "read");
	stage_add(&s, "main;eval;call", 100);
	stage_add(&s, "main;new", 50);
	check(&s, 40, 5,
	      "   SELF=   TOTAL  FUNCTION  sorted once\n"
	      "  87.1 %  88.5 %  parse\n"
	      "   1.4 %   1.4 %  read\n"
	      "   7.9 %   7.9 %  call\n"
	      "   0.0 % 100.0 %  main\n");
	stage_keys(&s, "bottom");
	assert_string_equal(stage_cursor(&s), "new");
	stage_keys(&s, "top relayout");
	check(&s, 40, 5,
	      "   SELF=   TOTAL  FUNCTION  sorted once\n"
	      "  87.1 %  88.5 %  parse\n"
	      "   7.9 %   7.9 %  call\n"
	      "   3.6 %   3.6 %  new\n"
	      "   1.4 %   1.4 %  read\n");
	stage_add(&s, "main;new", 500);
	stage_settle(&s, 40, 5);
	stage_keys(&s, "peel");
	check(&s, 40, 4,
	      "   SELF▾   TOTAL  FUNCTION\n"
	      "  64.0 %  65.0 %  parse\n"
	      "  29.2 %  29.2 %  new\n"
	      "   5.8 %   5.8 %  call\n");
	stage_close(&s);
}

static void
rows_wait_while_keys_are_pressed(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	s.scene.key_ns = s.scene.now_ns;
	stage_add(&s, "main;eval;call", 100);
	check(&s, 40, 4,
	      "   SELF▾   TOTAL  FUNCTION  order held\n"
	      "  90.3 %  91.8 %  parse\n"
	      "   1.5 %   1.5 %  read\n"
	      "   8.2 %   8.2 %  call\n");
	stage_keys(&s, "sort-right sort-left");
	check(&s, 40, 3,
	      "   SELF▾   TOTAL  FUNCTION\n"
	      "  90.3 %  91.8 %  parse\n"
	      "   8.2 %   8.2 %  call\n");
	stage_add(&s, "main;parse;read", 200);
	s.scene.key_ns = s.scene.now_ns;
	stage_settle(&s, 40, 4);
	s.scene.key_ns = s.scene.now_ns - 2000000000;
	check(&s, 40, 4,
	      "   SELF▾   TOTAL  FUNCTION\n"
	      "  78.6 %  92.9 %  parse\n"
	      "  14.3 %  14.3 %  read\n"
	      "   7.1 %   7.1 %  call\n");
	stage_close(&s);
}

static void
sorting_keeps_the_function(void **state)
{
	struct stage s;

	(void)state;
	open_small(&s);
	stage_keys(&s, "down sort-right");
	assert_string_equal(stage_cursor(&s), "read");
	check(&s, 40, 4,
	      "    SELF  TOTAL▾  FUNCTION\n"
	      "   0.0 % 100.0 %  main\n"
	      "  97.6 %  99.3 %  parse\n"
	      "   1.6 %   1.6 %  read\n");
	stage_keys(&s, "sort-right top");
	assert_string_equal(stage_cursor(&s), "call");
	stage_keys(&s, "sort-left sort-left top");
	assert_string_equal(stage_cursor(&s), "parse");
	stage_keys(&s, "sort-left");
	check(&s, 70, 1,
	      "    SELF   TOTAL  FUNCTION                              "
	      "MODULE▾\n");
	stage_close(&s);
}

static void
rows_scroll_with_the_cursor(void **state)
{
	struct stage s;
	char path[16];

	(void)state;
	stage_open(&s, &view_table);
	for (int i = 0; i < 50; i++) {
		snprintf(path, sizeof(path), "f%d", i);
		stage_add(&s, path, 1000u - (unsigned)i);
	}
	stage_settle(&s, 40, 6);
	stage_keys(&s, "page-down page-down");
	assert_string_equal(stage_cursor(&s), "f8");
	stage_keys(&s, "bottom");
	check(&s, 40, 3,
	      "   SELF▾   TOTAL  FUNCTION  ▲ 48 above\n"
	      "   2.0 %   2.0 %  f48\n"
	      "   1.9 %   1.9 %  f49\n");
	stage_keys(&s, "page-up top up");
	assert_string_equal(stage_cursor(&s), "f0");
	assert_false(s.ops->act(s.state, &s.scene, ACTION_ZOOM));
	stage_close(&s);
}

static void
hits_are_stops(void **state)
{
	struct stage s;
	char *dump;

	(void)state;
	open_small(&s);
	search_set(s.search, "^[rm]", s.names);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "read");
	assert_int_equal(s.ops->focus(s.state, &s.scene).hit, 1);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "main");
	assert_null(s.ops->focus(s.state, &s.scene).notice);
	dump = stage_dump(&s, 40, 4, true);
	assert_string_equal(dump,
		"   SELF▾   TOTAL  FUNCTION  ▲ 1 above"
		" | 0-2 title, 3-7 title+bold+underline, 8-39 title\n"
		"   1.6 %   1.6 %  read"
		" | 0-17 text, 18-21 hit+bold, 22-39 text\n"
		"   0.7 %   0.7 %  call | 0-39 text+dim\n"
		"   0.0 % 100.0 %  main"
		" | 0-17 selected, 18-21 selected+bold, 22-39 selected\n");
	free(dump);
	stage_keys(&s, "next");
	assert_string_equal(stage_cursor(&s), "read");
	assert_non_null(s.ops->focus(s.state, &s.scene).notice);
	stage_keys(&s, "previous");
	assert_string_equal(stage_cursor(&s), "main");
	stage_close(&s);
}

static void
emptiness_and_small_sizes_are_drawn(void **state)
{
	struct stage s;

	(void)state;
	stage_open(&s, &view_table);
	check(&s, 40, 2, "   SELF▾   TOTAL  FUNCTION\n No samples here.\n");
	stage_keys(&s, "down up bottom next sort-left page-down");
	stage_close(&s);
	open_small(&s);
	for (int width = 1; width < 50; width += 3)
		for (int height = 1; height < 5; height++) {
			stage_keys(&s, "down");
			free(stage_dump(&s, width, height, false));
		}
	stage_close(&s);
}

/* What another table shows that has never seen these rows before. */
static void
check_anew(struct stage *s)
{
	void *kept = s->state;
	char *now = stage_dump(s, 60, 12, false), *anew;

	s->state = xcalloc(1, s->ops->state_size);
	anew = stage_dump(s, 60, 12, false);
	assert_string_equal(now, anew);
	free(now);
	free(anew);
	s->ops->remap(s->state, NULL, 0);
	free(s->state);
	s->state = kept;
}

static void
rows_that_grow_come_to_their_places(void **state)
{
	char path[64];
	struct stage s;

	(void)state;
	stage_open(&s, &view_table);
	srand(5);
	for (int i = 0; i < 600; i++) {
		snprintf(path, sizeof(path), "main;f%d;g%d", i, i % 300);
		stage_add(&s, path, 1 + (uint64_t)(rand() % 40));
	}
	free(stage_dump(&s, 60, 12, false));
	for (int i = 0; i < 200; i++) {
		int f = rand() % 620;	/* some are new */

		snprintf(path, sizeof(path), "main;f%d;g%d", f, rand() % 300);
		stage_add(&s, path, (uint64_t)(rand() % 30));
		check_anew(&s);
	}
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_come_with_the_width),
		cmocka_unit_test(the_last_seconds_stand_beside_all_of_them),
		cmocka_unit_test(the_last_seconds_are_of_the_share_that_is_sorted_by),
		cmocka_unit_test(the_cursor_stays_on_its_function),
		cmocka_unit_test(the_first_row_follows_the_leader),
		cmocka_unit_test(rows_stay_after_sorting_once),
		cmocka_unit_test(rows_wait_while_keys_are_pressed),
		cmocka_unit_test(sorting_keeps_the_function),
		cmocka_unit_test(rows_scroll_with_the_cursor),
		cmocka_unit_test(hits_are_stops),
		cmocka_unit_test(emptiness_and_small_sizes_are_drawn),
		cmocka_unit_test(rows_that_grow_come_to_their_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
