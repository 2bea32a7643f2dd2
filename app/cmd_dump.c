/* SPDX-License-Identifier: MIT */
/*
 * cmd_dump.c - every thread's stack once, and what it waits for.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands.h"
#include "app/dump_stacks.h"
#include "app/recording.h"
#include "app/say.h"
#include "app/signals.h"

#define SETTLE_MS 10000

/* What was counted: who has which stack. */
struct cells {
	struct cell *at;
	size_t count, capacity;
};

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct cells *cells = ctx;

	cells->at = grow(cells->at, cells->count, &cells->capacity,
			 sizeof(*cells->at));
	cells->at[cells->count++] = *cell;
}

/* False if somebody wants us gone. */
static bool
take(struct recording *r, struct cells *cells)
{
	while (!recording_is_over(r) && !r->is_orphaned) {
		struct pollfd polls[RECORDING_POLLS + 1];

		recording_polls(r, polls);
		polls[RECORDING_POLLS] = (struct pollfd){
			r->link->signals, POLLIN, 0 };
		poll(polls, ARRAY_LEN(polls), 10);
		if (signals_ask_end(r->link->signals))
			return false;
		recording_turn(r);
		recording_take(r, add_cell, cells);
	}
	recording_stop(r, add_cell, cells);
	recording_settle_places(r, SETTLE_MS);
	return true;
}

static int
print(const struct recording *r, const struct cells *cells)
{
	const struct options *options = r->options;
	struct dump_stacks stacks;
	bool ok = true;

	dump_stacks_init(&stacks, r->dump, r->profile, r->names, cells->at,
			 cells->count);
	if (options->has[OPTION_JSON])
		ok = dump_print_json(stdout, &stacks);
	else
		dump_print(stdout, &stacks);
	dump_stacks_fini(&stacks);
	if (!ok)
		say("no memory for the dump");
	return ok ? say_flush() : STATUS_FAILED;
}

/* A running thread has no stack: why, and what gives it one. */
static void
say_note(const struct dump *dump)
{
	for (size_t i = 0; i < dump->count && *dump->note; i++)
		if (dump->threads[i].no_stack) {
			say("%s", dump->note);
			return;
		}
}

static int
dump_app(void *ctx, struct link *link)
{
	const struct options *options = ctx;
	struct recording recording;
	struct dump dump = { .threads = NULL };
	struct cells cells = { .at = NULL };
	struct error err = { 0 };
	struct targets targets;
	int status;

	if (!targets_open(options, link, false, &targets, &status, &err)) {
		if (err.text[0])
			say("%s", err.text);
		return status;
	}
	recording_init(&recording, options, link);
	recording.dump = &dump;
	if (!recording_start(&recording, &targets, &status, &err)) {
		say("%s", err.text);
	} else if (take(&recording, &cells)) {
		status = print(&recording, &cells);
		if (!options->has[OPTION_QUIET]) {
			say_note(&dump);
			recording_say_troubles(&recording);
		}
	}
	recording_close(&recording);
	dump_fini(&dump);
	free(cells.at);
	return status;
}

int
cmd_dump(const struct options *options)
{
	struct plan plan = { .app = dump_app, .ctx = (void *)options };

	return supervise(&plan);
}
