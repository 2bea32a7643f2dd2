/* SPDX-License-Identifier: MIT */
/*
 * speedscope_read.c - speedscope's profiles into one of ours.
 *
 * Weights may be fractions, so all of them are looked at first, for a scale
 * that makes each an integer (formats/count.h). Then stacks are counted.
 */
#include "formats/speedscope_load.h"

#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "formats/frame_name.h"

/* --- the scale */

static bool
look_at_weights(struct speedscope_load *load, struct jscan j)
{
	bool first = true;
	struct count count;

	if (!j.at)
		return true;
	jscan_begin(&j, '[');
	while (jscan_item(&j, &first))
		if (speedscope_count(&j, &count))
			count_extend(&load->range, &count);
	return !j.failed;
}

/* Of times only the digits matter: sums are less than the last of them. */
static bool
look_at_events(struct speedscope_load *load,
	       const struct speedscope_profile *profile)
{
	struct count_range last = { 0 }, one;
	struct speedscope_event event;
	struct jscan j = profile->events;
	bool first = true;

	if (!j.at)
		return true;
	count_extend(&last, &profile->end);
	jscan_begin(&j, '[');
	while (jscan_item(&j, &first)) {
		one = (struct count_range){ .decimals = last.decimals };
		if (speedscope_event(&j, &event))
			count_extend(&one, &event.at);
		last.decimals = one.decimals;
		if (one.sum > last.sum)
			last.sum = one.sum;
	}
	if (last.decimals > load->range.decimals)
		load->range.decimals = last.decimals;
	load->range.sum += last.sum;
	return !j.failed;
}

/* --- profiles */

static bool
is_chosen(const struct speedscope_load *load,
	  const struct speedscope_profile *profile)
{
	return profile->unit.len == load->unit.len &&
	       memcmp(profile->unit.at, load->unit.at, load->unit.len) == 0;
}

static bool
has_content(const struct speedscope_profile *profile)
{
	struct jscan j = profile->is_evented ? profile->events :
					      profile->samples;
	bool first = true;

	return j.at && jscan_begin(&j, '[') && jscan_item(&j, &first);
}

/* The unit asked for; else that of the active profile, or of one with any. */
static bool
choose_unit(struct speedscope_load *load, const char *wanted, struct error *err)
{
	struct speedscope *file = &load->file;
	size_t i;

	load->unit = (struct slice){ "", 0 };
	if (!file->nprofiles)
		return true;
	load->unit = file->profiles[file->active].unit;
	for (i = 0; i < file->nprofiles; i++) {
		const struct speedscope_profile *profile = &file->profiles[i];

		if (*wanted ? slice_is_like(profile->unit,
					    slice_whole(wanted)) :
		    has_content(&file->profiles[file->active]) ? false :
		    has_content(profile)) {
			load->unit = profile->unit;
			return true;
		}
	}
	return !*wanted || fail(err, 0, "no profile in it has the unit "
				"\"%.60s\"; without --type it is \"%.*s\"",
				wanted, (int)(load->unit.len < 60 ?
					      load->unit.len : 60),
				load->unit.at);
}

/* Several profiles are threads; one is the whole, unless we wrote it. */
static thread_id
thread_of(struct speedscope_load *load,
	  const struct speedscope_profile *profile)
{
	bool is_thread = load->header.is_ours ? load->header.has_threads :
						load->file.nprofiles > 1;
	thread_id thread = 0;
	string_id text;
	size_t len;
	char *name;

	if (!is_thread)
		return 0;
	name = jscan_unescape(profile->name, &len);
	text = frame_text(load->profile, len ? (struct slice){ name, len } :
					       slice_whole("-"));
	thread = profile_thread_named(load->profile, text);
	free(name);
	return thread;
}

static bool
look(struct speedscope_load *load)
{
	bool ok = true;
	size_t i;

	for (i = 0; ok && i < load->file.nprofiles; i++) {
		const struct speedscope_profile *profile =
			&load->file.profiles[i];

		if (!is_chosen(load, profile))
			load->others += has_content(profile);
		else
			ok = profile->is_evented ?
			     look_at_events(load, profile) :
			     look_at_weights(load, profile->weights);
	}
	load->scale = count_scale(&load->range);
	return ok;
}

static bool
read_profiles(struct speedscope_load *load)
{
	bool ok = true;
	size_t i;

	for (i = 0; ok && i < load->file.nprofiles; i++) {
		const struct speedscope_profile *profile =
			&load->file.profiles[i];
		thread_id thread;

		if (!is_chosen(load, profile) || !has_content(profile))
			continue;
		thread = thread_of(load, profile);
		ok = profile->is_evented ?
		     speedscope_read_events(load, profile, thread) :
		     speedscope_read_samples(load, profile, thread);
	}
	return ok;
}

/* --- what is known of the whole */

static void
set_text(struct profile *profile, const char *key, struct slice value)
{
	size_t len;
	char *plain = jscan_unescape(value, &len);
	char *clean = sanitise(plain, len);

	if (*clean)
		profile_set(profile, key, clean);
	free(plain);
	free(clean);
}

/* Lines of a folded header. Its scale is that of other numbers. */
static void
read_header(struct speedscope_load *load)
{
	struct jscan j = load->file.header;
	bool first = true;
	size_t len;
	char *line;

	if (!j.at) {
		set_text(load->profile, "unit", load->unit);
		set_text(load->profile, "comment", load->file.name);
		return;
	}
	jscan_begin(&j, '[');
	while (jscan_item(&j, &first)) {
		line = jscan_unescape(jscan_string(&j), &len);
		folded_read_line((struct slice){ line, len }, load->profile,
				 &load->header);
		free(line);
	}
	profile_set(load->profile, "scale", NULL);
}

static void
note_faults(struct speedscope_load *load)
{
	struct read_report *report = load->report;

	if (!load->file.nprofiles)
		read_note(report, "there is no profile in it");
	read_note_count(report, load->others, "profiles have another unit; "
			"--type chooses it");
	read_note_count(report, load->range.negatives, READ_NEGATIVES);
	read_note_count(report, load->missing_frames,
			"frames are not in the file");
	read_note_count(report, load->unbalanced, "events do not nest");
	read_note_count(report, load->disordered, "events are out of order");
	read_note_count(report, load->unweighted, "samples have no weight");
	if (load->scale < load->range.decimals)
		read_note(report, "rounded to %d decimals", load->scale);
}

static void
set_scale(struct speedscope_load *load)
{
	char text[16];

	if (!load->scale)
		return;
	snprintf(text, sizeof(text), "%d", load->scale);
	profile_set(load->profile, "scale", text);
	read_note(load->report, "%s: counts are shown times 10^%d",
		  load->scale < 0 ? "too large" : "fractions", load->scale);
}

bool
speedscope_read(const void *bytes, size_t len,
		const struct read_options *options, struct profile *profile,
		struct read_report *report, struct error *err)
{
	struct speedscope_load load = { .profile = profile, .report = report };
	bool ok = speedscope_open(bytes, len, &load.file, err) &&
		  choose_unit(&load, options->type, err);

	if (ok) {
		read_header(&load);
		load.stacks = (struct stacks){ .profile = profile,
					       .report = report,
					       .kind = load.header.kind };
		ok = (speedscope_read_frames(&load) && look(&load) &&
		      read_profiles(&load)) ||
		     fail(err, 0, "it is not what speedscope's files are");
	}
	if (ok) {
		set_scale(&load);
		note_faults(&load);
	}
	stacks_fini(&load.stacks);
	speedscope_fini(&load.file);
	free(load.frames);
	free(load.opened);
	free(load.open);
	return ok;
}
