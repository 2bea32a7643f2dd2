/* SPDX-License-Identifier: MIT */
/*
 * filters.c - what is shown, and the way back.
 *
 * A step is a whole filter: a few dozen bytes, and nothing to get wrong when
 * it is undone.
 */
#include "app/filters.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/pattern.h"

#define STEPS_MAX 200		/* then the first is forgotten */

static const struct filter everything = { .kind = KIND_CPU };

const struct filter *
filters_now(const struct filters *filters)
{
	return filters->count ? &filters->steps[filters->at] : &everything;
}

static void *
copy_of(const void *from, size_t count, size_t size)
{
	void *copy = count ? xcalloc(count, size) : NULL;

	return count ? memcpy(copy, from, count * size) : NULL;
}

static struct filter
own(const struct filter *filter)
{
	struct filter mine = *filter;
	struct transform *transforms;

	mine.threads = copy_of(filter->threads, filter->nthreads,
			       sizeof(*filter->threads));
	transforms = copy_of(filter->transforms, filter->ntransforms,
			     sizeof(*filter->transforms));
	for (size_t i = 0; i < filter->ntransforms; i++)
		pattern_share(transforms[i].about.pattern);
	mine.transforms = transforms;
	return mine;
}

static void
disown(struct filter *filter)
{
	for (size_t i = 0; i < filter->ntransforms; i++)
		pattern_free(filter->transforms[i].about.pattern);
	free((void *)filter->transforms);
	free((void *)filter->threads);
}

static void
forget_after(struct filters *filters, size_t count)
{
	while (filters->count > count)
		disown(&filters->steps[--filters->count]);
}

static void
forget_first(struct filters *filters)
{
	disown(&filters->steps[0]);
	filters->count--;
	memmove(filters->steps, filters->steps + 1,
		filters->count * sizeof(*filters->steps));
}

static void
push(struct filters *filters, struct filter mine)
{
	filters->steps = grow(filters->steps, filters->count,
			      &filters->capacity, sizeof(mine));
	filters->steps[filters->count++] = mine;
	filters->at = filters->count - 1;
}

void
filters_set(struct filters *filters, const struct filter *filter)
{
	struct filter mine = own(filter);	/* it may be one of ours */

	if (filters->count == 0)
		push(filters, everything);
	forget_after(filters, filters->at + 1);
	if (filters->count == STEPS_MAX)
		forget_first(filters);
	push(filters, mine);
}

bool
filters_add(struct filters *filters, const struct transform *transform)
{
	struct filter filter = *filters_now(filters);
	struct transform all[TRANSFORMS_MAX];

	if (filter.ntransforms == TRANSFORMS_MAX)
		return false;
	if (filter.ntransforms)
		memcpy(all, filter.transforms,
		       filter.ntransforms * sizeof(*all));
	all[filter.ntransforms++] = *transform;
	filter.transforms = all;
	filters_set(filters, &filter);
	return true;
}

bool
filters_remove(struct filters *filters, const struct transform *transform)
{
	struct filter filter = *filters_now(filters);
	struct transform all[TRANSFORMS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < filter.ntransforms; i++)
		if (!transform_is_same(&filter.transforms[i], transform))
			all[n++] = filter.transforms[i];
	if (n == filter.ntransforms)
		return false;
	filter.transforms = all;
	filter.ntransforms = n;
	filters_set(filters, &filter);
	return true;
}

bool
filters_undo(struct filters *filters)
{
	if (filters->at == 0)
		return false;
	filters->at--;
	return true;
}

bool
filters_redo(struct filters *filters)
{
	if (filters->at + 1 >= filters->count)
		return false;
	filters->at++;
	return true;
}

struct filters
filters_copy(const struct filters *filters)
{
	struct filters copy = { 0 };

	for (size_t i = 0; i < filters->count; i++)
		push(&copy, own(&filters->steps[i]));
	copy.at = filters->at;
	return copy;
}

void
filters_fini(struct filters *filters)
{
	forget_after(filters, 0);
	free(filters->steps);
	*filters = (struct filters){ 0 };
}
