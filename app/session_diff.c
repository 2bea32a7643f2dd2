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

static void
let_go(struct pin *pin)
{
	baseline_free(pin->baseline);
	names_free(pin->names);
	profile_free(pin->profile);
	*pin = (struct pin){ 0 };
}

void
session_unpin(struct session *s, const struct shown *shown)
{
	struct pin *pin = &s->pin;

	if (shown && pin->of != shown)
		return;
	if (pin->of && pin->of->picture)
		picture_set_baseline(pin->of->picture, NULL);
	session_uncompare_sides(s);
	let_go(pin);
}

static void
note_count(void *ctx, const struct cell *cell)
{
	bool *has_counts = ctx;

	*has_counts |= cell->weight > 0;
}

/* False: it was stopped. The picture that was compared before is no longer. */
static bool
replace(struct session *s, struct pin *pin)
{
	struct pin before = s->pin;

	s->pin = *pin;
	s->pin.is_on = true;
	if (!session_apply_filter(s)) {
		s->pin = before;
		return false;
	}
	if (before.of && before.of != s->shown && before.of->picture)
		picture_set_baseline(before.of->picture, NULL);
	let_go(&before);
	return true;
}

/* Compare with PIN from now on, which is taken, or say why not. */
static void
begin(struct session *s, struct pin *pin)
{
	bool has_counts = false;
	char keys[64];

	baseline_each(pin->baseline, note_count, &has_counts);
	if (!has_counts || !replace(s, pin)) {
		let_go(pin);
		tui_message(s->tui, !has_counts, has_counts ? STOPPED :
			    "there are no samples before it: nothing to "
			    "compare with");
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
	struct pin pin = { .of = s->shown };
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
	last = profile_last_ns(s->live.profile);
	pin.since_ns = last > back ? last - back : 1;
	pin.baseline = baseline_until(s->live.profile, pin.since_ns);
	localtime_r(&then, &tm);
	strftime(pin.clock, sizeof(pin.clock), "%H:%M:%S", &tm);
	begin(s, &pin);
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
	struct pin pin = { .of = s->shown, .profile = profile };

	session_begin_work(s, ACTION_BASELINE);
	pin.names = names_new(profile);
	pin.baseline = baseline_of(profile, pin.names);
	snprintf(pin.title, sizeof(pin.title), "%s", s->loading);
	begin(s, &pin);
}

void
session_toggle_diff(struct session *s)
{
	struct pin *pin = &s->pin, before = *pin;
	char keys[64];

	if (pin->baseline && pin->of == s->shown) {
		pin->is_on = !pin->is_on;
		pin->drawn = DRAWN_NOW;
		if (!session_apply_filter(s))
			*pin = before;
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

/* Is something compared, now if not already? */
static bool
is_compared(struct session *s)
{
	const struct pin *pin = &s->pin;

	if (!pin->is_on || pin->of != s->shown)
		session_toggle_diff(s);
	return pin->is_on && pin->of == s->shown;
}

/* Of what runs, "now" is what it is whatever it is compared with. */
static bool
is_against_now(const struct session *s)
{
	return s->pin.is_swapped && s->shown == &s->live;
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
	}, *const turned[] = {
		[DRAWN_NOW] = "widths are of before",
		[DRAWN_BASE] = "as it is now: what is new is there, what has "
			      "gone is not",
		[DRAWN_LOST] = "only what is surely more than before, as wide "
			      "as what it gained",
	};
	struct pin *pin = &s->pin;

	if (!is_compared(s))
		return;
	session_set_drawn(s, (pin->drawn + 1) % ARRAY_LEN(stories));
	tui_message(s->tui, false, "%s", is_against_now(s) ?
		    turned[pin->drawn] : stories[pin->drawn]);
}

void
session_swap_sides(struct session *s)
{
	char what[sizeof(s->health.baseline)];

	if (!is_compared(s))
		return;
	s->pin.is_swapped = !s->pin.is_swapped;
	picture_swap(s->shown->picture, s->pin.is_swapped);
	session_match_sides(s);
	session_describe_diff(s, what, sizeof(what));
	tui_message(s->tui, false, "swapped%s: %s", s->pin.is_swapped ? "" :
		    " back", what);
}

void
session_name_sides(const struct session *s, char *pinned, size_t size,
		   char *now, size_t now_size)
{
	const struct pin *pin = &s->pin;

	if (pin->since_ns) {
		snprintf(pinned, size, "before %s", pin->clock);
		snprintf(now, now_size, "since %s", pin->clock);
		return;
	}
	snprintf(pinned, size, "%s", pin->title);
	snprintf(now, now_size, "%s", s->shown == &s->live ? "now" :
		 s->shown->title);
}

void
session_describe_diff(const struct session *s, char *out, size_t size)
{
	const struct pin *pin = &s->pin;
	char pinned[80], now[96];

	out[0] = '\0';
	if (!pin->is_on || pin->of != s->shown)
		return;
	session_name_sides(s, pinned, sizeof(pinned), now, sizeof(now));
	if (pin->is_swapped)
		snprintf(out, size, "%s against %s", pinned, pin->since_ns ?
			 "since" : now);
	else if (pin->since_ns)
		snprintf(out, size, "%s against before", now);
	else
		snprintf(out, size, "against %s", pinned);
}
