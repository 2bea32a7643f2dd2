/* SPDX-License-Identifier: MIT */
#include "core/strings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void
equal_texts_have_one_id(void **state)
{
	struct strings *strings = strings_new();
	string_id a = strings_add(strings, "inflate", 7);

	(void)state;
	assert_int_equal(strings_add(strings, "inflate_fast", 7), a);
	assert_int_not_equal(strings_add(strings, "inflate_fast", 12), a);
	assert_string_equal(strings_get(strings, a), "inflate");
	assert_int_equal(strings_count(strings), 3);
	strings_free(strings);
}

static void
id_0_is_the_empty_text_and_unknown_ids_are_empty(void **state)
{
	struct strings *strings = strings_new();

	(void)state;
	assert_int_equal(strings_add(strings, "", 0), 0);
	assert_int_equal(strings_add(strings, NULL, 0), 0);
	assert_int_equal(strings_add(strings, "\0x", 2), 0);
	assert_string_equal(strings_get(strings, 99), "");
	strings_free(strings);
}

static void
texts_stay_where_they_are(void **state)
{
	struct strings *strings = strings_new();
	const char *first = strings_get(strings, strings_add(strings, "a", 1));
	char text[32];

	(void)state;
	for (int i = 0; i < 50000; i++) {
		snprintf(text, sizeof(text), "function_%d", i);
		strings_add(strings, text, strlen(text));
	}
	assert_ptr_equal(strings_get(strings, 1), first);
	assert_string_equal(strings_get(strings, 50001), "function_49999");
	strings_free(strings);
}

static void
a_text_longer_than_a_block_is_whole(void **state)
{
	struct strings *strings = strings_new();
	static char text[300000];
	string_id id;

	(void)state;
	memset(text, 'x', sizeof(text));
	id = strings_add(strings, text, sizeof(text));
	assert_int_equal(strlen(strings_get(strings, id)), sizeof(text));
	assert_true(strings_bytes(strings) > sizeof(text));
	strings_free(strings);
}

static void
a_copy_has_the_same_ids_and_can_be_searched(void **state)
{
	struct strings *src = strings_new(), *dst = strings_new();
	string_id a = strings_add(src, "a", 1), b;

	(void)state;
	strings_take(dst, src);
	b = strings_add(src, "b", 1);
	strings_take(dst, src);
	assert_int_equal(strings_count(dst), 3);
	assert_string_equal(strings_get(dst, b), "b");
	assert_int_equal(strings_add(dst, "a", 1), a);
	assert_int_equal(strings_add(dst, "b", 1), b);
	strings_free(src);
	strings_free(dst);
}

static void
past_the_bound_new_texts_are_one(void **state)
{
	struct strings *strings = strings_new();
	string_id known = strings_add(strings, "known", 5), more;

	(void)state;
	strings_set_bound(strings, 1);
	more = strings_add(strings, "one more", 8);
	assert_string_equal(strings_get(strings, more), "[too many names]");
	assert_int_equal(strings_add(strings, "another", 7), more);
	assert_int_equal(strings_add(strings, "known", 5), known);
	strings_free(strings);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_texts_have_one_id),
		cmocka_unit_test(
			id_0_is_the_empty_text_and_unknown_ids_are_empty),
		cmocka_unit_test(texts_stay_where_they_are),
		cmocka_unit_test(a_text_longer_than_a_block_is_whole),
		cmocka_unit_test(a_copy_has_the_same_ids_and_can_be_searched),
		cmocka_unit_test(past_the_bound_new_texts_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
