/* SPDX-License-Identifier: MIT */
/*
 * tui_complete.c - Tab in a prompt.
 *
 * The first word of a command is known here. Files, themes and what can be set
 * are the session's business: it is asked, and answers when it knows, which
 * counts if nothing else was typed in between.
 */
#include <stdio.h>
#include <string.h>

#include "tui/command.h"
#include "tui/tui_private.h"

/* What Tab is about: the end of what is typed, from FROM on. */
struct part {
	enum offer_kind kind;
	size_t from;
};

static enum offer_kind
kind_of(const struct verb_row *verb)
{
	switch (verb->action) {
	case ACTION_OPEN:
	case ACTION_SAVE:
	case ACTION_BASELINE:
		return OFFER_PATHS;
	case ACTION_COMMAND:
		return strcmp(verb->word, "theme") == 0 ? OFFER_THEMES :
							  OFFER_SETTINGS;
	default:
		return OFFER_NOTHING;
	}
}

static struct part
part_of(const struct tui *tui)
{
	const char *text = tui->prompt.text, *argument;
	const struct verb_row *verb;

	if (tui->mode == MODE_SAVE || tui->mode == MODE_OPEN)
		return (struct part){ OFFER_PATHS, 0 };
	verb = tui->mode == MODE_COMMAND ? command_verb(text, &argument) :
					   NULL;
	if (!verb)
		return (struct part){ OFFER_NOTHING, 0 };
	return (struct part){ kind_of(verb), (size_t)(argument - text) };
}

/*
 * Put COMMON in the place of what is typed from AT on; what could follow is
 * listed where that adds nothing.
 */
static void
take(struct tui *tui, size_t at, const struct tui_offer *offer)
{
	char text[PROMPT_MAX];
	bool is_more = strlen(offer->common) > tui->prompt.len - at;

	snprintf(text, sizeof(text), "%.*s%s", (int)at, tui->prompt.text,
		 offer->common);
	if (is_more)
		prompt_set(&tui->prompt, text);
	else if (offer->count > 1)
		offers_set(&tui->offers, offer->names, offer->count,
			   offer->total);
	else
		tui_message(tui, false, "nothing more to complete");
}

static void
complete_word(struct tui *tui)
{
	const char *words[COMMAND_WORDS];
	struct tui_offer offer = { .names = words };
	char common[64];

	offer.count = offer.total = command_words(tui->prompt.text, words);
	if (offer.count == 0) {
		tui_message(tui, false, "no command begins so");
		return;
	}
	offers_common(words, offer.count, common, sizeof(common) - 1);
	if (offer.count == 1 && command_takes_more(words[0]))
		strcat(common, " ");
	offer.common = common;
	take(tui, 0, &offer);
}

void
tui_complete(struct tui *tui)
{
	struct part part = part_of(tui);
	const char *argument;

	if (part.kind != OFFER_NOTHING) {
		tui_ask_for(tui, ACTION_NONE);
		tui->request.offer = part.kind;
		strcpy(tui->request.text, tui->prompt.text + part.from);
	} else if (tui->mode == MODE_COMMAND &&
		   !command_verb(tui->prompt.text, &argument)) {
		complete_word(tui);
	}
}

void
tui_offer(struct tui *tui, const struct tui_offer *offer)
{
	struct part part;

	if (tui->mode < MODE_SEARCH)
		return;
	part = part_of(tui);
	if (part.kind != offer->kind ||
	    strcmp(tui->prompt.text + part.from, offer->typed) != 0)
		return;
	if (offer->count == 0)
		tui_message(tui, false, "%s", offer->why);
	else
		take(tui, part.from + offer->keep, offer);
}
