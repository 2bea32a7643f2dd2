/* SPDX-License-Identifier: MIT */
/*
 * theme.c - theme files: how each style looks.
 */
#include "tui/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "tui/builtin.h"

static const char *const names16[16] = {
	"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
	"bright-black", "bright-red", "bright-green", "bright-yellow",
	"bright-blue", "bright-magenta", "bright-cyan", "bright-white",
};

/* What xterm shows for the 16; other terminals come close. */
static const int32_t rgb16[16] = {
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd,
	0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff,
	0x00ffff, 0xffffff,
};

static const int cube[6] = { 0, 95, 135, 175, 215, 255 };

enum { CUBE = 16, GREYS = 232, NGREYS = 24 };

static int
grey_level(int step)
{
	return 8 + 10 * step;
}

int32_t
colour_rgb(int number)
{
	int n = number - CUBE, level;

	if (number < CUBE)
		return rgb16[number];
	if (number < GREYS)
		return cube[n / 36] << 16 | cube[n / 6 % 6] << 8 | cube[n % 6];
	level = grey_level(number - GREYS);
	return level << 16 | level << 8 | level;
}

static int
distance(int32_t a, int32_t b)
{
	int red = (a >> 16 & 255) - (b >> 16 & 255);
	int green = (a >> 8 & 255) - (b >> 8 & 255);
	int blue = (a & 255) - (b & 255);

	return red * red + green * green + blue * blue;
}

/* The first 16 of the 256 are left out: users redefine them. */
int
colour_256(int32_t rgb)
{
	int best = CUBE;

	for (int i = CUBE; i < 256; i++)
		if (distance(rgb, colour_rgb(i)) <
		    distance(rgb, colour_rgb(best)))
			best = i;
	return best;
}

int
colour_16(int32_t rgb)
{
	int best = 0;

	for (int i = 1; i < 16; i++)
		if (distance(rgb, rgb16[i]) < distance(rgb, rgb16[best]))
			best = i;
	return best;
}

