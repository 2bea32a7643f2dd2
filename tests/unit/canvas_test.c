/* SPDX-License-Identifier: MIT */
/*
 * canvas_test.c - drawing on a grid.
 */
#include "tui/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "tui/text.h"

#include <cmocka.h>

static void
expect(const struct canvas *canvas, bool with_styles, const char *text)
{
	char *dump = canvas_dump(canvas, with_styles);

	assert_string_equal(dump, text);
	free(dump);
}

static void
text_is_clipped_at_every_side(void **state)
{
	struct canvas *canvas = canvas_new(5, 2, false);

	(void)state;
	assert_int_equal(canvas_text(canvas, 3, 0, 99, "abc", STYLE_TEXT, 0),
			 2);
	assert_int_equal(canvas_text(canvas, -2, 1, 99, "abcd", STYLE_TEXT, 0),
			 4);
	canvas_text(canvas, 0, 2, 99, "below", STYLE_TEXT, 0);
	canvas_text(canvas, 0, -1, 99, "above", STYLE_TEXT, 0);
	canvas_text(canvas, 5, 0, 99, "right", STYLE_TEXT, 0);
	canvas_text(canvas, 0, 0, 0, "none", STYLE_TEXT, 0);
	canvas_text(canvas, 0, 0, -3, "less", STYLE_TEXT, 0);
	expect(canvas, false, "   ab\ncd\n");
	canvas_free(canvas);
}

static void
fill_is_clipped_at_every_side(void **state)
{
	struct canvas *canvas = canvas_new(3, 2, false);

	(void)state;
	canvas_fill(canvas, (struct rect){ -1, -1, 2, 2 }, STYLE_HIT, 0);
	canvas_fill(canvas, (struct rect){ 2, 1, 2147483647, 2147483647 },
		    STYLE_BIN, CELL_ODD);
	canvas_fill(canvas, (struct rect){ 1, 0, -1, 1 }, STYLE_ROOT, 0);
	canvas_mark(canvas, -5, 0, 6, CELL_BOLD);
	canvas_mark(canvas, 0, 9, 6, CELL_BOLD);
	expect(canvas, true,
	       " | 0-0 hit+bold, 1-2 text\n"
	       " | 0-1 text, 2-2 bin+odd\n");
	canvas_free(canvas);
}

static void
no_half_of_a_wide_character_is_left(void **state)
{
	struct canvas *canvas = canvas_new(6, 1, false);

	(void)state;
	/* does not fit whole */
	assert_int_equal(canvas_text(canvas, 5, 0, 9, "世", STYLE_TEXT, 0), 0);
	assert_int_equal(canvas_text(canvas, 0, 0, 3, "世界", STYLE_TEXT, 0),
			 2);
	canvas_text(canvas, 0, 0, 6, "世界人", STYLE_TEXT, 0);
	expect(canvas, false, "世界人\n");
	canvas_text(canvas, 1, 0, 1, "x", STYLE_TEXT, 0);	/* right half */
	canvas_text(canvas, 2, 0, 1, "y", STYLE_TEXT, 0);	/* left half */
	expect(canvas, false, " xy 人\n");
	canvas_fill(canvas, (struct rect){ 0, 0, 5, 1 }, STYLE_TEXT, 0);
	expect(canvas, false, "\n");
	/* sticks in by half at the left */
	canvas_text(canvas, -1, 0, 9, "世a", STYLE_TEXT, 0);
	expect(canvas, false, " a\n");
	canvas_free(canvas);
}

static void
what_may_not_reach_a_terminal_is_replaced(void **state)
{
	struct canvas *canvas = canvas_new(8, 1, false);

	(void)state;
	canvas_text(canvas, 0, 0, 8, "a\x1b[m\xff\u202e\tb", STYLE_TEXT, 0);
	expect(canvas, false, "a\ufffd[m\ufffd\ufffd\ufffdb\n");
	canvas_free(canvas);
}

static void
an_ascii_canvas_keeps_columns(void **state)
{
	struct canvas *canvas = canvas_new(10, 1, true);

	(void)state;
	canvas_text(canvas, 0, 0, 10, "é世a…e\u0301|", STYLE_TEXT, 0);
	expect(canvas, false, "???a?e|\n");
	canvas_free(canvas);
}

static void
marks_stay_on_their_base(void **state)
{
	struct canvas *canvas = canvas_new(4, 1, false);

	(void)state;
	assert_int_equal(canvas_text(canvas, 0, 0, 4,
				     "\u0301e\u0301\u0302\u0303x", STYLE_TEXT,
				     0), 2);
	expect(canvas, false, "e\u0301\u0302x\n");
	canvas_text(canvas, 0, 0, 1, "o", STYLE_TEXT, 0);
	expect(canvas, false, "ox\n");
	canvas_free(canvas);
}

static void
dump_tells_runs_of_styles(void **state)
{
	struct canvas *canvas = canvas_new(6, 1, false);

	(void)state;
	canvas_text(canvas, 0, 0, 3, "abc", STYLE_TITLE, 0);
	canvas_mark(canvas, 2, 0, 1, CELL_BOLD | CELL_UNDERLINE | CELL_DIM);
	expect(canvas, true,
	       "abc | 0-1 title, 2-2 title+bold+underline+dim, 3-5 text\n");
	canvas_free(canvas);
}

static void
a_canvas_of_no_cells_takes_everything(void **state)
{
	struct canvas *canvas = canvas_new(0, -4, false);

	(void)state;
	canvas_text(canvas, 0, 0, 9, "abc", STYLE_TEXT, 0);
	canvas_fill(canvas, (struct rect){ 0, 0, 9, 9 }, STYLE_HIT, 0);
	expect(canvas, true, "");
	canvas_resize(canvas, 2, 1);
	canvas_text(canvas, 0, 0, 9, "abc", STYLE_TEXT, 0);
	expect(canvas, false, "ab\n");
	canvas_free(canvas);
}

/* Every second half has a first half, whatever was drawn over what. */
static void
random_drawing_leaves_no_torn_cell(void **state)
{
	static const char *const texts[] = { "a", "世", "世界", "e\u0301世x",
					     "\xf0\x9f\x98\x80!", "\xff" };
	struct canvas *canvas = canvas_new(9, 2, false);

	(void)state;
	srand(7);
	for (int i = 0; i < 20000; i++) {
		int x = rand() % 13 - 2, y = rand() % 2, width = rand() % 8;

		if (rand() % 4)
			canvas_text(canvas, x, y, width, texts[rand() % 6],
				    STYLE_TEXT, 0);
		else
			canvas_fill(canvas, (struct rect){ x, y, width, 1 },
				    STYLE_TEXT, 0);
		for (int c = 0; c < 9; c++) {
			uint32_t base = canvas_at(canvas, c, y)->base;
			bool is_wide = base && char_width(base) == 2;
			bool has_half = c < 8 &&
				canvas_at(canvas, c + 1, y)->base == 0;

			assert_true(is_wide == has_half);
			assert_true(c > 0 || base != 0);
		}
	}
	canvas_free(canvas);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_is_clipped_at_every_side),
		cmocka_unit_test(fill_is_clipped_at_every_side),
		cmocka_unit_test(no_half_of_a_wide_character_is_left),
		cmocka_unit_test(what_may_not_reach_a_terminal_is_replaced),
		cmocka_unit_test(an_ascii_canvas_keeps_columns),
		cmocka_unit_test(marks_stay_on_their_base),
		cmocka_unit_test(dump_tells_runs_of_styles),
		cmocka_unit_test(a_canvas_of_no_cells_takes_everything),
		cmocka_unit_test(random_drawing_leaves_no_torn_cell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
