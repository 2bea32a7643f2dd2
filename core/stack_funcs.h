/* SPDX-License-Identifier: MIT */
/*
 * stack_funcs.h - the functions of a stack, with those that were inlined.
 */
#ifndef CORE_STACK_FUNCS_H
#define CORE_STACK_FUNCS_H

#include <stddef.h>

#include "core/names.h"
#include "core/profile.h"

/* Room that is used again for each stack; all zeroes is an empty one. */
struct stack_funcs {
	func_id *at;		/* innermost first */
	size_t count, capacity;
};

void stack_funcs_fini(struct stack_funcs *funcs);

/* What STACK of PROFILE is made of, as names are known now. */
void stack_funcs_read(struct stack_funcs *funcs, const struct profile *profile,
		      struct names *names, stack_id stack);

#endif
