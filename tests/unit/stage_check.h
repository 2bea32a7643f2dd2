/* SPDX-License-Identifier: MIT */
/*
 * stage_check.h - what a view on a stage is expected to show.
 */
#ifndef TESTS_UNIT_STAGE_CHECK_H
#define TESTS_UNIT_STAGE_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/scene.h"

#include <cmocka.h>

static inline void
check(struct stage *stage, int width, int height, const char *expected)
{
	char *dump = stage_dump(stage, width, height, false);

	assert_string_equal(dump, expected);
	free(dump);
}

static inline void
check_styles(struct stage *stage, int width, int height, const char *expected)
{
	char *dump = stage_dump(stage, width, height, true);

	assert_string_equal(dump, expected);
	free(dump);
}

static inline struct focus
focus_of(const struct stage *stage)
{
	return stage->ops->focus(stage->state, &stage->scene);
}

#endif
