/* SPDX-License-Identifier: MIT */
/*
 * options.c - argv to struct options, by the tables of options.h.
 */
#include "app/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "app/save.h"
#include "core/sanitise.h"

#define HZ_MAX 10000
#define NEAR 2			/* letters apart: worth suggesting */

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

static const char *
nearest_option(const char *word)
{
	const char *best = NULL;
	size_t least_far = NEAR + 1;

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
	size_t least_far = NEAR + 1;

	for (size_t i = 1; i < COMMAND_COUNT; i++) {
		size_t far = distance(word, command_rows[i].word);

		if (far < least_far) {
			least_far = far;
			best = command_rows[i].word;
		}
	}
	return best;
}

/* --- values */

static bool
is_number(const char *text)
{
	if (!*text)
		return false;
	while (isdigit((unsigned char)*text))
		text++;
	return !*text;
}

static bool
parse_pids(const char *text, pid_t *pids, size_t *count, struct error *err)
{
	const char *whole = text;

	do {
		char *end;
		long pid;

		errno = 0;
		pid = strtol(text, &end, 10);
		if (end == text || errno || pid <= 0 || pid > INT_MAX ||
		    !isdigit((unsigned char)*text) || (*end && *end != ','))
			return fail(err, 0, "\"%.60s\" is no process id; "
				    "they look like 4242 or 4242,4243", whole);
		if (*count == PIDS_MAX)
			return fail(err, 0, "more than %d processes",
				    PIDS_MAX);
		pids[(*count)++] = (pid_t)pid;
		text = end + (*end == ',');
	} while (*text);
	return true;
}

static bool
parse_duration(const char *text, double *seconds, struct error *err)
{
	static const char units[] = "smh";
	static const double factors[] = { 1, 60, 3600 };
	char *end;
	double value = strtod(text, &end);
	const char *unit = *end ? strchr(units, *end) : units;

	if (end == text || !unit || (*end && end[1]) || !(value > 0) ||
	    value > 1e6 || !isdigit((unsigned char)*text))
		return fail(err, 0, "\"%.60s\" is no duration; they look like "
			    "10, 2.5s, 5m or 1h", text);
	*seconds = value * factors[unit - units];
	return true;
}

static bool
parse_hz(const char *text, unsigned *hz, struct error *err)
{
	unsigned long value = is_number(text) && strlen(text) < 9 ?
			      strtoul(text, NULL, 10) : 0;

	if (value < 1 || value > HZ_MAX)
		return fail(err, 0, "--freq takes 1 to %d, not \"%.60s\"",
			    HZ_MAX, text);
	*hz = (unsigned)value;
	return true;
}

/* Which of "a|b|c" (an option's argument) TEXT is. */
static bool
parse_choice(enum option_id id, const char *text, int *choice,
	     struct error *err)
{
	const char *at = option_rows[id].argument;
	size_t len = strlen(text);

	for (*choice = 0; at; (*choice)++) {
		size_t word = strcspn(at, "|");

		if (word == len && strncmp(at, text, len) == 0)
			return true;
		at = at[word] ? at + word + 1 : NULL;
	}
	return fail(err, 0, "--%s takes %s, not \"%.60s\"",
		    option_rows[id].word, option_rows[id].argument, text);
}

static bool
parse_tag(struct options *options, const char *text, struct error *err)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789.-");

	if (len == 0 || text[len] != '=')
		return fail(err, 0, "--tag takes KEY=VALUE with a key of a-z, "
			    "0-9, dots and dashes, not \"%.60s\"", text);
	if (options->ntags == TAGS_MAX)
		return fail(err, 0, "more than %d tags", TAGS_MAX);
	options->tags[options->ntags++] = text;
	return true;
}

static bool
parse_type(struct options *options, const char *text, struct error *err)
{
	char *type = options->read.type;

	if (!*text || strlen(text) >= sizeof(options->read.type))
		return fail(err, 0, "--type takes the name of what a file "
			    "counts, such as cpu or inuse_space");
	snprintf(type, sizeof(options->read.type), "%s", text);
	return true;
}

static bool
add_file(const char **files, size_t *count, const char *word,
	 struct error *err)
{
	if (*count == FILES_MAX)
		return fail(err, 0, "more than %d files", FILES_MAX);
	files[(*count)++] = word;
	return true;
}

static bool
parse_percentage(const char *text, double *out, struct error *err)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || (*end && strcmp(end, "%") != 0) || !(value >= 0) ||
	    value > 100 || !isdigit((unsigned char)*text))
		return fail(err, 0, "--fail-on takes per cent of all, as 1 or "
			    "0.5, not \"%.60s\"", text);
	*out = value;
	return true;
}

static bool
set_option(struct options *o, enum option_id id, const char *value,
	   struct error *err)
{
	int choice;

