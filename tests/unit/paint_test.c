/* SPDX-License-Identifier: MIT */
/*
 * paint_test.c - every cell that any theme makes on any terminal: can its text
 * be read, and can what is beside it be told apart?
 */
#include "tui/paint.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define READABLE 4.5		/* WCAG 2.1, level AA */
/* Distances in CIE L*a*b*; 2.3 is what an eye can just see. */
#define APART 15.0		/* cursor and hits beside frames */
#define NEIGHBOURS 7.5		/* the two lightness steps */
#define KINDS_APART 5.0		/* the two most alike shades of two kinds */

static const int modes[] = { 256, 16, 8, 0 };
static const char *const variants[] = { "plain", "odd", "dim" };

static struct theme
builtin(const char *name)
{
	struct theme theme;
	struct error err;
	size_t len = 0;
	const char *text = theme_builtin(name, &len);

	assert_non_null(text);
	if (!theme_parse(text, len, name, &theme, &err))
		fail_msg("%s: %s", name, err.text);
	return theme;
}

static bool
is_frame(int style)
{
	return style >= STYLE_ROOT;
}

/* The number of the colour that is seen: bold makes the eight bright. */
static int
seen_fg(const struct paint *paint, int colours)
{
	return colours == 8 && paint->is_bold ? paint->fg + 8 : paint->fg;
}

static void
check_readable(const char *name, int style, int variant, int colours,
	       const struct paint *paint)
{
	int fg = seen_fg(paint, colours);
	double contrast = colour_contrast(colour_rgb(fg),
					  colour_rgb(paint->bg));

	if (contrast < READABLE)
		fail_msg("%s, %s, %s, %d colours: %d on %d is %.2f", name,
			 style_words[style], variants[variant], colours, fg,
			 paint->bg, contrast);
	if (fg == 8)
		fail_msg("%s, %s: bright black", name, style_words[style]);
	if (colours < 256)
		assert_in_range(paint->bg, 0, 7);
}

static void
all_text_is_readable(void **state)
{
	const char *name;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		struct theme theme = builtin(name);

		for (size_t m = 0; m < ARRAY_LEN(modes); m++)
			for (int s = 0; s < STYLE_COUNT; s++)
				for (int v = 0; v < PAINT_VARIANTS; v++) {
					struct paint paint = paint_of(
						&theme.looks[s], v, modes[m]);

					if (v == PAINT_ODD && !is_frame(s))
						continue;
					assert_int_equal(
						paint.fg == COLOUR_DEFAULT,
						paint.bg == COLOUR_DEFAULT);
					if (paint.fg != COLOUR_DEFAULT)
						check_readable(name, s, v,
							       modes[m],
							       &paint);
				}
	}
}

/* The Linux console has colours of its own: its yellow is a brown. */
static void
the_console_theme_is_readable_on_a_console(void **state)
{
	static const int32_t vga[16] = {
		0x000000, 0xaa0000, 0x00aa00, 0xaa5500, 0x0000aa, 0xaa00aa,
		0x00aaaa, 0xaaaaaa, 0x555555, 0xff5555, 0x55ff55, 0xffff55,
		0x5555ff, 0xff55ff, 0x55ffff, 0xffffff,
	};
	struct theme theme = builtin("console");

	(void)state;
	for (int s = 0; s < STYLE_COUNT; s++)
		for (int v = 0; v < PAINT_VARIANTS; v++) {
			struct paint p = paint_of(&theme.looks[s], v, 8);

			if (p.fg == COLOUR_DEFAULT)
				continue;
			if (colour_contrast(vga[seen_fg(&p, 8)], vga[p.bg]) <
			    READABLE)
				fail_msg("%s %s: %d on %d", style_words[s],
					 variants[v], seen_fg(&p, 8), p.bg);
			assert_false(p.is_underlined);
		}
}

