/* SPDX-License-Identifier: MIT */
/*
 * svg_test.c - profiles as pictures: what is in the text of the file.
 */
#include "formats/svg.h"

#include "formats/svg_private.h"
#include "tests/unit/writing.h"

static const struct write_options whole = { .header = true, .threads = true };

/* FOLDED as a picture; the test frees. */
static char *
svg_as(const char *folded, const struct write_options *options)
{
	struct profile *profile = read_bytes(folded, strlen(folded));
	struct written out;

	assert_non_null(profile);
	out = write_as(&format_svg, profile, options);
	profile_free(profile);
	return out.bytes;
}

/* How many times PART is in TEXT behind the style sheet. */
static unsigned
count(const char *text, const char *part)
{
	unsigned count = 0;

	text = strstr(text, "</style>");
	assert_non_null(text);
	while ((text = strstr(text, part))) {
		count++;
		text++;
	}
	return count;
}

/* FOLDED's picture has PART. */
static void
assert_draws(const char *folded, const char *part)
{
	char *svg = svg_as(folded, &whole);

	if (!count(svg, part)) {
		print_error("%s\n", strstr(svg, "<g id=\"frames\">"));
		fail_msg("no %s", part);
	}
	free(svg);
}

static void
assert_lacks(const char *folded, const char *part)
{
	char *svg = svg_as(folded, &whole);

	assert_int_equal(count(svg, part), 0);
	free(svg);
}

static void
a_frame_is_as_wide_as_its_count(void **state)
{
	static const char text[] = "main;read_[k] 3\nmain;parse 6\nidle 1\n";

	(void)state;
	assert_draws(text, "<g class=\"root\" data-x=\"0\" data-w=\"10\">"
		     "<title>all\n10 samples, 100.00 % of all, 0.00 % its own"
		     "</title><rect x=\"10\" y=\"92\" width=\"1180\" "
		     "height=\"17\"/><text x=\"13\" y=\"105\">all</text></g>");
	assert_draws(text, "data-x=\"0\" data-w=\"9\"><title>main\n9 samples, "
		     "90.00 % of all, 0.00 % its own\nprogram</title><rect "
		     "x=\"10\" y=\"110\" width=\"1062\"");
	assert_draws(text, "data-x=\"6\" data-w=\"3\"><title>read\n3 samples, "
		     "30.00 % of all, 30.00 % its own\nkernel</title><rect "
		     "x=\"718\" y=\"128\" width=\"354\"");
	assert_draws(text, "<g class=\"kernel-");
}

/* Edges are rounded, not widths: neighbours touch. */
static void
edges_of_neighbours_are_the_same(void **state)
{
	(void)state;
	assert_draws("a 1\nb 1\nc 1\n", "x=\"10\" y=\"110\" width=\"393.33\"");
	assert_draws("a 1\nb 1\nc 1\n",
		     "x=\"403.33\" y=\"110\" width=\"393.34\"");
	assert_draws("a 1\nb 1\nc 1\n",
		     "x=\"796.67\" y=\"110\" width=\"393.33\"");
}

static void
names_are_escaped_everywhere(void **state)
{
	(void)state;
	assert_draws("<b>&\"';]]> 1\n", "<title>&lt;b&gt;&amp;&quot;&#39;\n");
	assert_draws("<b>&\"';]]> 1\n", ">]]&gt;</text>");
	assert_draws("a\033\001\342\200\256\377 1\n",
		     ">a\\x1b\\x01\\u{202e}\\xff</text>");
	assert_draws("a\357\277\276 1\n", "\\u{fffe}");
	assert_lacks("<script>x 1\n", "<script>x");
}

static void
what_a_header_says_is_cleaned_and_escaped(void **state)
{
	static const char text[] =
		"# flametop: v1\n# comm=<b>%1b&\n# host=]]>\n# lost=7\n"
		"# pid=42\n# unit=<i>%00\na 5\n";

	(void)state;
	assert_draws(text, "<text id=\"of\" x=\"10\" y=\"20\">&lt;b&gt;"
		     "\\x1b&amp;, process 42, on ]]&gt;</text>");
	assert_draws(text, "y=\"38\">5 &lt;i&gt;\\x00, lost 7</text>");
	assert_draws(text, "5 &lt;i&gt;\\x00, 100.00 % of all");
}

