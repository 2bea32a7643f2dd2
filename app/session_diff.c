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
	*pin = (struct pin){ 0 };
}

static void
note_count(void *ctx, const struct cell *cell)
{
	bool *has_counts = ctx;

	*has_counts |= cell->weight > 0;
}

/* Compare from now on, or say why that is not possible. */
static void
begin(struct session *s)
{
	bool has_counts = false;
	char keys[64];

	baseline_each(s->pin.baseline, note_count, &has_counts);
	s->pin.is_on = has_counts;
	session_apply_filter(s);
	if (!has_counts) {
		session_unpin(s, NULL);
		tui_message(s->tui, true, "there are no samples before it: "
			    "nothing to compare with");
		return;
	}
	keymap_keys(s->screen.keymap, ACTION_DIFF, keys, sizeof(keys));
	tui_message(s->tui, false, "%s is coloured, + more, - less; %s ends "
		    "it", s->pin.since_ns ? "pinned; what changes from now on" :
		    "what differs", keys);
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
	if (s->is_for_base) {
		tui_message(s->tui, true, "a baseline is being read already");
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

	if (session_begin_load(s, path, &err))
		s->is_for_base = true;
	else
		tui_message(s->tui, true, "%s", err.text);
}

void
session_take_baseline(struct session *s, struct profile *profile)
{
	session_unpin(s, NULL);
	s->pin.profile = profile;
	s->pin.names = names_new(profile);
	s->pin.baseline = baseline_of(profile, s->pin.names);
	s->pin.of = s->shown;
	snprintf(s->pin.title, sizeof(s->pin.title), "%s", s->loading);
	begin(s);
}

void
session_toggle_diff(struct session *s)
{
	char keys[64];

	if (s->pin.baseline && s->pin.of == s->shown) {
		s->pin.is_on = !s->pin.is_on;
		s->pin.drawn = DRAWN_NOW;
		session_apply_filter(s);
		return;
	}
	keymap_keys(s->screen.keymap, ACTION_BASELINE, keys, sizeof(keys));
	tui_message(s->tui, false, "nothing is pinned: %s pins what there is "
		    "now, :baseline FILE another profile", keys);
}

void
session_set_drawn(struct session *s, enum drawn drawn)
{
	s->pin.drawn = drawn;
	picture_set_drawn(s->shown->picture, drawn);
	session_match_sides(s);
}

void
session_next_drawn(struct session *s)
{
	static const char *const stories[] = {
		[DRAWN_NOW] = "widths are of now",
		[DRAWN_BASE] = "as it was before: what has gone is there, what "
			      "is new is not",
		[DRAWN_LOST] = "only what is surely less than before, as wide "
			      "as what it lost",
	};
	struct pin *pin = &s->pin;

	if (!pin->is_on || pin->of != s->shown) {
		session_toggle_diff(s);
		if (!pin->is_on || pin->of != s->shown)
			return;
	}
	session_set_drawn(s, (pin->drawn + 1) % ARRAY_LEN(stories));
	tui_message(s->tui, false, "%s", stories[pin->drawn]);
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