/* What is no hit steps back: towards the ground, not away from it. */
static void
dim_frames_come_near_the_ground(void **state)
{
	static const struct {
		const char *theme;
		int ground;
	} grounds[] = { { "default", 16 }, { "dusk", 16 }, { "light", 231 },
			{ "paper", 231 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(grounds); i++) {
		struct theme theme = builtin(grounds[i].theme);
		int32_t ground = colour_rgb(grounds[i].ground);

		for (int s = STYLE_PROGRAM_1; s <= STYLE_UNKNOWN_4; s++) {
			struct look *look = &theme.looks[s];
			int plain = paint_of(look, PAINT_PLAIN, 256).bg;
			int dim = paint_of(look, PAINT_DIM, 256).bg;

			assert_true(colour_contrast(colour_rgb(dim), ground) <=
				    colour_contrast(colour_rgb(plain),
						    ground));
		}
	}
}

static void
no_style_asks_for_dim_text(void **state)
{
	struct theme mono = builtin("mono");
	struct paint frame = paint_of(&mono.looks[STYLE_PROGRAM_1], PAINT_DIM,
				      0);

	(void)state;
	assert_false(frame.is_reversed);	/* it steps back instead */
	assert_false(frame.is_bold);
}

/* --- how colours look to people */

enum sight { NORMAL, PROTAN, DEUTAN, TRITAN };

/*
 * Colours as those see them whose eyes lack one kind of cone, in linear RGB:
 * Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation
 * of Color Vision Deficiency", 2009, table 1 at severity 1.0.
 */
static const double sights[][3][3] = {
	[NORMAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	[PROTAN] = { { 0.152286, 1.052583, -0.204868 },
		     { 0.114503, 0.786281, 0.099216 },
		     { -0.003882, -0.048116, 1.051998 } },
	[DEUTAN] = { { 0.367322, 0.860646, -0.227968 },
		     { 0.280085, 0.672501, 0.047413 },
		     { -0.011820, 0.042940, 0.968881 } },
	[TRITAN] = { { 1.255528, -0.076749, -0.178779 },
		     { -0.078411, 0.930809, 0.147602 },
		     { 0.004733, 0.691367, 0.303900 } },
};

static double
linear(int value)
{
	double c = value / 255.0;

	return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* of RGB as SIGHT sees it. */
static void
to_lab(int32_t rgb, enum sight sight, double lab[3])
{
	double in[3] = { linear(rgb >> 16 & 255), linear(rgb >> 8 & 255),
			 linear(rgb & 255) };
	double c[3], x, y, z;

	for (int i = 0; i < 3; i++) {
		c[i] = 0;
		for (int j = 0; j < 3; j++)
			c[i] += sights[sight][i][j] * in[j];
		c[i] = c[i] < 0 ? 0 : c[i] > 1 ? 1 : c[i];
	}
	x = (0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505;
	y = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
	z = (0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089;
	lab[0] = 116 * curve(y) - 16;
	lab[1] = 500 * (curve(x) - curve(y));
	lab[2] = 200 * (curve(y) - curve(z));
}

static double
far_apart(int a, int b, enum sight sight)
{
	double p[3], q[3];

	to_lab(colour_rgb(a), sight, p);
	to_lab(colour_rgb(b), sight, q);
	return sqrt((p[0] - q[0]) * (p[0] - q[0]) +
		    (p[1] - q[1]) * (p[1] - q[1]) +
		    (p[2] - q[2]) * (p[2] - q[2]));
}

static enum sight
sight_of(const char *theme)
{
	return strcmp(theme, "protan") == 0   ? PROTAN
	       : strcmp(theme, "deutan") == 0 ? DEUTAN
	       : strcmp(theme, "tritan") == 0 ? TRITAN
					      : NORMAL;
}

static int
ground(const struct theme *theme, int style, enum paint_variant variant)
{
	return paint_of(&theme->looks[style], variant, 256).bg;
}

static void
check_apart(const struct theme *theme, int a, enum paint_variant va, int b,
	    enum paint_variant vb, double least)
{
	double is = far_apart(ground(theme, a, va), ground(theme, b, vb),
			      sight_of(theme->name));

	if (is < least)
		fail_msg("%s: %s and %s %s are %.1f apart", theme->name,
			 style_words[a], style_words[b], variants[vb], is);
}

static void
neighbours_cursor_and_hits_can_be_told_apart(void **state)
{
	const char *name;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		struct theme theme = builtin(name);

		if (theme_is_mono(&theme))
			continue;
		for (int s = STYLE_ROOT; s < STYLE_COUNT; s++) {
			check_apart(&theme, s, PAINT_PLAIN, s, PAINT_ODD,
				    NEIGHBOURS);
			for (int v = 0; v < PAINT_VARIANTS; v++)
				check_apart(&theme, STYLE_CURSOR, PAINT_PLAIN,
					    s, v, APART);
			for (int v = 0; v < PAINT_DIM; v++)
				check_apart(&theme, STYLE_HIT, PAINT_PLAIN, s,
					    v, APART);
		}
		check_apart(&theme, STYLE_CURSOR, PAINT_PLAIN, STYLE_HIT,
			    PAINT_PLAIN, APART);
		check_apart(&theme, STYLE_MINIMAP, PAINT_PLAIN,
			    STYLE_MINIMAP_ZOOM, PAINT_PLAIN, 0);
	}
}

/* Each theme for the eyes it is made for. */
static void
kinds_and_differences_can_be_told_apart(void **state)
{
	static const char *const names[] = { "default", "light", "dusk",
					     "aurora", "paper", "ember",
					     "protan", "deutan", "tritan" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct theme theme = builtin(names[i]);

		for (int a = STYLE_PROGRAM_1; a <= STYLE_UNKNOWN_4; a++)
			for (int b = a + 1; b <= STYLE_UNKNOWN_4; b++)
				if ((a - STYLE_PROGRAM_1) / 4 !=
				    (b - STYLE_PROGRAM_1) / 4)
					check_apart(&theme, a, PAINT_PLAIN, b,
						    PAINT_PLAIN, KINDS_APART);
		for (int a = STYLE_DIFF_MORE_1; a <= STYLE_DIFF_GONE; a++)
			for (int b = a + 1; b <= STYLE_DIFF_GONE; b++)
				check_apart(&theme, a, PAINT_PLAIN, b,
					    PAINT_PLAIN, KINDS_APART);
	}
}

/* Whatever the eyes: no theme says more and less by red and green. */
static void
more_and_less_differ_for_all_eyes(void **state)
{
	const char *name;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		struct theme theme = builtin(name);

		for (int n = 0; n < 3 && !theme_is_mono(&theme); n++)
			for (int sight = NORMAL; sight <= TRITAN; sight++)
				assert_true(far_apart(
					ground(&theme, STYLE_DIFF_MORE_1 + n,
					       PAINT_PLAIN),
					ground(&theme, STYLE_DIFF_LESS_1 + n,
					       PAINT_PLAIN),
					(enum sight)sight) > KINDS_APART);
	}
}

static bool
paint_alike(const struct theme *theme, int a, int b, int colours)
{
	struct paint p = paint_of(&theme->looks[a], PAINT_PLAIN, colours);
	struct paint q = paint_of(&theme->looks[b], PAINT_PLAIN, colours);

	return p.fg == q.fg && p.bg == q.bg && p.is_bold == q.is_bold &&
	       p.is_reversed == q.is_reversed &&
	       p.is_underlined == q.is_underlined;
}

static void
few_colours_tell_roles_apart_too(void **state)
{
	static const int pairs[][2] = {
		{ STYLE_DIFF_MORE_3, STYLE_DIFF_LESS_3 },
		{ STYLE_DIFF_MORE_1, STYLE_DIFF_SAME },
		{ STYLE_DIFF_LESS_1, STYLE_DIFF_SAME },
		{ STYLE_DIFF_NEW, STYLE_DIFF_GONE },
		{ STYLE_MINIMAP, STYLE_MINIMAP_ZOOM },
		{ STYLE_CURSOR, STYLE_SAME },
		{ STYLE_CURSOR, STYLE_HIT },
		{ STYLE_SELECTED, STYLE_BIN_ROW },
		{ STYLE_CHIP, STYLE_TEXT },
		{ STYLE_CURSOR, STYLE_CRUMB },
		{ STYLE_CURSOR, STYLE_ANCESTOR },
	};
	const char *name;

	(void)state;
	for (size_t i = 0; (name = theme_builtin_name(i)); i++) {
		struct theme theme = builtin(name);

		for (size_t m = 0; m < ARRAY_LEN(modes); m++)
			for (size_t p = 0; p < ARRAY_LEN(pairs) &&
			     (modes[m] > 0) == !theme_is_mono(&theme); p++)
				if (paint_alike(&theme, pairs[p][0],
						pairs[p][1], modes[m]))
					fail_msg("%s, %d colours: %s is as %s",
						 name, modes[m],
						 style_words[pairs[p][0]],
						 style_words[pairs[p][1]]);
	}
}

static void
pairs_of_all_themes_fit_a_terminal(void **state)
{
	(void)state;
	/* one for each style and variant at most, and the terminal's own */
	assert_true(STYLE_COUNT * PAINT_VARIANTS < 256);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_text_is_readable),
		cmocka_unit_test(the_console_theme_is_readable_on_a_console),
		cmocka_unit_test(dim_frames_come_near_the_ground),
		cmocka_unit_test(no_style_asks_for_dim_text),
		cmocka_unit_test(neighbours_cursor_and_hits_can_be_told_apart),
		cmocka_unit_test(kinds_and_differences_can_be_told_apart),
		cmocka_unit_test(more_and_less_differ_for_all_eyes),
		cmocka_unit_test(few_colours_tell_roles_apart_too),
		cmocka_unit_test(pairs_of_all_themes_fit_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
