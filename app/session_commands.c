/* SPDX-License-Identifier: MIT */
/*
 * session_commands.c - what was typed after ":" and is about the session.
 */
#include <string.h>

#include "app/session_private.h"
#include "core/sanitise.h"
#include "tui/term.h"

static bool
set_theme(struct session *s, const char *value, struct error *err)
{
	return screen_set_theme(&s->screen, s->files, value, err);
}

/* "on", "off", or nothing, which is on. */
static bool
parse_switch(const char *value, bool *is_on, struct error *err)
{
	*is_on = strcmp(value, "off") != 0;
	return !*is_on || !*value || strcmp(value, "on") == 0 ||
	       fail(err, 0, "it can be on or off");
}

static bool
set_mouse(struct session *s, const char *value, struct error *err)
{
	bool is_on;

	if (!parse_switch(value, &is_on, err))
		return false;
	session_set_mouse(s, is_on);
	return true;
}

static bool
set_chains(struct session *s, const char *value, struct error *err)
{
	bool is_on;

	if (!parse_switch(value, &is_on, err))
		return false;
	s->has_no_chains = !is_on;
	return true;
}

static bool
set_sync(struct session *s, const char *value, struct error *err)
{
	bool is_on;

	(void)s;
	if (!parse_switch(value, &is_on, err))
		return false;
	term_set_sync(is_on);
	return true;
}

/* What can be changed while the screen is there. */
static const struct setting {
	const char *word;
	bool (*set)(struct session *s, const char *value, struct error *err);
} settings[] = {
	{ "chains", set_chains },
	{ "mouse", set_mouse },
	{ "sync", set_sync },
	{ "theme", set_theme },
};

const char *
session_setting(size_t i)
{
	return i < ARRAY_LEN(settings) ? settings[i].word : NULL;
}

static bool
set(struct session *s, const char *text, struct error *err)
{
	size_t len = strcspn(text, " ="), gap;
	char shown[40];

	gap = strspn(text + len, " =");
	for (size_t i = 0; i < ARRAY_LEN(settings); i++)
		if (strlen(settings[i].word) == len &&
		    strncmp(settings[i].word, text, len) == 0)
			return settings[i].set(s, text + len + gap, err);
	return fail(err, 0, "\"%s\" cannot be set here: give it in the config "
		    "file or on the command line",
		    sanitise_into(shown, sizeof(shown), text, len));
}

void
session_command(struct session *s, const char *text)
{
	struct error err;

	text += strspn(text, " :");
	if (strncmp(text, "set", 3) == 0 && strchr(" =", text[3]))
		text += 3 + strspn(text + 3, " =");
	if (!set(s, text, &err))
		tui_message(s->tui, true, "%s", err.text);
}
