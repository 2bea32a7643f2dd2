/* SPDX-License-Identifier: MIT */
/*
 * stack_funcs.c - from the leaf to the root, one frame after the other.
 */
#include "core/stack_funcs.h"

#include <stdlib.h>

#include "core/base.h"

void
stack_funcs_fini(struct stack_funcs *funcs)
{
	free(funcs->at);
	*funcs = (struct stack_funcs){ 0 };
}

static void
push(struct stack_funcs *funcs, func_id func)
{
	funcs->at = grow(funcs->at, funcs->count, &funcs->capacity,
			 sizeof(*funcs->at));
	funcs->at[funcs->count++] = func;
}

void
stack_funcs_read(struct stack_funcs *funcs, const struct profile *profile,
		 struct names *names, stack_id id)
{
	const struct frame_place *places;
	const struct stack *stack;
	size_t n;

	funcs->count = 0;
	for (; id; id = stack->parent) {
		stack = profile_get_stack(profile, id);
		places = names_places(names, stack->frame, &n);
		while (n > 1)
			push(funcs, names_final(names, places[--n].func));
		push(funcs, names_of(names, stack->frame));
	}
}
