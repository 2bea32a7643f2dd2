/* SPDX-License-Identifier: MIT */
/*
 * term.c - the terminal, by curses; no other file includes it.
 *
 * Curses keeps its own picture of the screen and sends what differs. Each
 * style of the theme becomes a colour pair and attributes once, when the
 * theme is set, in three variants: plain, odd and dim; that is below the
 * 256 pairs that every terminal with many colours has.
 *
 * size: all that knows curses is here.
 */
#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#include "core/sanitise.h"
#include "tui/keymap.h"
#include "tui/paint.h"
#include "tui/term_modes.h"

#define ESCAPE_MS 25
#define BAD_CHAR 0xfffd

struct pen {
	attr_t attrs;
	short pair;
	bool is_never_bold;	/* black of few colours would turn grey */
};

static struct {
	SCREEN *screen;		/* NULL: not open */
	WINDOW *input;		/* a pad: reading it refreshes nothing */
	struct termios before;
	int colours;		/* 256, 16, 8 or 0 */
	bool is_ascii;
	struct pen pens[STYLE_COUNT][PAINT_VARIANTS];
	short pairs;		/* in use, with pair 0 */
	short pair_fg[256], pair_bg[256];
	struct term_keys keys;
	struct term_modes modes;
} term;

/* --- opening */

/* A locale that is not installed still says what the terminal speaks. */
static void
choose_locale(void)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE",
						 "LANG" };
	const char *wanted = NULL;

	if (setlocale(LC_CTYPE, ""))
		return;
	for (size_t i = 0; i < ARRAY_LEN(variables); i++)
		if (!wanted || !*wanted)
			wanted = getenv(variables[i]);
	if (wanted && (strcasestr(wanted, "utf-8") ||
		       strcasestr(wanted, "utf8")))
		setlocale(LC_CTYPE, "C.UTF-8");
}

/* Ask terminfo without letting curses decide to exit. */
static bool
check_terminal(const char *name, struct error *err)
{
	const char *instead = "use --plain, or flametop report";
	TERMINAL *old = cur_term;
	int status = 0;
	char *move;

	if (!name || !*name)
		return fail(err, 0, "TERM is not set: %s", instead);
	if (strlen(name) > 80 || setupterm(name, STDOUT_FILENO, &status) != OK)
		return fail(err, 0, status < 0 ?
			    "no terminal descriptions (terminfo) here: %s" :
			    "this terminal is not known (TERM): %s", instead);
	move = tigetstr("cup");
	del_curterm(set_curterm(old));
	if (!move || move == (char *)-1)
		return fail(err, 0, "TERM=%s cannot place the cursor: %s",
			    name, instead);
	return true;
}

/* With --color 256 a terminal that is better than its name is believed. */
static const char *
terminal_name(enum term_colours colours, char *out, size_t size)
{
	const char *name = getenv("TERM");
	struct error ignored;

	if (colours != TERM_256 || !name || strstr(name, "256"))
		return name;
	snprintf(out, size, "%s-256color", name);
	return check_terminal(out, &ignored) ? out : name;
}

static int
choose_colours(enum term_colours wanted)
{
	const char *no_color = getenv("NO_COLOR");

	if (wanted == TERM_MONO || !has_colors() ||
	    (wanted == TERM_AUTO && no_color && *no_color))
		return 0;
	start_color();
	use_default_colors();
	if (COLORS >= 256 && wanted != TERM_16)
		return 256;
	return COLORS >= 16 ? 16 : 8;
}

/* Curses installs handlers where it finds none; put back what was there. */
static SCREEN *
open_screen(const char *name)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGQUIT, SIGTSTP,
				       SIGWINCH };
	struct sigaction before[ARRAY_LEN(signals)];
	struct winsize size;
	SCREEN *screen;

	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], NULL, &before[i]);
	/* Curses believes any size and wants memory for all of it. */
	use_env(ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
		(size.ws_col <= TERM_WIDTH && size.ws_row <= TERM_HEIGHT));
	screen = newterm(name, stdout, stdin);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &before[i], NULL);
	return screen;
}

static int32_t next_code(void *ctx);

bool
term_open(enum term_colours colours, struct error *err)
{
	char longer[96];
	const char *name = terminal_name(colours, longer, sizeof(longer));
	int width, height;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    tcgetattr(STDIN_FILENO, &term.before) != 0)
		return fail(err, 0, "standard input and output are not a "
			    "terminal: use --plain, or flametop report");
	if (!check_terminal(name, err))
		return false;
	choose_locale();
	set_escdelay(ESCAPE_MS);
	term.screen = open_screen(name);
	if (!term.screen)
		return fail(err, 0, "cannot use this terminal: use --plain, "
			    "or flametop report");
	term.is_ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	term.colours = choose_colours(colours);
	term.keys = (struct term_keys){ .pending = CODE_NONE };
	raw();
	noecho();
	nonl();
	curs_set(0);
	term.input = newpad(1, 1);
	keypad(term.input, TRUE);
	nodelay(term.input, TRUE);
	keyok(KEY_MOUSE, FALSE);	/* its bytes are skipped here, whole */
	term_size(&width, &height);
	term_modes_open(&term.modes, name);
	return true;
}

