/* SPDX-License-Identifier: MIT */
/*
 * session_open.c - another profile on the screen, from a file.
 *
 * It is read by another process. What was there stays until the picture of the
 * new one has been made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/load.h"
#include "app/session_private.h"
#include "core/sanitise.h"
#include "sampler/clock.h"

/* Show another profile; positions in the old picture mean nothing in it. */
static void
show(struct session *s, struct shown *shown)
{
	session_forget_pivots(s);
	s->shown = shown;
	tui_remap(s->tui, NULL, 0);
}

bool
session_begin_load(struct session *s, const char *path, struct error *err)
{
	const char *last;
	char *clean;
	int fd;

	if (s->is_loading)
		return fail(err, 0, "%s is being read: wait until it is there",
			    s->loading);
	fd = opener_open_now(s->files, path, OPEN_PROFILE_MAX, err);
	if (fd < 0)
		return false;
	clean = sanitise(path, strlen(path));
	last = strrchr(clean, '/');
	snprintf(s->loading, sizeof(s->loading), "%s", last ? last + 1 : clean);
	free(clean);
	client_load(s->recording->client, fd, &s->options->read);
	s->load_began_ns = clock_now();
	s->load_percent = 0;
	s->is_loading = s->is_changed = s->wants_now = true;
	return true;
}

void
session_open_file(struct session *s, const char *path)
{
	struct error err;

	if (strcmp(path, "-") == 0 && s->live.picture && !s->is_loading) {
		show(s, &s->live);
	} else if (!session_begin_load(s, path, &err)) {
		tui_message(s->tui, true, "%s", err.text);
		if (s->shown)
			return;
		load_suggest(path, &err);
		snprintf(s->farewell, sizeof(s->farewell), "%s", err.text);
		s->status = STATUS_FAILED;
		s->has_quit = true;
	}
}

static void
tell_report(struct session *s, const struct read_report *report)
{
	if (*report->note)
		tui_message(s->tui, true, "%s", report->note);
	else if (report->ignored)
		tui_message(s->tui, true, "%llu lines were ignored, the first "
			    "is line %llu",
			    (unsigned long long)report->ignored,
			    (unsigned long long)report->first_ignored[0]);
}

void
session_close_shown(struct shown *shown)
{
	filters_fini(&shown->filters);
	picture_free(shown->picture);
	names_free(shown->names);
	profile_free(shown->profile);
	*shown = (struct shown){ 0 };
}

/* False: it was stopped. */
static bool
make_picture(struct session *s, struct shown *shown)
{
	struct picture_choice choice = {
		.filter = filters_now(&shown->filters),
	};
	struct picture_change *change;

	shown->picture = picture_open(shown->profile, shown->names);
	change = picture_begin(shown->picture, &choice, session_work(s, 1));
	if (change)
		free(picture_finish(change, NULL));
	return change;
}

/* PROFILE, which is taken over, goes on the screen; false: it was stopped. */
static bool
show_file(struct session *s, struct profile *profile)
{
	struct shown new = { .profile = profile, .names = names_new(profile) };

	snprintf(new.title, sizeof(new.title), "%s", s->loading);
	if (s->options->inlined == INLINE_OFF)
		filters_set(&new.filters, &(struct filter){
			.hide_inlined = true });
	if (!make_picture(s, &new)) {
		session_close_shown(&new);
		return false;
	}
	session_unpin(s, &s->file);
	if (s->shown == &s->file)
		session_forget_pivots(s);
	session_close_shown(&s->file);
	s->file = new;
	show(s, &s->file);
	return true;
}

static void
take_profile(struct session *s, struct profile *profile,
	     const struct read_report *report)
{
	session_begin_work(s, ACTION_OPEN);
	if (!show_file(s, profile)) {
		tui_message(s->tui, false, "stopped: %s is not shown",
			    s->loading);
		s->has_quit |= !s->shown;
		return;
	}
	if (s->live.picture)
		tui_message(s->tui, false, "sampling goes on; to open - leads "
			    "back to it");
	tell_report(s, report);
	if (s->options->base && !s->has_based) {
		s->has_based = true;
		session_pin_file(s, s->options->base);
	}
}

static void
tell_not_loaded(struct session *s, const struct error *err)
{
	tui_message(s->tui, true, "%s", err->text);
	if (s->shown)
		return;
	snprintf(s->farewell, sizeof(s->farewell), "%s: %s", s->loading,
		 err->text);
	s->status = STATUS_FAILED;
	s->has_quit = true;
}

void
session_take_loaded(struct session *s)
{
	struct read_report report;
	struct profile *profile;
	struct error err;
	bool is_baseline;

	if (!client_loaded(s->recording->client, &profile, &report, &err))
		return;
	is_baseline = s->is_for_base;
	s->is_loading = s->is_for_base = false;
	s->is_changed = s->wants_now = true;
	if (!profile)
		tell_not_loaded(s, &err);
	else if (is_baseline)
		session_take_baseline(s, profile);
	else
		take_profile(s, profile, &report);
}
