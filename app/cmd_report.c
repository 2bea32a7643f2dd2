/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.c - text about a process or a saved profile.
 */
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/load.h"
#include "app/recording.h"
#include "app/report.h"
#include "app/save.h"
#include "app/say.h"
#include "app/signals.h"

#define DEFAULT_SECONDS 10
#define SETTLE_MS 10000

static int
print_report(struct profile *profile, const struct options *options)
{
	bool hides_inlined = options->inlined == INLINE_OFF;
	struct names *names = names_new(profile);
	struct error err;
	bool ok = true;

	if (options->has[OPTION_JSON])
		ok = report_json(stdout, profile, names, hides_inlined, &err);
	else
		report_print(stdout, profile, names, hides_inlined);
	names_free(names);
	if (!ok)
		say("%s", err.text);
	return ok ? say_flush() : STATUS_FAILED;
}

/* As --output, --no-header and --no-threads say, if they do. */
static bool
save(const struct options *o, struct profile *profile, struct names *names,
     struct error *err)
{
	struct save_options options = save_as_asked(o, profile);

	options.to = o->to;
	return !o->output ||
	       save_profile(o->output, profile, names, &options, err);
}

/* A profile that was read, once more; else --output means another thing. */
static bool
save_again(const struct options *options, struct profile *profile,
	   struct error *err)
{
	struct names *names;
	bool ok;

	if (options->command != COMMAND_REPORT)
		return true;
	names = names_new(profile);
	ok = save(options, profile, names, err);
	names_free(names);
	return ok;
}

int
report_file(const struct options *options, struct link *link)
{
	struct recording recording;
	struct error err = { 0 };
	struct profile *profile;
	int status = STATUS_FAILED;

	recording_init(&recording, options, link);
	profile = load_profile(&recording, options->file, &err);
	if (!profile)
		load_suggest(options->file, &err);
	signals_end_us();
	if (profile && save_again(options, profile, &err))
		status = print_report(profile, options);
	else
		say("%s", err.text);
	profile_free(profile);
	recording_close(&recording);
	return status;
}

static void
sample(struct recording *r)
{
	bool has_quit = false;

	while (!has_quit && !recording_is_over(r) && !r->is_orphaned) {
		struct pollfd polls[RECORDING_POLLS + 1];

		recording_polls(r, polls);
		polls[RECORDING_POLLS] = (struct pollfd){
			r->link->signals, POLLIN, 0 };
		poll(polls, ARRAY_LEN(polls), 100);
		has_quit = signals_ask_end(r->link->signals);
		recording_turn(r);
		recording_take(r, NULL, NULL);
	}
	recording_stop(r, NULL, NULL);
	recording_settle_places(r, SETTLE_MS);
	recording_describe(r);
}

/* Save if asked to, and print what a reader of that file would print. */
static int
finish(struct recording *r, struct error *err)
{
	struct profile *saved;
	int status;

	if (!save(r->options, r->profile, r->names, err))
		return STATUS_FAILED;
	if (!r->options->has[OPTION_QUIET])
		recording_say_troubles(r);
	saved = report_as_saved(r->profile, r->names, err);
	if (!saved)
		return STATUS_FAILED;
	status = print_report(saved, r->options);
	profile_free(saved);
	return status;
}

static int
report_app(void *ctx, struct link *link)
{
	struct options options = *(const struct options *)ctx;
	struct recording recording;
	struct error err = { 0 };
	struct targets targets;
	int status;

	if (options.output &&
	    !save_permitted(options.output, options.has[OPTION_FORCE],
			    &err)) {
		say("%s", err.text);
		return STATUS_FAILED;
	}
	if (options.file)
		return report_file(&options, link);
	if (options.seconds <= 0 && !options.argv)
		options.seconds = DEFAULT_SECONDS;
	if (!targets_open(&options, link, false, &targets, &status, &err)) {
		if (err.text[0])
			say("%s", err.text);
		return status;
	}
	recording_init(&recording, &options, link);
	if (recording_start(&recording, &targets, &status, &err)) {
		sample(&recording);
		status = finish(&recording, &err);
	}
	if (err.text[0])
		say("%s", err.text);
	recording_close(&recording);
	return status;
}

int
cmd_report(const struct options *options)
{
	struct plan plan = {
		.app = report_app, .ctx = (void *)options,
		.command = options->argv,
	};

	return supervise(&plan);
}
