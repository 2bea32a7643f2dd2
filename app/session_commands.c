/* SPDX-License-Identifier: MIT */
/*
 * session_commands.c - what was typed after ":" and is about the session.
 */
#include <string.h>

#include "app/session_private.h"
#include "core/sanitise.h"

/* What can be changed while the screen is there. */
static const struct setting {
	const char *word;
	bool (*set)(struct session *s, const char *value, struct error *err);
} settings[];

static bool
set_theme(struct session *s, const char *value, struct error *err)
{
	return screen_set_theme(&s->screen, s->files, value, err);
}

static const struct setting settings[] = {
	{ "theme", set_theme },
	{ NULL, NULL }
};

static bool
set(struct session *s, const char *text, struct error *err)
{
	size_t len = strcspn(text, " ="), gap;
	char shown[40];

	gap = strspn(text + len, " =");
	for (const struct setting *each = settings; each->word; each++)
		if (strlen(each->word) == len &&
		    strncmp(each->word, text, len) == 0)
			return each->set(s, text + len + gap, err);
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
