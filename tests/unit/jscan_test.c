/* SPDX-License-Identifier: MIT */
/*
 * jscan_test.c - JSON passed over, entered, and refused.
 */
#include "formats/jscan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool
is_skipped(const char *text)
{
	struct jscan j = jscan_of(text, strlen(text));

	jscan_skip(&j);
	return !j.failed && jscan_peek(&j) == '\0';
}

static void
values_of_all_kinds_are_passed_over(void **state)
{
	static const char *const texts[] = {
		"1", "-1.5e+10", "\"\"", "\"a\\\"b\\\\\"", "true", "false",
		"null", "[]", "{}", " [ 1 , [ ] , { } ] ",
		"{\"a\":[1,2,{\"b\":null}],\"c\":\"]}\"}\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_true(is_skipped(texts[i]));
}

static void
what_is_no_json_is_refused(void **state)
{
	static const char *const texts[] = {
		"", " ", "nul", "[", "{", "[1", "[1,", "[1 2]", "{\"a\"}",
		"{\"a\":}", "{1:2}", "{\"a\":1", "\"", "\"\\\"", "\"\\", "]",
		"}", "[}", "{]", "[,]", "+1", "a", "{\"a\" 1}", "'a'",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		if (is_skipped(texts[i]))
			print_error("passed over: %s\n", texts[i]);
		assert_false(is_skipped(texts[i]));
	}
}

static char *
nested(size_t depth)
{
	char *text = xcalloc(2 * depth + 1, 1);

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	return text;
}

static void
depth_has_a_bound_and_costs_no_stack(void **state)
{
	static const struct {
		size_t depth;
		bool fits;
	} cases[] = {
		{ JSCAN_DEPTH, true }, { JSCAN_DEPTH + 1, false },
		{ 5000000, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = nested(cases[i].depth);

		assert_int_equal(is_skipped(text), cases[i].fits);
		free(text);
	}
}

static void
members_and_items_are_found(void **state)
{
	static const char text[] = "{\"x\":[1,{\"x\":9}],\"list\":[10,20.50],"
				   "\"name\":\"a\"}";
	struct jscan j = jscan_of(text, sizeof(text) - 1);
	bool first = true, first_item = true;
	struct slice key, number;
	int items = 0;

	(void)state;
	assert_int_equal(jscan_peek(&j), '{');
	assert_true(jscan_begin(&j, '{'));
	while (jscan_member(&j, &first, &key)) {
		if (slice_is(key, "list")) {
			jscan_begin(&j, '[');
			while (jscan_item(&j, &first_item)) {
				number = jscan_number(&j);
				items++;
			}
			assert_true(slice_is(number, "20.50"));
		} else if (slice_is(key, "name")) {
			assert_true(slice_is(jscan_string(&j), "a"));
		} else {
			jscan_skip(&j);
		}
	}
	assert_false(j.failed);
	assert_int_equal(items, 2);
}

static void
the_wrong_kind_fails_and_stays_failed(void **state)
{
	static const char text[] = "[1,\"a\"]";
	struct jscan j = jscan_of(text, sizeof(text) - 1);
	bool first = true;

	(void)state;
	assert_false(jscan_begin(&j, '{'));
	assert_true(j.failed);
	assert_false(jscan_item(&j, &first));
	j = jscan_of(text, sizeof(text) - 1);
	jscan_begin(&j, '[');
	first = true;
	assert_true(jscan_item(&j, &first));
	assert_int_equal(jscan_string(&j).len, 0);
	assert_true(j.failed);
	assert_int_equal(jscan_number(&j).len, 0);
	assert_int_equal(jscan_peek(&j), '\0');
}

static void
escapes_are_undone(void **state)
{
	static const struct {
		const char *written, *meant;
	} cases[] = {
		{ "", "" },
		{ "a\\n\\t\\r\\b\\f\\/\\\\\\\"", "a\n\t\r\b\f/\\\"" },
		{ "\\u00e4\\u20ac\\u0041", "\xc3\xa4\xe2\x82\xac" "A" },
		{ "\\ud83d\\ude00", "\xf0\x9f\x98\x80" },
		{ "\\ud83d", "\xef\xbf\xbd" },
		{ "\\ud83dx", "\xef\xbf\xbd" "x" },
		{ "\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd" },
		{ "\\u12", "u12" }, { "\\q", "q" }, { "\\", "\\" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct slice s = { cases[i].written,
				   strlen(cases[i].written) };
		size_t len;
		char *plain = jscan_unescape(s, &len);

		assert_int_equal(len, strlen(cases[i].meant));
		assert_memory_equal(plain, cases[i].meant, len);
		free(plain);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_all_kinds_are_passed_over),
		cmocka_unit_test(what_is_no_json_is_refused),
		cmocka_unit_test(depth_has_a_bound_and_costs_no_stack),
		cmocka_unit_test(members_and_items_are_found),
		cmocka_unit_test(the_wrong_kind_fails_and_stays_failed),
		cmocka_unit_test(escapes_are_undone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
