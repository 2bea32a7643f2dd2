/* SPDX-License-Identifier: MIT */
/*
 * threads_test.c - the list of threads, on a fake scene.
 */
#include "tui/threads.h"

#include "tests/unit/fake_screen.h"

static void
threads_are_picked_by_name_and_weight(void **state)
{
	struct fake *fake = *state;
	struct tui_request request;

	press(fake, 't');
	assert_true(shows(fake, "all threads"));
	assert_true(shows(fake,
			  "worker                      1          495  49.5 %"));
	press(fake, KEYS_DOWN);
	press(fake, ' ');
	press(fake, ' ');
	press(fake, KEYS_ENTER);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_THREADS);
	assert_int_equal(request.nthreads, 2);
	assert_int_equal(profile_get_thread(fake->profile,
					    request.threads[0])->tid, 1);
	assert_int_equal(profile_get_thread(fake->profile,
					    request.threads[1])->tid, 2);
	picture_set_filter(fake->picture, &(struct filter){
		.threads = request.threads, .nthreads = request.nthreads },
		NULL);
	free(request.threads);
	assert_true(shows(fake, "2 threads only"));

	press(fake, 't');		/* marked as they are in force */
	assert_true(shows(fake, "2 marked"));
	press(fake, KEYS_ESCAPE);
	expect_request(fake, ACTION_NONE, "");
	press(fake, KEYS_ESCAPE);	/* the last layer: the filter */
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_PEEL);
}

static void
threads_of_a_process_that_runs_tell_what_they_do(void **state)
{
	struct fake *fake = *state;
	struct thread_now at[] = {
		{ .pid = 4242, .tid = 1, .state = "running", .cpu = 99.54,
		  .voluntary = 0, .involuntary = 12.3 },
		{ .pid = 4242, .tid = 2, .state = "sleeping", .cpu = -1,
		  .voluntary = -1, .involuntary = -1,
		  .wait = "read on fd 3, pipe 12" },
		{ .pid = 1, .tid = 3, .state = "stopped" },	/* another */
	};
	struct threads_now now = { at, 0, 1 };

	fake->threads_now = &now;
	press(fake, 't');
	assert_true(shows(fake, "share     CPU state     vol/s  inv/s  "
			  "waits for"));
	assert_true(shows(fake, "worker                  1  49.5 %     n/a"));
	now.count = ARRAY_LEN(at);
	assert_false(shows(fake, "running"));	/* read once a second, or */
	now.read_ns = 2;			/* when there is something new */
	assert_true(shows(fake, "worker                  1  49.5 %  99.5 % "
			  "running       0     12"));
	assert_true(shows(fake, "sleeping    n/a    n/a  read on fd 3, "
			  "pipe 12"));
	assert_false(shows(fake, "stopped"));
}

static void
choosing_all_threads_is_no_filter(void **state)
{
	struct fake *fake = *state;
	struct tui_request request;

	press(fake, 't');
	shows(fake, "");
	press(fake, KEYS_ENTER);
	request = tui_request(fake->tui);
	assert_int_equal(request.action, ACTION_THREADS);
	assert_int_equal(request.nthreads, 0);
	assert_null(request.threads);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(threads_are_picked_by_name_and_weight),
		CASE(threads_of_a_process_that_runs_tell_what_they_do),
		CASE(choosing_all_threads_is_no_filter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
