/* SPDX-License-Identifier: MIT */
/*
 * header_test.c - the header by the rules of those who read our files.
 *
 * Each rule below is the whole of what that reader asks of a line, said again
 * here: as a pattern where the reader has one.
 */
#include "formats/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <cmocka.h>

#include "core/sanitise.h"

static bool
fits(const char *pattern, const char *line)
{
	PCRE2_SIZE at;
	int number;
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern,
					 PCRE2_ZERO_TERMINATED,
					 PCRE2_UTF | PCRE2_UCP, &number, &at,
					 NULL);
	pcre2_match_data *match = pcre2_match_data_create(4, NULL);
	bool is_match = pcre2_match(code, (PCRE2_SPTR)line, strlen(line), 0, 0,
				    match, NULL) > 0;

	pcre2_match_data_free(match);
	pcre2_code_free(code);
	return is_match;
}

/* What a reader makes of a line. */
enum made { NOTHING, STACK, REFUSAL };

/* stack, any blanks, digits; all characters, since it reads UTF-8. */
static enum made
flamegraph_pl(const char *line)
{
	return fits("^(.*)\\s+?(\\d+(?:\\.\\d*)?)$", line) ? STACK : NOTHING;
}

/* The same behind the last space, but a line that begins "# " is none. */
static enum made
inferno(const char *line)
{
	if (strncmp(line, "# ", 2) == 0)
		return NOTHING;
	return fits("^(.*) (\\d+(?:\\.\\d*)?)$", line) ? STACK : NOTHING;
}

static enum made
speedscope(const char *line)
{
	return fits("^(.*) ([0-9]+)$", line) ? STACK : NOTHING;
}

static enum made
flamelens(const char *line)
{
	return *line != '#' && fits("^(.*) ([0-9]+)$", line) ? STACK : NOTHING;
}

/* Behind the last space is a number, or the file is refused. */
static enum made
async_profiler(const char *line)
{
	const char *space = strrchr(line, ' ');

	if (!space || space == line)
		return NOTHING;
	return fits("^[-+]?[0-9]+$", space + 1) ? STACK : REFUSAL;
}

/* The same, but for lines without a space. */
static enum made
pyroscope(const char *line)
{
	const char *space = strrchr(line, ' ');

	if (!space)
		return NOTHING;
	return fits("^[-+]?[0-9]+$", space + 1) ? STACK : REFUSAL;
}

typedef enum made (*reader_fn)(const char *line);

struct counts {
	size_t of[3];
};

static struct counts
read_by(reader_fn reader, const char *text)
{
	struct counts counts = { 0 };
	char *copy = strdup(text), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			counts.of[reader(line)]++;
	free(copy);
	return counts;
}

static char *
write_text(struct profile *profile, bool has_header)
{
	struct write_options options = { .header = has_header };
	struct names *names = names_new(profile);
	struct error err;
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	assert_true(format_folded.write(out, profile, names, &options, &err));
	fclose(out);
	names_free(names);
	return text;
}

static frame_id
frame(struct profile *profile, const char *name)
{
	struct frame frame = { .name = strings_add(profile_strings(profile),
						   name, strlen(name)) };

	return profile_frame(profile, &frame);
}

/* Values that end as a count would, behind blanks of every kind. */
static int
make(void **state)
{
	static const char *const ends[] = {
		" 12", "\t12", "\xc2\xa0" "12", "\xc2\x85" "12",
		"\xe1\x9a\x80" "12", "\xe2\x80\x80" "1", "\xe2\x80\x8a" "1.",
		"\xe2\x80\xa8" "1", "\xe2\x80\xaf" "1.5", "\xe2\x81\x9f" "1",
		"\xe3\x80\x80" "1", "\n12", "\r", " \xd9\xa1\xd9\xa2", "%2012",
	};
	struct profile *profile = profile_new();
	char key[16], value[64], *clean;

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct cell cell = { .weight = 7 };

		snprintf(key, sizeof(key), "tag.%zu", i);
		snprintf(value, sizeof(value), "worker%s", ends[i]);
		clean = sanitise(value, strlen(value));
		profile_set(profile, key, clean);
		free(clean);
		cell.stack = profile_push(profile, 0, frame(profile, "main"));
		snprintf(value, sizeof(value), "frame %zu", i);
		cell.stack = profile_push(profile, cell.stack,
					  frame(profile, value));
		profile_add(profile, (i + 1) * 1000000000, &cell);
	}
	profile_set(profile, "period", "10101010");
	profile_losses(profile)->samples = ARRAY_LEN(ends);
	*state = profile;
	return 0;
}

static int
drop(void **state)
{
	profile_free(*state);
	return 0;
}

/* READER finds the stacks and nothing else. */
static void
assert_harmless(struct profile *profile, reader_fn reader)
{
	char *text = write_text(profile, true);
	char *bare = write_text(profile, false);
	struct counts with = read_by(reader, text);
	struct counts without = read_by(reader, bare);

	assert_true(with.of[NOTHING] > 20);
	assert_int_equal(with.of[STACK], without.of[STACK]);
	assert_int_equal(with.of[STACK], 15);
	assert_int_equal(with.of[REFUSAL], 0);
	free(bare);
	free(text);
}

static void
flamegraph_pl_takes_no_line_of_it(void **state)
{
	assert_harmless(*state, flamegraph_pl);
}

static void
inferno_takes_no_line_of_it(void **state)
{
	assert_harmless(*state, inferno);
}

static void
speedscope_takes_no_line_of_it(void **state)
{
	assert_harmless(*state, speedscope);
}

static void
flamelens_takes_no_line_of_it(void **state)
{
	assert_harmless(*state, flamelens);
}

/* They refuse every comment; without a header they find what we wrote. */
static void
assert_needs_none(struct profile *profile, reader_fn reader)
{
	char *text = write_text(profile, true);
	char *bare = write_text(profile, false);

	assert_true(read_by(reader, text).of[REFUSAL] > 0);
	assert_int_equal(read_by(reader, bare).of[REFUSAL], 0);
	assert_int_equal(read_by(reader, bare).of[STACK], 15);
	free(bare);
	free(text);
}

static void
async_profiler_needs_a_file_without_it(void **state)
{
	assert_needs_none(*state, async_profiler);
}

static void
pyroscope_needs_a_file_without_it(void **state)
{
	assert_needs_none(*state, pyroscope);
}

static void
what_was_written_reads_the_same_and_writes_the_same(void **state)
{
	char *text = write_text(*state, true), *again;
	struct profile *read = profile_new();
	struct read_report report;
	struct error err;

	assert_non_null(strstr(text, "\n# block.samples="));
	assert_true(format_read(text, strlen(text), read, &report, &err));
	assert_string_equal(profile_get(read, "block.seconds"), "1");
	again = write_text(read, true);
	assert_string_equal(again, text);
	free(again);
	free(text);
	profile_free(read);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flamegraph_pl_takes_no_line_of_it),
		cmocka_unit_test(inferno_takes_no_line_of_it),
		cmocka_unit_test(speedscope_takes_no_line_of_it),
		cmocka_unit_test(flamelens_takes_no_line_of_it),
		cmocka_unit_test(async_profiler_needs_a_file_without_it),
		cmocka_unit_test(pyroscope_needs_a_file_without_it),
		cmocka_unit_test(
			what_was_written_reads_the_same_and_writes_the_same),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
