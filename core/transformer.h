/* SPDX-License-Identifier: MIT */
/*
 * transformer.h - what a transform does to the path of a stack.
 */
#ifndef CORE_TRANSFORMER_H
#define CORE_TRANSFORMER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/marks.h"
#include "core/matcher.h"

/* One function on the way, and which frame's; see names_places() for LEVEL. */
struct step {
	func_id func;
	frame_id frame;
	uint32_t level;
};

struct call_path {
	func_id row;		/* the thread's; FUNC_NONE: without */
	struct step *steps;	/* outermost first */
	size_t count, capacity;
};

enum transformed { PATH_SAME, PATH_CHANGED, PATH_DROPPED };

/* For all paths: what TRANSFORM is about, and room to work in. */
struct transformer {
	enum transform_kind kind;
	bool is_inverse;	/* the question as a whole */
	struct matcher matcher;
};

void transformer_init(struct transformer *transformer,
		      const struct transform *transform);
void transformer_fini(struct transformer *transformer);

/* MARKS may hold anything. */
enum transformed transformer_apply(struct transformer *transformer,
				   struct names *names, struct marks *marks,
				   struct call_path *path);

/* Names came: would paths be changed in another way now? */
bool transformer_is_outdated(struct transformer *transformer,
			     const struct names *names);

/* Where the outermost frame that MATCHER is about is; COUNT if nowhere. */
size_t path_find(const struct call_path *path, struct matcher *matcher,
		 const struct names *names);

#endif
