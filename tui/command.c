/* SPDX-License-Identifier: MIT */
/*
 * command.c - what may be typed after ":".
 */
#include "tui/command.h"

#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"

const struct verb_row verb_rows[] = {
#define VERB_ROW(word, argument, action, help) \
	{ word, argument, ACTION_##action, help },
	VERBS(VERB_ROW)
#undef VERB_ROW
	{ 0 }
};

_Static_assert(ACTION_COUNT + ARRAY_LEN(verb_rows) <= COMMAND_WORDS,
	       "room for all words");

/* Verbs, then words of actions that are no verbs: all that begin with TEXT. */
struct words {
	const char *all[COMMAND_WORDS];
	size_t count;
};

static const struct verb_row *
verb_by_word(const char *word)
{
	for (const struct verb_row *v = verb_rows; v->word; v++)
		if (strcmp(v->word, word) == 0)
			return v;
	return NULL;
}

static void
add_word(struct words *words, const char *word, const char *start, size_t len)
{
	if (strncmp(word, start, len) == 0)
		words->all[words->count++] = word;
}

static void
find_words(struct words *words, const char *start, size_t len)
{
	words->count = 0;
	for (const struct verb_row *v = verb_rows; v->word; v++)
		add_word(words, v->word, start, len);
	for (int i = ACTION_NONE + 1; i < ACTION_COUNT; i++)
		if (!verb_by_word(action_rows[i].word))
			add_word(words, action_rows[i].word, start, len);
}

/* The word that the LEN bytes at START mean; NULL: none or several. */
static const char *
one_word(const struct words *words, const char *start, size_t len)
{
	for (size_t i = 0; i < words->count; i++)
		if (strlen(words->all[i]) == len &&
		    strncmp(words->all[i], start, len) == 0)
			return words->all[i];
	/* "q" means "quit", whatever else begins so; verbs come first */
	if (words->count > 1 && verb_by_word(words->all[0]) &&
	    !verb_by_word(words->all[1]))
		return words->all[0];
	return words->count == 1 ? words->all[0] : NULL;
}

static void
list_words(const struct words *words, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < words->count && used + 24 < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s",
					 i ? " " : "", words->all[i]);
}

static bool
refuse(const struct words *words, const char *text, size_t len,
       struct error *err)
{
	char shown[64], list[160];

	sanitise_into(shown, sizeof(shown), text, len);
	if (words->count == 0)
		return fail(err, 0, "no command \"%s\"; Tab lists them", shown);
	list_words(words, list, sizeof(list));
	return fail(err, 0, "\"%s\" may be %s", shown, list);
}

static bool
is_gap(char c)
{
	return c == ' ' || c == '=';
}

bool
command_parse(const char *text, struct command *out, struct error *err)
{
	struct words words;
	const char *word;
	size_t len;

	text += strspn(text, " :");
	len = strcspn(text, " =");
	find_words(&words, text, len);
	word = len ? one_word(&words, text, len) : NULL;
	if (!word)
		return refuse(&words, text, len, err);
	text += len;
	while (is_gap(*text))
		text++;
	out->verb = verb_by_word(word);
	out->action = out->verb ? out->verb->action : action_by_word(word);
	out->argument = text;
	if (*text && (!out->verb || !*out->verb->argument))
		return fail(err, 0, "%s takes nothing", word);
	if (!*text && out->verb && *out->verb->argument &&
	    !action_by_word(word))
		return fail(err, 0, "%s needs %s", word, out->verb->argument);
	return true;
}

size_t
command_words(const char *text, const char **out)
{
	size_t len = strcspn(text, " =");
	struct words words = { .count = 0 };

	if (!text[len])
		find_words(&words, text, len);
	memcpy(out, words.all, words.count * sizeof(*out));
	return words.count;
}

bool
command_takes_more(const char *word)
{
	const struct verb_row *verb = verb_by_word(word);

	return verb && *verb->argument;
}

const struct verb_row *
command_verb(const char *text, const char **argument)
{
	size_t len = strcspn(text, " =");
	struct words words;
	const char *word;

	if (!text[len])
		return NULL;
	find_words(&words, text, len);
	word = one_word(&words, text, len);
	while (is_gap(text[len]))
		len++;
	*argument = text + len;
	return word ? verb_by_word(word) : NULL;
}
