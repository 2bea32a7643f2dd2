/* SPDX-License-Identifier: MIT */
#include "core/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static string_id
text(struct profile *profile, const char *bytes)
{
	return strings_add(profile_strings(profile), bytes, strlen(bytes));
}

static struct profile *
example(void)
{
	struct profile *profile = profile_new();
	struct module module = { .kind = MODULE_LIBRARY, .dev = 8,
				 .inode = 99, .mtime_ns = 12345 };
	struct frame named = { .name = text(profile, "main") };
	struct frame placed = { .offset = 0x1234 };
	struct cell cell = { .kind = KIND_BLOCKED, .weight = UINT64_MAX / 3 };

	module.path = text(profile, "/usr/lib/libz.so");
	placed.module = profile_module(profile, &module);
	cell.stack = profile_push(profile, 0, profile_frame(profile, &named));
	cell.stack = profile_push(profile, cell.stack,
				  profile_frame(profile, &placed));
	cell.thread = profile_thread(profile, 10, 11, 500);
	profile_name_thread(profile, cell.thread, text(profile, "worker"));
	profile_end_thread(profile, cell.thread);
	profile_add(profile, 5, &cell);
	profile_add(profile, 5000000000, &cell);
	cell.thread = profile_thread_named(profile, text(profile, "bare"));
	profile_add(profile, 5, &cell);
	profile_losses(profile)->samples = 3;
	profile_losses(profile)->late = 7;
	profile_set(profile, "comm", "redis");
	profile_set(profile, "tag.version", "1 2");
	return profile;
}

static struct writer
written(struct profile *profile)
{
	struct writer w = { 0 };

	image_write(profile, &w);
	return w;
}

static void
what_was_written_is_read(void **state)
{
	struct profile *profile = example(), *copy = NULL;
	struct writer w = written(profile), again;
	struct error err;

	(void)state;
	assert_true(image_read(w.bytes, w.len, &copy, &err));
	assert_true(profile_total(copy, KIND_BLOCKED) ==
		    UINT64_MAX / 3 * 3);
	assert_int_equal(profile_stacks(copy), 3);
	assert_int_equal(profile_get_frame(copy, 2)->offset, 0x1234);
	assert_int_equal(profile_get_module(copy, 1)->mtime_ns, 12345);
	assert_true(profile_get_thread(copy, 1)->ended);
	assert_string_equal(profile_text(copy,
			    profile_get_thread(copy, 2)->name), "bare");
	assert_int_equal(profile_losses(copy)->late, 7);
	assert_string_equal(profile_get(copy, "tag.version"), "1 2");
	again = written(copy);
	assert_int_equal(again.len, w.len);
	assert_memory_equal(again.bytes, w.bytes, w.len);
	writer_free(&w);
	writer_free(&again);
	profile_free(profile);
	profile_free(copy);
}

static void
an_empty_profile_is_fine(void **state)
{
	struct profile *profile = profile_new(), *copy = NULL;
	struct writer w = written(profile);

	(void)state;
	assert_true(image_read(w.bytes, w.len, &copy, NULL));
	assert_int_equal(profile_stacks(copy), 1);
	writer_free(&w);
	profile_free(profile);
	profile_free(copy);
}

static void
an_image_that_is_cut_is_refused_at_any_length(void **state)
{
	struct profile *profile = example(), *copy = NULL;
	struct writer w = written(profile);
	struct error err;

	(void)state;
	for (size_t len = 0; len < w.len; len++)
		assert_false(image_read(w.bytes, len, &copy, &err));
	assert_null(copy);
	assert_true(strlen(err.text) > 0);
	writer_u8(&w, 0);
	assert_false(image_read(w.bytes, w.len, &copy, &err));
	writer_free(&w);
	profile_free(profile);
}

static void
no_byte_can_be_changed_to_harm(void **state)
{
	struct profile *profile = example(), *copy;
	struct writer w = written(profile);
	static const uint8_t values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	size_t refused = 0;

	(void)state;
	for (size_t at = 0; at < w.len; at++) {
		uint8_t old = w.bytes[at];

		for (size_t k = 0; k < sizeof(values); k++) {
			w.bytes[at] = values[k];
			copy = NULL;
			if (!image_read(w.bytes, w.len, &copy, NULL))
				refused++;
			profile_free(copy);
		}
		w.bytes[at] = old;
	}
	assert_true(refused > w.len / 2);
	writer_free(&w);
	profile_free(profile);
}

static void
strings_are_cleaned_on_the_way_in(void **state)
{
	struct profile *profile = profile_new(), *copy = NULL;
	struct frame frame = { .name = text(profile, "a\x1b[2J") };
	struct writer w;

	(void)state;
	profile_frame(profile, &frame);
	profile_set(profile, "comm", "x\ny");
	w = written(profile);
	assert_true(image_read(w.bytes, w.len, &copy, NULL));
	assert_string_equal(profile_text(copy,
			    profile_get_frame(copy, 1)->name), "a\\x1b[2J");
	assert_string_equal(profile_get(copy, "comm"), "x\\x0ay");
	writer_free(&w);
	profile_free(profile);
	profile_free(copy);
}

static void
a_huge_count_asks_for_no_memory(void **state)
{
	struct profile *profile = example(), *copy = NULL;
	struct writer w = written(profile);
	struct error err;

	(void)state;
	for (int table = 0; table < 7; table++) {
		memset(w.bytes + 16 + table * 4, 0xff, 4);
		assert_false(image_read(w.bytes, w.len, &copy, &err));
		assert_string_equal(err.text,
				    "the profile image is cut short");
	}
	writer_free(&w);
	profile_free(profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(an_empty_profile_is_fine),
		cmocka_unit_test(an_image_that_is_cut_is_refused_at_any_length),
		cmocka_unit_test(no_byte_can_be_changed_to_harm),
		cmocka_unit_test(strings_are_cleaned_on_the_way_in),
		cmocka_unit_test(a_huge_count_asks_for_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
