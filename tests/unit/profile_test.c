/* SPDX-License-Identifier: MIT */
#include "core/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SECOND UINT64_C(1000000000)

static stack_id
push(struct profile *profile, stack_id parent, const char *name)
{
	struct frame frame = { .kind = FRAME_CODE };

	frame.name = strings_add(profile_strings(profile), name, strlen(name));
	return profile_push(profile, parent, profile_frame(profile, &frame));
}

static void
add(struct profile *profile, uint64_t time_ns, stack_id stack, uint64_t weight)
{
	struct cell cell = { .stack = stack, .kind = KIND_CPU,
			     .weight = weight };

	profile_add(profile, time_ns, &cell);
}

static void
sum_cells(void *ctx, const struct cell *cell)
{
	*(uint64_t *)ctx += cell->weight;
}

static void
count_cells(void *ctx, const struct cell *cell)
{
	(void)cell;
	++*(size_t *)ctx;
}

static uint64_t
sum_between(const struct profile *profile, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	profile_each(profile, from, to, sum_cells, &sum);
	return sum;
}

static void
equal_stacks_have_one_id(void **state)
{
	struct profile *profile = profile_new();
	stack_id main_stack = push(profile, 0, "main");
	stack_id leaf = push(profile, main_stack, "parse");

	(void)state;
	assert_int_equal(push(profile, push(profile, 0, "main"), "parse"),
			 leaf);
	assert_int_not_equal(push(profile, 0, "parse"), leaf);
	assert_int_equal(profile_get_stack(profile, leaf)->parent, main_stack);
	assert_int_equal(profile_get_stack(profile, leaf)->depth, 2);
	assert_int_equal(profile_stacks(profile), 4);
	assert_int_equal(profile_frames(profile), 3);
	profile_free(profile);
}

static void
a_module_is_its_file_not_its_path(void **state)
{
	struct profile *profile = profile_new();
	struct module module = { .kind = MODULE_LIBRARY, .path = 1, .dev = 8,
				 .inode = 77 };
	module_id id = profile_module(profile, &module);

	(void)state;
	assert_int_equal(id, 1);
	module.path = 2;
	assert_int_equal(profile_module(profile, &module), id);
	module.mtime_ns = 5;
	assert_int_equal(profile_module(profile, &module), id + 1);
	module.inode = 0;
	assert_int_equal(profile_module(profile, &module), id + 2);
	module.path = 3;
	assert_int_equal(profile_module(profile, &module), id + 3);
	profile_free(profile);
}

static void
threads_are_told_apart_by_start_or_name(void **state)
{
	struct profile *profile = profile_new();
	string_id a = strings_add(profile_strings(profile), "a", 1);
	string_id b = strings_add(profile_strings(profile), "b", 1);
	thread_id one = profile_thread(profile, 10, 11, 500);

	(void)state;
	assert_int_equal(profile_thread(profile, 10, 11, 500), one);
	assert_int_not_equal(profile_thread(profile, 10, 11, 501), one);
	assert_int_not_equal(profile_thread_named(profile, a),
			     profile_thread_named(profile, b));
	assert_int_equal(profile_thread_named(profile, a),
			 profile_thread_named(profile, a));
	assert_int_equal(profile_thread_named(profile, 0), 0);
	assert_int_equal(profile_get_thread(profile,
			 profile_thread_named(profile, b))->name, b);
	profile_free(profile);
}

static void
a_window_holds_only_its_slots(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	add(profile, 1 * SECOND, 1, 1);
	add(profile, 2 * SECOND, 1, 10);
	add(profile, 2 * SECOND + 5, 1, 100);
	add(profile, 9 * SECOND, 1, 1000);
	assert_int_equal(sum_between(profile, 2 * SECOND, 3 * SECOND), 110);
	assert_int_equal(sum_between(profile, 2 * SECOND, 9 * SECOND + 1),
			 1110);
	assert_int_equal(sum_between(profile, 0, UINT64_MAX), 1111);
	assert_int_equal(profile_total(profile, KIND_CPU), 1111);
	assert_int_equal(profile_first_ns(profile), SECOND);
	assert_int_equal(profile_last_ns(profile), 9 * SECOND);
	profile_free(profile);
}

static void
late_counts_find_their_slot(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	for (uint64_t s = 1; s < 100; s += 2)
		add(profile, s * SECOND, 1, 1);
	add(profile, 50 * SECOND, 1, 7);
	add(profile, 51 * SECOND, 1, 9);
	assert_int_equal(sum_between(profile, 50 * SECOND, 51 * SECOND), 7);
	assert_int_equal(sum_between(profile, 51 * SECOND, 52 * SECOND), 10);
	profile_free(profile);
}

static void
totals_stop_at_the_largest_number(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	add(profile, 0, 1, UINT64_MAX - 5);
	assert_false(profile_is_saturated(profile));
	assert_true(profile_total(profile, KIND_CPU) == UINT64_MAX - 5);
	add(profile, 0, 1, 6);
	assert_true(profile_is_saturated(profile));
	assert_true(profile_total(profile, KIND_CPU) == UINT64_MAX);
	profile_free(profile);
}

static void
a_count_of_zero_is_kept(void **state)
{
	struct profile *profile = profile_new();
	size_t cells = 0;

	(void)state;
	add(profile, 0, 1, 0);
	profile_each(profile, 0, UINT64_MAX, count_cells, &cells);
	assert_int_equal(cells, 1);
	profile_free(profile);
}

