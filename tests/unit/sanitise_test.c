/* SPDX-License-Identifier: MIT */
#include "core/sanitise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"		/* before cmocka, which has a fail() too */

#include <cmocka.h>

/* BYTES become WANTED, and WANTED stays as it is. */
static void
check(const char *bytes, size_t len, const char *wanted)
{
	char *clean = sanitise(bytes, len);
	char *again = sanitise(clean, strlen(clean));

	assert_string_equal(clean, wanted);
	assert_string_equal(again, clean);
	free(clean);
	free(again);
}

#define CHECK(bytes, wanted) check(bytes, sizeof(bytes) - 1, wanted)

static void
visible_text_passes(void **state)
{
	(void)state;
	CHECK("", "");
	CHECK("std::vector<int>::push_back(int&&)",
	      "std::vector<int>::push_back(int&&)");
	CHECK("gr\xc3\xb6\xc3\x9f" "e \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5",
	      "gr\xc3\xb6\xc3\x9f" "e \xe6\xbc\xa2\xe5\xad\x97 \xf0\x9f\x94\xa5");
	CHECK("back\\slash \\x1b", "back\\slash \\x1b");
}

static void
controls_are_spelled_out(void **state)
{
	(void)state;
	CHECK("\x1b[2J", "\\x1b[2J");
	CHECK("a\tb\nc\r\x7f", "a\\x09b\\x0ac\\x0d\\x7f");
	CHECK("nul\0inside", "nul\\x00inside");
	CHECK("\xc2\x9b" "31m", "\\x9b31m");
}

static void
bytes_that_are_no_utf8_are_spelled_out(void **state)
{
	(void)state;
	CHECK("\xff\xfe", "\\xff\\xfe");
	CHECK("\xc0\x80", "\\xc0\\x80");		/* overlong */
	CHECK("\xe0\x80\x8a", "\\xe0\\x80\\x8a");
	CHECK("\xed\xa0\x80", "\\xed\\xa0\\x80");	/* a surrogate */
	CHECK("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
	CHECK("cut \xe2\x80", "cut \\xe2\\x80");
	CHECK("\x80", "\\x80");
}

static void
invisible_characters_are_spelled_out(void **state)
{
	(void)state;
	CHECK("\xe2\x80\xae" "gpj.exe", "\\u{202e}gpj.exe");
	CHECK("a\xe2\x80\x8b" "b", "a\\u{200b}b");	/* zero width space */
	CHECK("\xe2\x80\xa8\xe2\x80\xa9", "\\u{2028}\\u{2029}");
	CHECK("\xef\xbb\xbf", "\\u{feff}");
	CHECK("\xc2\xad", "\\xad");			/* soft hyphen */
	CHECK("\xe3\x85\xa4\xef\xbe\xa0", "\\u{3164}\\u{ffa0}");
	CHECK("\xee\x80\x80", "\\u{e000}");		/* private use */
	CHECK("\xf3\xa0\x81\x81", "\\u{e0041}");	/* a tag */
	CHECK("\xef\xbf\xbf", "\\u{ffff}");
	CHECK("x\xef\xb8\x8f", "x\\u{fe0f}");
}

static void
two_marks_to_a_base_and_none_at_the_start(void **state)
{
	(void)state;
	CHECK("e\xcc\x81\xcc\xa3.", "e\xcc\x81\xcc\xa3.");
	CHECK("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81.",
	      "e\xcc\x81\xcc\x81\\u{0301}\\u{0301}.");
	CHECK("\xcc\x81" "e", "\\u{0301}e");
	CHECK("\x1b\xcc\x81", "\\x1b\\u{0301}");
}

static void
a_long_name_ends_in_one_ellipsis(void **state)
{
	static char text[SANITISE_MAX + 100];
	char *clean;

	(void)state;
	memset(text, 'a', sizeof(text));
	clean = sanitise(text, SANITISE_MAX);
	assert_int_equal(strlen(clean), SANITISE_MAX);
	free(clean);
	clean = sanitise(text, sizeof(text));
	assert_int_equal(strlen(clean), SANITISE_MAX);
	assert_string_equal(clean + SANITISE_MAX - 3, "\xe2\x80\xa6");
	check(clean, strlen(clean), clean);
	free(clean);
	memset(text, '\x01', sizeof(text));
	clean = sanitise(text, sizeof(text));
	assert_true(strlen(clean) <= SANITISE_MAX);
	assert_string_equal(clean + strlen(clean) - 7, "\\x01\xe2\x80\xa6");
	free(clean);
}

static void
a_small_buffer_is_cut_at_a_character(void **state)
{
	char out[8];

	(void)state;
	assert_string_equal(sanitise_into(out, 8, "abcdefghij", 10),
			    "abcdefg");
	assert_string_equal(sanitise_into(out, 5, "ab\x01", 3), "ab");
	assert_string_equal(sanitise_into(out, 4, "ab\xc3\xb6", 4), "ab");
	assert_string_equal(sanitise_into(out, 1, "a", 1), "");
}

static void
encoding_is_the_inverse_of_decoding(void **state)
{
	char bytes[4];
	uint32_t code, back;
	size_t size;

	(void)state;
	for (code = 0; code <= 0x10ffff; code++) {
		size = utf8_encode(code, bytes);
		if (code >= 0xd800 && code <= 0xdfff) {
			assert_int_equal(utf8_decode(bytes, size, &back), 0);
			continue;
		}
		assert_int_equal(utf8_decode(bytes, size, &back), size);
		assert_int_equal(back, code);
		assert_int_equal(utf8_decode(bytes, size - 1, &back), 0);
	}
}

static void
cleaning_random_bytes_twice_changes_nothing(void **state)
{
	static const char seeds[][5] = { "\x1b", "\xcc\x81", "a", "\xc2",
					 "\xe2\x80\xae", "\xff", "\\u{0" };
	unsigned random = 12345;
	char bytes[64], *clean;
	size_t len;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		len = 0;
		while (len < sizeof(bytes) - 4) {
			random = random * 1103515245 + 12345;
			strcpy(bytes + len,
			       seeds[random / 65536 % ARRAY_LEN(seeds)]);
			len += strlen(bytes + len);
		}
		clean = sanitise(bytes, len);
		check(clean, strlen(clean), clean);
		free(clean);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(visible_text_passes),
		cmocka_unit_test(controls_are_spelled_out),
		cmocka_unit_test(bytes_that_are_no_utf8_are_spelled_out),
		cmocka_unit_test(invisible_characters_are_spelled_out),
		cmocka_unit_test(two_marks_to_a_base_and_none_at_the_start),
		cmocka_unit_test(a_long_name_ends_in_one_ellipsis),
		cmocka_unit_test(a_small_buffer_is_cut_at_a_character),
		cmocka_unit_test(encoding_is_the_inverse_of_decoding),
		cmocka_unit_test(cleaning_random_bytes_twice_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
