/* SPDX-License-Identifier: MIT */
/*
 * corpus_test.c - profile files from the wild, if there are any here.
 *
 * FLAMETOP_CORPUS names a folder with an INDEX.tsv: a line for each file,
 * its name first, then its kind, and in the tenth column the sum of its
 * counts as a strict reader finds it. ORACLES.tsv has what other programs say
 * of a file: its name, the program, whether it takes it, and its total.
 */
#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NAME, KIND, SUM = 9, COLUMNS };

/* The column of ORACLES.tsv that we look at. */
#define TOTAL 3

/*
 * What we read otherwise than the strict reader behind INDEX.tsv or the
 * program in ORACLES.tsv, and why.
 */
static const struct {
	const char *name, *sum;	/* NULL: refused */
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
	/* A thread's name with blanks, and no number behind it. */
	{ "local-perf6.1__fp_comm_event_notime.txt", "33" },
	/* Without a call graph: a stack of one frame. */
	{ "local-perf6.1__fp_hide_callgraph.txt", "33033033" },
	{ "local-perf6.1__nocallgraph.txt", "30060120" },
	{ "perf-script__inferno-single-line-stacks.txt", "1" },
	/* Frames only: each stack is a sample. */
	{ "local-perf6.1__fp_ip_sym_only.txt", "33" },
	/* The last stack has no blank line behind it. */
	{ "perf-script__inferno-java-inline.txt", "222222220" },
	{ "perf-script__inferno-versioned-vmlinux.txt", "20834821" },
	{ "perf-script__one-sample.linux-perf.txt", "1001001" },
	{ "perf-script__perf-dd-stacks-01.txt", "111111110" },
	{ "perf-script__perf-java-stacks-01.txt", "46" },
	{ "perf-script__perf-mirageos-stacks-01.txt", "53" },
	{ "perf-script__perf-vertx-stacks-01.txt", "286" },
	{ "perf-script__simple.linux-perf.txt", "1001001" },
	/* Sums of the counts that stand behind stacks. */
	{ "local-bpftrace__bpftrace_raw.txt", "7" },
	{ "dtrace__out.stacks", "19" },
	/* A sample without a stack counts. */
	{ "google-pprof__profile-testdata-gobench.heap",
	  "83134,350314738,11445,7721316" },
	/* Threads without stacks. */
	{ "local-go1.19__go_threadcreate_debug1.txt", "5" },
	/* jeprof's form, and words instead of text. */
	{ "local-jemalloc__jeprof.f.heap", NULL },
	{ "google-pprof__profile-testdata-cppbench.cpu", NULL },
	{ "google-pprof__profile-testdata-go.crc32.cpu", NULL },
	/* Branches, not samples. */
	{ "perf-script-magic-trace__ocaml_exceptions.perf", NULL },
	{ "perf-script-magic-trace__simple_gogo.perf", NULL },
};

/* Half a file, and two in one. */
static const char *const refused[] = {
	"synthetic-pprof__truncated_gz.pb", "synthetic-pprof__two_gz_members.pb",
};

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

/* Does the file in ROW load, and is the sum of its counts EXPECTED? */
static bool
loads(const char *const *row, const char *expected)
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
	else if (strcmp(total, expected) != 0)
		print_error("%s: %s, not %s\n", row[NAME], total, expected);
	ok = ok && strcmp(total, expected) == 0;
	profile_free(profile);
	free(bytes);
	return ok;
}

/* Does TYPE of a pprof file's counts sum to SUM? Signs are lost. */
static bool
type_has_sum(const char *bytes, size_t len, const char *name,
	     const struct read_options *type, const char *sum)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;
	char total[64];
	bool ok = format_read_as(bytes, len, type, profile, &report, &err);

	spell_total(profile, total, sizeof(total));
	if (!ok)
		print_error("%s: %s\n", name, err.text);
	else if (strcmp(total, sum + (*sum == '-')) != 0)
		print_error("%s, %s: %s, not %s\n", name, type->type, total,
			    sum);
	ok = ok && strcmp(total, sum + (*sum == '-')) == 0;
	profile_free(profile);
	return ok;
}