static bool
is_foreground(void)
{
	return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

void
term_set_mouse(bool is_on)
{
	term.modes.wants_mouse = is_on;
}

bool
term_has_mouse(void)
{
	return term.modes.wants_mouse;
}

struct mouse
term_mouse(void)
{
	return term.keys.mouse;
}

void
term_set_sync(bool is_on)
{
	term.modes.no_sync = !is_on;
}

uint64_t
term_distance(uint64_t now_ns)
{
	return term.screen ? term_modes_distance(&term.modes, now_ns)
			   : PACE_MIN_NS;
}

bool
term_copy(const char *text)
{
	return term.screen && term_modes_copy(text);
}

void
term_close(void)
{
	if (!term.screen)
		return;
	term_modes_close(&term.modes, &term.keys, next_code, NULL);
	/*
	 * A terminal that takes nothing would hold endwin() for ever. What it
	 * has not taken is worth nothing now; if that makes no room either,
	 * leave the screen to whoever looks at it next.
	 */
	if (!tty_is_ready(STDOUT_FILENO, POLLOUT))
		tcflush(STDOUT_FILENO, TCOFLUSH);
	if (tty_is_ready(STDOUT_FILENO, POLLOUT))
		endwin();
	tcsetattr(STDIN_FILENO, TCSANOW, &term.before);
	delwin(term.input);
	delscreen(term.screen);
	term.screen = NULL;
}

/* --- looks */

static short
pair_of(int fg, int bg)
{
	short n;

	if (fg < 0 || bg < 0)
		return 0;
	for (n = 1; n < term.pairs; n++)
		if (term.pair_fg[n] == fg && term.pair_bg[n] == bg)
			return n;
	if (n >= COLOR_PAIRS || n >= (short)ARRAY_LEN(term.pair_fg) ||
	    init_pair(n, (short)fg, (short)bg) == ERR)
		return 0;
	term.pair_fg[n] = (short)fg;
	term.pair_bg[n] = (short)bg;
	term.pairs++;
	return n;
}

static struct pen
pen_of(const struct look *look, enum paint_variant variant)
{
	struct paint paint = paint_of(look, variant, term.colours);
	struct pen pen = { .pair = pair_of(paint.fg, paint.bg),
			   .is_never_bold = paint.is_never_bold };

	pen.attrs |= paint.is_bold ? A_BOLD : 0;
	pen.attrs |= paint.is_underlined ? A_UNDERLINE : 0;
	pen.attrs |= paint.is_reversed ? A_REVERSE : 0;
	return pen;
}

void
term_set_theme(const struct theme *theme)
{
	struct theme mono;
	struct error ignored;
	const char *text;
	size_t len;

	if (!term.screen)
		return;
	if (!term.colours && !theme_is_mono(theme)) {
		text = theme_builtin("mono", &len);
		if (text && theme_parse(text, len, "mono", &mono, &ignored))
			theme = &mono;
	}
	term.pairs = 1;
	for (int style = 0; style < STYLE_COUNT; style++)
		for (int v = 0; v < PAINT_VARIANTS; v++)
			term.pens[style][v] =
				pen_of(&theme->looks[style],
				       (enum paint_variant)v);
	term_redraw();
}

bool
term_is_ascii(void)
{
	return term.is_ascii;
}

bool
term_has_few_colours(void)
{
	return term.colours < 256;
}

/* --- showing */

static int
clamp(int value, int most)
{
	return value < 1 ? 1 : value > most ? most : value;
}

void
term_size(int *width, int *height)
{
	struct winsize size = { 0 };

	*width = 80;
	*height = 24;
	if (!term.screen)
		return;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 &&
	    size.ws_col && size.ws_row) {
		*width = clamp(size.ws_col, TERM_WIDTH);
		*height = clamp(size.ws_row, TERM_HEIGHT);
	}
	if (*width != COLS || *height != LINES)
		resizeterm(*height, *width);
}

/*
 * The terminal's idea of a width may differ from ours by its age. What it
 * would draw wider or narrower than its cells is replaced.
 */
static size_t
cell_text(const struct canvas *canvas, int x, int y, wchar_t *out)
{
	const struct cell_char *c = canvas_at(canvas, x, y);
	bool is_wide = x + 1 < canvas_width(canvas) &&
		       canvas_at(canvas, x + 1, y)->base == 0;
	size_t n = 0;

	if (c->base >= 0x20 && c->base < 0x7f) {
		out[n++] = (wchar_t)c->base;
	} else if (term.is_ascii) {
		out[n++] = L'?';
	} else if (!is_visible(c->base) ||
		   wcwidth((wchar_t)c->base) != (is_wide ? 2 : 1)) {
		out[n++] = BAD_CHAR;
	} else {
		out[n++] = (wchar_t)c->base;
	}
	for (int i = 0; i < CELL_MARKS && c->marks[i]; i++)
		if (!term.is_ascii && wcwidth((wchar_t)c->marks[i]) == 0)
			out[n++] = (wchar_t)c->marks[i];
	out[n] = L'\0';
	return n;
}

