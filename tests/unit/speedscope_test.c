/* SPDX-License-Identifier: MIT */
/*
 * speedscope_test.c - speedscope's files, good and bad, and back to them.
 */
#include "formats/speedscope.h"

#include "tests/unit/reading.h"
#include "tests/unit/writing.h"

static const struct write_options whole = { .header = true, .threads = true };
static const struct write_options bare = { .threads = true };

#define HEAD "{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\"," \
	"\"shared\":{\"frames\":[{\"name\":\"main\"},{\"name\":\"parse\"," \
	"\"file\":\"p.c\",\"line\":7},{\"name\":\"read_[k]\"}]}," \
	"\"profiles\":["
#define SAMPLED(name, unit, samples, weights) \
	"{\"type\":\"sampled\",\"name\":\"" name "\",\"unit\":\"" unit \
	"\",\"startValue\":0,\"endValue\":100,\"samples\":[" samples \
	"],\"weights\":[" weights "]}"
#define EVENTED(events) \
	"{\"type\":\"evented\",\"name\":\"t\",\"unit\":\"none\"," \
	"\"startValue\":0,\"endValue\":100,\"events\":[" events "]}"
#define OPEN(frame, at) \
	"{\"type\":\"O\",\"at\":" #at ",\"frame\":" #frame "}"
#define CLOSE(frame, at) \
	"{\"type\":\"C\",\"at\":" #at ",\"frame\":" #frame "}"
#define TAIL "]}"

/* TEXT reads as FOLDED, with a note that has NOTE ("": no note). */
static void
assert_reads(const char *text, const char *folded, const char *note)
{
	struct reading r = reading_of(text, strlen(text));

	if (!r.folded)
		print_error("%s\n", r.err.text);
	assert_non_null(r.folded);
	assert_string_equal(r.folded, folded);
	if (!strstr(r.report.note, note) || (!*note && *r.report.note))
		print_error("%s\n", r.report.note);
	assert_non_null(strstr(r.report.note, note));
	if (!*note)
		assert_string_equal(r.report.note, "");
	free(r.folded);
}

/* --- sampled */

static void
samples_are_root_first_with_their_weights(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("t", "none", "[0,1],[0],[0,1],[0,2],[]",
				  "3,1,4,2,5") TAIL,
		     "[no stack] 5\nmain 1\nmain;parse 7\nmain;read_[k] 2\n",
		     "");
}

static void
fractions_become_integers_of_one_scale(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("t", "seconds", "[0],[1]", "0.5,1e-3") TAIL,
		     "main 500\nparse 1\n", "times 10^3");
	assert_reads(HEAD SAMPLED("t", "seconds", "[0],[1]",
				  "0.12345678949,1") TAIL,
		     "main 123456789\nparse 1000000000\n", "rounded to 9");
}

static void
several_profiles_are_threads(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("a", "none", "[0]", "1") ","
		     SAMPLED("", "none", "[0]", "2") ","
		     SAMPLED("a", "none", "[1]", "4") TAIL,
		     "-;main 2\na;main 1\na;parse 4\n", "");
}

static void
one_unit_is_read_that_of_the_active_profile(void **state)
{
	static const char text[] =
		HEAD SAMPLED("a", "bytes", "[0]", "1") ","
		SAMPLED("b", "seconds", "[1]", "2") "],"
		"\"activeProfileIndex\":1}";
	struct reading r;

	(void)state;
	assert_reads(text, "b;parse 2\n", "1 profiles have another unit");
	r = reading_as(text, strlen(text), "Bytes");
	assert_string_equal(r.folded, "a;main 1\n");
	free(r.folded);
	r = reading_as(text, strlen(text), "hours");
	assert_null(r.folded);
	assert_non_null(strstr(r.err.text, "\"seconds\""));
}

static void
a_profile_without_samples_does_not_choose(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("a", "samples", "", "") ","
		     SAMPLED("b", "bytes", "[0]", "144") TAIL,
		     "b;main 144\n", "");
	assert_reads("{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\",\"shared\":"
		     "{\"frames\":[]},\"profiles\":[]}", "", "no profile");
}

