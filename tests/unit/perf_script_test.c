/* SPDX-License-Identifier: MIT */
/*
 * perf_script_test.c - text of perf script, in whatever columns it comes.
 */
#include "formats/perf_script.h"
#include "tests/unit/reading.h"

#define FRAMES				\
	"\t    7f10 leaf+0x1f (/app)\n"	\
	"\t    7f00 main (/app)\n"

static void
the_line_of_an_event_is_read_from_the_time_leftwards(void **state)
{
	static const struct {
		const char *line, *comm;
		uint64_t pid, tid, time_ns, period;
		const char *name;
	} events[] = {
		{ "app 42  1596.336683:    1001001 cpu-clock: ", "app", 0, 42,
		  1596336683000, 1001001, "cpu-clock" },
		{ "app 42/43 [003] 1.000000002: cycles:ppp:", "app", 42, 43,
		  1000000002, 1, "cycles:ppp" },
		{ "DOM Worker 21528 [003] 609678.457663: cycles:",
		  "DOM Worker", 0, 21528, 609678457663000, 1, "cycles" },
		{ "[ET_NET 0] 12 1.5: 1 cycles:", "[ET_NET 0]", 0, 12,
		  1500000000, 1, "cycles" },
		{ "pool-1 7 25607 4.5: 1 cycles:", "pool-1 7", 0, 25607,
		  4500000000, 1, "cycles" },
		{ "t 99076 10314749.002559:     250000 cpu-clock: ", "t", 0,
		  99076, 10314749002559000, 250000, "cpu-clock" },
		{ "f 9566 [001] 18.1: kmem:mm_pagevec_free: page=0xff pfn=6",
		  "f", 0, 9566, 18100000000, 1, "kmem:mm_pagevec_free" },
		{ "a 1.2: b 7 3.0: 9 cycles:", "a 1.2: b", 0, 7, 3000000000, 9,
		  "cycles" },
		{ "f 1 2.0: bpf_trace: x 1 1.000000: y:", "f", 0, 1,
		  2000000000, 1, "bpf_trace" },
		{ "wrk 1 (x/y) 31969 K 1658.7:    3344481 cpu-clock:",
		  "wrk 1 (x/y)", 0, 31969, 1658700000000, 3344481,
		  "cpu-clock" },
		{ "             hot 29886 9.0:  7 cpu/mem-loads,ldlat=30/P: ",
		  "hot", 0, 29886, 9000000000, 7, "cpu/mem-loads,ldlat=30/P" },
		{ "825432/825433 339457.4:       1 cycles:u:", "", 825432,
		  825433, 339457400000000, 1, "cycles:u" },
		{ "Gecko\t25122 [007] 5.9:\t\t1000000 task-clock:u:", "Gecko",
		  0, 25122, 5900000000, 1000000, "task-clock:u" },
		{ ":1234 -1 5.0: cycles:", ":1234", 0, 0, 5000000000, 1,
		  "cycles" },
		{ "app 5.0: 3 cycles:", "app", 0, 0, 5000000000, 3, "cycles" },
	};
	struct perf_event event;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(events); i++) {
		struct slice line = { events[i].line, strlen(events[i].line) };

		if (!perf_event_read(line, &event))
			print_error("not read: %s\n", events[i].line);
		else if (!slice_is(event.comm, events[i].comm))
			print_error("%s: comm %.*s\n", events[i].line,
				    (int)event.comm.len, event.comm.at);
		assert_true(slice_is(event.comm, events[i].comm));
		assert_int_equal(event.pid, events[i].pid);
		assert_int_equal(event.tid, events[i].tid);
		assert_int_equal(event.time_ns, events[i].time_ns);
		assert_int_equal(event.period, events[i].period);
		assert_true(slice_is(event.name, events[i].name));
	}
}

