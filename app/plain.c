/* SPDX-License-Identifier: MIT */
/*
 * plain.c - the picture for pipes, dumb terminals and screen readers: text
 * that is only ever appended.
 */
#include "app/plain.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app/commands.h"
#include "app/recording.h"
#include "app/report.h"
#include "app/save.h"
#include "app/say.h"
#include "app/signals.h"
#include "tui/status.h"

#define EVERY_S 3
#define ROWS 10

void
plain_print(struct plain *p)
{
	struct recording *r = p->recording;
	struct health health = { 0 };
	struct scene scene = {
		.picture = p->picture, .names = r->names,
		.profile = r->profile, .health = &health,
	};
	char line[1024], clock[16];
	time_t now = time(NULL);
	size_t ignored;
	struct tm tm;

	free(picture_update(p->picture, &ignored));
	recording_health(r, &health);
	localtime_r(&now, &tm);
	strftime(clock, sizeof(clock), "%H:%M:%S", &tm);
	printf("%s  %s  %.0f s%s%s\n%s\n", clock, health.target,
	       health.seconds, *health.state ? "  " : "", health.state,
	       report_health(&health, line, sizeof(line)));
	if (picture_total(p->picture) > 0)
		report_functions(stdout, p->picture, r->names, p->rows, false);
	else
		puts(status_nothing(&scene));
	putchar('\n');
	p->status = say_flush();
	p->has_quit |= p->status != STATUS_DONE || ferror(stdout);
}

static void
take_signals(struct plain *p)
{
	int number;

	while ((number = signals_next(p->recording->link->signals))) {
		if (number == SIGTSTP)
			recording_suspend(p->recording, NULL);
		else if (number == SIGHUP)
			p->must_save = p->has_quit = true;
		else if (number != SIGCONT && number != SIGUSR1)
			p->has_quit = true;
	}
}

static void
rescue(struct recording *r)
{
	struct error err = { 0 };
	char path[4096];

	recording_describe(r);
	if (save_rescue(r->profile, r->names, path, sizeof(path), &err))
		say("saved: %s", path);
	else
		say("not saved: %s", err.text);
}

static void
take_samples(struct plain *p)
{
	size_t ignored;

	recording_take(p->recording, picture_note, p->picture);
	free(picture_update(p->picture, &ignored));
}

int
plain_run(struct recording *r)
{
	struct plain p = {
		.recording = r, .picture = picture_new(r->profile, r->names),
		.printed = time(NULL), .rows = ROWS,
	};

	while (!p.has_quit && !recording_is_over(r)) {
		struct pollfd polls[RECORDING_POLLS + 2];

		recording_polls(r, polls);
		polls[RECORDING_POLLS] = (struct pollfd){
			r->link->signals, POLLIN, 0 };
		polls[RECORDING_POLLS + 1] = (struct pollfd){
			plain_input(&p), POLLIN, 0 };
		poll(polls, ARRAY_LEN(polls), 250);
		take_signals(&p);
		recording_turn(r);
		if (r->is_orphaned)
			p.must_save = p.has_quit = true;
		if (!p.is_frozen)
			take_samples(&p);
		if (polls[RECORDING_POLLS + 1].revents)
			plain_take_input(&p);
		if (!p.is_frozen && time(NULL) - p.printed >= EVERY_S) {
			plain_print(&p);
			p.printed = time(NULL);
		}
	}
	recording_stop(r, picture_note, p.picture);
	recording_settle(r, 2000);
	if (p.must_save)
		rescue(r);
	else if (!ferror(stdout))
		plain_print(&p);
	picture_free(p.picture);
	return p.status;
}
