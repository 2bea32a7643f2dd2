/* SPDX-License-Identifier: MIT */
/*
 * options.c - argv to struct options, by the tables of options.h.
 */
#include "app/options_private.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"

#define NEAR 2			/* letters apart: worth suggesting, */
#define NEAR_PART 2		/* if they are not more than half of all */

const struct command_row command_rows[COMMAND_COUNT] = {
#define COMMAND_ROW(id, word, arguments, help) { word, arguments, help },
	COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION_ROW(id, letter, word, argument, group, help) \
	{ letter, word, argument, group, help },
	OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};

/* --- suggestions */

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Insertions, deletions and changes that make B of A (Levenshtein). */
static size_t
distance(const char *a, const char *b)
{
	size_t row[32], len = strlen(b);

	if (len + 1 > ARRAY_LEN(row) || strlen(a) >= ARRAY_LEN(row))
		return SIZE_MAX;
	for (size_t j = 0; j <= len; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < len; j++) {
			size_t above = row[j + 1];

			row[j + 1] = least(least(above, row[j]) + 1,
					   diagonal + (a[i] != b[j]));
			diagonal = above;
		}
	}
	return row[len];
}

/* What is so far from WORD is another word, not a slip. */
static size_t
too_far(const char *word)
{
	return least(NEAR, strlen(word) / NEAR_PART) + 1;
}

static const char *
nearest_option(const char *word)
{
	const char *best = NULL;
	size_t least_far = too_far(word);

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		size_t far = distance(word, option_rows[i].word);

		if (far < least_far) {
			least_far = far;
			best = option_rows[i].word;
		}
	}
	return best;
}

static const char *
nearest_command(const char *word)
{
	const char *best = NULL;
	size_t least_far = too_far(word);

	for (size_t i = 1; i < COMMAND_COUNT; i++) {
		size_t far = distance(word, command_rows[i].word);

		if (far < least_far) {
			least_far = far;
			best = command_rows[i].word;
		}
	}
	return best;
}

static bool
is_for_config(const struct option_row *row)
{
	return strcmp(row->group, "Sampling") == 0 ||
	       strcmp(row->group, "Screen") == 0;
}

bool
options_set(struct options *options, const struct options *given,
	    const char *word, const char *value, struct error *err)
{
	char shown[40];
	size_t i = 0;

	while (i < OPTION_COUNT && strcmp(option_rows[i].word, word) != 0)
		i++;
	if (i == OPTION_COUNT || !is_for_config(&option_rows[i]))
		return fail(err, 0, "there is no option \"%s\" for it",
			    sanitise_into(shown, sizeof(shown), word,
					  strlen(word)));
	if (!option_rows[i].argument != !value)
		return fail(err, 0, "%s %s%s", word, value ? "takes no value" :
			    "needs ", value ? "" : option_rows[i].argument);
	return given->has[i] ||
	       option_set(options, (enum option_id)i, value, err);
}

/* --- words */

struct words {
	char **at;		/* the next; NULL at the end */
	bool has_operand;
};

static bool
take_value(struct options *options, enum option_id id, const char *value,
	   struct words *words, struct error *err)
{
	if (!option_rows[id].argument)
		return value ? fail(err, 0, "--%s takes no value",
				    option_rows[id].word) :
			       option_set(options, id, NULL, err);
	if (!value)
		value = *words->at ? *words->at++ : NULL;
	if (!value)
		return fail(err, 0, "--%s needs %s", option_rows[id].word,
			    option_rows[id].argument);
	return option_set(options, id, value, err);
}

static bool
take_long(struct options *options, const char *word, struct words *words,
	  struct error *err)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;
	const char *near;
	char name[32];

	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (strlen(option_rows[i].word) == len &&
		    strncmp(option_rows[i].word, word, len) == 0)
			return take_value(options, (enum option_id)i, value,
					  words, err);
	snprintf(name, sizeof(name), "%.*s", (int)least(len, 31), word);
	near = nearest_option(name);
	if (near)
		return fail(err, 0, "there is no option --%s; did you mean "
			    "--%s?", name, near);
	return fail(err, 0, "there is no option --%s; flametop --help lists "
		    "them", name);
}