static void
an_event_may_have_no_time(void **state)
{
	static const struct {
		const char *line, *comm;
		uint64_t tid, period;
	} events[] = {
		{ "hot cpu-clock: ", "hot", 0, 1 },
		{ "java  3244 cpu-clock: ", "java", 3244, 1 },
		{ "srcl   52631578 cpu-clock: ", "srcl", 0, 52631578 },
		{ "srcl 14318   52631578 cpu-clock:", "srcl", 14318,
		  52631578 },
		{ "wrk 1 (x/y) [003] 7 cpu-clock:", "wrk 1 (x/y)", 0, 7 },
		{ "hot 12 3 cycles:   7f10aa main (/app)", "hot", 12, 3 },
	};
	struct perf_event event;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(events); i++) {
		struct slice line = { events[i].line, strlen(events[i].line) };

		assert_true(perf_event_read_timeless(line, &event));
		assert_true(slice_is(event.comm, events[i].comm));
		assert_int_equal(event.tid, events[i].tid);
		assert_int_equal(event.period, events[i].period);
	}
}

static void
a_frame_is_an_address_a_symbol_and_a_file(void **state)
{
	static const struct {
		const char *line, *symbol, *dso;
		bool is_inlined;
	} frames[] = {
		{ "\t  7f58 memmove+0x58 (/usr/lib/ld.so)", "memmove",
		  "/usr/lib/ld.so", false },
		{ "\t  7f58 f (/usr/lib/x.so (deleted))", "f",
		  "/usr/lib/x.so (deleted)", false },
		{ "\t9c51fd34 java.lang.String.hashCode ([JIT app cache])",
		  "java.lang.String.hashCode", "[JIT app cache]", false },
		{ "\t  7f58 main (inlined)", "main", "", true },
		{ "\t  7f58 ns::(anonymous namespace)::f(int) (/a b)",
		  "ns::(anonymous namespace)::f(int)", "/a b", false },
		{ "\t  7f58 std::locale::id::_M_id() const (/l.so)",
		  "std::locale::id::_M_id() const", "/l.so", false },
		{ "\tffffffff81bb8818 _copy_to_user", "_copy_to_user", "",
		  false },
		{ "\t  7f58 f(int, char*)", "f(int, char*)", "", false },
		{ "        b3cea6c4\tLock::unlock() (/system/libc.so)",
		  "Lock::unlock()", "/system/libc.so", false },
		{ "\t  7f58 (/app)", "", "/app", false },
		{ "\t  7f58 [unknown] ([unknown])", "[unknown]", "[unknown]",
		  false },
		{ "\t  7f58 f (/odd) name)", "f", "/odd) name", false },
	};
	struct perf_frame frame;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(frames); i++) {
		struct slice line = { frames[i].line, strlen(frames[i].line) };

		assert_true(perf_frame_read(line, &frame));
		if (!slice_is(frame.symbol, frames[i].symbol))
			print_error("%s: %.*s\n", frames[i].line,
				    (int)frame.symbol.len, frame.symbol.at);
		assert_true(slice_is(frame.symbol, frames[i].symbol));
		assert_true(slice_is(frame.dso, frames[i].dso));
		assert_int_equal(frame.is_inlined, frames[i].is_inlined);
	}
}

static void
events_add_up_by_stack_and_thread(void **state)
{
	(void)state;
	assert_read("# captured on: Mon 10:00\n"
		    "a b 1 1.0: 10 cycles:\n" FRAMES "\n"
		    "a b 1 1.1: 10 cycles:\n" FRAMES "\n"
		    "c 2 1.2: 5 cycles:\n" FRAMES,
		    "a b;main;leaf 20\n"
		    "c;main;leaf 5\n");
}

static void
the_last_stack_needs_no_blank_line_behind_it(void **state)
{
	(void)state;
	assert_read("a 1 1.0: cycles:\n\t7f00 main (/app)",
		    "a;main 1\n");
}

static void
a_blank_line_may_stand_before_the_frames(void **state)
{
	(void)state;
	assert_read("a 1 1.0: 2 cycles:\n\n" FRAMES "\n\n"
		    "a 1 1.1: 3 cycles:\n\n" FRAMES,
		    "a;main;leaf 5\n");
}

static void
lines_may_end_as_on_windows(void **state)
{
	(void)state;
	assert_read("a 1 1.0: 2 cycles:\r\n\t7f00 main (/app)\r\n\r\n",
		    "a;main 2\n");
}

