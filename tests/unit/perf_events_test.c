/* SPDX-License-Identifier: MIT */
#include "sampler/perf_events.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sampler/perf_attr.h"
#include "sampler/perf_threads.h"

#include <cmocka.h>

static struct perf_event_attr
wish(bool kernel)
{
	struct perf_wish wanted = { .hz = 100, .stack_bytes = 16383,
				    .kernel = kernel, .new_threads = true };
	struct perf_event_attr attr;

	perf_attr_wish(&attr, &wanted);
	return attr;
}

static void
without_a_counter_the_clock_is_taken(void **state)
{
	struct perf_event_attr attr = wish(true);

	(void)state;
	assert_int_equal(attr.config, PERF_COUNT_HW_CPU_CYCLES);
	assert_true(perf_attr_lower(&attr, ENOENT));
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(attr.freq, 0);
	assert_int_equal(attr.sample_period, 10000000);
	assert_false(perf_attr_lower(&attr, ENOENT));
}

static void
without_the_right_the_kernel_is_left_out(void **state)
{
	struct perf_event_attr attr = wish(true);

	(void)state;
	assert_true(perf_attr_lower(&attr, EACCES));
	assert_int_equal(attr.exclude_kernel, 1);
	assert_false(perf_attr_lower(&attr, EACCES));
}

static void
an_old_kernel_loses_the_newest_flags_first(void **state)
{
	struct perf_event_attr attr = wish(false);

	(void)state;
	assert_true(perf_attr_lower(&attr, EINVAL));
	assert_int_equal(attr.inherit_thread, 0);
	assert_int_equal(attr.inherit, 1);
	assert_int_equal(attr.use_clockid, 1);
	assert_true(perf_attr_lower(&attr, EINVAL));
	assert_int_equal(attr.use_clockid, 0);
	assert_int_equal(attr.comm_exec, 1);
	while (perf_attr_lower(&attr, EINVAL))
		;
	assert_int_equal(attr.inherit, 1);
	assert_int_equal(attr.mmap2, 1);
}

static void
a_shorter_struct_is_tried_once(void **state)
{
	struct perf_event_attr attr = wish(false);

	(void)state;
	assert_false(perf_attr_lower(&attr, E2BIG));
	attr.size = 112;	/* as the kernel writes its own */
	assert_true(perf_attr_lower(&attr, E2BIG));
	assert_int_equal(attr.size, 112);
}

static void
the_stack_copy_is_a_multiple_of_eight(void **state)
{
	(void)state;
	assert_int_equal(wish(false).sample_stack_user, 16376);
}

/* Weights are whole numbers and on average the period's share of the mean. */
static void
samples_of_another_period_weigh_as_much_on_average(void **state)
{
	struct perf_events events = { .period = 1000,
				      .random = 88172645463325252u };
	uint64_t sum = 0, period;
	int i;

	(void)state;
	for (period = 500; period <= 1500; period += 250) {
		for (sum = 0, i = 0; i < 100000; i++)
			sum += perf_events_weigh(&events, period);
		assert_in_range(sum, period * 99, period * 101);
	}
	assert_int_equal(perf_events_weigh(&events, 0), 0);
	assert_int_equal(perf_events_weigh(&events, 2000) / 2, 1);
}

static void
a_fresh_period_counts_one_and_a_late_one_is_weighed(void **state)
{
	struct perf_events events = { .period = 1000, .random = 1 };
	struct perf_event event = { .fd = -1, .period = 3000,
				    .is_fresh = true };

	(void)state;
	assert_int_equal(perf_events_fired(&events, &event, 100, 90000), 1);
	assert_false(event.is_fresh);
	assert_int_equal(perf_events_fired(&events, &event, 100, 90000), 3);
}

static void
the_first_period_does_not_outlive_its_sample(void **state)
{
	struct perf_events events = { .period = 1000, .random = 1 };
	struct perf_event event = { .fd = eventfd(0, 0), .period = 100,
				    .is_fresh = true, .is_first = true };

	(void)state;
	/* What is no event takes no period: it is weighed by what it has. */
	assert_int_equal(perf_events_fired(&events, &event, 100, 200), 1);
	assert_false(event.is_first);
	assert_false(event.is_fresh);
	event.period = 0;
	assert_int_equal(perf_events_fired(&events, &event, 300, 90000), 0);
	close(event.fd);

	/* Fired before the change, told after it. */
	event.first_period = 4000;
	event.first_end_ns = 500;
	event.is_fresh = true;
	assert_int_equal(perf_events_fired(&events, &event, 400, 90000), 4);
	assert_true(event.is_fresh);
	assert_int_equal(perf_events_fired(&events, &event, 600, 90000), 1);
}

static void
threads_come_and_go_by_number(void **state)
{
	struct perf_threads threads = { 0 };
	pid_t tid;

	(void)state;
	for (tid = 1; tid <= 5000; tid++)
		perf_threads_add(&threads, 7, tid)->source = (uint32_t)tid;
	assert_int_equal(threads.count, 5000);
	assert_int_equal(perf_threads_of(&threads, 7), 5000);
	assert_true(perf_threads_use(&threads, 4711));
	for (tid = 2; tid <= 5000; tid += 2)
		perf_threads_remove(&threads, tid);
	assert_null(perf_threads_find(&threads, 1024));
	assert_int_equal(perf_threads_find(&threads, 1025)->source, 1025);
	assert_false(perf_threads_use(&threads, 4712));
	perf_threads_remove(&threads, 99999);
	assert_int_equal(threads.count, 2500);
	perf_threads_fini(&threads);
	assert_int_equal(threads.count, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_counter_the_clock_is_taken),
		cmocka_unit_test(without_the_right_the_kernel_is_left_out),
		cmocka_unit_test(an_old_kernel_loses_the_newest_flags_first),
		cmocka_unit_test(a_shorter_struct_is_tried_once),
		cmocka_unit_test(the_stack_copy_is_a_multiple_of_eight),
		cmocka_unit_test(
			samples_of_another_period_weigh_as_much_on_average),
		cmocka_unit_test(
			a_fresh_period_counts_one_and_a_late_one_is_weighed),
		cmocka_unit_test(the_first_period_does_not_outlive_its_sample),
		cmocka_unit_test(threads_come_and_go_by_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
