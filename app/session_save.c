/* SPDX-License-Identifier: MIT */
/*
 * session_save.c - what S writes: what is shown, all of it, whatever is
 * filtered out.
 *
 * In a comparison that is what differs, as a picture; or, by its name, the
 * profile, as ever.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/diff_print.h"
#include "app/save.h"
#include "app/session_private.h"

static bool
is_compared(const struct session *s)
{
	return s->pin.is_on && s->pin.of == s->shown;
}

void
session_save_name(const struct session *s, char *out, size_t size)
{
	static const char picture[] = "-diff.svg";
	char *dot;

	save_name(s->shown->profile, out, size);
	dot = strrchr(out, '.');
	if (is_compared(s) && dot && dot + sizeof(picture) <= out + size)
		strcpy(dot, picture);
}

/* What is pinned, and what there is beside it, both from the beginning. */
static void
add_sides(const struct session *s, struct comparison *comparison,
	  enum kind kind)
{
	enum side base = s->pin.is_swapped ? SIDE_OTHER : SIDE_BASE;
	enum side now = s->pin.is_swapped ? SIDE_BASE : SIDE_OTHER;
	struct profile *profile = s->shown->profile;
	struct names *names = s->shown->names;
	uint64_t at = s->pin.since_ns;

	if (at) {
		comparison_add_between(comparison, base, profile, names, kind,
				       0, at);
		comparison_add_between(comparison, now, profile, names, kind,
				       at, UINT64_MAX);
	} else {
		comparison_add(comparison, base, s->pin.profile, s->pin.names,
			       kind);
		comparison_add(comparison, now, profile, names, kind);
	}
}

static bool
save_difference(const struct session *s, const char *path, struct error *err)
{
	struct save_options options = save_as_asked(s->options,
						    s->shown->profile);
	struct comparison *comparison = comparison_new(&compare_default);
	char pinned[80], now[96];
	struct diff_titles titles = { pinned, now };
	bool ok;

	session_name_sides(s, pinned, sizeof(pinned), now, sizeof(now));
	if (s->pin.is_swapped)
		titles = (struct diff_titles){ now, pinned };
	add_sides(s, comparison, options.write.kind);
	comparison_judge(comparison);
	ok = diff_save_picture(path, options.is_forced, comparison, &titles,
			       err);
	comparison_free(comparison);
	return ok;
}

static bool
save_all(const struct session *s, const char *path, struct error *err)
{
	struct save_options options = save_as_asked(s->options,
						    s->shown->profile);

	return save_profile(path, s->shown->profile, s->shown->names,
			    &options, err);
}

void
session_save(struct session *s, const char *path)
{
	bool is_difference = is_compared(s) && diff_is_picture(path), ok;
	struct error err = { 0 };

	if (s->shown == &s->live)
		recording_describe(s->recording);
	ok = is_difference ? save_difference(s, path, &err) :
			     save_all(s, path, &err);
	if (ok)
		tui_message(s->tui, false, "saved%s: %s", is_difference ?
			    " what differs" : "", path);
	else
		tui_message(s->tui, true, "not saved: %s", err.text);
	s->is_changed = s->wants_now = true;
}
