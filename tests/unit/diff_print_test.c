/* SPDX-License-Identifier: MIT */
/*
 * diff_print_test.c - the whole text and the whole JSON of small comparisons.
 */
#include "app/diff_print.h"

#include "formats/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char base_title[] = "base.folded", other_title[] = "other.folded";
static struct diff_titles titles = { base_title, other_title };

static void
add(struct comparison *comparison, enum side side, const char *text,
    struct profile **out)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct names *names;
	struct error err;

	if (!format_read(text, strlen(text), profile, &report, &err))
		fail_msg("%s", err.text);
	names = names_new(profile);
	comparison_add(comparison, side, profile, names, KIND_CPU);
	names_free(names);
	*out = profile;
}

/* What is printed of two files; the caller frees. */
static char *
text_of(const char *base, const char *other, bool is_json)
{
	struct comparison *comparison = comparison_new(&compare_default);
	struct profile *profiles[SIDES];
	struct diff_notes notes = { 0 };
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	add(comparison, SIDE_BASE, base, &profiles[SIDE_BASE]);
	add(comparison, SIDE_OTHER, other, &profiles[SIDE_OTHER]);
	comparison_judge(comparison);
	diff_note_labels(&notes, profiles[SIDE_BASE], profiles[SIDE_OTHER]);
	diff_note_sides(&notes, comparison);
	(is_json ? diff_print_json : diff_print_text)(out, comparison,
						      &titles, &notes);
	fclose(out);
	diff_notes_fini(&notes);
	comparison_free(comparison);
	profile_free(profiles[SIDE_BASE]);
	profile_free(profiles[SIDE_OTHER]);
	return text;
}

#define HEADER(version) "# flametop: v1\n# app.version=" version "\n" \
	"# block.000=1000,1000,1000,1000,1000,1000,1000,1000;" \
	",,,,,,,;main\n# block.samples=1000,1000,1000,1000,1000,1000,1000," \
	"1000\n# block.seconds=1\n# duration=8\n# period=500000\n" \
	"# samples=8000\n# unit=samples\n"

static const char base_text[] = HEADER("1.2") "main;parse 2000\n"
	"main;serve;match \"x\" 5000\nmain;serve;copy 1000\n";
static const char other_text[] = HEADER("1.3") "main;parse 3000\n"
	"main;serve;match \"x\" 4200\nmain;serve;copy 800\n";

