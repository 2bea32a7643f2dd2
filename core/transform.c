/* SPDX-License-Identifier: MIT */
/*
 * transform.c - when two transforms are the same.
 */
#include "core/transform.h"

#include <string.h>

#include "core/pattern.h"

bool
transform_is_same(const struct transform *a, const struct transform *b)
{
	const struct subject *one = &a->about, *two = &b->about;

	if (a->kind != b->kind || one->kind != two->kind ||
	    one->is_inverse != two->is_inverse)
		return false;
	switch (one->kind) {
	case SUBJECT_FUNC:
		return one->func == two->func;
	case SUBJECT_MODULE:
		return one->module == two->module;
	case SUBJECT_PATTERN:
		return strcmp(pattern_text(one->pattern),
			      pattern_text(two->pattern)) == 0;
	case SUBJECT_ALL:
		return true;
	}
	return false;
}
