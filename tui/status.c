/* SPDX-License-Identifier: MIT */
/*
 * status.c - the lines around a view.
 */
#include "tui/status.h"

#include <stdio.h>
#include <string.h>

#include "tui/change.h"
#include "tui/pieces.h"
#include "tui/shares.h"
#include "tui/text.h"

#define ZOOM_WIDTH 20		/* of a name that something is a share of */
#define NOTE_AROUND 4		/* cells beside a note: blanks, a gap */
#define NOTE_LEAST 40		/* else the tabs of other views are short */

const char *
status_nothing(const struct scene *scene)
{
	const struct health *health = scene->health;
	const struct filter *filter = picture_filter(scene->picture);
	struct weights weights = picture_weights(scene->picture);
	enum drawn drawn = picture_drawn(scene->picture);

	if (weights_total(&weights, 0) > 0)
		return NULL;
	if (drawn == DRAWN_LOST)
		return change_words(scene).nothing_less;
	if (drawn == DRAWN_BASE || picture_is_swapped(scene->picture))
		return "no samples on this side, under the filters in force";
	if (profile_total(scene->profile, filter->kind) > 0)
		return filter->nthreads ?
		       "no samples in the threads that are chosen" :
		       "no samples under the filters in force";
	if (health->threads_total > 0 && health->threads_seen == 0)
		return "no samples: no thread is watched (a set-uid program?)";
	if (health->is_suspended)
		return "no samples: the target is stopped; kill -CONT PID lets "
		       "it go on";
	if (!health->is_live || health->state[0])
		return health->state[0] ?
		       "no samples: it used next to no CPU time while watched" :
		       "no samples in this profile";
	if (health->is_frozen)
		return "no samples yet, and the picture is frozen";
	return "no samples yet: the target has not run (its children: "
	       "--follow)";
}

char *
status_zoom_name(const struct scene *scene, func_id func, char *out,
		 size_t size, bool is_ascii)
{
	if (func == FUNC_NONE)
		snprintf(out, size, "view");
	else
		label_fit(out, size, names_text(scene->names, func), ZOOM_WIDTH,
			  is_ascii);
	return out;
}

/* --- header and tabs */

static void
add_seconds(struct pieces *line, double seconds)
{
	unsigned long s;
	struct piece *p;

	if (seconds < 0)
		return;
	s = seconds < 1e9 ? (unsigned long)seconds : 0;
	if (s < 60)
		pieces_add(line, 4, "%lu s", s);
	else if (s < 3600)
		pieces_add(line, 4, "%lu min %02lu s", s / 60, s % 60);
	else
		pieces_add(line, 4, "%lu h %02lu min", s / 3600, s / 60 % 60);
	p = &line->all[line->count - 1];
	piece_brief(p, "%lu:%02lu", s / 60, s % 60);
}

static void
add_frozen(struct pieces *line, const struct health *health)
{
	char count[32];
	struct piece *p;

	if (!health->is_frozen)
		return;
	p = pieces_add(line, 1, " FROZEN: %s samples wait ",
		       count_text(count, sizeof(count), health->waiting));
	piece_brief(p, " FROZEN +%s ", count);
	p->style = STYLE_WARNING;
}

void
status_header(const struct scene *scene, struct canvas *canvas, int y)
{
	const struct health *health = scene->health;
	struct pieces line = { .ground = STYLE_TITLE };
	struct piece *p;

	p = pieces_add(&line, 0, "%s", health->target);
	p->flags = CELL_BOLD;
	if (health->state[0]) {
		p = pieces_add(&line, 2, " %s ", health->state);
		p->style = STYLE_WARNING;
	}
	if (health->event[0] && health->hz_wanted >= 0) {
		p = pieces_add(&line, 5, "%s %.0f Hz", health->event,
			       health->hz_wanted);
		piece_brief(p, "%s", health->event);
	} else if (health->event[0]) {
		pieces_add(&line, 5, "%s", health->event);
	}
	add_seconds(&line, health->seconds);
	add_frozen(&line, health);
	p = pieces_add(&line, 3, "%s", health->clock);
	p->is_right = true;
	pieces_draw(&line, canvas, y);
}

const char *
status_unit(const struct scene *scene)
{
	static const char *const units[KIND_COUNT] = {
		[KIND_CPU] = "samples",
		[KIND_FAULT] = "faults",
		[KIND_SWITCH] = "switches",
	};

	return units[picture_filter(scene->picture)->kind];
}

