/* SPDX-License-Identifier: MIT */
/*
 * diff.c - the difference of two shares and how sure it is.
 *
 * The interval is Newcombe's (Statistics in Medicine 17, 1998, method 10):
 * the score intervals of the two shares, put together. It holds for few
 * samples and for shares of nothing, too, where the usual one is no interval.
 *
 * A screen shows many frames at once, so of 100 that have not changed one may
 * look as if; hence 99 % and not 95 %.
 */
#include "core/diff.h"

#include <math.h>
#include <stdio.h>

#define Z 2.5758293		/* 99 % of a normal distribution, both sides */

#define SAMPLES_MIN 5		/* on one side, for any opinion */

/* Below one of these a change does not matter, however sure it is. */
#define FLOOR_OF_ALL 0.001	/* of the whole */
#define FLOOR_OF_SHARE 0.02	/* of the larger share */

/* Parts of all from which a change is larger by a step. */
#define CLEAR 0.02
#define LARGE 0.10

struct interval {
	double low, high;
};

/* Wilson's score interval of a share of samples, of which there are some. */
static struct interval
interval_of(const struct watched *watched)
{
	double n = (double)watched->total / watched->inflation;
	double p = (double)watched->count / (double)watched->total;
	double middle = p + Z * Z / (2 * n);
	double half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
	double scale = 1 + Z * Z / n;
	struct interval interval = { (middle - half) / scale,
				     (middle + half) / scale };

	/* Exactly so; the formula is off by what rounding makes. */
	if (!watched->count)
		interval.low = 0;
	if (watched->count == watched->total)
		interval.high = 1;
	return interval;
}

static double
length(double a, double b)
{
	return sqrt(a * a + b * b);
}

bool
diff_is_countable(uint64_t now, uint64_t base)
{
	return now >= SAMPLES_MIN || base >= SAMPLES_MIN;
}

static enum verdict
verdict_of(const struct difference *d, uint64_t now, uint64_t base)
{
	double size = fabs(d->change);
	double share = d->share > d->base_share ? d->share : d->base_share;

	if (!diff_is_countable(now, base) ||
	    (d->low <= 0 && d->high >= 0) || size < FLOOR_OF_ALL ||
	    size < FLOOR_OF_SHARE * share)
		return DIFF_UNSURE;
	if (d->change > 0)
		return base ? DIFF_MORE : DIFF_NEW;
	return now ? DIFF_LESS : DIFF_GONE;
}

static double
share_of(const struct watched *watched)
{
	return watched->total ?
	       (double)watched->count / (double)watched->total : 0;
}

static void
limit(struct watched *watched)
{
	if (watched->count > watched->total)
		watched->count = watched->total;
}

struct difference
diff_judge(struct watched now, struct watched base)
{
	struct difference d = { .low = -1, .high = 1 };
	struct interval one, two;

	limit(&now);
	limit(&base);
	d.share = share_of(&now);
	d.base_share = share_of(&base);
	d.change = d.share - d.base_share;
	if (!now.total || !base.total)
		return d;
	one = interval_of(&now);
	two = interval_of(&base);
	d.low = d.change - length(d.share - one.low,
				  two.high - d.base_share);
	d.high = d.change + length(one.high - d.share,
				   d.base_share - two.low);
	d.verdict = verdict_of(&d, now.count, base.count);
	return d;
}

unsigned
diff_step(const struct difference *d)
{
	double size = fabs(d->change);

	return (size >= CLEAR) + (size >= LARGE);
}

char *
diff_word(char *out, size_t size, const struct difference *d)
{
	static const char *const words[] = {
		[DIFF_UNSURE] = "", [DIFF_NEW] = "new", [DIFF_GONE] = "gone",
	};

	if (d->verdict == DIFF_MORE || d->verdict == DIFF_LESS)
		snprintf(out, size, "%+.1f", d->change * 100);
	else
		snprintf(out, size, "%s", words[d->verdict]);
	return out;
}