static double
channel(int32_t value)
{
	double c = value / 255.0;

	return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double
luminance(int32_t rgb)
{
	return 0.2126 * channel(rgb >> 16 & 255) +
	       0.7152 * channel(rgb >> 8 & 255) + 0.0722 * channel(rgb & 255);
}

double
colour_contrast(int32_t a, int32_t b)
{
	double la = luminance(a) + 0.05, lb = luminance(b) + 0.05;

	return la > lb ? la / lb : lb / la;
}

int
colour_odd(int bg)
{
	int n = bg - CUBE, red = n / 36, green = n / 6 % 6, blue = n % 6;

	if (bg < CUBE)
		return bg;
	if (bg >= GREYS)
		return bg >= GREYS + 3 ? bg - 3 : bg + 3;
	/*
	 * The first step of the cube is as wide as two others: where it can be
	 * left, it is. The deepest can only get lighter, in one channel.
	 */
	if (red > 1 || green > 1 || blue > 1) {
		red -= red > 1;
		green -= green > 1;
		blue -= blue > 1;
	} else if (blue) {
		blue++;
	} else if (red) {
		red++;
	} else {
		green++;
	}
	return CUBE + 36 * red + 6 * green + blue;
}

/* How bright it is, 0 … 255. */
static int
level(int32_t rgb)
{
	return (2 * (rgb >> 16 & 255) + 7 * (rgb >> 8 & 255) +
		(rgb & 255)) / 10;
}

int
colour_dim(int bg)
{
	int step = (level(colour_rgb(bg)) * 7 / 10 - 8) / 10;

	return GREYS + (step < 0 ? 0 : step);
}

int
colour_pale(int bg)
{
	int step = (255 - (255 - level(colour_rgb(bg))) * 3 / 4 + 1) / 10;

	return GREYS + (step > 23 ? 23 : step);
}

int
colour_on(int bg)
{
	int32_t rgb = colour_rgb(bg);

	return colour_contrast(rgb, 0x000000) >=
	       colour_contrast(rgb, 0xffffff) ? 16 : 231;
}

/* --- files */

static const char *
builtin_theme(const char *name)
{
	for (const struct builtin *b = builtin_files; b->kind; b++)
		if (strcmp(b->kind, "theme") == 0 &&
		    strcmp(b->name, name) == 0)
			return b->text;
	return NULL;
}

const char *
theme_builtin(const char *name, size_t *len)
{
	const char *text = builtin_theme(name);

	if (text)
		*len = strlen(text);
	return text;
}

const char *
theme_builtin_name(size_t i)
{
	for (const struct builtin *b = builtin_files; b->kind; b++)
		if (strcmp(b->kind, "theme") == 0 && i-- == 0)
			return b->name;
	return NULL;
}

static int
number16(const char *word)
{
	for (int i = 0; i < 16; i++)
		if (strcmp(names16[i], word) == 0)
			return i;
	return -1;
}

static bool
read_rgb(const char *word, int32_t *rgb)
{
	int number = number16(word);
	char *end;
	unsigned long value;

	if (strcmp(word, "default") == 0) {
		*rgb = COLOUR_DEFAULT;
		return true;
	}
	if (number < 0 && word[0] == '#') {
		value = strtoul(word + 1, &end, 16);
		if (strspn(word + 1, "0123456789abcdefABCDEF") != 6 ||
		    *end != '\0')
			return false;
		*rgb = (int32_t)value;
		return true;
	}
	if (number < 0) {
		value = strtoul(word, &end, 10);
		if (strspn(word, "0123456789") != strlen(word) ||
		    word[0] == '\0' || value > 255)
			return false;
		number = (int)value;
	}
	*rgb = colour_rgb(number);
	return true;
}

/* "colour" or "colour/one of 16"; changes WORD. */
static bool
read_colour(char *word, int32_t *rgb, int16_t *of16)
{
	char *slash = strchr(word, '/');

	if (slash)
		*slash = '\0';
	if (!read_rgb(word, rgb))
		return false;
	if (*rgb == COLOUR_DEFAULT)
		*of16 = COLOUR_DEFAULT;
	else
		*of16 = (int16_t)colour_16(*rgb);
	if (!slash)
		return true;
	*of16 = (int16_t)number16(slash + 1);
	return *of16 >= 0 && *rgb != COLOUR_DEFAULT;
}

static bool
read_attribute(const char *word, struct look *look)
{
	if (strcmp(word, "bold") == 0)
		look->is_bold = true;
	else if (strcmp(word, "underline") == 0)
		look->is_underlined = true;
	else if (strcmp(word, "reverse") == 0)
		look->is_reversed = true;
	else
		return false;
	return true;
}

static int
style_by_word(const char *word)
{
	for (int i = 0; i < STYLE_COUNT; i++)
		if (strcmp(style_words[i], word) == 0)
			return i;
	return -1;
}

/* What is wrong with WORD; it is foreign, so it is cleaned. */
static bool
complain(struct error *err, const char *what, const char *word)
{
	char shown[64];

	return fail(err, 0, "%s \"%s\"", what,
		    sanitise_into(shown, sizeof(shown), word, strlen(word)));
}

static bool
read_line(struct theme *theme, char *line, struct error *err)
{
	char *field[8], *save = NULL;
	struct look look = { 0 };
	int n = 0, style;

	for (char *f = strtok_r(line, " \t\r", &save); f && n < 8;
	     f = strtok_r(NULL, " \t\r", &save)) {
		if (strcmp(f, "#") == 0)
			break;
		field[n++] = f;
	}
	if (n == 0)
		return true;
	style = style_by_word(field[0]);
	if (style < 0)
		return complain(err, "no style", field[0]);
	if (n < 3)
		return fail(err, 0, "want \"style foreground background\"");
	if (!read_colour(field[1], &look.fg, &look.fg16))
		return complain(err, "no colour", field[1]);
	if (!read_colour(field[2], &look.bg, &look.bg16))
		return complain(err, "no colour", field[2]);
	if ((look.fg == COLOUR_DEFAULT) != (look.bg == COLOUR_DEFAULT))
		return fail(err, 0, "set both colours, or leave both default");
	for (int i = 3; i < n; i++)
		if (!read_attribute(field[i], &look))
			return complain(err, "no attribute", field[i]);
	theme->looks[style] = look;
	return true;
}

static bool
read_lines(struct theme *theme, const char *text, size_t len,
	   struct error *err)
{
	const char *end = text + len;

	for (size_t number = 1; text < end; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((stop ? stop : end) - text);
		struct error why = { 0 };
		char line[256];

		if (n >= sizeof(line) || memchr(text, '\0', n))
			return fail(err, 0, "line %zu: not text, or "
				    "longer than 255 bytes", number);
		memcpy(line, text, n);
		line[n] = '\0';
		if (!read_line(theme, line, &why))
			return fail(err, 0, "line %zu: %s", number,
				    why.text);
		text += n + (stop != NULL);
	}
	return true;
}

/* Lines of nearly white are made for a white ground. */
static void
mark_ground(struct theme *theme)
{
	int32_t bg = theme->looks[STYLE_HEALTH].bg;

	for (int i = 0; i < STYLE_COUNT; i++)
		theme->looks[i].is_on_white = bg != COLOUR_DEFAULT &&
					      level(bg) > 200;
}

bool
theme_parse(const char *text, size_t len, const char *name, struct theme *out,
	    struct error *err)
{
	const char *base = builtin_theme("default");
	struct theme theme = { 0 };

	if (base && !read_lines(&theme, base, strlen(base), err))
		return false;
	if (!read_lines(&theme, text, len, err))
		return false;
	mark_ground(&theme);
	snprintf(theme.name, sizeof(theme.name), "%s", name);
	*out = theme;
	return true;
}

bool
theme_is_mono(const struct theme *theme)
{
	for (int i = 0; i < STYLE_COUNT; i++)
		if (theme->looks[i].fg != COLOUR_DEFAULT)
			return false;
	return true;
}