/* Not all that is known of a live process came out of a file. */
static void
what_was_set_is_cleaned_too(void **state)
{
	struct profile *profile = read_bytes("a 5\n", 4);
	struct written out;

	(void)state;
	profile_set(profile, "comm", "c\033\377");
	profile_set(profile, "unit", "u\001");
	out = write_as(&format_svg, profile, &whole);
	assert_int_equal(count(out.bytes, ">c\\x1b\\xff<"), 1);
	assert_int_equal(count(out.bytes, "5 u\\x01, 100.00 % of all"), 2);
	profile_free(profile);
	free(out.bytes);
}

static void
without_a_header_nothing_says_where_it_was(void **state)
{
	struct write_options bare = { .threads = true };
	char *svg = svg_as("# flametop: v1\n# comm=a\n# host=h.example\nm 1\n",
			   &bare);

	(void)state;
	assert_null(strstr(svg, "h.example"));
	assert_int_equal(count(svg, ">Flame graph<"), 1);
	free(svg);
}

static void
thin_frames_are_left_out_and_counted(void **state)
{
	/* A pixel of 1180 is 100 of these. */
	static const char text[] = "main 117979\nthin;a;b 9\nwide;c 12\n";

	(void)state;
	assert_draws(text, ">3 frames thinner than 0.1 px: left out<");
	assert_draws(text, "<title>wide\n");
	assert_lacks(text, "<title>thin\n");
	assert_lacks(text, "<title>b\n");
	assert_draws("main 117991\nthin 9\n", ">1 frame thinner");
	assert_lacks("main 100\nf 1\n", "id=\"thin\"");
}

static void
a_name_is_cut_where_its_frame_ends(void **state)
{
	/* 43 cells of 7.25, in 318.6 less 6. */
	static const char text[] =
		"a123456789b123456789c123456789d123456789e123456789 27\n"
		"rest 73\n";

	(void)state;
	assert_draws(text, ">a123456789b123456789c123456789d123456789e1…<");
	assert_draws("中文字中文字中文字中文字 10\nrest 90\n",
		     ">中文字中文字中…<");
	assert_draws("中文字中文字中 10\nrest 90\n", ">中文字中文字中<");
	assert_draws("ab 3\nrest 97\n", ">ab<");
	assert_lacks("a 1\nrest 99\n", ">a<");
}

static void
siblings_stand_by_weight_and_then_by_name(void **state)
{
	char *svg = svg_as("m;b 2\nm;a 2\nm;z 3\n", &whole);

	(void)state;
	assert_true(strstr(svg, "<title>z\n") < strstr(svg, "<title>a\n"));
	assert_true(strstr(svg, "<title>a\n") < strstr(svg, "<title>b\n"));
	free(svg);
}

static void
the_same_counts_in_any_order_are_the_same_bytes(void **state)
{
	char *one = svg_as("a;b 1\nc;d 2\nc;e_[j] 1\nf 1\n", &whole);
	char *two = svg_as("f 1\nc;e_[j] 1\nc;d 2\na;b 1\n", &whole);

	(void)state;
	assert_string_equal(one, two);
	free(one);
	free(two);
}

static void
threads_are_a_row_if_they_are_asked_for(void **state)
{
	static const char text[] = "# flametop: v1\n# roots=thread\n"
				   "t1;main 1\nt2;main 2\n";
	struct write_options merged = { .header = true };
	char *svg = svg_as(text, &merged);

	(void)state;
	assert_draws(text, "<g class=\"thread-");
	assert_draws(text, "<title>t1\n");
	assert_null(strstr(svg, "<title>t1\n"));
	assert_int_equal(count(svg, "<title>main\n3 samples"), 1);
	free(svg);
}

