/* SPDX-License-Identifier: MIT */
/*
 * picture_filter.c - which counts are shown and how, and changing that.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

bool
picture_wants(const struct picture *picture, const struct cell *cell)
{
	return cell->kind == picture->filter.kind &&
	       (!picture->filter.nthreads ||
		(cell->thread < picture->nthreads &&
		 picture->lets_through[cell->thread]));
}

bool
picture_passes(const struct picture *picture, const struct cell *cell)
{
	return cell->time_ns >= picture->from_ns &&
	       picture_wants(picture, cell);
}

uint64_t
picture_wanted_from_ns(const struct picture *picture)
{
	uint64_t last = profile_last_ns(picture->profile);
	uint64_t window = picture->filter.window_ns, from = 0;

	if (window && window < last)
		from = last - window;
	if (from < picture->filter.since_ns)
		from = picture->filter.since_ns;
	return from - from % SECOND_NS;
}

void
picture_free_filter(struct picture *picture)
{
	for (size_t i = 0; picture->transformers &&
			   i <= picture->filter.ntransforms; i++)
		transformer_fini(&picture->transformers[i]);
	free(picture->transformers);
	free(picture->transforms);
	free(picture->threads);
	free(picture->lets_through);
}

static void
copy_threads(struct picture *picture, const struct filter *filter)
{
	size_t n = filter->nthreads;
	thread_id *threads = xcalloc(n, sizeof(*threads));

	if (n)
		memcpy(threads, filter->threads, n * sizeof(*threads));
	picture->threads = threads;
	picture->nthreads = profile_threads(picture->profile);
	picture->lets_through = xcalloc(picture->nthreads, 1);
	for (size_t i = 0; i < n; i++)
		if (threads[i] < picture->nthreads)
			picture->lets_through[threads[i]] = true;
}

/* The pivot is a transform, too: the last one. */
static void
copy_transforms(struct picture *picture, const struct filter *filter)
{
	struct transform pivot = { .kind = TRANSFORM_FROM,
				   .about.func = filter->pivot };
	size_t n = filter->ntransforms;
	struct transform *copy;
	struct transformer *transformers;

	if (n > TRANSFORMS_MAX)
		n = TRANSFORMS_MAX;
	copy = xcalloc(n, sizeof(*copy));
	transformers = xcalloc(n + 1, sizeof(*transformers));
	for (size_t i = 0; i < n; i++) {
		copy[i] = filter->transforms[i];
		transformer_init(&transformers[i], &copy[i]);
	}
	transformer_init(&transformers[n], &pivot);
	picture->transforms = copy;
	picture->transformers = transformers;
	picture->filter.ntransforms = n;
}

void
picture_copy_filter(struct picture *picture, const struct filter *filter)
{
	struct filter new = *filter;

	copy_threads(picture, filter);
	copy_transforms(picture, filter);
	new.threads = picture->threads;
	new.transforms = picture->transforms;
	new.ntransforms = picture->filter.ntransforms;
	picture->filter = new;
}

void
picture_put_filter_back(struct picture *picture, const struct picture *was)
{
	picture_free_filter(picture);
	picture->filter = was->filter;
	picture->threads = was->threads;
	picture->transforms = was->transforms;
	picture->transformers = was->transformers;
	picture->lets_through = was->lets_through;
	picture->nthreads = was->nthreads;
	picture->from_ns = was->from_ns;
}

bool
picture_has_same_transforms(const struct filter *a, const struct filter *b)
{
	size_t i = 0;

	while (i < a->ntransforms && i < b->ntransforms &&
	       transform_is_same(&a->transforms[i], &b->transforms[i]))
		i++;
	return i == a->ntransforms && i == b->ntransforms;
}

/* The next transform from I on that changes paths. */
static size_t
next_change(const struct filter *filter, size_t i)
{
	while (i < filter->ntransforms &&
	       (filter->transforms[i].kind == TRANSFORM_FOCUS ||
		filter->transforms[i].kind == TRANSFORM_EXCLUDE))
		i++;
	return i;
}

static bool
are_same_changes(const struct filter *a, const struct filter *b)
{
	size_t i = next_change(a, 0), k = next_change(b, 0);

	while (i < a->ntransforms && k < b->ntransforms &&
	       transform_is_same(&a->transforms[i], &b->transforms[k])) {
		i = next_change(a, i + 1);
		k = next_change(b, k + 1);
	}
	return i == a->ntransforms && k == b->ntransforms;
}

bool
picture_is_same_shape(const struct filter *a, const struct filter *b)
{
	bool has_pivot = a->shape == SHAPE_BELOW || a->shape == SHAPE_ABOVE;

	return a->hide_kernel == b->hide_kernel &&
	       a->hide_inlined == b->hide_inlined &&
	       a->thread_rows == b->thread_rows && a->shape == b->shape &&
	       (!has_pivot || a->pivot == b->pivot) &&
	       are_same_changes(a, b);
}

const struct filter *
picture_filter(const struct picture *picture)
{
	return &picture->filter;
}