static void
frames_are_of_their_kind(void **state)
{
	(void)state;
	assert_read("a 1 1.0: cycles:\n"
		    "\tffffffff81bb8818 copy+0x1 ([kernel.kallsyms])\n"
		    "\t7f01 JS:*f /a b.js:1:2 (/tmp/perf-7.map)\n"
		    "\t7f02 Lj (/tmp/jitted-31-4.so)\n"
		    "\t7f03 inner (inlined)\n"
		    "\t7f03 main (/app)\n",
		    "a;main;inner_[i];Lj_[j];JS:*f /a b.js:1:2_[j];copy_[k] "
		    "1\n");
}

static void
frames_without_a_symbol_are_called_after_their_file(void **state)
{
	(void)state;
	assert_read("a 1 1.0: cycles:\n"
		    "\t7f01 [unknown] (/usr/lib/libc.so.6)\n"
		    "\t7f02 [unknown] ([unknown])\n"
		    "\t7f03 (/app (deleted))\n"
		    "\t7f04\n",
		    "a;[unknown];[app (deleted)];[unknown];[libc.so.6] 1\n");
}

static void
an_event_without_frames_counts_as_well(void **state)
{
	(void)state;
	assert_read("swapper 0 [001] 1.0: 3 cycles:\n\n"
		    "a 1 1.0: 2 cycles:\n" FRAMES "\n",
		    "a;main;leaf 2\n"
		    "swapper;[no stack] 3\n");
}

static void
without_call_graph_the_frame_is_on_the_line(void **state)
{
	(void)state;
	assert_read("   a b 1 1.0: 3 cycles:    7fd95 f+0xce5 (/usr/ld.so)\n"
		    "   a b 1 1.1: 4 cycles:    7fff0 7fd95 f (/usr/ld.so)\n",
		    "a b;f 7\n");
}

static void
source_lines_tell_what_was_inlined(void **state)
{
	(void)state;
	assert_read("a 1 1.0: cycles:\n"
		    "\t  116e work+0x1e (/tmp/a)\n"
		    "  srcl.c:1\n"
		    "\t  27304 impl+0x84\n"
		    "  libc-start.c:360 (inlined)\n"
		    "\t  1080 _start+0x20 (/tmp/a)\n"
		    "  ??:0\n",
		    "a;_start;impl_[i];work 1\n");
}

static void
frames_need_no_event(void **state)
{
	(void)state;
	assert_read("\n\tffffffff81bb8818 leaf\n\tffffffff81bb8810 main\n"
		    "\n\tffffffff81bb8818 leaf\n\tffffffff81bb8810 main\n",
		    "main_[k];leaf_[k] 2\n");
}

static void
what_is_left_of_a_cut_sample_is_no_event(void **state)
{
	static const char text[] =
		FRAMES "\n"
		"a 1 1.0: 10 cycles:\n" FRAMES "\n"
		"a 1 1.1: 10 cycles:\n" FRAMES "\n";
	struct reading r = reading_of(text, sizeof(text) - 1);

	(void)state;
	assert_non_null(r.folded);
	assert_string_equal(r.folded, "a;main;leaf 20\n");
	assert_string_equal(r.event, "cycles");
	assert_string_equal(r.report.note, "");
	assert_int_equal(r.report.ignored, 1);
	assert_int_equal(r.report.first_ignored[0], 1);
	assert_int_equal(r.samples, 2);
	free(r.folded);
}

static void
one_sample_without_an_event_is_one(void **state)
{
	(void)state;
	assert_read(FRAMES, "main;leaf 1\n");
}

static void
samples_of_any_number_of_other_events_are_told(void **state)
{
	char text[8192];
	struct reading r;
	size_t len = 0;
	int i;

	(void)state;
	for (i = 0; i < 100; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"a 1 1.0: ev%d:\n" FRAMES "\n", i);
	r = reading_of(text, len);
	assert_non_null(r.folded);
	assert_string_equal(r.event, "ev0");
	assert_non_null(strstr(r.report.note, "99 samples of other events"));
	free(r.folded);
}