static void
counts_are_told_as_they_were(void **state)
{
	char text[SVG_COUNT_SIZE];

	(void)state;
	assert_draws("main 1234567.25\nf 0.5\n",
		     "<title>main\n1,234,567.25 samples");
	assert_string_equal(svg_count(text, 0, 0), "0");
	assert_string_equal(svg_count(text, 5, 3), "0.005");
	assert_string_equal(svg_count(text, 1234, -2), "123,400");
	assert_string_equal(svg_count(text, 0, -2), "0");
	assert_string_equal(svg_count(text, UINT64_MAX, 0),
			    "18,446,744,073,709,551,615");
	assert_string_equal(svg_count(text, UINT64_MAX, -19),
			    "184,467,440,737,095,516,150,000,000,000,000,"
			    "000,000");
}

static void
kinds_of_counts_have_their_units(void **state)
{
	static const char text[] = "# flametop: v1\n# kind=blocked\n"
				   "main;read 1500\n";
	struct write_options waits = whole;
	char *svg;

	(void)state;
	waits.kind = KIND_BLOCKED;
	svg = svg_as(text, &waits);
	assert_int_equal(count(svg, "<title>read\n1,500 microseconds, "), 1);
	free(svg);
}

/* Nothing, sums without end, and stacks as deep as they like. */
static void
extremes_are_written(void **state)
{
	enum { DEPTH = 30000 };
	char *deep = xcalloc(DEPTH, 2 + 4), *at = deep;

	(void)state;
	assert_draws("a;b 0\n", "<title>all\n0 samples");
	assert_draws("a 18446744073709551615\nb 18446744073709551615\n",
		     "<title>all\n");
	for (int i = 0; i < DEPTH; i++)
		at += sprintf(at, "f;");
	sprintf(at, "g 1\n");
	assert_draws(deep, "<title>g\n");
	free(deep);
}

static void
all_of_it_is_in_the_file(void **state)
{
	char *svg = svg_as("main 1\n", &whole);

	(void)state;
	assert_null(strstr(svg, "href"));
	assert_null(strstr(svg, "@import"));
	assert_null(strstr(svg, "url("));
	assert_null(strstr(svg, "eval("));
	assert_null(strstr(svg, "innerHTML"));
	assert_int_equal(count(svg, "<script><![CDATA["), 1);
	assert_int_equal(count(svg, "]]>"), 1);
	assert_non_null(strstr(svg, "prefers-color-scheme: dark"));
	assert_non_null(strstr(svg, ".diff-more-3 rect { fill: #"));
	free(svg);
}

/* A style that a theme lacks would be black. */
static void
each_hue_has_its_colours_twice(void **state)
{
	static const char *const styles[] = {
		"root", "program-1", "library-2", "kernel-3", "jit-4",
		"thread-1", "unknown-4", "diff-less-1", "diff-same",
		"diff-new", "hit",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
		char rule[64];
		const char *first;

		snprintf(rule, sizeof(rule), "\n.%s rect { fill: #",
			 styles[i]);
		first = strstr(svg_style, rule);
		assert_non_null(first);
		assert_non_null(strstr(first + 1, rule));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_frame_is_as_wide_as_its_count),
		cmocka_unit_test(edges_of_neighbours_are_the_same),
		cmocka_unit_test(names_are_escaped_everywhere),
		cmocka_unit_test(what_a_header_says_is_cleaned_and_escaped),
		cmocka_unit_test(what_was_set_is_cleaned_too),
		cmocka_unit_test(without_a_header_nothing_says_where_it_was),
		cmocka_unit_test(thin_frames_are_left_out_and_counted),
		cmocka_unit_test(a_name_is_cut_where_its_frame_ends),
		cmocka_unit_test(siblings_stand_by_weight_and_then_by_name),
		cmocka_unit_test(
			the_same_counts_in_any_order_are_the_same_bytes),
		cmocka_unit_test(threads_are_a_row_if_they_are_asked_for),
		cmocka_unit_test(counts_are_told_as_they_were),
		cmocka_unit_test(kinds_of_counts_have_their_units),
		cmocka_unit_test(extremes_are_written),
		cmocka_unit_test(all_of_it_is_in_the_file),
		cmocka_unit_test(each_hue_has_its_colours_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