static void
what_does_not_fit_is_counted(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("t", "none", "[0,77],[-1],[null],[0]",
				  "1,2,4,8") TAIL,
		     "[no frame] 6\nmain 8\nmain;[no frame] 1\n",
		     "3 frames are not");
	assert_reads(HEAD SAMPLED("t", "none", "[0],[1],[1]", "1,2") TAIL,
		     "main 1\nparse 2\n", "1 samples have no weight");
	assert_reads(HEAD SAMPLED("t", "none", "[0],[1]", "null,2") TAIL,
		     "parse 2\n", "1 samples have no weight");
	assert_reads(HEAD SAMPLED("t", "none", "[0]", "1,2,3") TAIL,
		     "main 1\n", "");
	assert_reads(HEAD SAMPLED("t", "none", "[0]", "-3") TAIL,
		     "main 3\n", "1 negative");
	assert_reads(HEAD "{\"type\":\"sampled\",\"name\":\"t\",\"samples\":"
		     "[[0],[0]]}" TAIL, "main 2\n", "");
}

static void
lists_within_a_stack_are_its_frames(void **state)
{
	(void)state;
	assert_reads(HEAD SAMPLED("t", "none", "[[0]],[[0],1],[[[0]]]",
				  "1,2,4") TAIL,
		     "[no frame] 4\nmain 1\nmain;parse 2\n",
		     "1 frames are not");
}

static void
members_may_come_in_any_order_and_more_of_them(void **state)
{
	(void)state;
	assert_reads("{\"profiles\":[{\"weights\":[2],\"samples\":[[0]],"
		     "\"unit\":\"none\",\"x\":{\"samples\":[]},"
		     "\"type\":\"sampled\"}],\"activeProfileIndex\":null,"
		     "\"captures\":[1],\"shared\":{\"y\":[{}],\"frames\":"
		     "[{\"col\":null,\"name\":\"f \\u00e4\\u001b\"}]}}",
		     "f \xc3\xa4\\x1b 2\n", "");
}

/* --- evented */

static void
events_are_stacks_with_their_time(void **state)
{
	(void)state;
	assert_reads(HEAD EVENTED(OPEN(0, 0) "," OPEN(1, 2) "," CLOSE(1, 5)
				  "," OPEN(2, 5) "," CLOSE(2, 6) ","
				  CLOSE(0, 14)) TAIL,
		     "main 10\nmain;parse 3\nmain;read_[k] 1\n", "");
	assert_reads(HEAD EVENTED(OPEN(0, 0.5) "," CLOSE(0, 2.75)) TAIL,
		     "main 225\n", "times 10^2");
	/* Nobody runs in between, and times may be any. */
	assert_reads(HEAD EVENTED(OPEN(0, -5) "," CLOSE(0, 1) ","
				  OPEN(0, 1000) "," CLOSE(0, 1001)) TAIL,
		     "main 7\n", "");
}

/* dotnet-trace closes frames that are not on top. */
static void
closing_what_is_below_closes_what_is_above(void **state)
{
	(void)state;
	assert_reads(HEAD EVENTED(OPEN(0, 0) "," OPEN(1, 1) "," CLOSE(0, 3)
				  "," CLOSE(1, 7)) TAIL,
		     "main 1\nmain;parse 2\n", "2 events do not nest");
	assert_reads(HEAD EVENTED(CLOSE(0, 0) "," OPEN(1, 1) "," CLOSE(2, 3)
				  "," CLOSE(1, 4)) TAIL,
		     "parse 3\n", "2 events do not nest");
}

static void
a_trace_that_was_cut_goes_on_to_its_end(void **state)
{
	(void)state;
	assert_reads(HEAD EVENTED(OPEN(0, 10) "," OPEN(1, 20)) TAIL,
		     "main 10\nmain;parse 80\n", "2 events do not nest");
}

static void
time_that_goes_back_stands_still(void **state)
{
	(void)state;
	assert_reads(HEAD EVENTED(OPEN(0, 10) "," OPEN(1, 5) "," CLOSE(1, 12)
				  "," CLOSE(0, 13)) TAIL,
		     "main 1\nmain;parse 2\n", "1 events are out of order");
}

static void
events_that_are_none_are_counted(void **state)
{
	(void)state;
	assert_reads(HEAD EVENTED("{\"at\":1},{}," OPEN(0, 1) ","
				  "{\"type\":\"O\",\"at\":2,\"frame\":9},"
				  "{\"type\":\"C\",\"at\":3,\"frame\":9},"
				  CLOSE(0, 4)) TAIL,
		     "main 1\nmain;[no frame] 2\n", "events do not nest");
}

