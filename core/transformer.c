/* SPDX-License-Identifier: MIT */
/*
 * transformer.c - paths of functions, dropped or changed.
 *
 * Each transform works on the whole path at once: what one takes out the next
 * must not see, and a stack is only walked when it is new.
 */
#include "core/transformer.h"

void
transformer_init(struct transformer *transformer,
		 const struct transform *transform)
{
	struct subject about = transform->about;

	*transformer = (struct transformer){ .kind = transform->kind };
	if (transform->kind == TRANSFORM_FOCUS ||
	    transform->kind == TRANSFORM_EXCLUDE) {
		transformer->is_inverse = about.is_inverse;
		about.is_inverse = false;
	}
	matcher_init(&transformer->matcher, &about,
		     transform->kind == TRANSFORM_LIBRARY);
}

void
transformer_fini(struct transformer *transformer)
{
	matcher_fini(&transformer->matcher);
}

size_t
path_find(const struct call_path *path, struct matcher *matcher,
	  const struct names *names)
{
	size_t i = 0;

	while (i < path->count &&
	       !matcher_holds(matcher, names, path->steps[i].func))
		i++;
	return i;
}

static bool
is_on(const struct call_path *path, struct matcher *matcher,
      const struct names *names)
{
	return (path->row != FUNC_NONE &&
		matcher_holds(matcher, names, path->row)) ||
	       path_find(path, matcher, names) < path->count;
}

static enum transformed
merge(struct matcher *matcher, const struct names *names,
      struct call_path *path)
{
	size_t count = path->count, kept = 0;
	bool has_row = path->row != FUNC_NONE;

	for (size_t i = 0; i < count; i++)
		if (!matcher_holds(matcher, names, path->steps[i].func))
			path->steps[kept++] = path->steps[i];
	path->count = kept;
	if (has_row && matcher_holds(matcher, names, path->row))
		path->row = FUNC_NONE;
	return kept < count || (has_row && path->row == FUNC_NONE)
		       ? PATH_CHANGED : PATH_SAME;
}

static enum transformed
join_libraries(struct matcher *matcher, struct names *names,
	       struct call_path *path)
{
	enum transformed answer = PATH_SAME;
	size_t kept = 0;

	for (size_t i = 0; i < path->count; i++) {
		struct step step = path->steps[i];

		if (matcher_holds(matcher, names, step.func)) {
			step.func = names_library(names, names_get(
				names, step.func)->module);
			answer = PATH_CHANGED;
			if (kept && path->steps[kept - 1].func == step.func)
				continue;
		}
		path->steps[kept++] = step;
	}
	path->count = kept;
	return answer;
}

/*
 * A mark is where in the part kept so far a function is. It may be out of
 * date: then that place is cut off, or another function's by now.
 */
static enum transformed
join_recursion(struct matcher *matcher, const struct names *names,
	       struct marks *marks, struct call_path *path)
{
	enum transformed answer = PATH_SAME;
	size_t kept = 0;

	marks_forget(marks);
	for (size_t i = 0; i < path->count; i++) {
		struct step step = path->steps[i];
		uint32_t at;

		if (matcher_holds(matcher, names, step.func)) {
			at = marks_get(marks, step.func);
			if (at < kept && path->steps[at].func == step.func) {
				kept = (size_t)at + 1;
				answer = PATH_CHANGED;
				continue;
			}
			marks_set(marks, step.func, (uint32_t)kept);
		}
		path->steps[kept++] = step;
	}
	path->count = kept;
	return answer;
}

static enum transformed
cut_before(struct matcher *matcher, const struct names *names,
	   struct call_path *path)
{
	size_t first = path_find(path, matcher, names);

	if (first == path->count)
		return path->row != FUNC_NONE &&
		       matcher_holds(matcher, names, path->row)
			       ? PATH_SAME : PATH_DROPPED;
	for (size_t i = first; i < path->count; i++)
		path->steps[i - first] = path->steps[i];
	path->count -= first;
	return first ? PATH_CHANGED : PATH_SAME;
}

enum transformed
transformer_apply(struct transformer *transformer, struct names *names,
		  struct marks *marks, struct call_path *path)
{
	struct matcher *matcher = &transformer->matcher;
	bool wanted = transformer->kind == TRANSFORM_FOCUS;

	switch (transformer->kind) {
	case TRANSFORM_FOCUS:
	case TRANSFORM_EXCLUDE:
		wanted ^= transformer->is_inverse;
		return is_on(path, matcher, names) == wanted ? PATH_SAME
							     : PATH_DROPPED;
	case TRANSFORM_MERGE:
		return merge(matcher, names, path);
	case TRANSFORM_LIBRARY:
		return join_libraries(matcher, names, path);
	case TRANSFORM_RECURSION:
		return join_recursion(matcher, names, marks, path);
	case TRANSFORM_FROM:
		return cut_before(matcher, names, path);
	}
	return PATH_SAME;
}

bool
transformer_is_outdated(struct transformer *transformer,
			const struct names *names)
{
	return matcher_is_outdated(&transformer->matcher, names,
				   transformer->kind == TRANSFORM_RECURSION);
}
