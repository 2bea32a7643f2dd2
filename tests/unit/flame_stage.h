/* SPDX-License-Identifier: MIT */
/*
 * flame_stage.h - a flame graph of a few functions, for tests of it.
 */
#ifndef TESTS_UNIT_FLAME_STAGE_H
#define TESTS_UNIT_FLAME_STAGE_H

#include "tests/unit/stage_check.h"

/* 60 samples: main 53 (parse 31, eval 20, itself 2) and idle 7. */
static inline void
open_small(struct stage *stage)
{
	stage_open(stage, &view_flame);
	stage_add(stage, "main;parse;read", 20);
	stage_add(stage, "main;parse;lex;^copy_user", 6);
	stage_add(stage, "main;parse", 5);
	stage_add(stage, "main;eval;call", 9);
	stage_add(stage, "main;eval;a", 1);
	stage_add(stage, "main;eval;b", 1);
	stage_add(stage, "main;eval", 9);
	stage_add(stage, "main", 2);
	stage_add(stage, "idle", 7);
	stage_settle(stage, 44, 7);
}

#endif
