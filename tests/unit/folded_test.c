/* SPDX-License-Identifier: MIT */
/*
 * folded_test.c - what folded files mean, oddity by oddity.
 *
 * Each file in tests/fixtures has one; what comes out is compared as text,
 * "a > b > c" for a stack.
 */
/* size: a test for each rule, and the list of them */
#include "formats/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A fixture and what was read from it. */
struct loaded {
	struct profile *profile;
	struct read_report report;
	struct error err;
	char *bytes;
	size_t len;
	bool ok;
};

static struct loaded
load_bytes(char *bytes, size_t len)
{
	struct loaded in = { .bytes = bytes, .len = len };

	in.profile = profile_new();
	in.ok = format_read(bytes, len, in.profile, &in.report, &in.err);
	return in;
}

static struct loaded
load_text(const char *text)
{
	return load_bytes(xstrdup(text), strlen(text));
}

static struct loaded
load(const char *name)
{
	char path[128], *bytes = xcalloc(1 << 16, 1);
	size_t len;
	FILE *file;

	snprintf(path, sizeof(path), "tests/fixtures/%s.folded", name);
	file = fopen(path, "rb");
	assert_non_null(file);
	len = fread(bytes, 1, 1 << 16, file);
	fclose(file);
	return load_bytes(bytes, len);
}

static void
unload(struct loaded *in)
{
	profile_free(in->profile);
	free(in->bytes);
}

struct question {
	const struct profile *profile;
	const char *stack;
	uint64_t weight;
	size_t cells;
};

static void
append(char *text, size_t size, const char *name)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? " > " : "", name);
}

static void
spell(const struct profile *p, stack_id id, char *text, size_t size)
{
	const struct stack *stack = profile_get_stack(p, id);

	if (!id)
		return;
	spell(p, stack->parent, text, size);
	append(text, size,
	       profile_text(p, profile_get_frame(p, stack->frame)->name));
}

static void
note_cell(void *ctx, const struct cell *cell)
{
	struct question *q = ctx;
	char text[512] = "";

	if (cell->thread)
		append(text, sizeof(text),
		       profile_text(q->profile,
				    profile_get_thread(q->profile,
						       cell->thread)->name));
	spell(q->profile, cell->stack, text, sizeof(text));
	if (strcmp(text, q->stack) != 0)
		return;
	q->weight += cell->weight;
	q->cells++;
}

/* The weight of STACK, which must be there. */
static uint64_t
weight_of(const struct loaded *in, const char *stack)
{
	struct question q = { .profile = in->profile, .stack = stack };

	profile_each(in->profile, 0, UINT64_MAX, note_cell, &q);
	if (!q.cells)
		print_error("no stack %s\n", stack);
	assert_int_equal(q.cells, 1);
	return q.weight;
}

static uint64_t
total(const struct loaded *in)
{
	return profile_total(in->profile, KIND_CPU);
}

static enum frame_kind
kind_of(const struct loaded *in, const char *name)
{
	frame_id id;

	for (id = 0; id < profile_frames(in->profile); id++) {
		const struct frame *f = profile_get_frame(in->profile, id);

		if (strcmp(profile_text(in->profile, f->name), name) == 0)
			return f->kind;
	}
	print_error("no frame %s\n", name);
	assert_true(false);
	return FRAME_CODE;
}

/* 1: bytes and encodings */

static void
a_byte_order_mark_is_no_part_of_a_frame(void **state)
{
	struct loaded in = load("bom");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	unload(&in);
}

static void
utf16_of_either_order_is_read(void **state)
{
	static const char *const names[] = { "utf16-le", "utf16-be" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(names); i++) {
		struct loaded in = load(names[i]);

		assert_true(in.ok);
		assert_int_equal(weight_of(&in, "main > gr\xc3\xb6\xc3\x9f" "e"),
				 3);
		assert_int_equal(total(&in), 7);
		unload(&in);
	}
}

