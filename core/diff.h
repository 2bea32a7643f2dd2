/* SPDX-License-Identifier: MIT */
/*
 * diff.h - is it more or less than it was, or can nobody tell?
 *
 * Two samplings of the same thing never agree, so a difference counts only
 * when it is larger than chance makes it and large enough to matter. Shares
 * are compared, since one side was watched for longer than the other.
 */
#ifndef CORE_DIFF_H
#define CORE_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
	DIFF_UNSURE,		/* chance, or too little to matter */
	DIFF_MORE,
	DIFF_LESS,
	DIFF_NEW,		/* more, and there was none */
	DIFF_GONE,		/* less, and there is none */
};

/* A share is between 0 and 1; so CHANGE is between -1 and 1. */
struct difference {
	enum verdict verdict;
	double share, base_share;
	double change;		/* SHARE - BASE_SHARE */
	double low, high;	/* CHANGE is between these, 99 times of 100 */
};

/*
 * COUNT of TOTAL samples, which tell as much as INFLATION (1 at least) times
 * fewer independent ones would (core/inflation.h).
 */
struct watched {
	uint64_t count, total;
	double inflation;
};

/*
 * NOW against BASE; more than all is all. They have to be counts of samples:
 * of microseconds the interval is too narrow.
 */
struct difference diff_judge(struct watched now, struct watched base);

/* How large a change is: 0, 1 or 2. */
unsigned diff_step(const struct difference *difference);

/*
 * "+3.1" or "-0.4" points of per cent, "new", "gone", or "" when nobody can
 * tell; into OUT, which is returned.
 */
char *diff_word(char *out, size_t size, const struct difference *difference);

/* Are there enough samples, NOW or in BASE, for any opinion? */
bool diff_is_countable(uint64_t now, uint64_t base);

#endif
