/* SPDX-License-Identifier: MIT */
/*
 * legacy_counts.c - what is counted, by the first line, and what it scales to.
 */
#include "formats/legacy_counts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/sanitise.h"
#include "formats/format.h"

/* Java's profiler takes a sample of so many bytes. */
#define JAVA_RATE 524288

static const char *const heap_types[] = {
	"alloc_objects/count", "alloc_space/bytes", "inuse_objects/count",
	"inuse_space/bytes",
};
static const char *const live_types[] = { "objects/count", "space/bytes" };
static const char *const contention_types[] = {
	"contentions/count", "delay/nanoseconds",
};

/* --- the header */

static const char count_profile[] = " profile: total ";

static void
open_count(struct legacy_counts *counts, struct slice line)
{
	const char *end = slice_find(line, count_profile);
	char name[50];

	counts->form = LEGACY_COUNT;
	sanitise_into(name, sizeof(name), line.at, (size_t)(end - line.at));
	snprintf(counts->name, sizeof(counts->name), "%s/count", name);
	counts->name_row[0] = counts->name;
	counts->types = counts->name_row;
	counts->ntypes = 1;
}

/* All numbers in TEXT, up to MAX, signs and marks between let pass. */
static size_t
numbers(struct slice text, int64_t *values, size_t max)
{
	size_t count = 0;
	uint64_t number;
	bool is_negative;

	for (;;) {
		while (text.len && is_among(*text.at, " \t:[]")) {
			text.at++;
			text.len--;
		}
		if (!text.len)
			return count;
		is_negative = take_word(&text, "-");
		if (count == max || !take_decimal(&text, &number) ||
		    number > INT64_MAX)
			return 0;
		values[count++] = is_negative ? -(int64_t)number :
						(int64_t)number;
	}
}

/* "heap profile: 2: 8608 [4546: 22623008] @ heap/8192" */
static bool
open_heap(struct legacy_counts *counts, struct slice line)
{
	const char *at = slice_find(line, "@");
	struct slice text, kind;
	int64_t values[4];
	uint64_t rate = 0;
	bool is_heap, has_all;

	if (!take_word(&line, "heap profile:") || !at ||
	    numbers(slice_of(line.at, at), values, 4) != 4)
		return false;
	text = slice_of(at + 1, line.at + line.len);
	kind = take_first_word(&text);
	is_heap = take_word(&kind, "heapprofile") ||
		  take_word(&kind, "growthz") || take_word(&kind, "growth") ||
		  take_word(&kind, "fragmentationz");
	if (!is_heap) {
		bool is_v2 = take_word(&kind, "heapz_v2") ||
			     take_word(&kind, "heap_v2");

		if (!is_v2 && !take_word(&kind, "heap"))
			return false;
		if (take_word(&kind, "/"))
			take_decimal(&kind, &rate);
		counts->rate = is_v2 ? (double)rate : (double)(rate / 2);
	}
	has_all = (values[2] && values[2] != values[0]) ||
		  (values[3] && values[3] != values[1]);
	counts->form = LEGACY_HEAP;
	counts->types = has_all ? heap_types : live_types;
	counts->ntypes = has_all ? 4 : 2;
	return true;
}

static void
open_other(struct legacy_counts *counts, struct slice line)
{
	if (slice_starts(line, "--- threadz") ||
	    slice_starts(line, "--- Thread ")) {
		static const char *const types[] = { "thread/count" };

		counts->form = LEGACY_THREADS;
		counts->types = types;
		counts->ntypes = 1;
	} else if (slice_starts(line, "--- heapz")) {
		counts->form = LEGACY_JAVA_HEAP;
		counts->types = heap_types + 2;
		counts->ntypes = 2;
		counts->rate = JAVA_RATE;
	} else if (slice_starts(line, "--- contention") ||
		   slice_starts(line, "--- mutex")) {
		counts->form = LEGACY_CONTENTION;
		counts->types = contention_types;
		counts->ntypes = 2;
		counts->period = 1;
	}
}

