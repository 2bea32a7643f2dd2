/* SPDX-License-Identifier: MIT */
/*
 * ways.h - the same samples by ways that must make no difference.
 *
 * Without the cache of rules, by a table for each page, by tables of stripped
 * files, with mappings learnt in another order: the same stacks. With shorter
 * copies: stacks that begin the same.
 */
#ifndef TESTS_ORACLE_WAYS_H
#define TESTS_ORACLE_WAYS_H

#include "tests/oracle/engine.h"

/*
 * All ways, a "key value" line for each and the first MOST_SHOWN differences.
 * False if there were any.
 */
bool ways_try(struct samples *samples, struct local_rows *rows,
	      enum unwind_mode mode, size_t most_shown);

#endif