static void
show_cell(const struct canvas *canvas, int x, int y)
{
	const struct cell_char *c = canvas_at(canvas, x, y);
	enum paint_variant variant = c->flags & CELL_DIM ? PAINT_DIM :
				     c->flags & CELL_ODD ? PAINT_ODD :
							   PAINT_PLAIN;
	struct pen pen = term.pens[c->style][variant];
	wchar_t text[CELL_MARKS + 2];
	cchar_t cell;

	cell_text(canvas, x, y, text);
	if (c->flags & CELL_BOLD && !pen.is_never_bold)
		pen.attrs |= A_BOLD;
	if (c->flags & CELL_UNDERLINE)
		pen.attrs |= A_UNDERLINE;
	if (setcchar(&cell, text, pen.attrs, pen.pair, NULL) == OK)
		mvadd_wch(y, x, &cell);
}

bool
term_show(const struct canvas *canvas, uint64_t now_ns)
{
	int width = canvas_width(canvas), height = canvas_height(canvas);
	bool is_held;

	if (!term.screen || !is_foreground() ||
	    !tty_is_ready(STDOUT_FILENO, POLLOUT))
		return false;
	width = width < COLS ? width : COLS;
	height = height < LINES ? height : LINES;
	for (int y = 0; y < height; y++)
		for (int x = 0; x < width; x++)
			if (canvas_at(canvas, x, y)->base != 0)
				show_cell(canvas, x, y);
	is_held = term_modes_begin(&term.modes, &term.keys);
	refresh();
	term_modes_end(&term.modes, is_held, now_ns);
	return true;
}

void
term_redraw(void)
{
	if (term.screen)
		clearok(curscr, TRUE);
}

/* --- keys */

static uint32_t
curses_key(int code)
{
	static const struct {
		int code;
		uint32_t key;
	} keys[] = {
		{ KEY_UP, KEYS_UP },		{ KEY_DOWN, KEYS_DOWN },
		{ KEY_LEFT, KEYS_LEFT },	{ KEY_RIGHT, KEYS_RIGHT },
		{ KEY_PPAGE, KEYS_PAGE_UP },	{ KEY_NPAGE, KEYS_PAGE_DOWN },
		{ KEY_HOME, KEYS_HOME },	{ KEY_END, KEYS_END },
		{ KEY_ENTER, KEYS_ENTER },	{ KEY_DC, KEYS_DELETE },
		{ KEY_BACKSPACE, KEYS_BACKSPACE },
		{ KEY_BTAB, KEYS_BACK_TAB },	{ KEY_F(1), KEYS_F1 },
		{ KEY_SLEFT, KEYS_S_LEFT },	{ KEY_SRIGHT, KEYS_S_RIGHT },
		{ KEY_RESIZE, KEYS_RESIZE },
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return KEY_NONE_PRESSED;
}

/* As term_code_fn. What curses knows beyond our keys is none. */
static int32_t
next_code(void *ctx)
{
	int code = wgetch(term.input);

	(void)ctx;
	while (code > 0xff && curses_key(code) == KEY_NONE_PRESSED)
		code = wgetch(term.input);
	if (code == ERR)
		return CODE_NONE;
	return code > 0xff ? (int32_t)curses_key(code) : code;
}

/* In the background a key belongs to another: wait, do not spin. */
static void
nap(void)
{
	struct timespec time = { .tv_nsec = ESCAPE_MS * 1000000 };

	nanosleep(&time, NULL);
}

uint32_t
term_key(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	int waiting = 0;
	uint32_t key;

	if (!term.screen)
		return KEY_NONE_PRESSED;
	if (poll(&in, 1, 0) < 0)
		in.revents = 0;
	if (in.revents & (POLLHUP | POLLERR | POLLNVAL))
		return KEYS_GONE;
	if (!is_foreground()) {
		if (in.revents & POLLIN)
			nap();
		return KEY_NONE_PRESSED;
	}
	do	/* nobody asked for the mouse: some program before us did */
		key = term_keys_next(&term.keys, next_code, NULL);
	while (key == KEYS_MOUSE && !term.modes.wants_mouse);
	if (key != KEY_NONE_PRESSED)
		return key;
	/* Readable, yet nothing to read: the end of the file. */
	if ((in.revents & POLLIN) && tty_is_ready(STDIN_FILENO, POLLIN) &&
	    ioctl(STDIN_FILENO, FIONREAD, &waiting) == 0 && waiting == 0)
		return KEYS_GONE;
	return KEY_NONE_PRESSED;
}