bool
legacy_open(struct legacy_counts *counts, struct slice line)
{
	struct slice words = line, word;
	const char *total = slice_find(line, count_profile);

	if (slice_starts(line, "heap profile:"))
		return open_heap(counts, line);
	if (total) {
		word = take_first_word(&words);
		if (word.at + word.len == total)
			open_count(counts, line);
	} else {
		open_other(counts, line);
	}
	return counts->form != LEGACY_NONE;
}

const char *
legacy_list(const struct legacy_counts *counts, char *text, size_t size)
{
	size_t i, len = 0;

	*text = '\0';
	for (i = 0; i < counts->ntypes; i++) {
		snprintf(text + len, size - len, "%s%s", i ? " " : "",
			 counts->types[i]);
		len = strlen(text);
	}
	return text;
}

bool
legacy_choose(struct legacy_counts *counts, const char *wanted,
	      struct error *err)
{
	char list[160];
	size_t i;

	counts->chosen = counts->ntypes - 1;
	if (!*wanted || counts->ntypes == 1)
		return true;
	for (i = 0; i < counts->ntypes; i++) {
		const char *type = counts->types[i], *slash = strchr(type, '/');

		if (read_type_is_wanted(wanted, slice_of(type, slash),
					slice_whole(slash + 1), i)) {
			counts->chosen = i;
			return true;
		}
	}
	return fail(err, 0, "it has no counts called \"%.60s\"; --type takes "
		    "one of: %s", wanted,
		    legacy_list(counts, list, sizeof(list)));
}

/* --- values */

/*
 * Of allocations of SIZE bytes each one in so many is seen: what COUNT of
 * them stand for.
 */
static double
scale(double count, double size, double rate)
{
	if (!count || !size)
		return 0;
	return rate <= 1 ? 1 : 1 / (1 - exp(-size / count / rate));
}

static uint64_t
weight_of(struct legacy_counts *counts, double value)
{
	if (value < 0) {
		counts->negatives++;
		value = -value;
	}
	return value >= 0x1p63 ? INT64_MAX : (uint64_t)value;
}

/* Live first in the file, all first in our order. */
static double
heap_value(const struct legacy_counts *counts, const int64_t *values)
{
	size_t pair = counts->ntypes == 4 && counts->chosen < 2 ? 2 : 0;
	double count = (double)values[pair], size = (double)values[pair + 1];
	double factor = counts->rate ? scale(count, size, counts->rate) : 1;

	return factor * (counts->chosen % 2 ? size : count);
}

/* Bytes first in the file, and how many they were. */
static double
java_value(const struct legacy_counts *counts, const int64_t *values)
{
	return (double)values[!counts->chosen] *
	       scale((double)values[1], (double)values[0], counts->rate);
}

/* The delay first in the file, in cycles of which HZ are a second. */
static double
contention_value(const struct legacy_counts *counts, const int64_t *values)
{
	double unit = counts->chosen && counts->hz ? counts->hz / 1e9 : 1;

	return (double)values[!counts->chosen] * counts->period / unit;
}

static double
value_of(const struct legacy_counts *counts, const int64_t *values)
{
	switch (counts->form) {
	case LEGACY_HEAP:
		return heap_value(counts, values);
	case LEGACY_JAVA_HEAP:
		return java_value(counts, values);
	case LEGACY_CONTENTION:
		return contention_value(counts, values);
	case LEGACY_COUNT:
	case LEGACY_THREADS:
	case LEGACY_NONE:
		break;
	}
	return (double)values[0];
}

bool
legacy_weight(struct legacy_counts *counts, struct slice text,
	      uint64_t *weight)
{
	/* How many values a sample has; of threads it has none. */
	static const size_t sizes[] = {
		[LEGACY_COUNT] = 1, [LEGACY_HEAP] = 4, [LEGACY_CONTENTION] = 2,
		[LEGACY_THREADS] = 0, [LEGACY_JAVA_HEAP] = 2,
	};
	int64_t values[4];
	size_t count = numbers(text, values, ARRAY_LEN(values));

	if (!count || count != sizes[counts->form])
		return false;
	*weight = weight_of(counts, value_of(counts, values));
	return true;
}