static void
depth_has_no_bound(void **state)
{
	enum { DEPTH = 100000 };
	struct profile *profile = profile_new();
	struct read_report report;
	char *text = xcalloc(1, 1 << 24), *at = text;

	(void)state;
	at += sprintf(at, HEAD "{\"type\":\"evented\",\"name\":\"t\","
		      "\"unit\":\"none\",\"endValue\":%d,\"events\":[",
		      DEPTH);
	for (int i = 0; i < DEPTH; i++)
		at += sprintf(at, "{\"type\":\"O\",\"at\":%d,\"frame\":0},",
			      i);
	sprintf(at - 1, "]}" TAIL);
	assert_true(format_read(text, strlen(text), profile, &report, NULL));
	assert_int_equal(profile_stacks(profile), DEPTH + 1);
	assert_int_equal(profile_total(profile, KIND_CPU), DEPTH);
	profile_free(profile);
	free(text);
}

/* What is left of a text, as a file gives it. */
static ssize_t
read_slice(void *ctx, void *into, size_t room, struct error *err)
{
	struct slice *rest = ctx;
	size_t len = rest->len < room ? rest->len : room;

	(void)err;
	memcpy(into, rest->at, len);
	rest->at += len;
	rest->len -= len;
	return (ssize_t)len;
}

/* So many that the profiles are not seen when the format is asked for. */
static void
many_frames_may_come_before_the_profiles(void **state)
{
	enum { FRAMES = 30000 };
	static const struct read_options any = { "" };
	struct profile *profile = profile_new();
	struct read_report report;
	char *text = xcalloc(FRAMES + 20, 32), *at = text;
	struct slice rest = { text, 0 };
	struct source source = { read_slice, &rest };

	(void)state;
	at += sprintf(at, "{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\","
		      "\"shared\":{\"frames\":[");
	for (int i = 0; i < FRAMES; i++)
		at += sprintf(at, "{\"name\":\"function%d\"},", i);
	sprintf(at - 1, "]},\"profiles\":["
		SAMPLED("t", "none", "[0,29999]", "3") TAIL);
	rest.len = strlen(text);
	assert_true(format_read_from(&source, &any, profile, &report, NULL));
	assert_int_equal(profile_total(profile, KIND_CPU), 3);
	assert_string_equal(report.note, "");
	profile_free(profile);
	free(text);
}

/* Ours, and what only looks so. */
static void
a_header_may_be_anything(void **state)
{
	static const char *const headers[] = {
		"[]", "[\"\"]", "{}", "7", "[\"flametop: v1\"]",
		"[\"comm=x\",\"\\u0000\"]",
	};
	char text[1000];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(headers); i++) {
		snprintf(text, sizeof(text), "%s],\"flametop\":%s}",
			 HEAD SAMPLED("t", "none", "[0]", "1"), headers[i]);
		assert_reads(text, "main 1\n", "");
	}
}

/* --- damage */

static void
damage_is_refused_where_it_is(void **state)
{
	static const char text[] =
		HEAD SAMPLED("t", "none", "[0,1],[0]", "3,1") TAIL;

	(void)state;
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *copy = xstrndup(text, len);

		assert_null(reading_of(copy, len).folded);
		free(copy);
	}
	assert_refused(HEAD SAMPLED("t", "none", "[0 1]", "3") TAIL,
		       "damaged or cut short near byte");
	assert_refused(HEAD SAMPLED("t", "none", "0", "3") TAIL,
		       "not what speedscope's files are");
	assert_refused(HEAD SAMPLED("t", "none", "[\"a\"]", "3-4") TAIL,
		       "not what speedscope's files are");
	assert_refused(HEAD "7" TAIL, "damaged");
}

/* --- writing */

/* PROFILE, which is freed, by way of speedscope is what it is directly. */
static void
check_way_back_as(struct profile *profile, const struct write_options *options)
{
	struct written direct = write_as(&format_folded, profile, options);
	struct written text = write_as(&format_speedscope, profile, options);
	struct profile *again = read_bytes(text.bytes, text.len);
	struct written back;

	assert_non_null(again);
	back = write_as(&format_folded, again, options);
	assert_string_equal(back.bytes, direct.bytes);
	profile_free(profile);
	profile_free(again);
	free(direct.bytes);
	free(text.bytes);
	free(back.bytes);
}