/* "samples/count=69, cpu/nanoseconds=690000000": each is asked for. */
static bool
loads_with_its_sums(const char *const *row)
{
	char *list = xstrdup(row[SUM]), *rest = list, *sum;
	struct read_options type;
	size_t len, number = 1;
	char *bytes = read_file(row[NAME], &len);
	bool ok = true;

	while ((sum = strsep(&rest, ","))) {
		snprintf(type.type, sizeof(type.type), "%zu", number++);
		ok &= type_has_sum(bytes, len, row[NAME], &type,
				   strrchr(sum, '=') + 1);
	}
	free(list);
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

/* As EXPECTED says, unless DEVIATIONS knows better. */
static bool
reads_well(const char *const *row, const char *expected)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(deviations); i++) {
		if (strcmp(row[NAME], deviations[i].name) != 0)
			continue;
		if (!deviations[i].sum)
			return is_refused(row);
		expected = deviations[i].sum;
	}
	return loads(row, expected);
}

static bool
loads_with_its_sum(const char *const *row)
{
	return reads_well(row, row[SUM]);
}

/* What ORACLES.tsv has for NAME in column TOTAL, up to one of UNTIL. */
static void
find_total(const char *name, char *total, size_t size, const char *until)
{
	size_t len, i;
	char *bytes = read_file("ORACLES.tsv", &len), *text = bytes, *line;

	*total = '\0';
	while ((line = strsep(&text, "\n"))) {
		const char *column = strsep(&line, "\t");

		if (strcmp(column, name) != 0)
			continue;
		for (i = 0; line && i < TOTAL; i++)
			column = strsep(&line, "\t");
		snprintf(total, size, "%.*s", (int)strcspn(column, until),
			 column);
	}
	free(bytes);
}

static bool
loads_with_its_total(const char *const *row)
{
	char total[64];

	find_total(row[NAME], total, sizeof(total), " ");
	return reads_well(row, total);
}

/* pprof's totals, one for each type: "[4374, 1504342256] contentions/count" */
static bool
loads_with_pprofs_totals(const char *const *row)
{
	char totals[160], *rest = totals, *sum;
	struct read_options type;
	size_t len, number = 1, i;
	bool ok = true;
	char *bytes;

	find_total(row[NAME], totals, sizeof(totals), "]");
	for (i = 0; i < ARRAY_LEN(deviations); i++) {
		if (strcmp(row[NAME], deviations[i].name) != 0)
			continue;
		if (!deviations[i].sum)
			return is_refused(row);
		snprintf(totals, sizeof(totals), "%s", deviations[i].sum);
	}
	bytes = read_file(row[NAME], &len);
	while ((sum = strsep(&rest, ","))) {
		snprintf(type.type, sizeof(type.type), "%zu", number++);
		ok &= type_has_sum(bytes, len, row[NAME], &type,
				   sum + strspn(sum, "[ "));
	}
	free(bytes);
	return ok;
}

static bool
is_folded_kind(const char *kind)
{
	return strcmp(kind, "collapsed") == 0 ||
	       strcmp(kind, "synthetic-collapsed") == 0;
}

/* Of these INDEX.tsv has no sum: it is in DEVIATIONS. */
static bool
is_raw_kind(const char *kind)
{
	return strcmp(kind, "raw-bpftrace") == 0 ||
	       strcmp(kind, "raw-dtrace") == 0;
}

static bool
is_perf_kind(const char *kind)
{
	return strcmp(kind, "perfscript") == 0;
}

static bool
is_speedscope_row(const char *const *row)
{
	return strcmp(row[KIND], "speedscope") == 0;
}

/*
 * "sampled seconds n=5 sum=14 / evented none n=10 span=14": all together, to
 * what a double knows. Where the index has but a part, by hand.
 */