static void
bytes_that_are_no_text_are_spelled_out(void **state)
{
	struct loaded in = load("not-utf8");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > caf\\xe9 > \\x1b[2J"), 3);
	assert_int_equal(weight_of(&in, "main > x\\x00y"), 4);
	unload(&in);
}

/* 2: line ends */

static void
carriage_returns_blanks_and_a_missing_last_newline_do_not_matter(void **state)
{
	struct loaded in = load("line-ends");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	assert_int_equal(weight_of(&in, "main > write"), 4);
	assert_int_equal(weight_of(&in, "main > close"), 5);
	assert_int_equal(in.report.lines, 3);
	assert_int_equal(in.report.ignored, 0);
	unload(&in);
}

static void
a_line_may_have_any_length(void **state)
{
	size_t depth = 200000, i;
	char *text = xcalloc(depth * 2 + 8, 1);
	struct loaded in;

	(void)state;
	for (i = 0; i < depth; i++)
		memcpy(text + 2 * i, i % 2 ? "a;" : "b;", 2);
	strcpy(text + 2 * depth, "c 7\n");
	in = load_bytes(text, strlen(text));
	assert_true(in.ok);
	assert_int_equal(total(&in), 7);
	assert_int_equal(profile_get_stack(in.profile, (stack_id)depth)->depth,
			 depth);
	unload(&in);
}

/* 3: comments */

static void
comments_and_blank_lines_are_no_stacks(void **state)
{
	struct loaded in = load("comments");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 42);
	assert_int_equal(in.report.lines, 9);
	assert_int_equal(in.report.ignored, 1);
	assert_int_equal(in.report.first_ignored[0], 7);
	unload(&in);
}

/* 4: counts */

static void
unusual_counts_are_read_and_reported(void **state)
{
	struct loaded in = load("extended");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > plus"), 3);
	assert_int_equal(weight_of(&in, "main > exponent"), 40);
	assert_int_equal(weight_of(&in, "P7 > T7 > app.py:run:1"), 50);
	assert_int_equal(total(&in), 96);
	assert_int_equal(in.report.extended, 3);
	assert_int_equal(in.report.ignored, 1);
	unload(&in);
}

/* 5: two columns */

static void
two_columns_on_every_line_are_a_difference(void **state)
{
	struct loaded in = load("two-columns");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 5);
	assert_int_equal(weight_of(&in, "main > port 80"), 1);
	assert_non_null(strstr(in.report.note, "the first sums to 63"));
	unload(&in);
}

static void
one_line_with_a_number_before_its_count_is_a_frame(void **state)
{
	struct loaded in = load("number-in-name");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > port 80"), 60);
	assert_string_equal(in.report.note, "");
	unload(&in);
}

/* 6, 7: what is missing */

static void
a_count_without_a_stack_is_kept(void **state)
{
	struct loaded in = load("no-stack");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "[no stack]"), 42);
	assert_int_equal(total(&in), 45);
	unload(&in);
}

static void
empty_frames_are_shown_but_for_those_at_the_end(void **state)
{
	struct loaded in = load("empty-frames");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "[empty] > main > [empty] > read"), 3);
	assert_int_equal(weight_of(&in, "main > read"), 4);
	assert_int_equal(weight_of(&in, "[no stack]"), 5);
	assert_int_equal(in.report.empties, 5);
	assert_int_equal(kind_of(&in, "[empty]"), FRAME_NOTE);
	unload(&in);
}

/* 8: a blank behind the semicolon */

static void
a_blank_behind_every_semicolon_is_part_of_it(void **state)
{
	struct loaded in = load("padded");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > app::run"), 5);
	assert_int_equal(weight_of(&in,
				   "main > app::run > app::<A as B>::read"), 3);
	unload(&in);
}

static void
a_blank_behind_some_semicolons_is_part_of_the_name(void **state)
{
	struct loaded in = load("padded-once");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > fn >  2]"), 3);
	unload(&in);
}

/* 9 to 13: sums */

static void
equal_stacks_are_added_up(void **state)
{
	struct loaded in = load("duplicates");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 8);
	assert_int_equal(weight_of(&in, "main"), 3);
	assert_int_equal(in.report.duplicates, 2);
	unload(&in);
}

static void
stacks_that_count_nothing_are_kept(void **state)
{
	struct loaded in = load("zeroes");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 0);
	assert_int_equal(weight_of(&in, "main > read"), 0);
	unload(&in);
}

static void
negative_counts_count_by_their_size_and_are_told(void **state)
{
	struct loaded in = load("negative");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 3);
	assert_int_equal(total(&in), 7);
	assert_non_null(strstr(in.report.note, "1 negative count"));
	assert_int_equal(in.report.extended, 1);
	unload(&in);
}

static void
fractions_are_exact_and_their_scale_is_kept(void **state)
{
	struct loaded in = load("fractions");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 6675);
	assert_int_equal(weight_of(&in, "main > write"), 25);
	assert_string_equal(profile_get(in.profile, "scale"), "2");
	assert_non_null(strstr(in.report.note, "times 10^2"));
	unload(&in);
}

static void
huge_counts_keep_their_shares_and_are_told(void **state)
{
	struct loaded in = load("huge");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read"), 1844674407370955161);
	assert_int_equal(weight_of(&in, "main > write"), 922337203685477581);
	assert_string_equal(profile_get(in.profile, "scale"), "-1");
	assert_non_null(strstr(in.report.note, "too large"));
	unload(&in);
}

