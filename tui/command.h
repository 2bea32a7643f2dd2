/* SPDX-License-Identifier: MIT */
/*
 * command.h - what may be typed after ":".
 *
 *	:focus=^parse    :save now.folded    :theme light    :freeze    :q
 *
 * A verb of the table below with its argument, after a blank or '=', or the
 * word of any action (tui/action.h), which then does what its key does. Words
 * may be shortened as long as one alone begins so.
 */
#ifndef TUI_COMMAND_H
#define TUI_COMMAND_H

#include <stddef.h>

#include "core/base.h"
#include "tui/action.h"

#define VERBS(_)							\
	/* verb, argument ("": none), action, help */			\
	_("baseline",	"FILE | SECONDS", BASELINE, "what to compare with") \
	_("focus",	"REGEX",	FOCUS,	"only stacks with such a function") \
	_("hide",	"REGEX",	MERGE,	"such functions' time is their callers'") \
	_("ignore",	"REGEX",	EXCLUDE, "no stacks with such a function") \
	_("open",	"FILE",		OPEN,	"look at a profile")	\
	_("quit",	"",		QUIT,	"leave flametop")	\
	_("save",	"FILE",		SAVE,	"save everything as a folded file") \
	_("search",	"REGEX",	SEARCH,	"find functions")	\
	_("set",	"OPTION [VALUE]", COMMAND, "a line of the config file") \
	_("show_from",	"REGEX",	SHOW_FROM, "such functions as roots") \
	_("theme",	"NAME",		COMMAND, "colours")		\
	_("thread",	"REGEX",	THREADS, "only threads of such a name")

struct verb_row {
	const char *word, *argument;
	enum action action;
	const char *help;
};
extern const struct verb_row verb_rows[];	/* ends with a NULL word */

struct command {
	const struct verb_row *verb;	/* NULL: an action's word */
	enum action action;
	const char *argument;		/* in the text parsed; "" if none */
};

/* What TEXT says; false with the reason and what there is instead in ERR. */
bool command_parse(const char *text, struct command *out, struct error *err);

/*
 * TEXT with its first word completed, into OUT: whole with a blank or '=' if
 * one word alone begins so, else as far as all that do agree. False, and
 * their list in OUT, when there is nothing to add.
 */
bool command_complete(const char *text, char *out, size_t size);

#endif