static bool
loads_with_its_parts(const char *const *row)
{
	static const struct {
		const char *name;
		double sum;
	} others[] = {
		/* The first three of 24 threads are in the index. */
		{ "brook-os__profile.speedscope.json", 1896863 },
		/* For 12 of its cycles nothing runs. */
		{ "gb-flamegraph__speedscope.json", 4215348 },
	};
	const char *at = row[SUM], *sum;
	char expected[64];
	double total = 0;

	while ((sum = strstr(at, "sum=")) || (sum = strstr(at, "span="))) {
		at = strchr(sum, '=') + 1;
		total += strtod(at, NULL);
	}
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (strcmp(row[NAME], others[i].name) == 0)
			total = others[i].sum;
	snprintf(expected, sizeof(expected), "%.10g", total);
	return loads(row, expected);
}

static bool
is_other_kind(const char *kind)
{
	return !is_folded_kind(kind) && !is_perf_kind(kind) &&
	       !is_raw_kind(kind) &&
	       strcmp(kind, "pprof-legacy") != 0 &&
	       strcmp(kind, "perf-report-folded") != 0;
}

static bool
is_perf_row(const char *const *row)
{
	return is_perf_kind(row[KIND]);
}

static bool
is_raw_row(const char *const *row)
{
	return is_raw_kind(row[KIND]);
}

static bool
is_folded_row(const char *const *row)
{
	return is_folded_kind(row[KIND]);
}

/* Files that hold profile.proto have their sums in the index. */
static bool
is_pprof_row(const char *const *row)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(refused); i++)
		if (strcmp(row[NAME], refused[i]) == 0)
			return false;
	return strstr(row[KIND], "pprof") && strchr(row[SUM], '=');
}

static bool
is_legacy_row(const char *const *row)
{
	return strcmp(row[KIND], "pprof-legacy") == 0 && !is_pprof_row(row);
}

static bool
is_other_row(const char *const *row)
{
	return is_other_kind(row[KIND]) && !is_pprof_row(row) &&
	       !is_speedscope_row(row);
}

/* Hold every row that is WANTED to CHECK; returns how many. */
static size_t
each_row(bool (*wanted)(const char *const *row),
	 bool (*check)(const char *const *row))
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
		if (!*line || !wanted((const char *const *)row))
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
	assert_true(each_row(is_folded_row, loads_with_its_sum) > 100);
}

static void
every_pprof_file_loads_with_its_sums(void **state)
{
	(void)state;
	assert_true(each_row(is_pprof_row, loads_with_its_sums) > 65);
}

static void
text_of_perf_loads_with_the_sum_of_its_periods(void **state)
{
	(void)state;
	assert_true(each_row(is_perf_row, loads_with_its_total) > 30);
}

static void
pprofs_old_text_loads_with_its_totals(void **state)
{
	(void)state;
	assert_true(each_row(is_legacy_row, loads_with_pprofs_totals) > 12);
}

static void
maps_and_aggregates_load_with_their_sum(void **state)
{
	(void)state;
	assert_int_equal(each_row(is_raw_row, loads_with_its_sum), 2);
}

static void
every_speedscope_file_loads_with_its_sums(void **state)
{
	(void)state;
	assert_true(each_row(is_speedscope_row, loads_with_its_parts) > 10);
}

static void
every_other_file_is_refused(void **state)
{
	(void)state;
	assert_true(each_row(is_other_row, is_refused) > 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_folded_file_loads_with_its_sum),
		cmocka_unit_test(text_of_perf_loads_with_the_sum_of_its_periods),
		cmocka_unit_test(every_pprof_file_loads_with_its_sums),
		cmocka_unit_test(pprofs_old_text_loads_with_its_totals),
		cmocka_unit_test(maps_and_aggregates_load_with_their_sum),
		cmocka_unit_test(every_speedscope_file_loads_with_its_sums),
		cmocka_unit_test(every_other_file_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
