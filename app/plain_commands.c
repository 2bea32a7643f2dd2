/* SPDX-License-Identifier: MIT */
/*
 * plain_commands.c - commands typed at --plain.
 *
 * Each is a word and at most one argument, and is answered with lines at once.
 */
#include "app/plain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/report.h"
#include "app/save.h"
#include "core/pattern.h"
#include "core/sanitise.h"
#include "tui/text.h"

#define ROWS_MAX 10000

struct command {
	const char *word, *argument, *help;
	void (*run)(struct plain *plain, const char *argument);
};

static void show_help(struct plain *plain, const char *argument);

static void
show_top(struct plain *plain, const char *argument)
{
	char *end;
	long rows = strtol(argument, &end, 10);

	if (*argument && (*end || rows < 1 || rows > ROWS_MAX)) {
		printf("top: a number from 1 to %d\n", ROWS_MAX);
		return;
	}
	if (*argument)
		plain->rows = (size_t)rows;
	plain_print(plain);
}

static void
find(struct plain *plain, const char *argument)
{
	struct pattern *pattern;
	struct error err;

	if (!*argument) {
		puts("find: a regular expression is wanted");
		return;
	}
	if (!pattern_open(argument, &pattern, &err)) {
		printf("find: %s\n", err.text);
		return;
	}
	report_found(stdout, plain->picture, plain->recording->names,
		     plain->rows, pattern);
	pattern_free(pattern);
}

struct sum {
	uint64_t *weights;	/* by thread_id */
	size_t count;
	uint64_t total;
};

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct sum *sum = ctx;

	if (cell->kind != KIND_CPU || cell->thread >= sum->count)
		return;
	sum->weights[cell->thread] += cell->weight;
	sum->total += cell->weight;
}

static void
show_threads(struct plain *plain, const char *argument)
{
	const struct profile *profile = plain->recording->profile;
	struct sum sum = { .count = profile_threads(profile) };
	char share[16], count[32];

	(void)argument;
	sum.weights = xcalloc(sum.count + 1, sizeof(*sum.weights));
	profile_each(profile, 0, UINT64_MAX, add_cell, &sum);
	printf("%9s %12s %8s  %s\n", "share", "samples", "tid", "thread");
	for (thread_id id = 0; id < sum.count; id++) {
		const struct thread *t = profile_get_thread(profile, id);

		if (!sum.weights[id] && (!t->tid || t->ended))
			continue;
		printf("%9s %12s %8d  %s%s\n",
		       share_text(share, sizeof(share), sum.weights[id],
				  sum.total),
		       count_text(count, sizeof(count), sum.weights[id]),
		       (int)t->tid, profile_text(profile, t->name),
		       t->ended ? "  ended" : "");
	}
	free(sum.weights);
}

static void
freeze(struct plain *plain, const char *argument)
{
	(void)argument;
	plain->is_frozen = !plain->is_frozen;
	puts(plain->is_frozen ?
	     "frozen: nothing more is printed, sampling goes on" :
	     "not frozen any more");
}

static void
save(struct plain *plain, const char *argument)
{
	struct recording *r = plain->recording;
	struct save_options options = save_as_asked(r->options, r->profile);
	struct error err = { 0 };

	if (!*argument || strcmp(argument, "-") == 0) {
		puts("save: a file name is wanted");
		return;
	}
	recording_describe(r);
	if (save_profile(argument, r->profile, r->names, &options, &err))
		puts("saved");
	else
		printf("not saved: %s\n", err.text);
}

static void
quit(struct plain *plain, const char *argument)
{
	(void)argument;
	plain->has_quit = true;
}

static const struct command commands[] = {
	{ "help", "", "these lines", show_help },
	{ "top", " [N]", "the hottest functions now; N of them from now on",
	  show_top },
	{ "find", " REGEX", "functions whose name matches", find },
	{ "threads", "", "threads and their samples", show_threads },
	{ "freeze", "", "print nothing more; once more: go on", freeze },
	{ "save", " FILE", "everything, as a folded file", save },
	{ "quit", "", "end", quit },
};

static void
show_help(struct plain *plain, const char *argument)
{
	(void)plain;
	(void)argument;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		printf("%s%-*s  %s\n", commands[i].word,
		       14 - (int)strlen(commands[i].word),
		       commands[i].argument, commands[i].help);
}

static void
run_line(struct plain *plain, char *line)
{
	char *word = line + strspn(line, " \t\r"), *argument, shown[80];
	size_t len = strcspn(word, " \t\r");

	argument = word + len + strspn(word + len, " \t\r");
	word[len] = '\0';
	for (len = strlen(argument); len && strchr(" \t\r", argument[len - 1]);)
		argument[--len] = '\0';
	if (!*word)
		return;
	for (size_t i = 0; i < ARRAY_LEN(commands); i++)
		if (strcmp(commands[i].word, word) == 0) {
			commands[i].run(plain, argument);
			return;
		}
	printf("no command \"%s\"; help lists them\n",
	       sanitise_into(shown, sizeof(shown), word, strlen(word)));
}

int
plain_input(const struct plain *plain)
{
	if (plain->input_ended)
		return -1;
	if (isatty(STDIN_FILENO) && tcgetpgrp(STDIN_FILENO) != getpgrp())
		return -1;
	return STDIN_FILENO;
}

static void
take_byte(struct plain *plain, char byte)
{
	if (byte != '\n') {
		if (plain->len + 1 < sizeof(plain->line) && byte != '\0')
			plain->line[plain->len++] = byte;
		else
			plain->is_too_long = true;
		return;
	}
	plain->line[plain->len] = '\0';
	if (plain->is_too_long)
		puts("that line is too long, or no text");
	else
		run_line(plain, plain->line);
	plain->len = 0;
	plain->is_too_long = false;
}

/* One read only: the caller polls before it calls. */
void
plain_take_input(struct plain *plain)
{
	char bytes[512];
	ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
		plain->input_ended = true;
	for (ssize_t i = 0; i < got && !plain->has_quit; i++)
		take_byte(plain, bytes[i]);
	fflush(stdout);
}
