/* SPDX-License-Identifier: MIT */
/*
 * scene.h - a small profile and what views need around it, for tests of
 * views.
 */
#ifndef TESTS_UNIT_SCENE_H
#define TESTS_UNIT_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture.h"
#include "tui/canvas.h"
#include "tui/search.h"
#include "tui/view.h"

struct stage {
	struct profile *profile;
	struct names *names;
	struct picture *picture;
	struct search *search;
	struct health health;
	struct scene scene;
	const struct view_ops *ops;
	void *state;
	struct canvas *canvas;
};

static void
stage_open(struct stage *stage, const struct view_ops *ops)
{
	memset(stage, 0, sizeof(*stage));
	stage->profile = profile_new();
	stage->names = names_new(stage->profile);
	stage->picture = picture_new(stage->profile, stage->names);
	stage->search = search_new();
	stage->scene = (struct scene){
		.picture = stage->picture, .names = stage->names,
		.profile = stage->profile, .search = stage->search,
		.health = &stage->health, .now_ns = 100000000000ull,
	};
	stage->ops = ops;
	stage->state = xcalloc(1, ops->state_size);
	stage->canvas = canvas_new(1, 1, false);
}

static void
stage_close(struct stage *stage)
{
	stage->ops->remap(stage->state, NULL, 0);
	free(stage->state);
	canvas_free(stage->canvas);
	search_free(stage->search);
	picture_free(stage->picture);
	names_free(stage->names);
	profile_free(stage->profile);
}

/* '^' begins a kernel frame, '~' one of a JIT. */
static inline frame_id
stage_frame(struct stage *stage, const char *name)
{
	struct frame frame = { .kind = FRAME_CODE };

	if (*name == '^')
		frame.kind = FRAME_KERNEL;
	else if (*name == '~')
		frame.kind = FRAME_JIT;
	name += frame.kind != FRAME_CODE;
	frame.name = strings_add(profile_strings(stage->profile), name,
				 strlen(name));
	return profile_frame(stage->profile, &frame);
}

/* Count WEIGHT on the stack "main;parse;read". */
static inline void
stage_add(struct stage *stage, const char *path, uint64_t weight)
{
	char *copy = xstrdup(path), *rest = copy, *name;
	struct cell cell = { .kind = KIND_CPU, .weight = weight };

	while ((name = strsep(&rest, ";")))
		cell.stack = profile_push(stage->profile, cell.stack,
					  stage_frame(stage, name));
	free(copy);
	profile_add(stage->profile, 0, &cell);
	picture_note(stage->picture, &cell);
}

/* Take in what was added and settle the view at WIDTH x HEIGHT. */
static inline void
stage_settle(struct stage *stage, int width, int height)
{
	size_t count;
	node_id *map = picture_update(stage->picture, &count);

	if (map)
		stage->ops->remap(stage->state, map, count);
	free(map);
	search_update(stage->search, stage->names);
	stage->scene.now_ns += 500000000;
	stage->ops->layout(stage->state, &stage->scene, width, height);
}

/* The screen as text; the caller frees. */
static inline char *
stage_dump(struct stage *stage, int width, int height, bool with_styles)
{
	stage_settle(stage, width, height);
	canvas_resize(stage->canvas, width, height);
	stage->ops->draw(stage->state, &stage->scene, stage->canvas,
			 (struct rect){ 0, 0, width, height });
	return canvas_dump(stage->canvas, with_styles);
}

/* Words of keys: "down down zoom". */
static inline void
stage_keys(struct stage *stage, const char *words)
{
	char *copy = xstrdup(words), *rest = copy, *word;

	while ((word = strsep(&rest, " ")))
		stage->ops->act(stage->state, &stage->scene,
				action_by_word(word));
	free(copy);
}

/* Name of the function under the cursor; "" if there is none. */
static inline const char *
stage_cursor(const struct stage *stage)
{
	struct focus focus = stage->ops->focus(stage->state, &stage->scene);

	if (focus.func == FUNC_NONE)
		return "";
	return names_text(stage->names, focus.func);
}

#endif
