/* SPDX-License-Identifier: MIT */
/*
 * count.c - the number at the end of a folded line, exactly as written.
 */
#include "formats/count.h"

#include "core/base.h"

#define DIGITS_MAX 19		/* 10^19 - 1 fits in 64 bits */
#define EXPONENT_MAX 10		/* larger counts cannot be told apart */
#define EXPONENT_READ 9999	/* "1e99999" ends here */
#define SUM_MAX (~(unsigned __int128)0)
#define BILLION 1000000000u	/* 10^COUNT_DECIMALS */

struct text {
	const char *at, *end;
};

static bool
next_is_digit(const struct text *text)
{
	return text->at < text->end && *text->at >= '0' && *text->at <= '9';
}

static bool
skip_byte(struct text *text, char byte)
{
	if (text->at == text->end || *text->at != byte)
		return false;
	text->at++;
	return true;
}

/*
 * Take digits into COUNT. STEP is what one more digit adds to the exponent:
 * 0 before the point, -1 behind it. Returns whether there was any.
 */
static bool
take_digits(struct text *text, struct count *count, int *used, int step)
{
	const char *start = text->at;

	for (; next_is_digit(text); text->at++) {
		if (*used == DIGITS_MAX) {
			/* Ten times as much, or too small to matter. */
			count->exponent += step + 1;
			continue;
		}
		count->digits = count->digits * 10 +
				(uint64_t)(*text->at - '0');
		count->exponent += step;
		*used += count->digits != 0;
	}
	return text->at > start;
}

static bool
take_exponent(struct text *text, struct count *count)
{
	bool is_negative;
	int exponent = 0;

	if (!skip_byte(text, 'e') && !skip_byte(text, 'E'))
		return true;
	is_negative = skip_byte(text, '-');
	if (!is_negative)
		skip_byte(text, '+');
	if (!next_is_digit(text))
		return false;
	for (; next_is_digit(text); text->at++)
		if (exponent < EXPONENT_READ)
			exponent = exponent * 10 + (*text->at - '0');
	count->exponent += is_negative ? -exponent : exponent;
	count->is_extended = true;
	return true;
}

/* 6.50 is 6.5, and 0e9 is 0: fewest decimals, smallest exponent. */
static void
normalise(struct count *count)
{
	while (count->digits && count->exponent < 0 &&
	       count->digits % 10 == 0) {
		count->digits /= 10;
		count->exponent++;
	}
	if (!count->digits)
		count->exponent = 0;
	if (count->exponent > EXPONENT_MAX)
		count->exponent = EXPONENT_MAX;
}

bool
count_parse(const char *bytes, size_t len, struct count *count)
{
	struct text text = { bytes, bytes + len };
	bool has_digits, has_more = false;
	int used = 0;

	*count = (struct count){ 0 };
	count->is_negative = skip_byte(&text, '-');
	count->is_extended = count->is_negative || skip_byte(&text, '+');
	has_digits = take_digits(&text, count, &used, 0);
	if (skip_byte(&text, '.'))
		has_more = take_digits(&text, count, &used, -1);
	if (!has_digits && !has_more)
		return false;
	if (!has_digits)
		count->is_extended = true;
	if (!take_exponent(&text, count) || text.at != text.end)
		return false;
	normalise(count);
	return true;
}

/* VALUE * 10^POWER, rounded to the nearest, at most SUM_MAX. */
static unsigned __int128
times_ten_to(unsigned __int128 value, int power)
{
	for (; power > 0 && value; power--) {
		if (value > SUM_MAX / 10)
			return SUM_MAX;
		value *= 10;
	}
	for (; power < -1 && value; power++)
		value /= 10;
	return power == -1 ? value / 10 + (value % 10 >= 5) : value;
}

unsigned __int128
count_size(const struct count *count)
{
	return times_ten_to(count->digits, count->exponent + COUNT_DECIMALS);
}

void
count_extend(struct count_range *range, const struct count *count)
{
	range->sum = count_sum(range->sum, count_size(count));
	if (-count->exponent > range->decimals)
		range->decimals = -count->exponent;
	range->negatives += count->is_negative && count->digits;
}

int
count_scale(const struct count_range *range)
{
	int scale = range->decimals < COUNT_DECIMALS ? range->decimals :
						       COUNT_DECIMALS;

	while (times_ten_to(range->sum, scale - COUNT_DECIMALS) > INT64_MAX)
		scale--;
	return scale;
}

uint64_t
count_scaled(const struct count *count, int scale)
{
	unsigned __int128 size = times_ten_to(count->digits,
					      count->exponent + scale);

	return size > INT64_MAX ? INT64_MAX : (uint64_t)size;
}

uint64_t
count_sum_scaled(unsigned __int128 sum, int scale)
{
	sum = times_ten_to(sum, scale - COUNT_DECIMALS);
	return sum > INT64_MAX ? INT64_MAX : (uint64_t)sum;
}

unsigned __int128
count_sum(unsigned __int128 a, unsigned __int128 b)
{
	return a > SUM_MAX - b ? SUM_MAX : a + b;
}

unsigned __int128
count_times(unsigned __int128 a, uint64_t times)
{
	return times && a > SUM_MAX / times ? SUM_MAX : a * times;
}

unsigned __int128
count_of_whole(uint64_t number)
{
	return (unsigned __int128)number * BILLION;
}