static void
taking_moves_counts_and_copies_rows(void **state)
{
	struct profile *src = profile_new(), *dst = profile_new();
	stack_id main_stack = push(src, 0, "main"), leaf;
	size_t noted = 0;

	(void)state;
	add(src, SECOND, main_stack, 3);
	profile_losses(src)->samples = 4;
	profile_losses(dst)->unresolved = 9;
	profile_take(dst, src, count_cells, &noted);
	leaf = push(src, main_stack, "read");
	add(src, SECOND, leaf, 4);
	add(src, 2 * SECOND, leaf, 5);
	assert_int_equal(profile_waiting(src, KIND_CPU), 9);
	profile_take(dst, src, count_cells, &noted);
	assert_int_equal(noted, 3);
	assert_int_equal(profile_waiting(src, KIND_CPU), 0);
	assert_int_equal(sum_between(src, 0, UINT64_MAX), 0);
	assert_int_equal(sum_between(dst, 0, UINT64_MAX), 12);
	assert_int_equal(profile_total(dst, KIND_CPU), 12);
	assert_int_equal(profile_total(src, KIND_CPU), 12);
	assert_int_equal(profile_get_stack(dst, leaf)->parent, main_stack);
	assert_string_equal(profile_text(dst, profile_get_frame(dst,
			    profile_get_stack(dst, leaf)->frame)->name),
			    "read");
	assert_int_equal(profile_losses(dst)->samples, 4);
	assert_int_equal(profile_losses(dst)->unresolved, 9);
	profile_free(src);
	profile_free(dst);
}

static void
taking_brings_names_and_ends_of_known_threads(void **state)
{
	struct profile *src = profile_new(), *dst = profile_new();
	thread_id a = profile_thread(src, 1, 1, 0);
	thread_id b = profile_thread(src, 1, 2, 0);
	string_id name;

	(void)state;
	profile_take(dst, src, NULL, NULL);
	name = strings_add(profile_strings(src), "worker", 6);
	profile_name_thread(src, b, name);
	profile_end_thread(src, a);
	profile_take(dst, src, NULL, NULL);
	assert_int_equal(profile_get_thread(dst, b)->name, name);
	assert_true(profile_get_thread(dst, a)->ended);
	assert_false(profile_get_thread(dst, b)->ended);
	profile_free(src);
	profile_free(dst);
}

static void
full_tables_end_in_one_note_and_keep_the_weight(void **state)
{
	struct profile *profile = profile_new();
	struct frame frame = { .module = 1, .kind = FRAME_CODE };
	stack_id stack = 0, full;

	(void)state;
	profile_set_bound(profile, 8 << 20);
	for (int i = 0; i < 100000; i++) {
		frame.offset = (uint64_t)i;
		stack = profile_push(profile, stack % 1000,
				     profile_frame(profile, &frame));
		add(profile, SECOND, stack, 1);
	}
	assert_true(profile_bytes(profile) < 8 << 20);
	full = profile_push(profile, 0, profile_frame(profile, &frame));
	assert_string_equal(profile_text(profile, profile_get_frame(profile,
		profile_get_stack(profile, full)->frame)->name),
		"[too many stacks]");
	assert_int_equal(profile_push(profile, full, 1), full);
	assert_int_equal(sum_between(profile, 0, UINT64_MAX), 100000);
	profile_free(profile);
}

static void
attributes_are_sorted_and_replaced(void **state)
{
	struct profile *profile = profile_new();
	char key[16];

	(void)state;
	assert_true(profile_set(profile, "pid", "42"));
	assert_true(profile_set(profile, "event", "cpu"));
	assert_true(profile_set(profile, "tag.a", "x"));
	assert_true(profile_set(profile, "pid", "43"));
	assert_string_equal(profile_key(profile, 0), "event");
	assert_string_equal(profile_key(profile, 1), "pid");
	assert_string_equal(profile_key(profile, 2), "tag.a");
	assert_null(profile_key(profile, 3));
	assert_string_equal(profile_get(profile, "pid"), "43");
	assert_true(profile_set(profile, "pid", NULL));
	assert_null(profile_get(profile, "pid"));
	assert_false(profile_set(profile, "Bad Key", "x"));
	assert_false(profile_set(profile, "", "x"));
	for (int i = 0; i < 2000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		if (!profile_set(profile, key, "v"))
			break;
	}
	assert_non_null(profile_key(profile, 1023));
	assert_null(profile_key(profile, 1024));
	profile_free(profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_stacks_have_one_id),
		cmocka_unit_test(a_module_is_its_file_not_its_path),
		cmocka_unit_test(threads_are_told_apart_by_start_or_name),
		cmocka_unit_test(a_window_holds_only_its_slots),
		cmocka_unit_test(late_counts_find_their_slot),
		cmocka_unit_test(totals_stop_at_the_largest_number),
		cmocka_unit_test(a_count_of_zero_is_kept),
		cmocka_unit_test(taking_moves_counts_and_copies_rows),
		cmocka_unit_test(taking_brings_names_and_ends_of_known_threads),
		cmocka_unit_test(
			full_tables_end_in_one_note_and_keep_the_weight),
		cmocka_unit_test(attributes_are_sorted_and_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