/* "-qd10": letters, the last one with its value. */
static bool
take_short(struct options *options, const char *letters, struct words *words,
	   struct error *err)
{
	for (; *letters; letters++) {
		size_t i = 0;

		while (i < OPTION_COUNT && option_rows[i].letter != *letters)
			i++;
		if (i == OPTION_COUNT)
			return fail(err, 0, "there is no option -%c; flametop "
				    "--help lists them", *letters);
		if (option_rows[i].argument)
			return take_value(options, (enum option_id)i,
					  letters[1] ? letters + 1 : NULL,
					  words, err);
		option_set(options, (enum option_id)i, NULL, err);
	}
	return true;
}

static bool
add_operand(struct options *options, const char *word, struct error *err)
{
	if (options->command == COMMAND_CONVERT && options->nfiles)
		return fail(err, 0, "\"%.60s\" is one file too many", word);
	return option_add_file(options->files, &options->nfiles, word, err);
}

static bool
take_operand(struct options *options, const char *word, struct words *words,
	     struct error *err)
{
	bool is_first = !words->has_operand;
	const char *near;

	words->has_operand = true;
	for (size_t i = 1; is_first && i < COMMAND_COUNT; i++)
		if (strcmp(word, command_rows[i].word) == 0) {
			options->command = (enum command_id)i;
			return true;
		}
	if (options->command == COMMAND_EXPLAIN && !options->address &&
	    (options->npids || options->file)) {
		options->address = word;
		return true;
	}
	if (options_read_files(options))
		return add_operand(options, word, err);
	if (option_is_number(word))
		return option_pids(word, options->pids, &options->npids, err);
	if (options->base || (options->file && options->command))
		return fail(err, 0, "\"%.60s\" is one file too many", word);
	options->base = options->file;
	near = is_first && !strpbrk(word, "./") ? nearest_command(word) : NULL;
	if (near)
		return fail(err, 0, "there is no command \"%.60s\"; did you "
			    "mean \"%s\"? (./%.60s is a file)", word, near,
			    word);
	options->file = word;
	return true;
}

bool
options_parse(struct options *options, int argc, char **argv,
	      struct error *err)
{
	struct words words = { .at = argv + (argc > 0) };
	bool ok = true;

	*options = (struct options){ .hz = 99 };
	while (ok && *words.at) {
		char *word = *words.at++;

		if (strcmp(word, "--") == 0) {
			if (!*words.at)
				return fail(err, 0, "nothing to run after --");
			options->argv = words.at;
			break;
		}
		if (word[0] == '-' && word[1] == '-')
			ok = take_long(options, word + 2, &words, err);
		else if (word[0] == '-' && word[1])
			ok = take_short(options, word + 1, &words, err);
		else
			ok = take_operand(options, word, &words, err);
	}
	return ok && options_check(options, err);
}

static void
help_option(FILE *out, const struct option_row *row)
{
	char left[64];

	snprintf(left, sizeof(left), "%s%c%s --%s%s%s",
		 row->letter ? "-" : " ", row->letter ? row->letter : ' ',
		 row->letter ? "," : " ", row->word,
		 row->argument ? " " : "",
		 row->argument ? row->argument : "");
	if (strlen(left) > 28)
		fprintf(out, "  %s\n  %-28s  %s\n", left, "", row->help);
	else
		fprintf(out, "  %-28s  %s\n", left, row->help);
}

void
options_help(FILE *out)
{
	const char *group = "";

	fputs("flametop - see where a running program spends its time, live\n"
	      "\n", out);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct command_row *row = &command_rows[i];

		fprintf(out, "  flametop%s%s%s%s\n        %s\n",
			*row->word ? " " : "", row->word,
			*row->arguments ? " " : "", row->arguments, row->help);
	}
	fputs("\nA TARGET is a PID, -p PID[,PID...], -n NAME or -- COMMAND "
	      "[ARGUMENT...];\nwithout one, flametop lets you choose.\n", out);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strcmp(group, option_rows[i].group) != 0) {
			group = option_rows[i].group;
			fprintf(out, "\n%s\n", group);
		}
		help_option(out, &option_rows[i]);
	}
	fputs("\nOn the screen, ? lists the keys. flametop doctor says what "
	      "works here.\n", out);
}