static void
check_way_back(struct profile *profile)
{
	check_way_back_as(profile, &whole);
}

static void
every_folded_file_comes_back_as_it_was(void **state)
{
	(void)state;
	with_each_fixture(check_way_back);
}

static void
waits_come_back_as_microseconds(void **state)
{
	static const char text[] = "# flametop: v1\n# kind=blocked\n"
				   "main;read 1500\n";
	struct write_options waits = whole;
	struct profile *profile = read_bytes(text, sizeof(text) - 1);
	struct written direct;

	(void)state;
	waits.kind = KIND_BLOCKED;
	direct = write_as(&format_folded, profile, &waits);
	assert_string_equal(direct.bytes, text);
	free(direct.bytes);
	check_way_back_as(profile, &waits);
}

static void
a_file_is_written_as_the_schema_has_it(void **state)
{
	static const char text[] =
		"# flametop: v1\n# comm=my%20\"app\n# roots=thread\n"
		"# unit=nanoseconds\n# version=9\n"
		"a;main 1\na;main;parse_[i] 2\nb\\;main 4\n";
	struct profile *profile = read_bytes(text, sizeof(text) - 1);
	struct written out = write_as(&format_speedscope, profile, &bare);
	struct written again = write_as(&format_speedscope, profile, &bare);

	(void)state;
	assert_string_equal(out.bytes, again.bytes);
	assert_string_equal(
		out.bytes, "{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\",\n"
		"\"shared\":{\"frames\":[\n{\"name\":\"main\"},\n"
		"{\"name\":\"parse_[i]\"}\n]},\n\"profiles\":[\n"
		"{\"type\":\"sampled\",\"name\":\"a\",\"unit\":"
		"\"nanoseconds\",\"startValue\":0,\"endValue\":3,\n"
		"\"samples\":[[0],[0,1]],\n\"weights\":[1,2]},\n"
		"{\"type\":\"sampled\",\"name\":\"b\\\\\",\"unit\":"
		"\"nanoseconds\",\"startValue\":0,\"endValue\":4,\n"
		"\"samples\":[[0]],\n\"weights\":[4]}\n],\n"
		"\"activeProfileIndex\":1,\n\"exporter\":\"flametop@9\",\n"
		"\"name\":\"my \\\"app\"}\n");
	profile_free(profile);
	free(out.bytes);
	free(again.bytes);
}

static void
fractions_are_written_as_they_were(void **state)
{
	struct profile *profile = read_bytes("main 0.05\nmain;f 12.5\n", 22);
	struct written out = write_as(&format_speedscope, profile, &bare);

	(void)state;
	assert_non_null(strstr(out.bytes, "\"weights\":[0.05,12.50]"));
	assert_non_null(strstr(out.bytes, "\"endValue\":12.55"));
	profile_free(profile);
	free(out.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_are_root_first_with_their_weights),
		cmocka_unit_test(fractions_become_integers_of_one_scale),
		cmocka_unit_test(several_profiles_are_threads),
		cmocka_unit_test(one_unit_is_read_that_of_the_active_profile),
		cmocka_unit_test(a_profile_without_samples_does_not_choose),
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(lists_within_a_stack_are_its_frames),
		cmocka_unit_test(
			members_may_come_in_any_order_and_more_of_them),
		cmocka_unit_test(events_are_stacks_with_their_time),
		cmocka_unit_test(closing_what_is_below_closes_what_is_above),
		cmocka_unit_test(a_trace_that_was_cut_goes_on_to_its_end),
		cmocka_unit_test(time_that_goes_back_stands_still),
		cmocka_unit_test(events_that_are_none_are_counted),
		cmocka_unit_test(many_frames_may_come_before_the_profiles),
		cmocka_unit_test(a_header_may_be_anything),
		cmocka_unit_test(depth_has_no_bound),
		cmocka_unit_test(damage_is_refused_where_it_is),
		cmocka_unit_test(every_folded_file_comes_back_as_it_was),
		cmocka_unit_test(waits_come_back_as_microseconds),
		cmocka_unit_test(a_file_is_written_as_the_schema_has_it),
		cmocka_unit_test(fractions_are_written_as_they_were),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