static void
one_event_is_read_and_the_others_are_told(void **state)
{
	static const char text[] = "a 1 1.0: 7 page-faults:\n" FRAMES "\n"
				   "a 1 1.0: 9 cycles:\n" FRAMES "\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "a;main;leaf 7\n");
	assert_string_equal(r.event, "page-faults");
	assert_int_equal(r.samples, 1);
	assert_non_null(strstr(r.report.note, "1 samples of other events"));
	free(r.folded);
}

static void
the_event_can_be_chosen(void **state)
{
	static const char text[] = "a 1 1.0: 7 page-faults:\n" FRAMES "\n"
				   "a 1 1.0: 9 cycles:ppp:\n" FRAMES "\n";
	static const char *const choices[] = { "cycles", "cycles:ppp", "2" };
	struct reading r;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(choices); i++) {
		r = reading_as(text, strlen(text), choices[i]);
		assert_string_equal(r.folded, "a;main;leaf 9\n");
		free(r.folded);
	}
	r = reading_as(text, strlen(text), "cycl");
	assert_null(r.folded);
	assert_non_null(strstr(r.err.text, "no event \"cycl\""));
}

static void
records_between_are_no_samples(void **state)
{
	static const char text[] =
		"exec  0  0.000000000: PERF_RECORD_COMM: exec:3/3\n"
		"a 1 1.0: 7 cycles:\n" FRAMES "\n"
		"a 1 1.1: PERF_RECORD_SWITCH OUT preempt\n"
		"a 1 1.2: PERF_RECORD_LOST lost 12\n"
		"a 1 1.3: PERF_RECORD_MMAP2 1/1: [0x1(0x2) @ 0 ]: r-xp /a\n";
	struct reading r = reading_of(text, strlen(text));

	(void)state;
	assert_string_equal(r.folded, "a;main;leaf 7\n");
	assert_int_equal(r.lost, 12);
	assert_int_equal(r.report.ignored, 0);
	free(r.folded);
}

static void
noise_between_is_ignored_with_its_line(void **state)
{
	(void)state;
	assert_read_but("a 1 1.0: 7 cycles:\n" FRAMES "\n"
			"Failed to open /tmp/perf-1.map, continuing\n"
			"a 1 1.0: 7 cycles:\n" FRAMES "\n",
			5, "a;main;leaf 14\n");
}

static void
branch_traces_are_refused(void **state)
{
	(void)state;
	assert_refused("23/23 4.068172167:  1   branches:uH:   jcc  411077 "
		       "e+0xc7 (foo.so) =>    411064 e+0xb4 (foo.so)\n",
		       "perf record -g");
}

static void
text_without_a_sample_is_refused(void **state)
{
	(void)state;
	assert_refused("a 1  0.000000000: PERF_RECORD_COMM: a:3/3\n",
		       "without a sample");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_line_of_an_event_is_read_from_the_time_leftwards),
		cmocka_unit_test(an_event_may_have_no_time),
		cmocka_unit_test(a_frame_is_an_address_a_symbol_and_a_file),
		cmocka_unit_test(events_add_up_by_stack_and_thread),
		cmocka_unit_test(the_last_stack_needs_no_blank_line_behind_it),
		cmocka_unit_test(a_blank_line_may_stand_before_the_frames),
		cmocka_unit_test(lines_may_end_as_on_windows),
		cmocka_unit_test(frames_are_of_their_kind),
		cmocka_unit_test(
			frames_without_a_symbol_are_called_after_their_file),
		cmocka_unit_test(an_event_without_frames_counts_as_well),
		cmocka_unit_test(without_call_graph_the_frame_is_on_the_line),
		cmocka_unit_test(source_lines_tell_what_was_inlined),
		cmocka_unit_test(frames_need_no_event),
		cmocka_unit_test(what_is_left_of_a_cut_sample_is_no_event),
		cmocka_unit_test(one_sample_without_an_event_is_one),
		cmocka_unit_test(
			samples_of_any_number_of_other_events_are_told),
		cmocka_unit_test(one_event_is_read_and_the_others_are_told),
		cmocka_unit_test(the_event_can_be_chosen),
		cmocka_unit_test(records_between_are_no_samples),
		cmocka_unit_test(noise_between_is_ignored_with_its_line),
		cmocka_unit_test(branch_traces_are_refused),
		cmocka_unit_test(text_without_a_sample_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