/* For who takes a flame graph for a chart. */
static void
add_widths(struct pieces *line, const struct scene *scene)
{
	const char *unit = status_unit(scene);
	const char *what = unit ? unit : "time";
	struct piece *p = pieces_add(line, 4, "width = share of %s, no time "
				     "axis", what);

	piece_brief(p, "width = share of %s", what);
	p->style = STYLE_DIM;
	p->is_right = true;
}

/* Where it is short, other views have their digit alone. */
static void
add_tabs(struct pieces *line, const struct view_ops *const *views,
	 size_t count, size_t current, bool is_short)
{
	for (size_t i = 0; i < count; i++) {
		if (i == current)
			pieces_add(line, 0, "[%c %s]", views[i]->digit,
				   views[i]->name)->flags = CELL_BOLD;
		else if (is_short)
			pieces_add(line, 1 + (i > 1), " %c ", views[i]->digit);
		else
			pieces_add(line, 1 + (i > 1), " %c %s ",
				   views[i]->digit, views[i]->name);
	}
}

/* What is not permitted: as much of it as fits beside the tabs. */
static void
add_note(struct pieces *line, const char *note, int room, bool is_ascii)
{
	char cut[sizeof(line->all->whole)];
	struct piece *p = pieces_add(line, 0, " %s ",
				     text_cut(cut, sizeof(cut), note, room,
					      is_ascii));

	p->style = STYLE_WARNING;
	p->is_right = true;
}

void
status_tabs(const struct scene *scene, const struct view_ops *const *views,
	    size_t count, size_t current, struct canvas *canvas, int y)
{
	struct pieces line = { .ground = STYLE_TEXT };
	int width = canvas_width(canvas) - NOTE_AROUND;
	const char *note = scene->health->note;

	add_tabs(&line, views, count, current, false);
	if (*note && pieces_width(&line) + NOTE_LEAST > width) {
		line.count = 0;
		add_tabs(&line, views, count, current, true);
	}
	if (*note)
		add_note(&line, note, width - pieces_width(&line),
			 canvas_is_ascii(canvas));
	else if (views[current]->has_widths)
		add_widths(&line, scene);
	pieces_draw(&line, canvas, y);
}

/* --- health */

/* One kind of loss: its words, and from where on it is worth a warning. */
struct loss {
	const char *word, *brief;
	unsigned many;		/* per mille of the samples */
	int rank;
};

static void
add_loss(struct pieces *line, const struct health *health,
	 const struct loss *loss, uint64_t count)
{
	uint64_t kept = health->losses.samples;
	bool is_bad = count > 0 &&
		      (kept == 0 || count > kept / 1000 * loss->many);
	char share[16] = "0";
	struct piece *p;

	if (!health->knows_losses) {
		p = pieces_add(line, loss->rank, "%s n/a", loss->word);
		piece_brief(p, "%s n/a", loss->brief);
		return;
	}
	if (count > 0)
		share_text(share, sizeof(share), count, kept);
	p = pieces_add(line, loss->rank, "%s%s %s", is_bad ? "! " : "",
		       loss->word, share);
	piece_brief(p, "%s%s %s", is_bad ? "!" : "", loss->brief, share);
	if (is_bad)
		p->style = STYLE_WARNING;
}

static void
add_rate(struct pieces *line, const struct health *health)
{
	struct piece *p;

	if (!health->is_live || health->hz_wanted < 0 || health->hz_got < 0) {
		p = pieces_add(line, 1, "rate n/a");
		return;
	}
	p = pieces_add(line, 1, "rate %.0f of %.0f Hz", health->hz_got,
		       health->hz_wanted);
	piece_brief(p, "%.0f/%.0fHz", health->hz_got, health->hz_wanted);
}

static void
add_threads(struct pieces *line, const struct health *health)
{
	unsigned seen = health->threads_seen, total = health->threads_total;
	struct piece *p;

	if (seen == 0 && total == 0) {
		p = pieces_add(line, 4, "threads n/a");
		piece_brief(p, "thr n/a");
		return;
	}
	p = pieces_add(line, 4, "%sthreads %u/%u", seen < total ? "! " : "",
		       seen, total);
	piece_brief(p, "%sthr %u/%u", seen < total ? "!" : "", seen, total);
	if (seen < total)
		p->style = STYLE_WARNING;
}

