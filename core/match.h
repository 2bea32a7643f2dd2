/* SPDX-License-Identifier: MIT */
/*
 * match.h - functions of another profile as functions of this one.
 *
 * They are the same when they have the same name and their modules do too.
 * Files often know no module: then the name is enough. What this profile has
 * not seen gets a function that is its name and nothing more.
 */
#ifndef CORE_MATCH_H
#define CORE_MATCH_H

#include <stdbool.h>

#include "core/names.h"

struct match;

/* Both are borrowed until match_free(). OURS gets what it has not. */
struct match *match_new(struct names *ours, struct names *theirs);
void match_free(struct match *match);

/*
 * Take in names that came since the last call. True when a function is
 * another one of ours now: stacks have to be walked anew then.
 */
bool match_update(struct match *match);

/* The function of ours that FUNC of theirs is. */
func_id match_func(struct match *match, func_id func);

/*
 * Another one of ours with FUNC's name, to try where FUNC is not: several
 * static functions may share one. FUNC_NONE after the last; begin with
 * match_first().
 */
func_id match_first(const struct match *match, func_id func);
func_id match_next(const struct match *match, func_id func);

#endif
