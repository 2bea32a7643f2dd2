/* SPDX-License-Identifier: MIT */
/*
 * cmd_live.c - the live screen, or a profile on it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "app/commands.h"
#include "app/config.h"
#include "app/recording.h"
#include "app/say.h"
#include "app/screen.h"
#include "app/session.h"

static int
refuse(const struct error *err, int status)
{
	if (err->text[0])
		say("%s", err->text);
	return status;
}

static int
show_file(const struct options *options, struct link *link)
{
	struct recording recording;
	int status;

	if (!screen_is_possible(options) && options->base)
		return diff_files(options, link);
	if (!screen_is_possible(options))
		return report_file(options, link);
	atomic_store(&link->shared->is_stopping, false);
	recording_init(&recording, options, link);
	status = session_run(&recording);
	recording_close(&recording);
	return status;
}

/* The user's config; TEXT is what OPTIONS then borrows from. */
static void
read_config(struct options *options, char **text)
{
	struct opener *opener = opener_new();
	struct error err;
	size_t len;

	*text = config_file(opener, "config", &len);
	opener_free(opener);
	if (!*text || config_take(options, *text, &err))
		return;
	config_blame("config", &err);
	snprintf(options->problem, sizeof(options->problem), "%s",
		 err.text);
}

static int
run_live(const struct options *options, struct link *link)
{
	bool has_screen = screen_is_possible(options);
	struct recording recording;
	struct targets targets;
	struct error err = { 0 };
	int status;

	if (options->file)
		return show_file(options, link);
	if (!targets_open(options, link, has_screen, &targets, &status, &err))
		return refuse(&err, status);
	recording_init(&recording, options, link);
	if (!recording_start(&recording, &targets, &status, &err))
		refuse(&err, status);
	else
		status = has_screen ? session_run(&recording) :
				      plain_run(&recording);
	recording_close(&recording);
	return status;
}

int
live_app(void *ctx, struct link *link)
{
	struct options options = *(const struct options *)ctx;
	char *config = NULL;
	int status;

	if (screen_is_possible(&options))
		read_config(&options, &config);
	status = run_live(&options, link);
	free(config);
	return status;
}

int
cmd_live(const struct options *options)
{
	struct plan plan = {
		.app = live_app, .ctx = (void *)options,
		.command = options->argv, .is_screen = true,
		.output = options->output,
	};

	return supervise(&plan);
}
