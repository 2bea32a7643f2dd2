/* SPDX-License-Identifier: MIT */
/*
 * recording_describe.c - what a snapshot's header says of a recording.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/labels.h"
#include "app/recording.h"
#include "core/sanitise.h"
#include "sampler/clock.h"

static void
set_number(struct profile *profile, const char *key, const char *format,
	   double value)
{
	char text[64];

	snprintf(text, sizeof(text), format, value);
	profile_set(profile, key, text);
}

/* VALUE is somebody's text. */
static void
set_text(struct profile *profile, const char *key, const char *value)
{
	char *clean = sanitise(value, strlen(value));

	profile_set(profile, key, clean);
	free(clean);
}

static void
describe_time(struct recording *r)
{
	struct timespec wall;
	char text[64];
	struct tm tm;
	time_t start;

	clock_gettime(CLOCK_REALTIME, &wall);
	start = wall.tv_sec - (time_t)((clock_now() - r->began_ns) / 1000000000);
	gmtime_r(&start, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	profile_set(r->profile, "start", text);
	set_number(r->profile, "duration", "%.3f", recording_seconds(r));
}

/* Its labels, and its package if nothing else has told a version. */
static void
describe_program(struct recording *r)
{
	if (!r->exe[0])
		return;
	profile_set(r->profile, "exe", r->exe);
	if (!r->has_labels)
		r->has_our_files = labels_of_process(r->profile,
						target_pid(r->targets.at[0]));
	if (r->has_our_files && !r->has_sought_package)
		labels_of_package(r->profile, r->exe);
	r->has_sought_package = true;
}

static void
describe_target(struct recording *r)
{
	char pids[512] = "", host[256] = "";

	for (size_t i = 0; i < r->targets.count; i++) {
		size_t len = strlen(pids);

		snprintf(pids + len, sizeof(pids) - len, "%s%d", i ? "," : "",
			 (int)target_pid(r->targets.at[i]));
	}
	gethostname(host, sizeof(host) - 1);
	set_text(r->profile, "host", host);
	profile_set(r->profile, "pid", pids);
	profile_set(r->profile, "comm", r->comm);
	describe_program(r);
	if (*client_build_id(r->client))
		profile_set(r->profile, "build-id",
			    client_build_id(r->client));
	labels_of_machine(r->profile);
}

void
recording_describe(struct recording *r)
{
	struct profile *profile = r->profile;
	struct sampler_status status;

	capture_status(r->capture, &status);
	profile_set(profile, "event", status.event);
	profile_set(profile, "unit", "samples");
	set_number(profile, "period", "%.0f", 1e9 / r->options->hz);
	set_number(profile, "rate", "%.0f", r->options->hz);
	set_number(profile, "threads", "%.0f",
		   (double)profile_threads(profile) - 1);
	profile_set(profile, "version", FLAMETOP_VERSION);
	describe_time(r);
	describe_target(r);
	for (size_t i = 0; i < r->options->ntags; i++) {
		const char *tag = r->options->tags[i];
		char key[80];

		snprintf(key, sizeof(key), "tag.%.*s",
			 (int)strcspn(tag, "="), tag);
		set_text(profile, key, strchr(tag, '=') + 1);
	}
	profile_losses(profile)->unresolved = recording_unresolved(r);
}
