/* SPDX-License-Identifier: MIT */
/*
 * cmd_record.c - sample without a screen, and write.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/recording.h"
#include "app/save.h"
#include "app/say.h"
#include "app/signals.h"
#include "sampler/clock.h"

#define SETTLE_MS 10000		/* for the last names */

struct record {
	struct recording recording;
	const struct options *options;
	bool has_progress, has_quit;
	unsigned written;
};

static bool
write_profile(struct record *record, struct error *err)
{
	const struct options *o = record->options;
	struct recording *r = &record->recording;
	struct save_options options = save_as_asked(o, r->profile);

	options.to = o->to;
	/* What we wrote ourselves a moment ago may be replaced. */
	options.is_forced |= record->written > 0;
	recording_describe(r);
	if (!save_profile(o->output, r->profile, r->names, &options, err))
		return false;
	record->written++;
	return true;
}

/* The line of progress is overwritten by what is said. */
static void
end_progress(const struct record *record)
{
	if (record->has_progress)
		fputs("\r\033[K", stderr);
}

static void
write_now(struct record *record)
{
	struct error err = { 0 };

	recording_settle_places(&record->recording, 1000);
	end_progress(record);
	if (!write_profile(record, &err))
		say("not written: %s", err.text);
	else if (!record->options->has[OPTION_QUIET])
		say("written: %s", record->options->output);
}

static void
take_signals(struct record *record)
{
	int number;

	while ((number = signals_next(record->recording.link->signals))) {
		if (number == SIGUSR1)
			write_now(record);
		else if (number == SIGTSTP)
			recording_suspend(&record->recording, NULL);
		else if (number != SIGCONT)
			record->has_quit = true;
	}
}

static void
show_progress(const struct record *record)
{
	const struct recording *r = &record->recording;
	struct losses *losses = profile_losses(r->profile);
	double seconds;

	if (!record->has_progress)
		return;
	seconds = (double)(clock_now() - r->began_ns) / 1e9;
	fprintf(stderr, "\r\033[K%.0f s  %llu samples  lost %llu  (^C ends "
		"and writes)", seconds, (unsigned long long)losses->samples,
		(unsigned long long)losses->lost);
}

static void
run(struct record *record)
{
	struct recording *r = &record->recording;
	uint64_t shown = 0;

	while (!record->has_quit && !recording_is_over(r) &&
	       !r->is_orphaned) {
		struct pollfd polls[RECORDING_POLLS + 1];

		recording_polls(r, polls);
		polls[RECORDING_POLLS] = (struct pollfd){
			r->link->signals, POLLIN, 0 };
		poll(polls, ARRAY_LEN(polls), 100);
		take_signals(record);
		recording_turn(r);
		recording_take(r, NULL, NULL);
		if (record->options->inlined == INLINE_FULL)
			client_ask_all_places(r->client);
		if (r->pulled_at_ns - shown > 500000000) {
			show_progress(record);
			shown = r->pulled_at_ns;
		}
	}
	recording_stop(r, NULL, NULL);
	recording_settle_places(r, SETTLE_MS);
}

/* How a command ended belongs to the talk, not to our exit status. */
static void
say_end(struct record *record)
{
	bool is_stdout = strcmp(record->options->output, "-") == 0;
	struct recording *r = &record->recording;
	uint64_t samples = profile_losses(r->profile)->samples;
	char end[96];

	if (record->options->has[OPTION_QUIET])
		return;
	if (r->command_has_ended) {
		recording_end_text(r->command_status, end, sizeof(end));
		say("the command %s", end);
	}
	recording_say_troubles(r);
	say("%llu samples in %s%s", (unsigned long long)samples,
	    is_stdout ? "standard output" : record->options->output,
	    samples ? "" : ": it used next to no CPU time (its "
	    "children are watched with --follow)");
}

static int
record_app(void *ctx, struct link *link)
{
	struct record record = { .options = ctx };
	const struct options *o = ctx;
	struct error err = { 0 };
	struct targets targets;
	int status;

	record.has_progress = isatty(STDERR_FILENO) && !o->has[OPTION_QUIET];
	if (!save_permitted(o->output, o->has[OPTION_FORCE], &err)) {
		say("%s", err.text);
		return STATUS_FAILED;
	}
	if (!targets_open(o, link, false, &targets, &status, &err)) {
		if (err.text[0])
			say("%s", err.text);
		return status;
	}
	recording_init(&record.recording, o, link);
	if (recording_start(&record.recording, &targets, &status, &err)) {
		run(&record);
		status = write_profile(&record, &err) ? STATUS_DONE :
							STATUS_FAILED;
	}
	end_progress(&record);
	if (status == STATUS_DONE)
		say_end(&record);
	else
		say("%s", err.text);
	recording_close(&record.recording);
	return status;
}

int
cmd_record(const struct options *options)
{
	struct plan plan = {
		.app = record_app, .ctx = (void *)options,
		.command = options->argv,
	};

	return supervise(&plan);
}
