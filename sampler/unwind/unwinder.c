/* SPDX-License-Identifier: MIT */
/*
 * unwinder.c - what a walk keeps for the next one: rules, and what the bytes
 * of code say.
 */
#include "sampler/unwind/unwinder.h"

#include <stdlib.h>

#include "core/base.h"
#include "sampler/unwind/rules.h"
#include "sampler/unwind/step.h"
#include "sampler/unwind/stride.h"

struct unwinder *
unwind_new(enum unwind_mode mode, const struct row_source *source)
{
	struct unwinder *unwinder = xcalloc(1, sizeof(*unwinder));

	unwinder->mode = mode;
	unwinder->code = code_new();
	if (mode == UNWIND_LIBUNWIND || (mode != UNWIND_FP && !source))
		unwinder->cfi = cfi_new();
	else if (mode != UNWIND_FP)
		unwinder->rules = rules_new(source);
	unwind_use_cache(unwinder, true);
	return unwinder;
}

void
unwind_free(struct unwinder *unwinder)
{
	if (!unwinder)
		return;
	code_free(unwinder->code);
	rules_free(unwinder->rules);
	stride_free(unwinder->stride);
	cfi_free(unwinder->cfi);
	free(unwinder);
}

void
unwind_use_cache(struct unwinder *unwinder, bool is_used)
{
	if (!unwinder->rules)
		return;
	rules_use_cache(unwinder->rules, is_used);
	stride_free(unwinder->stride);
	unwinder->stride = stride_new(is_used);
}

void
unwinder_check_maps(struct unwinder *unwinder, const struct maps *maps)
{
	code_check_maps(unwinder->code, maps);
	if (unwinder->rules)
		rules_check_maps(unwinder->rules, maps);
	if (unwinder->stride && unwinder->generation != maps_generation(maps))
		stride_forget(unwinder->stride);
	unwinder->generation = maps_generation(maps);
	if (unwinder->cfi)
		cfi_check_maps(unwinder->cfi, maps);
}
