/* SPDX-License-Identifier: MIT */
/*
 * count.h - the number at the end of a folded line, exactly as written.
 *
 * Files count in samples, bytes, microseconds and fractions of them. A count
 * is kept as digits and a power of ten until the whole file has been seen;
 * then one scale is chosen for all of it, so that each becomes an integer:
 *
 *	60.5  0.25  6.    scale 2    6050  25  600
 *
 * Sums are made in billionths with 128 bits and stop at their end instead of
 * wrapping.
 */
#ifndef FORMATS_COUNT_H
#define FORMATS_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DIGITS * 10^EXPONENT. Of more than 19 digits the first 19 are kept. */
struct count {
	uint64_t digits;
	int exponent;
	bool is_negative;
	bool is_extended;	/* a sign, ".5" or an exponent */
};

/* What a scale must suit. Begins zeroed. */
struct count_range {
	unsigned __int128 sum;	/* of sizes, in billionths; sticks at the top */
	int decimals;		/* the most that any count has */
	uint64_t negatives;
};

/* Decimals that a scale keeps at most; more are rounded. */
#define COUNT_DECIMALS 9

/* Read all LEN bytes as one number, or return false. */
bool count_parse(const char *text, size_t len, struct count *count);

void count_extend(struct count_range *range, const struct count *count);

/*
 * The power of ten that makes every count of RANGE an integer, as far as
 * COUNT_DECIMALS allows and the sum stays below 2^63; negative when the
 * counts are too large for that as they are.
 */
int count_scale(const struct count_range *range);

/* COUNT's size times 10^SCALE, rounded; at most INT64_MAX. */
uint64_t count_scaled(const struct count *count, int scale);

/* A sum in billionths times 10^SCALE, rounded; at most INT64_MAX. */
uint64_t count_sum_scaled(unsigned __int128 sum, int scale);

/* A + B, or the largest there is. */
unsigned __int128 count_sum(unsigned __int128 a, unsigned __int128 b);

/* A * TIMES, or the largest there is. */
unsigned __int128 count_times(unsigned __int128 a, uint64_t times);

/* A whole number in billionths; COUNT's size in them. */
unsigned __int128 count_of_whole(uint64_t number);
unsigned __int128 count_size(const struct count *count);

#endif