/* 14, 15: other layouts */

static void
without_any_count_each_line_is_a_sample(void **state)
{
	struct loaded in = load("no-counts");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "<0.1.0> > lists:map/2 > sleep"), 2);
	assert_int_equal(total(&in), 3);
	assert_non_null(strstr(in.report.note, "no counts"));
	unload(&in);
}

static void
counts_before_the_stack_are_perf_reports_leaf_first(void **state)
{
	struct loaded in = load("count-first");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > read_all"), 3333);
	assert_int_equal(weight_of(&in, "main > run > read_all"), 2667);
	assert_int_equal(weight_of(&in, "main"), 4000);
	assert_string_equal(profile_get(in.profile, "scale"), "2");
	assert_int_equal(in.report.ignored, 2);
	unload(&in);
}

static void
perf_report_with_children_is_refused_with_the_remedy(void **state)
{
	struct loaded in = load("count-first-children");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "--no-children"));
	unload(&in);
}

/* 16, 17: what it is not, and what was ignored */

static void
a_picture_named_folded_is_called_a_picture(void **state)
{
	struct loaded in = load("picture");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "SVG"));
	unload(&in);
}

static void
what_was_ignored_is_reported_with_its_first_lines(void **state)
{
	struct loaded in = load("report");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(in.report.lines, 8);
	assert_int_equal(in.report.ignored, 4);
	assert_int_equal(in.report.first_ignored[0], 1);
	assert_int_equal(in.report.first_ignored[1], 3);
	assert_int_equal(in.report.first_ignored[2], 4);
	assert_int_equal(in.report.extended, 1);
	assert_int_equal(in.report.duplicates, 1);
	assert_int_equal(in.report.empties, 1);
	unload(&in);
}

static void
prose_is_refused(void **state)
{
	char text[4096] = "";
	struct loaded in;
	int i;

	(void)state;
	for (i = 0; i < 40; i++)
		strcat(text, "It was the best of times; it was the worst.\n"
			     "Nobody knew.\n");
	strcat(text, "Chapter 2\n");
	in = load_text(text);
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "1 of its 81 lines"));
	unload(&in);
}

