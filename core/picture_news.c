/* SPDX-License-Identifier: MIT */
/*
 * picture_news.c - what was added to a picture's tree, for those who keep sums
 * over it: they need not walk all of it for a hundred samples.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/picture_private.h"

#define NEWS_MAX 16384		/* who reads less often begins anew */

void
picture_add_news(struct picture *picture, node_id leaf, uint64_t weight)
{
	struct news *news = &picture->news;

	if (news->count == NEWS_MAX) {
		news->count /= 2;
		news->first += news->count;
		memmove(news->rows, news->rows + news->count,
			news->count * sizeof(*news->rows));
	}
	news->rows = grow(news->rows, news->count, &news->capacity,
			  sizeof(*news->rows));
	news->rows[news->count++] = (struct picture_news){ leaf, weight };
}

void
picture_begin_epoch(struct picture *picture)
{
	struct news *news = &picture->news;

	news->epoch++;
	news->first += news->count;
	news->count = 0;
}

bool
picture_read_news(const struct picture *picture, struct picture_mark *mark,
		  const struct picture_news **rows, size_t *count)
{
	const struct news *news = &picture->news;
	struct picture_mark before = *mark;

	*mark = (struct picture_mark){ picture, news->epoch,
				       news->first + news->count };
	*rows = NULL;
	*count = 0;
	if (before.of != picture || before.epoch != news->epoch ||
	    before.next < news->first)
		return false;
	if (picture->drawn == DRAWN_LOST || !picture_draws_own(picture))
		return true;
	*count = (size_t)(mark->next - before.next);
	*rows = news->count ? news->rows + (before.next - news->first) : NULL;
	return true;
}

uint64_t
picture_version(const struct picture *picture)
{
	const struct news *news = &picture->news;

	return news->epoch + news->first + news->count +
	       (picture->trend ? trend_version(picture->trend) : 0) +
	       profile_last_ns(picture->profile) / SECOND_NS;
}
