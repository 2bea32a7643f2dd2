/* SPDX-License-Identifier: MIT */
#include "core/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base.h"

#include <cmocka.h>

static enum pattern_answer
ask(const char *text, const char *name)
{
	struct pattern *pattern = NULL;
	struct error err = { 0 };
	enum pattern_answer answer;

	assert_true(pattern_open(text, &pattern, &err));
	assert_string_equal(pattern_text(pattern), text);
	answer = pattern_match(pattern, name);
	pattern_free(pattern);
	return answer;
}

static void
only_a_capital_makes_case_matter(void **state)
{
	(void)state;
	assert_int_equal(ask("parse", "Parser"), PATTERN_YES);
	assert_int_equal(ask("Parse", "parser"), PATTERN_NO);
	assert_int_equal(ask("\\Wparse", "x Parse"), PATTERN_YES);
	assert_int_equal(ask("^std::", "std::sort"), PATTERN_YES);
	assert_int_equal(ask("^sort", "std::sort"), PATTERN_NO);
}

static void
what_does_not_compile_is_refused_with_the_reason(void **state)
{
	struct pattern *pattern = NULL;
	struct error err = { 0 };

	(void)state;
	assert_false(pattern_open("memcpy(", &pattern, &err));
	assert_null(pattern);
	assert_string_not_equal(err.text, "");
	assert_false(pattern_open("\xff", &pattern, &err));
}

static void
a_name_that_is_no_text_is_no_trouble(void **state)
{
	(void)state;
	assert_int_equal(ask("a", "\xff\xfe" "a"), PATTERN_YES);
	assert_int_equal(ask("b", "\xff\xfe" "a"), PATTERN_NO);
}

static void
what_costs_too_much_is_given_up_until_forgiven(void **state)
{
	struct pattern *pattern = NULL;
	char name[80];
	int i;

	(void)state;
	assert_true(pattern_open("^(\\d+)*$", &pattern, NULL));
	for (i = 0; i < 1000 && !pattern_is_costly(pattern); i++) {
		snprintf(name, sizeof(name), "%040d%d!", 0, i);
		assert_int_equal(pattern_match(pattern, name),
				 PATTERN_COSTLY);
	}
	assert_true(pattern_is_costly(pattern));
	assert_int_equal(pattern_match(pattern, "12"), PATTERN_COSTLY);
	pattern_forgive(pattern);
	assert_int_equal(pattern_match(pattern, "12"), PATTERN_YES);
	pattern_free(pattern);
}

static void
a_shared_pattern_outlives_its_first_owner(void **state)
{
	struct pattern *first = NULL, *second;

	(void)state;
	assert_true(pattern_open("a", &first, NULL));
	second = pattern_share(first);
	pattern_free(first);
	assert_int_equal(pattern_match(second, "bab"), PATTERN_YES);
	pattern_free(second);
	assert_null(pattern_share(NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_capital_makes_case_matter),
		cmocka_unit_test(
			what_does_not_compile_is_refused_with_the_reason),
		cmocka_unit_test(a_name_that_is_no_text_is_no_trouble),
		cmocka_unit_test(
			what_costs_too_much_is_given_up_until_forgiven),
		cmocka_unit_test(a_shared_pattern_outlives_its_first_owner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