static void
a_program_with_a_number_in_it_is_refused(void **state)
{
	struct loaded in = load_text("def spin(n):\n"
				     "    i = 0\n"
				     "    while i < n:\n"
				     "        i += 1\n"
				     "    return i\n"
				     "while True:\n"
				     "    spin(10000)\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "2 of its 7 lines"));
	assert_non_null(strstr(in.err.text, "flametop --"));
	unload(&in);
}

static void
a_table_without_stacks_is_refused(void **state)
{
	struct loaded in = load_text("processor : 0\n"
				     "vendor_id : GenuineIntel\n"
				     "cpu family : 6\n"
				     "model : 143\n"
				     "stepping : 8\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "4 of its 5 lines"));
	unload(&in);
}

static void
a_text_without_one_stack_is_refused(void **state)
{
	struct loaded in = load_text("Size of a 0\nof b 0\nRss:  kB\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "2 of its 3 lines"));
	unload(&in);
}

static void
a_text_whose_counts_are_all_zero_is_refused(void **state)
{
	struct loaded in = load_text("a;b 0\na;c 0\na;d\n");

	(void)state;
	assert_false(in.ok);
	assert_non_null(strstr(in.err.text, "none of its 3 lines"));
	unload(&in);
}

/* markers and our own files */

static void
suffixes_are_kinds_and_no_part_of_the_name(void **state)
{
	struct loaded in = load("suffixes");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(kind_of(&in, "inlined"), FRAME_INLINED);
	assert_int_equal(kind_of(&in, "Foo.bar"), FRAME_JIT);
	assert_int_equal(kind_of(&in, "Foo.baz_[0]"), FRAME_CODE);
	assert_int_equal(kind_of(&in, "[unknown]"), FRAME_NOTE);
	/* The kernel's read and the program's are two. */
	assert_int_equal(in.report.duplicates, 0);
	assert_int_equal(profile_stacks(in.profile), 8);
	unload(&in);
}

static void
our_header_is_restored(void **state)
{
	struct loaded in = load("ours");

	(void)state;
	assert_true(in.ok);
	assert_string_equal(profile_get(in.profile, "comm"), "my server 42");
	assert_string_equal(profile_get(in.profile, "tag.version"), "1.4%beta");
	assert_int_equal(profile_losses(in.profile)->samples, 26);
	assert_int_equal(profile_losses(in.profile)->lost, 2);
	assert_int_equal(profile_losses(in.profile)->cut, 1);
	assert_int_equal(in.report.ignored, 0);
	unload(&in);
}

static void
our_outermost_frames_are_threads_again(void **state)
{
	struct loaded in = load("ours");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > main > port 80 60"), 3);
	assert_int_equal(weight_of(&in, "# worker > main > parse"), 12);
	assert_int_equal(profile_threads(in.profile), 4);
	assert_int_equal(profile_get_thread(in.profile, 1)->pid, 4242);
	assert_int_equal(kind_of(&in, "[cut]"), FRAME_NOTE);
	unload(&in);
}

static void
a_hostile_header_does_no_harm(void **state)
{
	struct loaded in = load_text(
		"# flametop: v1\n# =x\n# lost=-5\n# pid=1e99\n# roots=thread\n"
		"# samples=99999999999999999999999\n# scale=1e999\n#\n"
		"# KEY=x\n# kind=none\n# comm=%1b[2J%\n# a b=c\n# x\n;; 5\n 6\n");

	(void)state;
	assert_true(in.ok);
	assert_string_equal(profile_get(in.profile, "comm"), "\\x1b[2J%");
	assert_null(profile_get(in.profile, "KEY"));
	assert_int_equal(weight_of(&in, "-"), 11);
	unload(&in);
}

static void
a_file_of_a_later_version_is_read_and_told(void **state)
{
	static const char *const texts[] = { "# flametop: v2\na;b 1\n",
					     "# flametop: v11\na;b 1\n",
					     "# flametop: v1\na;b 1\n",
					     "# flametop: v1\r\na;b 1\r\n" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		struct loaded in = load_text(texts[i]);

		assert_true(in.ok);
		assert_int_equal(strstr(in.report.note, "newer") != NULL,
				 i < 2);
		unload(&in);
	}
}

static void
an_own_file_without_a_stack_is_an_empty_profile(void **state)
{
	struct loaded in = load_text("# flametop: v1\n# comm=idle\n");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 0);
	assert_string_equal(profile_get(in.profile, "comm"), "idle");
	unload(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_frame),
		cmocka_unit_test(utf16_of_either_order_is_read),
		cmocka_unit_test(bytes_that_are_no_text_are_spelled_out),
		cmocka_unit_test(
			carriage_returns_blanks_and_a_missing_last_newline_do_not_matter),
		cmocka_unit_test(a_line_may_have_any_length),
		cmocka_unit_test(comments_and_blank_lines_are_no_stacks),
		cmocka_unit_test(unusual_counts_are_read_and_reported),
		cmocka_unit_test(two_columns_on_every_line_are_a_difference),
		cmocka_unit_test(
			one_line_with_a_number_before_its_count_is_a_frame),
		cmocka_unit_test(a_count_without_a_stack_is_kept),
		cmocka_unit_test(
			empty_frames_are_shown_but_for_those_at_the_end),
		cmocka_unit_test(a_blank_behind_every_semicolon_is_part_of_it),
		cmocka_unit_test(
			a_blank_behind_some_semicolons_is_part_of_the_name),
		cmocka_unit_test(equal_stacks_are_added_up),
		cmocka_unit_test(stacks_that_count_nothing_are_kept),
		cmocka_unit_test(
			negative_counts_count_by_their_size_and_are_told),
		cmocka_unit_test(fractions_are_exact_and_their_scale_is_kept),
		cmocka_unit_test(huge_counts_keep_their_shares_and_are_told),
		cmocka_unit_test(without_any_count_each_line_is_a_sample),
		cmocka_unit_test(
			counts_before_the_stack_are_perf_reports_leaf_first),
		cmocka_unit_test(
			perf_report_with_children_is_refused_with_the_remedy),
		cmocka_unit_test(a_picture_named_folded_is_called_a_picture),
		cmocka_unit_test(
			what_was_ignored_is_reported_with_its_first_lines),
		cmocka_unit_test(prose_is_refused),
		cmocka_unit_test(a_program_with_a_number_in_it_is_refused),
		cmocka_unit_test(a_table_without_stacks_is_refused),
		cmocka_unit_test(a_text_whose_counts_are_all_zero_is_refused),
		cmocka_unit_test(a_text_without_one_stack_is_refused),
		cmocka_unit_test(suffixes_are_kinds_and_no_part_of_the_name),
		cmocka_unit_test(our_header_is_restored),
		cmocka_unit_test(our_outermost_frames_are_threads_again),
		cmocka_unit_test(a_hostile_header_does_no_harm),
		cmocka_unit_test(a_file_of_a_later_version_is_read_and_told),
		cmocka_unit_test(
			an_own_file_without_a_stack_is_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
