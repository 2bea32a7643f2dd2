/* SPDX-License-Identifier: MIT */
/*
 * picture_path.c - the functions of a stack, transformed and in order.
 */
#include "core/base.h"
#include "core/match.h"
#include "core/picture_private.h"

const struct frame_place *
picture_inlined(const struct picture *picture, const struct names *names,
		frame_id frame, size_t *n)
{
	const struct frame_place *places;

	places = names_places(names, frame, n);
	if (!*n || picture->filter.hide_inlined) {
		*n = 0;
		return NULL;
	}
	--*n;
	return places + 1;
}

bool
picture_hides(const struct picture *picture, enum frame_kind kind)
{
	return (picture->filter.hide_kernel && kind == FRAME_KERNEL) ||
	       (picture->filter.hide_inlined && kind == FRAME_INLINED);
}

bool
picture_is_plain(const struct picture *picture)
{
	return picture->filter.shape == SHAPE_CALLEES &&
	       !picture->filter.ntransforms;
}

static void
push_step(struct call_path *path, struct step step)
{
	path->steps = grow(path->steps, path->count, &path->capacity,
			   sizeof(step));
	path->steps[path->count++] = step;
}

static func_id
func_in_tree(const struct source *source, func_id func)
{
	return source->match ? match_func(source->match, func) : func;
}

void
picture_push_frame(const struct picture *picture, const struct source *source,
		   struct call_path *path, frame_id frame)
{
	const struct frame_place *inlined;
	size_t n;

	if (picture_hides(picture, profile_get_frame(source->profile,
						     frame)->kind))
		return;
	push_step(path, (struct step){
		func_in_tree(source, names_of(source->names, frame)),
		frame, 0 });
	inlined = picture_inlined(picture, source->names, frame, &n);
	for (size_t i = 0; i < n; i++)
		push_step(path, (struct step){
			func_in_tree(source, inlined[i].func), frame,
			(uint32_t)i + 1 });
}

static void
push_stack(const struct picture *picture, const struct source *source,
	   struct call_path *path, stack_id stack)
{
	struct room *room = picture->room;
	size_t steps = 0;

	for (; stack; stack = profile_get_stack(source->profile,
						stack)->parent) {
		room->stacks = grow(room->stacks, steps, &room->capacity,
				    sizeof(stack));
		room->stacks[steps++] = stack;
	}
	while (steps--)
		picture_push_frame(picture, source, path, profile_get_stack(
			source->profile, room->stacks[steps])->frame);
}

static void
turn_round(struct call_path *path)
{
	for (size_t i = 0, k = path->count; i + 1 < k; i++) {
		struct step step = path->steps[i];

		path->steps[i] = path->steps[--k];
		path->steps[k] = step;
	}
}

/* Leave the outermost frame of the pivot, and its callers. */
static enum transformed
cut_below(const struct picture *picture, struct call_path *path)
{
	struct matcher *pivot = &picture->transformers[
		picture->filter.ntransforms].matcher;
	size_t at = path_find(path, pivot, picture->names);

	if (at < path->count)
		path->count = at + 1;
	else if (path->row != FUNC_NONE &&
		 matcher_holds(pivot, picture->names, path->row))
		path->count = 0;
	else
		return PATH_DROPPED;
	return PATH_SAME;
}

/* What the filter's shape asks for; false when there is no path then. */
static bool
put_in_shape(const struct picture *picture, struct call_path *path)
{
	const struct filter *filter = &picture->filter;

	if (filter->shape == SHAPE_BELOW &&
	    transformer_apply(&picture->transformers[filter->ntransforms],
			      picture->names, &picture->room->marks, path) ==
		    PATH_DROPPED)
		return false;
	if (filter->shape == SHAPE_ABOVE &&
	    cut_below(picture, path) == PATH_DROPPED)
		return false;
	if (!is_outermost_first(filter->shape))
		turn_round(path);
	return true;
}

uint32_t
picture_transform(const struct picture *picture, struct call_path *path,
		  bool *is_dropped)
{
	uint32_t touched = 0;

	*is_dropped = false;
	for (size_t i = 0; i < picture->filter.ntransforms; i++) {
		enum transformed answer = transformer_apply(
			&picture->transformers[i], picture->names,
			&picture->room->marks, path);

		if (answer != PATH_SAME)
			touched |= (uint32_t)1 << i;
		if (answer != PATH_DROPPED)
			continue;
		*is_dropped = true;
		return touched;
	}
	*is_dropped = !put_in_shape(picture, path);
	return *is_dropped ? touched | LEAF_PIVOT : touched;
}

uint32_t
picture_path(const struct picture *picture, const struct source *source,
	     func_id row, stack_id stack, struct call_path *path,
	     bool *is_dropped)
{
	path->row = row;
	path->count = 0;
	push_stack(picture, source, path, stack);
	return picture_transform(picture, path, is_dropped);
}
