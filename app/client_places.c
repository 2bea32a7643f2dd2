/* SPDX-License-Identifier: MIT */
/*
 * client_places.c - where frames are in the source, for those that are looked
 * at.
 *
 * Names go first: a module's debug sections may take seconds to be read.
 */
#include <stdlib.h>

#include "app/client_private.h"

/* One request is answered while names wait. */
#define PLACES_AT_ONCE 256

static bool *
asked_flag(struct client *c, frame_id frame)
{
	while (c->nasked <= frame) {
		c->was_asked = grow(c->was_asked, c->nasked,
				    &c->asked_capacity, sizeof(bool));
		c->was_asked[c->nasked++] = false;
	}
	return &c->was_asked[frame];
}

/* Kernels have no places; and the module has to be known here. */
static struct known_module *
module_of(struct client *c, frame_id frame)
{
	module_id id = profile_get_frame(c->profile, frame)->module;
	enum module_kind kind = profile_get_module(c->profile, id)->kind;

	if (id >= c->nmodules ||
	    (kind != MODULE_PROGRAM && kind != MODULE_LIBRARY &&
	     kind != MODULE_JIT))
		return NULL;
	return &c->modules[id];
}

void
client_ask_place(struct client *c, frame_id frame, bool may_unpack)
{
	struct known_module *known = module_of(c, frame);
	bool *was_asked;

	if (!known || known->state == STATE_ASIDE)
		return;
	known->may_unpack |= may_unpack;
	was_asked = asked_flag(c, frame);
	if (*was_asked || (known->is_packed && !known->may_unpack))
		return;
	*was_asked = true;
	frame_list_add(&known->unplaced, frame);
}

void
client_ask_all_places(struct client *c)
{
	client_sort_frames(c);
	for (frame_id frame = 0; frame < c->next_frame; frame++)
		client_ask_place(c, frame, true);
}

bool
client_is_placing(const struct client *c)
{
	if (c->request.type == WIRE_PLACES)
		return true;
	for (size_t i = 0; i < c->nmodules; i++)
		if (c->modules[i].unplaced.count &&
		    c->modules[i].state != STATE_ASIDE)
			return true;
	return false;
}

void
client_hide_inlined(struct client *c)
{
	c->hides_inlined = true;
}

bool
client_ask_places(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];
	uint32_t count = 0;

	if (known->state != STATE_OPEN || !known->unplaced.count)
		return false;
	client_begin(c, WIRE_PLACES, id);
	while (count < PLACES_AT_ONCE && known->unplaced.count) {
		frame_id frame = known->unplaced.ids[--known->unplaced.count];

		c->asked[count++] = (struct asked){
			profile_get_frame(c->profile, frame)->offset, frame,
			false,
		};
	}
	qsort(c->asked, count, sizeof(c->asked[0]), client_by_offset);
	for (uint32_t i = 0; i < count; i++)
		c->request.offsets[i] = c->asked[i].offset;
	c->request.count = count;
	c->request.may_unpack = known->may_unpack;
	return client_send(c, -1);
}

static void
place_frames(struct client *c, uint64_t offset,
	     const struct symbol_place *places, size_t n)
{
	struct asked key = { .offset = offset }, *at;
	struct asked *end = c->asked + c->request.count;

	at = bsearch(&key, c->asked, c->request.count, sizeof(key),
		     client_by_offset);
	while (at && at > c->asked && at[-1].offset == offset)
		at--;
	if (c->hides_inlined && n > 1)
		n = 1;
	for (; at && at < end && at->offset == offset; at++) {
		names_set_places(c->names, at->frame, places, n);
		c->got_name = true;
	}
}

/* Nobody wanted it so much that sections should be unpacked. */
static void
put_off(struct client *c, struct known_module *known)
{
	known->is_packed = true;
	for (uint32_t i = 0; i < c->request.count; i++)
		*asked_flag(c, c->asked[i].frame) = false;
	if (known->may_unpack)	/* since then somebody does */
		for (uint32_t i = 0; i < c->request.count; i++)
			client_ask_place(c, c->asked[i].frame, true);
	while (!known->may_unpack && known->unplaced.count)
		*asked_flag(c, known->unplaced.ids[--known->unplaced.count]) =
			false;
}

bool
client_take_places(struct client *c, struct wire_answer *answer)
{
	struct symbol_place places[WIRE_DEPTH_MAX];
	uint64_t offset;
	size_t n;

	while (wire_next_places(answer, &offset, places, &n))
		place_frames(c, offset, places, n);
	if (!answer->is_last)
		return false;
	client_tell_trouble(c, c->request.module, answer->text);
	if (!answer->ok)
		put_off(c, &c->modules[c->request.module]);
	return true;
}

void
client_forget_places(struct client *c, module_id module)
{
	struct known_module *known = &c->modules[module];

	known->is_packed = false;
	known->unplaced.count = 0;
	for (frame_id frame = 0; frame < c->nasked; frame++) {
		bool was_asked = c->was_asked[frame];

		if (profile_get_frame(c->profile, frame)->module != module)
			continue;
		c->was_asked[frame] = false;
		if (was_asked)
			client_ask_place(c, frame, false);
	}
}
