/* SPDX-License-Identifier: MIT */
/*
 * matcher.h - is a function one of those that a transform is about?
 *
 * Functions get other names while one looks, so answers are remembered with
 * the name they were given for, and can be asked whether they still hold.
 */
#ifndef CORE_MATCHER_H
#define CORE_MATCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/transform.h"

struct answer;

/* A subject with the answers given so far. */
struct matcher {
	struct subject subject;
	bool is_by_module;
	struct answer *answers;	/* by function */
	size_t known;
};

/*
 * Copies SUBJECT and shares its pattern. IS_BY_MODULE: only modules count;
 * FUNC then means its module, and PATTERN is held against modules' names.
 */
void matcher_init(struct matcher *matcher, const struct subject *subject,
		  bool is_by_module);
void matcher_fini(struct matcher *matcher);

/* Is the subject about FUNC (as names_final() has it)? */
bool matcher_holds(struct matcher *matcher, const struct names *names,
		   func_id func);

/*
 * Names came: did an answer become another one? Then all are forgotten. With
 * ALIASES also when two functions that it is about have become one.
 */
bool matcher_is_outdated(struct matcher *matcher, const struct names *names,
			 bool aliases);

#endif
