/* SPDX-License-Identifier: MIT */
#include "sampler/stitch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define TID 7

static const uint64_t whole_pcs[] = { 10, 20, 30, 40 };
static const uint64_t whole_sps[] = { 0x100, 0x200, 0x300, 0x400 };

static int
set_up(void **state)
{
	struct stitch *stitch = stitch_new();

	stitch_keep(stitch, TID, whole_pcs, whole_sps, 4);
	*state = stitch;
	return 0;
}

static int
tear_down(void **state)
{
	stitch_free(*state);
	return 0;
}

static void
what_called_the_last_frame_then_calls_it_now(void **state)
{
	uint64_t pcs[8] = { 11, 22, 20 }, sps[8] = { 0x80, 0x180, 0x200 };

	assert_int_equal(stitch_append(*state, TID, pcs, sps, 3, 8), 5);
	assert_int_equal(pcs[2], 20);
	assert_int_equal(pcs[3], 30);
	assert_int_equal(pcs[4], 40);
	assert_int_equal(sps[4], 0x400);
}

static void
another_place_in_the_code_does_not_fit(void **state)
{
	uint64_t pcs[8] = { 11, 21 }, sps[8] = { 0x80, 0x200 };

	assert_int_equal(stitch_append(*state, TID, pcs, sps, 2, 8), 0);
}

static void
another_stack_pointer_does_not_fit(void **state)
{
	uint64_t pcs[8] = { 11, 20 }, sps[8] = { 0x80, 0x208 };

	assert_int_equal(stitch_append(*state, TID, pcs, sps, 2, 8), 0);
}

static void
another_threads_stack_does_not_fit(void **state)
{
	uint64_t pcs[8] = { 20 }, sps[8] = { 0x200 };

	assert_int_equal(stitch_append(*state, TID + 256, pcs, sps, 1, 8), 0);
	stitch_clear(*state);
	assert_int_equal(stitch_append(*state, TID, pcs, sps, 1, 8), 0);
}

static void
what_has_no_room_is_not_appended(void **state)
{
	uint64_t pcs[8] = { 20 }, sps[8] = { 0x200 };

	assert_int_equal(stitch_append(*state, TID, pcs, sps, 1, 2), 0);
	assert_int_equal(stitch_append(*state, TID, pcs, sps, 1, 3), 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define STITCH_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		STITCH_TEST(what_called_the_last_frame_then_calls_it_now),
		STITCH_TEST(another_place_in_the_code_does_not_fit),
		STITCH_TEST(another_stack_pointer_does_not_fit),
		STITCH_TEST(another_threads_stack_does_not_fit),
		STITCH_TEST(what_has_no_room_is_not_appended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
