/* SPDX-License-Identifier: MIT */
/*
 * options_values.c - words to what an option is set to.
 */
#include "app/options_private.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/save.h"

#define HZ_MAX 10000

bool
option_is_number(const char *text)
{
	if (!*text)
		return false;
	while (isdigit((unsigned char)*text))
		text++;
	return !*text;
}

bool
option_pids(const char *text, pid_t *pids, size_t *count, struct error *err)
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
	unsigned long value = option_is_number(text) && strlen(text) < 9 ?
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

bool
option_add_file(const char **files, size_t *count, const char *word,
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

bool
option_set(struct options *o, enum option_id id, const char *value,
	   struct error *err)
{
	int choice;

	o->has[id] = true;
	switch (id) {
	case OPTION_PID:
		return option_pids(value, o->pids, &o->npids, err);
	case OPTION_TID:
		return option_pids(value, o->tids, &o->ntids, err);
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
		return option_add_file(o->bases, &o->nbases, value, err);
	case OPTION_FAIL_ON:
		return parse_percentage(value, &o->fail_on, err);
	case OPTION_TAG:
		return parse_tag(o, value, err);
	default:
		return true;	/* a switch: o->has[] says it all */
	}
}
