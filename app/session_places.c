/* SPDX-License-Identifier: MIT */
/*
 * session_places.c - the source of what is on the screen, and of what is saved.
 *
 * Reading debug sections may take seconds of the symbols process, so only what
 * is wide enough to be seen is asked for; and sections that have to be
 * unpacked are left alone until the cursor comes to their module, or a file is
 * to be written.
 */
#include <stdlib.h>

#include "app/session_private.h"
#include "sampler/clock.h"

#define ASK_NS 1000000000ull
#define SAVE_NS 10000000000ull	/* then without the rest */
#define SEEN_PART 400		/* of the width: as thin as it may be */

static void
ask_seen(void *ctx, frame_id frame)
{
	const struct session *s = ctx;

	client_ask_place(s->recording->client, frame,
			 s->options->inlined == INLINE_FULL);
}

static void
ask_all_seen(struct session *s, node_id top)
{
	const struct calltree *tree = picture_tree(s->shown->picture);
	uint64_t all = calltree_total(tree, top == NODE_NONE ? 0 : top);
	bool is_full = s->options->inlined == INLINE_FULL;

	if (all && s->options->inlined != INLINE_OFF)
		picture_each_seen(s->shown->picture,
				  is_full ? 1 : all / SEEN_PART + 1, ask_seen,
				  s);
}

static void
ask_focus(struct session *s, const struct focus *focus)
{
	struct session_places *p = &s->places;

	p->node = focus->node;
	p->func = focus->func;
	p->has_frame = picture_hottest(s->shown->picture, focus->node,
				       focus->func, &p->frame, &p->level);
	if (p->has_frame)
		client_ask_place(s->recording->client, p->frame, true);
}

void
session_ask_places(struct session *s)
{
	struct session_places *p = &s->places;
	struct scene scene = session_scene(s);
	struct focus focus;
	bool is_due = clock_now() - p->asked_ns > ASK_NS;

	if (s->shown != &s->live) {
		p->has_frame = false;
		return;
	}
	focus = tui_focus(s->tui, &scene);
	if (is_due || focus.node != p->node || focus.func != p->func)
		ask_focus(s, &focus);
	if (!is_due)
		return;
	ask_all_seen(s, focus.top);
	p->asked_ns = clock_now();
}

void
session_show_place(const struct session *s, struct scene *scene)
{
	const struct session_places *p = &s->places;
	const struct frame_place *places;
	size_t n;

	if (!p->has_frame || s->shown != &s->live)
		return;
	places = names_places(s->shown->names, p->frame, &n);
	if (p->level >= n)
		return;
	scene->place = &places[p->level];
	scene->placed_node = p->node;
	scene->placed_func = p->func;
}

void
session_begin_save(struct session *s, const char *path)
{
	struct client *client = s->recording->client;

	if (s->shown == &s->live && s->options->inlined != INLINE_OFF)
		client_ask_all_places(client);
	if (s->shown != &s->live || !client_is_placing(client)) {
		session_save(s, path);
		return;
	}
	free(s->places.goal);
	s->places.goal = xstrdup(path);
	s->places.goal_ns = clock_now();
	tui_message(s->tui, false, "saving, when inlined functions are known");
}

void
session_go_on_saving(struct session *s)
{
	char *path = s->places.goal;

	if (!path || (client_is_placing(s->recording->client) &&
		      clock_now() - s->places.goal_ns < SAVE_NS))
		return;
	s->places.goal = NULL;
	session_save(s, path);
	free(path);
}
