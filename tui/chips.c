/* SPDX-License-Identifier: MIT */
/*
 * chips.c - the filters in force, on a line of their own.
 */
#include "tui/chips.h"

#include <stdio.h>
#include <string.h>

#include "core/pattern.h"
#include "tui/change.h"
#include "tui/pieces.h"
#include "tui/shares.h"
#include "tui/text.h"

#define SECOND UINT64_C(1000000000)
#define NAME_WIDTH 24
#define TRANSFORM_CHIPS 5	/* the newest; the others are a number */

bool
chips_are_shown(const struct scene *scene)
{
	return chips_are_any(scene) || scene->shares != SHARES_OF_VIEW;
}

bool
chips_are_any(const struct scene *scene)
{
	const struct filter *f = picture_filter(scene->picture);

	return f->ntransforms || f->nthreads || f->hide_kernel ||
	       f->hide_inlined || f->cut || f->window_ns ||
	       scene->health->baseline[0] || f->shape != SHAPE_CALLEES;
}

static struct piece *
add(struct pieces *line, int rank, const char *text)
{
	struct piece *p = pieces_add(line, rank, " %s ", text);

	p->style = STYLE_CHIP;
	return p;
}

/* All that came to the transforms. */
static uint64_t
weight_before(const struct scene *scene)
{
	size_t n = picture_filter(scene->picture)->ntransforms;
	uint64_t weight = picture_total(scene->picture);

	for (size_t i = 0; i <= n; i++)
		weight += picture_removed(scene->picture, i).dropped;
	return weight;
}

/* What threads and window leave out, where it is known. */
static void
add_threads(struct pieces *line, const struct scene *scene)
{
	const struct filter *f = picture_filter(scene->picture);
	uint64_t all = profile_total(scene->profile, f->kind);
	uint64_t left = weight_before(scene);
	char text[64], share[16] = "";

	if (!f->nthreads)
		return;
	if (!f->window_ns && !f->since_ns && all > left)
		share_text(share, sizeof(share), all - left, all);
	snprintf(text, sizeof(text), "%zu thread%s only%s%s", f->nthreads,
		 f->nthreads == 1 ? "" : "s", *share ? " -" : "", share);
	add(line, 1, text);
}

static void
add_simple(struct pieces *line, const struct scene *scene)
{
	const struct filter *f = picture_filter(scene->picture);
	struct side_words words = change_words(scene);
	char text[64];

	if (scene->health->baseline[0])
		add(line, 0, scene->health->baseline);
	if (picture_drawn(scene->picture) != DRAWN_NOW)
		add(line, 0, picture_drawn(scene->picture) == DRAWN_BASE ?
			     words.drawn_base : words.drawn_lost);
	if (f->window_ns) {
		snprintf(text, sizeof(text), "last %llu s",
			 (unsigned long long)(f->window_ns / SECOND));
		add(line, 0, text);
	}
	if (f->shape == SHAPE_INVERTED)
		add(line, 0, "inverted");
	add_threads(line, scene);
	if (f->hide_kernel)
		add(line, 2, "kernel hidden");
	if (f->hide_inlined)
		add(line, 2, "inlined hidden");
	if (f->cut) {
		snprintf(text, sizeof(text), "cut below %.3g %%", f->cut / 10.0);
		add(line, 2, text);
	}
}

static void
pattern_label(char *out, size_t size, const struct subject *about)
{
	const char *text = pattern_text(about->pattern);
	const char *end = strncmp(text, "(?#", 3) == 0 ? strchr(text, ')') :
							 NULL;

	if (end)
		snprintf(out, size, "%.*s", (int)(end - text - 3), text + 3);
	else
		snprintf(out, size, "%s/%s/", about->is_inverse ? "!" : "",
			 text);
}

static void
subject_label(char *out, size_t size, const struct scene *scene,
	      const struct subject *about, bool is_ascii)
{
	char whole[512] = "";
	const char *path;

	switch (about->kind) {
	case SUBJECT_FUNC:
		label_fit(out, size, names_text(scene->names, about->func),
			  NAME_WIDTH, is_ascii);
		return;
	case SUBJECT_MODULE:
		path = profile_text(scene->profile, profile_get_module(
				    scene->profile, about->module)->path);
		snprintf(whole, sizeof(whole), "%s", strrchr(path, '/') ?
			 strrchr(path, '/') + 1 : path);
		break;
	case SUBJECT_PATTERN:
		pattern_label(whole, sizeof(whole), about);
		break;
	case SUBJECT_ALL:
		break;
	}
	text_cut(out, size, whole, NAME_WIDTH, is_ascii);
}

static void
add_transform(struct pieces *line, const struct scene *scene, size_t i,
	      uint64_t before, bool is_ascii)
{
	static const struct {
		const char *word;
		bool drops;	/* else it changes paths */
	} kinds[] = {
		[TRANSFORM_FOCUS] = { "focus", true },
		[TRANSFORM_EXCLUDE] = { "exclude", true },
		[TRANSFORM_MERGE] = { "merge", false },
		[TRANSFORM_LIBRARY] = { "library", false },
		[TRANSFORM_RECURSION] = { "recursion folded", false },
		[TRANSFORM_FROM] = { "from", true },
	};
	const struct transform *t =
		&picture_filter(scene->picture)->transforms[i];
	struct removed removed = picture_removed(scene->picture, i);
	char label[128] = "", share[16], text[256];
	struct piece *p;

	subject_label(label, sizeof(label), scene, &t->about, is_ascii);
	share_text(share, sizeof(share), kinds[t->kind].drops ?
		   removed.dropped : removed.changed, before);
	snprintf(text, sizeof(text), "%s%s%s %s%s", kinds[t->kind].word,
		 *label ? " " : "", label, kinds[t->kind].drops ? "-" : "",
		 share);
	p = add(line, 1, text);
	piece_brief(p, " %s%s%s ", kinds[t->kind].word, *label ? " " : "",
		    label);
}

/* What percentages are of, where that is not what one would think. */
static void
add_shares(struct pieces *line, const struct scene *scene)
{
	char name[64];
	struct piece *p;

	if (scene->shares == SHARES_OF_VIEW && !shares_are_filtered(scene))
		return;
	p = pieces_add(line, 3, "%% of %s", shares_name(scene, scene->shares,
							name, sizeof(name)));
	p->style = STYLE_DIM;
	p->is_right = true;
}

void
chips_draw(const struct scene *scene, struct canvas *canvas, int y)
{
	const struct filter *f = picture_filter(scene->picture);
	struct pieces line = { .ground = STYLE_TEXT };
	uint64_t before = weight_before(scene);
	size_t first = f->ntransforms > TRANSFORM_CHIPS ?
		       f->ntransforms - TRANSFORM_CHIPS : 0;
	char text[32];

	add_simple(&line, scene);
	if (first) {
		snprintf(text, sizeof(text), "+%zu", first);
		add(&line, 0, text);
	}
	for (size_t i = first; i < f->ntransforms; i++)
		add_transform(&line, scene, i, before,
			      canvas_is_ascii(canvas));
	add_shares(&line, scene);
	pieces_draw(&line, canvas, y);
}
