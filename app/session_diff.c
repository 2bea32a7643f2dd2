/* SPDX-License-Identifier: MIT */
/*
 * session_diff.c - now against a baseline: of a moment ago, or of a file.
 *
 * A moment of what is shown cuts its time in two: before it, and since. A
 * file is a profile of its own, whose functions are found by their names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/session_private.h"
#include "core/baseline.h"

#define SECOND UINT64_C(1000000000)

void
session_unpin(struct session *s, const struct shown *shown)
{
	struct pin *pin = &s->pin;

	if (shown && pin->of != shown)
		return;
	if (pin->of && pin->of->picture)
		picture_set_baseline(pin->of->picture, NULL);
	session_uncompare_sides(s);
	baseline_free(pin->baseline);
	names_free(pin->names);
	profile_free(pin->profile);
	*pin = (struct pin){ .is_loading = pin->is_loading };
}

/* Compare from now on, or say why that is not possible. */
static void
begin(struct session *s)
{
	char keys[64];

	s->pin.is_on = true;
	session_apply_filter(s);
	if (picture_base_total(s->shown->picture, 0) == 0) {
		session_unpin(s, NULL);
		session_apply_filter(s);
		tui_message(s->tui, true, "there are no samples before it: "
			    "nothing to compare with");
		return;
	}
	keymap_keys(s->screen.keymap, ACTION_DIFF, keys, sizeof(keys));
	tui_message(s->tui, false, "pinned; what changes from now on is "
		    "coloured, + more, - less; %s ends it", keys);
}

void
session_pin(struct session *s, double seconds)
{
	uint64_t last, back = (uint64_t)(seconds * 1e9);
	time_t then = time(NULL) - (time_t)seconds;
	struct tm tm;

	if (s->shown != &s->live) {
		tui_message(s->tui, true, "a file is one moment; :baseline "
			    "FILE compares it with another");
		return;
	}
	session_unpin(s, NULL);
	last = profile_last_ns(s->live.profile);
	s->pin.since_ns = last > back ? last - back : 1;
	s->pin.baseline = baseline_until(s->live.profile, s->pin.since_ns);
	s->pin.of = s->shown;
	localtime_r(&then, &tm);
	strftime(s->pin.clock, sizeof(s->pin.clock), "%H:%M:%S", &tm);
	begin(s);
}

void
session_pin_file(struct session *s, const char *path)
{
	struct error err;
	int fd;

	if (s->is_loading) {
		tui_message(s->tui, true, "a file is being read already");
		return;
	}
	fd = opener_open_now(s->files, path, OPEN_PROFILE_MAX, &err);
	if (fd < 0) {
		tui_message(s->tui, true, "%s", err.text);
		return;
	}
	session_unpin(s, NULL);
	session_apply_filter(s);
	session_title(path, s->pin.title, sizeof(s->pin.title));
	client_load(s->recording->client, fd);
	s->is_loading = s->pin.is_loading = true;
	s->is_changed = s->wants_now = true;
}

void
session_take_baseline(struct session *s, struct profile *profile)
{
	s->pin.profile = profile;
	s->pin.names = names_new(profile);
	s->pin.baseline = baseline_of(profile, s->pin.names);
	s->pin.of = s->shown;
	begin(s);
}

void
session_toggle_diff(struct session *s)
{
	char keys[64];

	if (s->pin.baseline && s->pin.of == s->shown) {
		s->pin.is_on = !s->pin.is_on;
		session_apply_filter(s);
		return;
	}
	keymap_keys(s->screen.keymap, ACTION_BASELINE, keys, sizeof(keys));
	tui_message(s->tui, false, "nothing is pinned: %s pins what there is "
		    "now, :baseline FILE another profile", keys);
}

void
session_describe_diff(const struct session *s, char *out, size_t size)
{
	const struct pin *pin = &s->pin;

	out[0] = '\0';
	if (!pin->is_on || pin->of != s->shown)
		return;
	if (pin->since_ns)
		snprintf(out, size, "since %s against before", pin->clock);
	else
		snprintf(out, size, "against %s", pin->title);
}
