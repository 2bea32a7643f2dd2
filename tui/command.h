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

#include <stdbool.h>
#include <stddef.h>

#include "core/base.h"
#include "tui/action.h"

#define VERBS(_)							\
	/* verb, argument ("": none), action, help */			\
	_("baseline",	"FILE | SECONDS", BASELINE, "what to compare with") \
	_("cut",	"PERCENT",	CUT,	"what has less goes together; 0: nothing does") \
	_("focus",	"REGEX",	FOCUS,	"only stacks with such a function") \
	_("hide",	"REGEX",	MERGE,	"such functions' time is their callers'") \
	_("ignore",	"REGEX",	EXCLUDE, "no stacks with such a function") \
	_("open",	"FILE",		OPEN,	"look at a profile")	\
	_("quit",	"",		QUIT,	"leave flametop")	\
	_("save",	"FILE",		SAVE,	"save everything: folded, .pb.gz, .json or .svg") \
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
 * All words that the first of TEXT may become, into WORDS with room for
 * COMMAND_WORDS; 0: it is complete, or there is none.
 */
#define COMMAND_WORDS (ACTION_COUNT + 16)
size_t command_words(const char *text, const char **words);

/* Does WORD want something after it? */
bool command_takes_more(const char *word);

/* The verb that TEXT begins with and is finished; *ARGUMENT follows it. */
const struct verb_row *command_verb(const char *text, const char **argument);

#endif
