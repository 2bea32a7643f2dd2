/* SPDX-License-Identifier: MIT */
#include "tui/hit_list.h"

#include "tests/unit/stage_check.h"

/* What HITS shows of S below TOP, in 44 x 7 cells. */
static void
check_hits(struct hit_list *hits, struct stage *s, node_id top,
	   const char *expected)
{
	char *dump;

	canvas_resize(s->canvas, 44, 7);
	hit_list_draw(hits, &s->scene, top, s->canvas,
		      (struct rect){ 0, 0, 44, 7 });
	dump = canvas_dump(s->canvas, false);
	assert_string_equal(dump, expected);
	free(dump);
}

static void
functions_are_counted_once_and_below_the_zoom(void **state)
{
	const struct calltree *tree;
	struct hit_list *hits;
	struct stage s;
	struct hit hit;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main;find;more;find;leaf", 30);
	stage_add(&s, "main;refind", 10);
	stage_add(&s, "main;other;find", 40);
	stage_add(&s, "main;zero;finder", 0);
	stage_add(&s, "main;other", 20);
	stage_settle(&s, 44, 7);
	search_set(s.search, "find", s.names);
	hits = hit_list_new(&s.scene, 0);
	check_hits(hits, &s, 0,
		   "found by /find:\n"
		   "   of view  of all  frames  function\n"
		   ">   70.0 %  70.0 %       3  find\n"
		   "    10.0 %  10.0 %       1  refind\n"
		   "\n\n"
		   "2 of 2   type to filter, Enter takes, Esc le\n");
	tree = picture_tree(s.picture);
	hit = hit_list_current(hits);
	assert_string_equal(names_text(s.names, hit.func), "find");
	assert_int_equal(calltree_total(tree, hit.node), 40);
	/* main;other */
	s.scene.now_ns += 2000000000;
	check_hits(hits, &s, calltree_parent(tree, hit.node),
		   "found by /find:\n"
		   "   of view  of all  frames  function\n"
		   ">   66.7 %  40.0 %       1  find\n"
		   "\n\n\n"
		   "1 of 1   type to filter, Enter takes, Esc le\n");
	hit_list_free(hits);
	stage_close(&s);
}

static void
rows_are_counted_anew_but_not_under_keys(void **state)
{
	struct hit_list *hits;
	struct stage s;

	(void)state;
	stage_open(&s, &view_flame);
	stage_add(&s, "main;find", 30);
	stage_add(&s, "main;refind", 10);
	stage_settle(&s, 44, 7);
	search_set(s.search, "find", s.names);
	hits = hit_list_new(&s.scene, 0);
	free(stage_dump(&s, 44, 7, false));
	check_hits(hits, &s, 0,
		   "found by /find:\n"
		   "   of view  of all  frames  function\n"
		   ">   75.0 %  75.0 %       1  find\n"
		   "    25.0 %  25.0 %       1  refind\n"
		   "\n\n"
		   "2 of 2   type to filter, Enter takes, Esc le\n");
	stage_add(&s, "main;refind", 60);
	stage_settle(&s, 44, 7);
	s.scene.now_ns += 2000000000;
	s.scene.key_ns = s.scene.now_ns - 500000000;
	assert_int_equal(hit_list_key(hits, KEYS_DOWN), LIST_GOES_ON);
	check_hits(hits, &s, 0,
		   "found by /find:\n"
		   "   of view  of all  frames  function\n"
		   "    75.0 %  75.0 %       1  find\n"
		   ">   25.0 %  25.0 %       1  refind\n"
		   "\n\n"
		   "2 of 2   type to filter, Enter takes, Esc le\n");
	s.scene.now_ns += 1000000000;
	check_hits(hits, &s, 0,
		   "found by /find:\n"
		   "   of view  of all  frames  function\n"
		   ">   70.0 %  70.0 %       1  refind\n"
		   "    30.0 %  30.0 %       1  find\n"
		   "\n\n"
		   "2 of 2   type to filter, Enter takes, Esc le\n");
	hit_list_free(hits);
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_are_counted_once_and_below_the_zoom),
		cmocka_unit_test(rows_are_counted_anew_but_not_under_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