	o->has[id] = true;
	switch (id) {
	case OPTION_PID:
		return parse_pids(value, o->pids, &o->npids, err);
	case OPTION_TID:
		return parse_pids(value, o->tids, &o->ntids, err);
	case OPTION_NAME:
		o->name = value;
		return true;
	case OPTION_FREQ:
		return parse_hz(value, &o->hz, err);
	case OPTION_DURATION:
		return parse_duration(value, &o->seconds, err);
	case OPTION_SAMPLER:
		if (!parse_choice(id, value, &choice, err))
			return false;
		o->sampler = (enum sampler_choice)choice;
		return true;
	case OPTION_UNWIND:
		if (!parse_choice(id, value, &choice, err))
			return false;
		o->unwind = (enum unwind_mode)choice;
		return true;
	case OPTION_INLINE:
		if (!parse_choice(id, value, &choice, err))
			return false;
		o->inlined = (enum inline_mode)choice;
		return true;
	case OPTION_COLOR:
		if (!parse_choice(id, value, &choice, err))
			return false;
		o->colours = (enum term_colours)choice;
		return true;
	case OPTION_THEME:
		o->theme = value;
		return true;
	case OPTION_OUTPUT:
		o->output = value;
		return true;
	case OPTION_TO:
		o->to = value;
		return save_knows(value, err);
	case OPTION_TYPE:
		return parse_type(o, value, err);
	case OPTION_BASE:
		return add_file(o->bases, &o->nbases, value, err);
	case OPTION_FAIL_ON:
		return parse_percentage(value, &o->fail_on, err);
	case OPTION_TAG:
		return parse_tag(o, value, err);
	default:
		return true;	/* a switch: o->has[] says it all */
	}
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
	       set_option(options, (enum option_id)i, value, err);
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
			       set_option(options, id, NULL, err);
	if (!value)
		value = *words->at ? *words->at++ : NULL;
	if (!value)
		return fail(err, 0, "--%s needs %s", option_rows[id].word,
			    option_rows[id].argument);
	return set_option(options, id, value, err);
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
		set_option(options, (enum option_id)i, NULL, err);
	}
	return true;
}

static bool
writes_files(enum command_id command)
{
	return command == COMMAND_CONVERT || command == COMMAND_MERGE;
}

static bool
reads_files(enum command_id command)
{
	return writes_files(command) || command == COMMAND_DIFF;
}

static bool
add_operand(struct options *options, const char *word, struct error *err)
{
	if (options->command == COMMAND_CONVERT && options->nfiles)
		return fail(err, 0, "\"%.60s\" is one file too many", word);
	return add_file(options->files, &options->nfiles, word, err);
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
	if (reads_files(options->command))
		return add_operand(options, word, err);
	if (is_number(word))
		return parse_pids(word, options->pids, &options->npids, err);
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

/* What does not go together. */
static bool
check_options(const struct options *o, struct error *err)
{
	int kinds = (o->npids > 0) + (o->name != NULL) + (o->argv != NULL) +
		    (o->file != NULL);

	if (o->has[OPTION_HELP] || o->has[OPTION_VERSION])
		return true;
	if (kinds > 1)
		return fail(err, 0, "one target at a time: a PID, -n NAME, "
			    "-- COMMAND or a FILE");
	if (o->command == COMMAND_EXPLAIN &&
	    (!o->address || o->npids + (o->file != NULL) != 1))
		return fail(err, 0, "explain needs a process or a file, and an "
			    "address: explain PID 0x7f12, explain FILE 0x4012 "
			    "(virtual) or +0x1012 (in the file)");
	if (o->command == COMMAND_DUMP &&
	    (o->file || o->argv || !(o->npids + (o->name != NULL))))
		return fail(err, 0, "dump needs a process that runs: a PID, "
			    "-p PID[,PID...] or -n NAME");
	if (o->has[OPTION_JSON] && o->command != COMMAND_DUMP &&
	    o->command != COMMAND_DIFF && o->command != COMMAND_REPORT)
		return fail(err, 0, "--json is for dump, report and diff");
	if (writes_files(o->command) && (kinds || !o->nfiles || !o->output))
		return fail(err, 0, "%s needs a file (- is standard input) "
			    "and -o FILE (- is standard output)",
			    command_rows[o->command].word);
	if (o->command == COMMAND_DIFF && (kinds || !o->nfiles ||
					   o->nbases + o->nfiles < 2))
		return fail(err, 0, "diff needs two files: diff BASE FILE, or "
			    "diff -b BASE -b BASE FILE FILE");
	if (o->command != COMMAND_DIFF && o->nbases)
		return fail(err, 0, "-b is for diff; flametop BASE FILE "
			    "compares on the screen");
	if (o->command == COMMAND_RECORD && !o->output)
		return fail(err, 0, "record needs -o FILE (- is standard "
			    "output)");
	if (o->command == COMMAND_RECORD && o->file)
		return fail(err, 0, "record needs a process, and %.60s is a "
			    "file", o->file);
	if ((o->command == COMMAND_RECORD || o->command == COMMAND_REPORT) &&
	    kinds == 0)
		return fail(err, 0, "%s needs a target: a PID, -n NAME%s",
			    command_rows[o->command].word,
			    o->command == COMMAND_RECORD ?
			    " or -- COMMAND" : ", -- COMMAND or a FILE");
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
	return ok && check_options(options, err);
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