void
status_health(const struct scene *scene, struct canvas *canvas, int y)
{
	const struct health *health = scene->health;
	const struct losses *losses = &health->losses;
	static const struct loss lost = { "lost", "lost", 10, 0 },
				 cut = { "cut", "cut", 50, 2 },
				 unnamed = { "unnamed", "unn", 200, 3 },
				 guessed = { "guessed", "guess", 1000, 6 },
				 joined = { "stitched", "stitch", 1000, 6 },
				 deep = { "deep", "deep", 1000, 6 },
				 late = { "rules late", "rules", 50, 6 };
	struct pieces line = { .ground = STYLE_HEALTH };
	struct piece *p;

	add_rate(&line, health);
	add_loss(&line, health, &lost, losses->lost);
	add_loss(&line, health, &cut, losses->cut);
	add_loss(&line, health, &unnamed, losses->unresolved);
	if (losses->guessed > 0)
		add_loss(&line, health, &guessed, losses->guessed);
	if (losses->stitched > 0)
		add_loss(&line, health, &joined, losses->stitched);
	if (losses->deep > 0)
		add_loss(&line, health, &deep, losses->deep);
	if (losses->rules_late > 0)
		add_loss(&line, health, &late, losses->rules_late);
	add_threads(&line, health);
	if (health->is_stopping) {
		p = pieces_add(&line, 4, "stopped %.1f %%", health->stopped);
		piece_brief(p, "stop %.1f%%", health->stopped);
	}
	if (health->own_cpu >= 0) {
		p = pieces_add(&line, 5, "own CPU %.1f %%", health->own_cpu);
		piece_brief(p, "cpu %.1f%%", health->own_cpu);
	} else {
		pieces_add(&line, 5, "own CPU n/a");
	}
	pieces_draw(&line, canvas, y);
}

/* --- search */

/* "8.3 % of all, 21.0 % of serve": of the picture, and of the zoom. */
static void
add_hit_shares(const struct scene *scene, const struct tally *n, char *out,
	       size_t size, bool is_ascii)
{
	struct weights wholes = picture_wholes(scene->picture);
	char share[16], name[96];
	size_t used;

	share_text(share, sizeof(share), n->weight,
		   shares_whole(scene, NODE_NONE));
	shares_name(scene, scene->shares == SHARES_OF_ALL ? SHARES_OF_ALL :
		    SHARES_OF_VIEW, name, sizeof(name));
	snprintf(out, size, "%s of %s", share, name);
	used = strlen(out);
	if (n->top == 0)
		return;
	share_text(share, sizeof(share), n->weight,
		   weights_total(&wholes, n->top));
	status_zoom_name(scene, calltree_func(wholes.tree, n->top), name,
			 sizeof(name), is_ascii);
	snprintf(out + used, size - used, ", %s of %s", share, name);
}

char *
status_hits(const struct scene *scene, const struct focus *focus,
	    const struct tally *n, char *out, size_t size, bool is_ascii)
{
	char frames[32], functions[32], shares[192];

	add_hit_shares(scene, n, shares, sizeof(shares), is_ascii);
	snprintf(out, size, "%s frame%s, %s function%s, %s",
		 count_text(frames, sizeof(frames), n->frames),
		 n->frames == 1 ? "" : "s",
		 count_text(functions, sizeof(functions), n->functions),
		 n->functions == 1 ? "" : "s", shares);
	if (focus->hit && n->frames)
		snprintf(out + strlen(out), size - strlen(out),
			 ", hit %u/%llu", focus->hit,
			 (unsigned long long)n->frames);
	return out;
}

void
status_search(const struct scene *scene, const struct focus *focus,
	      const struct tally *tally, const struct keymap *keymap,
	      struct canvas *canvas, int y)
{
	struct pieces line = { .ground = STYLE_PROMPT };
	char hits[256], pattern[256], keys[128];
	struct piece *p;

	p = pieces_add(&line, 1, "/%s",
		       text_cut(pattern, sizeof(pattern),
				search_pattern(scene->search), 60,
				canvas_is_ascii(canvas)));
	piece_brief(p, "/%s",
		    text_cut(pattern, sizeof(pattern),
			     search_pattern(scene->search), 16,
			     canvas_is_ascii(canvas)));
	pieces_add(&line, 0, "%s",
		   status_hits(scene, focus, tally, hits, sizeof(hits),
			       canvas_is_ascii(canvas)));
	p = pieces_add(&line, 2, "%s",
		       status_search_keys(keymap, false, keys, sizeof(keys)));
	piece_brief(p, "%s",
		    status_search_keys(keymap, true, keys, sizeof(keys)));
	p->is_right = true;
	p->style = STYLE_PROMPT;
	pieces_draw(&line, canvas, y);
}
