/* SPDX-License-Identifier: MIT */
/*
 * matcher.c - is a function one of those that a transform is about?
 *
 * A pattern that was given up is about no function, and neither is its
 * inverse.
 */
#include "core/matcher.h"

#include <stdlib.h>

#include "core/base.h"
#include "core/pattern.h"

struct answer {
	string_id name;		/* what FUNC was called */
	bool was_asked, is_yes;
};

void
matcher_init(struct matcher *matcher, const struct subject *subject,
	     bool is_by_module)
{
	*matcher = (struct matcher){ .subject = *subject,
				     .is_by_module = is_by_module };
	pattern_share(subject->pattern);
}

void
matcher_fini(struct matcher *matcher)
{
	pattern_free(matcher->subject.pattern);
	free(matcher->answers);
}

static bool
fits(const struct matcher *matcher, const struct names *names, func_id func)
{
	const char *name = matcher->is_by_module ? names_module(names, func) :
						   names_text(names, func);

	switch (pattern_match(matcher->subject.pattern, name)) {
	case PATTERN_YES:
		return !matcher->subject.is_inverse;
	case PATTERN_NO:
		return matcher->subject.is_inverse;
	default:
		return false;
	}
}

static bool
decide(const struct matcher *matcher, const struct names *names, func_id func)
{
	const struct subject *subject = &matcher->subject;
	module_id module = names_get(names, func)->module;
	bool is_yes = true;

	if (matcher->is_by_module && !module)
		return false;
	if (subject->kind == SUBJECT_PATTERN)
		return fits(matcher, names, func);
	if (subject->kind == SUBJECT_MODULE)
		is_yes = module == subject->module;
	if (subject->kind == SUBJECT_FUNC)
		is_yes = matcher->is_by_module ?
			module == names_get(names, subject->func)->module :
			names_final(names, func) ==
			names_final(names, subject->func);
	return is_yes != subject->is_inverse;
}

static void
reach(struct matcher *matcher, const struct names *names)
{
	size_t count = names_count(names);

	matcher->answers = xreallocarray(matcher->answers, count,
					 sizeof(*matcher->answers));
	for (size_t i = matcher->known; i < count; i++)
		matcher->answers[i] = (struct answer){ 0 };
	matcher->known = count;
}

bool
matcher_holds(struct matcher *matcher, const struct names *names, func_id func)
{
	struct answer *answer;

	if (func >= matcher->known)
		reach(matcher, names);
	answer = &matcher->answers[func];
	if (!answer->was_asked)
		*answer = (struct answer){
			.name = names_get(names, func)->name,
			.was_asked = true,
			.is_yes = decide(matcher, names, func),
		};
	return answer->is_yes;
}

static bool
holds_no_more(const struct matcher *matcher, const struct names *names,
	      func_id func, bool aliases)
{
	struct answer *answer = &matcher->answers[func];
	string_id name = names_get(names, func)->name;
	bool is_alias = names_final(names, func) != func;

	if (!answer->was_asked)
		return false;
	if (aliases && is_alias && answer->is_yes)
		return true;
	if (matcher->subject.kind == SUBJECT_PATTERN && name == answer->name)
		return false;
	answer->name = name;
	return decide(matcher, names, func) != answer->is_yes;
}

bool
matcher_is_outdated(struct matcher *matcher, const struct names *names,
		    bool aliases)
{
	bool is_outdated = false;

	for (size_t i = 0; i < matcher->known && !is_outdated; i++)
		is_outdated = holds_no_more(matcher, names, (func_id)i,
					    aliases);
	if (is_outdated)
		matcher->known = 0;
	return is_outdated;
}
