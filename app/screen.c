/* SPDX-License-Identifier: MIT */
/*
 * screen.c - themes, keys, terminal.
 */
#include "app/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/config.h"
#include "tui/term.h"

static void
read_keys(struct screen *screen, struct opener *opener)
{
	struct error err;
	size_t len;
	char *text = config_file(opener, "keys", &len);

	screen->keymap = keymap_new();
	if (text && !keymap_read(screen->keymap, text, len, &err)) {
		config_blame("keys", &err);
		snprintf(screen->warning, sizeof(screen->warning),
			 "%s", err.text);
	}
	free(text);
}

static bool
refuse_theme(const char *name, struct error *err)
{
	char list[160] = "";
	const char *each;
	size_t used = 0;

	for (size_t i = 0; (each = theme_builtin_name(i)) &&
	     used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used,
					 " %s", each);
	return fail(err, 0, "there is no theme \"%.40s\"; built in are%s",
		    name, list);
}

/* The Linux console has eight colours and a font of 512 characters. */
static const char *
default_theme(void)
{
	const char *term = getenv("TERM");

	return term && strcmp(term, "linux") == 0 ? "console" : "default";
}

static bool
read_theme(struct screen *screen, struct opener *opener, const char *name,
	   struct error *err)
{
	const char *builtin;
	char file[64], *text = NULL;
	size_t len;
	bool ok;

	if (strlen(name) < 32 && !strchr(name, '/')) {
		snprintf(file, sizeof(file), "themes/%s.theme", name);
		text = config_file(opener, file, &len);
	}
	builtin = text ? text : theme_builtin(name, &len);
	ok = builtin ? theme_parse(builtin, len, name, &screen->theme, err) :
		       refuse_theme(name, err);
	if (!ok && text)
		config_blame(file, err);
	free(text);
	return ok;
}

static bool
take_terminal(struct screen *screen, struct error *err)
{
	atomic_store(&screen->shared->has_screen, true);
	if (!term_open(screen->options->colours, err)) {
		atomic_store(&screen->shared->has_screen, false);
		return false;
	}
	term_set_theme(&screen->theme);
	return true;
}

bool
screen_open(const struct options *options, struct shared *shared,
	    struct screen *screen, struct error *err)
{
	struct opener *opener = opener_new();
	int width, height;
	bool ok;

	*screen = (struct screen){ .options = options, .shared = shared };
	snprintf(screen->warning, sizeof(screen->warning), "%s",
		 options->problem);
	read_keys(screen, opener);
	ok = read_theme(screen, opener, options->theme ? options->theme :
			default_theme(), err) &&
	     take_terminal(screen, err);
	opener_free(opener);
	if (!ok) {
		keymap_free(screen->keymap);
		return false;
	}
	term_set_mouse(options->has[OPTION_MOUSE] &&
		       !options->has[OPTION_NO_MOUSE]);
	term_size(&width, &height);
	screen->canvas = canvas_new(width, height,
				    options->has[OPTION_ASCII] ||
				    term_is_ascii());
	return true;
}

bool
screen_set_theme(struct screen *screen, struct opener *opener,
		 const char *name, struct error *err)
{
	if (!read_theme(screen, opener, name, err))
		return false;
	term_set_theme(&screen->theme);
	return true;
}

void
screen_leave(struct screen *screen)
{
	term_close();
	atomic_store(&screen->shared->has_screen, false);
}

bool
screen_return(struct screen *screen, struct error *err)
{
	return take_terminal(screen, err);
}

void
screen_close(struct screen *screen)
{
	screen_leave(screen);
	canvas_free(screen->canvas);
	keymap_free(screen->keymap);
}

bool
screen_fit(struct screen *screen)
{
	int width, height;

	term_size(&width, &height);
	if (width == canvas_width(screen->canvas) &&
	    height == canvas_height(screen->canvas))
		return false;
	canvas_resize(screen->canvas, width, height);
	return true;
}

bool
screen_is_possible(const struct options *options)
{
	const char *term = getenv("TERM");

	return !options->has[OPTION_PLAIN] && isatty(STDIN_FILENO) &&
	       isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0;
}
