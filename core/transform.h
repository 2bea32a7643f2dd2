/* SPDX-License-Identifier: MIT */
/*
 * transform.h - ways to look at less, or at more at once.
 *
 * A transform is given each stack as the path of its functions, outermost
 * first, and drops the stack or changes the path; several go one after the
 * other. No weight is lost: what a stack weighs is counted where its path
 * ends then, and what was dropped is counted apart (picture_removed()).
 *
 *	about b:	main;a;b;c	main;a;d	b;a;b;d
 *	FOCUS		main;a;b;c	-		b;a;b;d
 *	EXCLUDE		-		main;a;d	-
 *	MERGE		main;a;c	main;a;d	a;d
 *	FROM		b;c		-		b;a;b;d
 *	RECURSION	main;a;b;c	main;a;d	b;d
 *
 * A stack below a thread's row is about that row too for FOCUS and EXCLUDE,
 * and MERGE can take the row away; it stays outermost whatever else is done.
 */
#ifndef CORE_TRANSFORM_H
#define CORE_TRANSFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "core/names.h"

struct pattern;

/* Which functions a transform is about. */
enum subject_kind {
	SUBJECT_FUNC,		/* FUNC, whatever it has become */
	SUBJECT_MODULE,		/* all functions of MODULE */
	SUBJECT_PATTERN,	/* whose name fits PATTERN */
	SUBJECT_ALL,
};

struct subject {
	enum subject_kind kind;
	bool is_inverse;	/* all but these */
	func_id func;
	module_id module;	/* not 0 */
	struct pattern *pattern; /* borrowed; core/pattern.h */
};

enum transform_kind {
	TRANSFORM_FOCUS,	/* only stacks with such a frame */
	TRANSFORM_EXCLUDE,	/* only stacks without one */
	TRANSFORM_MERGE,	/* such frames go, their time to the caller */
	TRANSFORM_LIBRARY,	/* a run of frames of one such module becomes
				   one frame with the module's name */
	TRANSFORM_RECURSION,	/* a call of such a function below itself,
				   whatever is between, goes on as the outer
				   one; between goes */
	TRANSFORM_FROM,		/* the outermost such frame becomes the root;
				   stacks without one go */
};

/*
 * For FOCUS and EXCLUDE an inverse subject turns the whole question round:
 * FOCUS on all but b is EXCLUDE b. LIBRARY is about modules: a function means
 * its own, and a pattern is held against their names.
 */
struct transform {
	enum transform_kind kind;
	struct subject about;
};

/* The same one: of the same kind, and about the same? */
bool transform_is_same(const struct transform *a, const struct transform *b);

#define TRANSFORMS_MAX 30	/* at once; what comes after is left out */

#endif
