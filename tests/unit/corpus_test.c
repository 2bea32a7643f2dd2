/* SPDX-License-Identifier: MIT */
/*
 * corpus_test.c - profile files from the wild, if there are any here.
 *
 * FLAMETOP_CORPUS names a folder with an INDEX.tsv: a line for each file,
 * its name first, then its kind, and in the tenth column the sum of its
 * counts as a strict reader finds it.
 */
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NAME, KIND, SUM = 9, COLUMNS };

/* What we read otherwise than the strict reader behind INDEX.tsv, and why. */
static const struct {
	const char *name, *sum;
} deviations[] = {
	/* No counts at all: each line is one sample. */
	{ "eflame__elixir-stacks.out", "7029" },
	{ "eflame__spark-stacks.out", "9983" },
	/* Nineteen decimals: nine are kept. */
	{ "inferno-diff__before_fractionals.txt", "67.084398325" },
	/* time,idle,memory: the time. */
	{ "synthetic-collapsed__austin-full.folded", "100" },
	/* A count alone belongs to the root. */
	{ "synthetic-collapsed__count-only.folded", "120" },
	/* Numbers of other forms are numbers. */
	{ "synthetic-collapsed__exponent.folded", "1060" },
	{ "synthetic-collapsed__leading-dot.folded", "60.5" },
	/* More than 64 bits hold: one digit less. */
	{ "synthetic-collapsed__huge.folded", "27670116110564327420" },
	/* Counts before the stack. */
	{ "synthetic-collapsed__perf-report-folded.folded", "39.33" },
	/* A blank behind the count does not matter. */
	{ "synthetic-collapsed__trailing-space.folded", "120" },
};

static const char *
expected_sum(const char *const *row)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(deviations); i++)
		if (strcmp(row[NAME], deviations[i].name) == 0)
			return deviations[i].sum;
	return row[SUM];
}

static char *
read_file(const char *name, size_t *len)
{
	char path[512], *bytes;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", getenv("FLAMETOP_CORPUS"), name);
	file = fopen(path, "rb");
	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*len = (size_t)ftell(file);
	rewind(file);
	bytes = xcalloc(*len + 1, 1);
	assert_int_equal(fread(bytes, 1, *len, file), *len);
	fclose(file);
	return bytes;
}

/* PROFILE's total as the file had it: "66.75" for 6675 with scale 2. */
static void
spell_total(const struct profile *profile, char *text, size_t size)
{
	const char *key = profile_get(profile, "scale");
	int scale = key ? atoi(key) : 0;
	size_t len;

	snprintf(text, size, "%llu",
		 (unsigned long long)profile_total(profile, KIND_CPU));
	for (; scale < 0; scale++)
		strcat(text, "0");
	if (scale <= 0)
		return;
	len = strlen(text);
	assert_true(len > (size_t)scale);
	memmove(text + len - scale + 1, text + len - scale, (size_t)scale + 1);
	text[len - (size_t)scale] = '.';
}

static bool
loads_with_its_sum(const char *const *row)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;
	char total[64];
	size_t len;
	char *bytes = read_file(row[NAME], &len);
	bool ok = format_read(bytes, len, profile, &report, &err);

	spell_total(profile, total, sizeof(total));
	if (!ok)
		print_error("%s: %s\n", row[NAME], err.text);
	else if (strcmp(total, expected_sum(row)) != 0)
		print_error("%s: %s, not %s\n", row[NAME], total,
			    expected_sum(row));
	ok = ok && strcmp(total, expected_sum(row)) == 0;
	profile_free(profile);
	free(bytes);
	return ok;
}

static bool
is_refused(const char *const *row)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;
	size_t len;
	char *bytes = read_file(row[NAME], &len);
	bool ok = format_read(bytes, len, profile, &report, &err);

	if (ok)
		print_error("%s: loaded, but is %s\n", row[NAME], row[KIND]);
	profile_free(profile);
	free(bytes);
	return !ok;
}

static bool
is_folded_kind(const char *kind)
{
	return strcmp(kind, "collapsed") == 0 ||
	       strcmp(kind, "synthetic-collapsed") == 0;
}

static bool
is_other_kind(const char *kind)
{
	return !is_folded_kind(kind) && strcmp(kind, "perf-report-folded") != 0;
}

/* Hold every row whose kind is WANTED to CHECK; returns how many. */
static size_t
each_row(bool (*wanted)(const char *kind), bool (*check)(const char *const *))
{
	char *row[COLUMNS], *line = NULL, *rest, *bytes, *text;
	size_t len, checked = 0, failed = 0, i;

	if (!getenv("FLAMETOP_CORPUS"))
		skip();
	text = bytes = read_file("INDEX.tsv", &len);
	strsep(&text, "\n");
	while ((line = strsep(&text, "\n"))) {
		rest = line;
		for (i = 0; i < COLUMNS; i++)
			row[i] = rest ? strsep(&rest, "\t") : line + strlen(line);
		if (!*line || !wanted(row[KIND]))
			continue;
		checked++;
		failed += !check((const char *const *)row);
	}
	free(bytes);
	assert_int_equal(failed, 0);
	return checked;
}

static void
every_folded_file_loads_with_its_sum(void **state)
{
	(void)state;
	assert_true(each_row(is_folded_kind, loads_with_its_sum) > 100);
}

static void
every_other_file_is_refused(void **state)
{
	(void)state;
	assert_true(each_row(is_other_kind, is_refused) > 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_folded_file_loads_with_its_sum),
		cmocka_unit_test(every_other_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