static void
assert_text(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

static void
a_change_is_told_with_where_and_how_sure(void **state)
{
	(void)state;
	assert_text(text_of(base_text, other_text, false),
		    "base   base.folded: 8,000 samples in 8.0 s at 2000 "
		    "Hz, 0.50 CPUs\n"
		    "other  other.folded: 8,000 samples in 8.0 s at 2000 "
		    "Hz, 0.50 CPUs\n"
		    "note   version: 1.2, then 1.3\n"
		    "\n"
		    "3 changes (p = 2.5e-10, 8,000 against 8,000 "
		    "samples).\n"
		    "1 function did not change.\n"
		    "\n"
		    "   points  95 %       base      other    CPUs       "
		    "               function\n"
		    "   +12.50  ±1.56     25.00 %    37.50 %  0.12 > "
		    "0.19    regressed  parse\n"
		    "            in main\n"
		    "   -10.00  ±1.67     62.50 %    52.50 %  0.31 > "
		    "0.26    improved   match \"x\"\n"
		    "            in main > serve\n"
		    "    -2.50  ±1.07     12.50 %    10.00 %  0.06 > "
		    "0.05    improved   copy\n"
		    "            in main > serve\n"
		    "\n"
		    "No change (no more than so many points, 95 %)\n"
		    "           ±0.04    100.00 %   100.00 %  main\n");
}

static void
equal_files_are_indistinguishable(void **state)
{
	(void)state;
	assert_text(text_of(base_text, base_text, false),
		    "base   base.folded: 8,000 samples in 8.0 s at 2000 "
		    "Hz, 0.50 CPUs\n"
		    "other  other.folded: 8,000 samples in 8.0 s at 2000 "
		    "Hz, 0.50 CPUs\n"
		    "\n"
		    "The two are indistinguishable (p = 1, 8,000 against "
		    "8,000 samples).\n"
		    "5 functions did not change.\n"
		    "\n"
		    "No change (no more than so many points, 95 %)\n"
		    "           ±0.04    100.00 %   100.00 %  main\n"
		    "           ±1.47     75.00 %    75.00 %  serve\n"
		    "           ±1.64     62.50 %    62.50 %  match "
		    "\"x\"\n"
		    "           ±1.47     25.00 %    25.00 %  parse\n"
		    "           ±1.12     12.50 %    12.50 %  copy\n");
}

static void
files_of_others_have_no_blocks_and_it_is_said(void **state)
{
	(void)state;
	assert_text(text_of("a;b 50\na;c 50\n", "a;b 60\na;c 40\n", false),
		    "base   base.folded: 100 samples\n"
		    "other  other.folded: 100 samples\n"
		    "note   both have no blocks of time, so how sure a "
		    "change is was guessed (as if of a third of the "
		    "samples)\n"
		    "\n"
		    "The two are indistinguishable (p = 0.61, 100 "
		    "against 100 samples).\n"
		    "1 function did not change; for 2, more samples are "
		    "needed.\n"
		    "\n"
		    "Cannot tell (points, 95 %; needed to see a change "
		    "of a tenth, or of a point)\n"
		    "   +10.00  ±23.54    50.00 %    60.00 %  b: about "
		    "3,927 more samples of each\n"
		    "   -10.00  ±23.54    50.00 %    40.00 %  c: about "
		    "5,698 more samples of each\n"
		    "\n"
		    "No change (no more than so many points, 95 %)\n"
		    "           ±4.68    100.00 %   100.00 %  a\n");
}

#define LASTING(seconds) "# flametop: v1\n# duration=" seconds \
	"\n# period=10000000\n# unit=samples\n"

/* Of what is short little more would do, of what is long hardly any. */
static void
a_short_recording_needs_little_more_than_it_has(void **state)
{
	char *text;

	(void)state;
	text = text_of(LASTING("400") "a;b 20000\na;c 20000\n",
		       LASTING("4") "a;b 220\na;c 180\n", false);
	assert_non_null(strstr(text, "b: about 23 s more of each\n"));
	free(text);
	text = text_of(LASTING("40") "a;b 200\na;c 200\n",
		       LASTING("40") "a;b 220\na;c 180\n", false);
	assert_non_null(strstr(text, "b: about 8 min more of each\n"));
	free(text);
}

static void
programs_get_all_of_it(void **state)
{
	(void)state;
	assert_text(text_of("# flametop: v1\nm;\"q\\ 50\nm;c 50\n",
			    "m;\"q\\ 60\nm;c 40\n", true),
		    "{ \"format\": \"flametop diff\", \"version\": 1,\n"
		    "  \"base\": { \"title\": \"base.folded\", "
		    "\"files\": 1, \"samples\": 100, \"seconds\": null, "
		    "\"rate\": null, \"cores\": null, \"blocks\": 0, "
		    "\"block_seconds\": 0, \"inflation\": 3 },\n"
		    "  \"other\": { \"title\": \"other.folded\", "
		    "\"files\": 1, \"samples\": 100, \"seconds\": null, "
		    "\"rate\": null, \"cores\": null, \"blocks\": 0, "
		    "\"block_seconds\": 0, \"inflation\": 3 },\n"
		    "  \"differs\": false, \"changes\": 0, \"p\": "
		    "0.6076,\n"
		    "  \"notes\": [\"both have no blocks of time, so how "
		    "sure a change is was guessed (as if of a third of "
		    "the samples)\"],\n"
		    "  \"functions\": [\n"
		    "    { \"name\": \"\\\"q\\\\\",\n"
		    "      \"verdict\": \"unknown\", \"by\": \"total\", "
		    "\"line\": \"\\\"q\\\\\", \"moved\": null,\n"
		    "      \"path\": [\"m\", \"\\\"q\\\\\"],\n"
		    "      \"total\": { \"base\": 0.500000, \"other\": "
		    "0.600000, \"change\": 0.100000, \"half\": 0.235385, "
		    "\"p\": 0.405, \"verdict\": \"unknown\", \"needs\": "
		    "40.2603 },\n"
		    "      \"self\": { \"base\": 0.500000, \"other\": "
		    "0.600000, \"change\": 0.100000, \"half\": 0.235385, "
		    "\"p\": 0.405, \"verdict\": \"unknown\", \"needs\": "
		    "40.2603 } },\n"
		    "    { \"name\": \"c\",\n"
		    "      \"verdict\": \"unknown\", \"by\": \"total\", "
		    "\"line\": \"c\", \"moved\": null,\n"
		    "      \"path\": [\"m\", \"c\"],\n"
		    "      \"total\": { \"base\": 0.500000, \"other\": "
		    "0.400000, \"change\": -0.100000, \"half\": "
		    "0.235385, \"p\": 0.405, \"verdict\": \"unknown\", "
		    "\"needs\": 57.9749 },\n"
		    "      \"self\": { \"base\": 0.500000, \"other\": "
		    "0.400000, \"change\": -0.100000, \"half\": "
		    "0.235385, \"p\": 0.405, \"verdict\": \"unknown\", "
		    "\"needs\": 57.9749 } },\n"
		    "    { \"name\": \"m\",\n"
		    "      \"verdict\": \"none\", \"by\": \"total\", "
		    "\"line\": \"m\", \"moved\": null,\n"
		    "      \"path\": [\"m\"],\n"
		    "      \"total\": { \"base\": 1.000000, \"other\": "
		    "1.000000, \"change\": 0.000000, \"half\": 0.046836, "
		    "\"p\": 1, \"verdict\": \"none\", \"needs\": null "
		    "},\n"
		    "      \"self\": { \"base\": 0.000000, \"other\": "
		    "0.000000, \"change\": 0.000000, \"half\": 0.046836, "
		    "\"p\": 1, \"verdict\": \"unwatched\", \"needs\": "
		    "null } }\n"
		    "  ] }\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_change_is_told_with_where_and_how_sure),
		cmocka_unit_test(equal_files_are_indistinguishable),
		cmocka_unit_test(files_of_others_have_no_blocks_and_it_is_said),
		cmocka_unit_test(
			a_short_recording_needs_little_more_than_it_has),
		cmocka_unit_test(programs_get_all_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
