/* SPDX-License-Identifier: MIT */
/* Who waits for whom, and what is waited at. */
#include "app/dump_stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"

#define THREADS 8

/* Thread 100 + I waits for the lock of OWNERS[I]; 0: for none. */
static void
make_dump(struct dump *dump, struct dump_thread *threads,
	  const pid_t owners[THREADS])
{
	*dump = (struct dump){ .threads = threads, .count = THREADS };
	for (size_t i = 0; i < THREADS; i++)
		threads[i] = (struct dump_thread){
			.pid = 100, .tid = 100 + (pid_t)i,
			.wait = { .lock = owners[i] ? LOCK_MUTEX : LOCK_NONE,
				  .owner = owners[i] },
		};
	dump_find_deadlocks(dump);
}

static void
assert_deadlocks(const struct dump *dump, const unsigned wanted[THREADS])
{
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(dump->threads[i].deadlock, wanted[i]);
}

static void
a_chain_of_owners_is_no_deadlock(void **state)
{
	struct dump_thread threads[THREADS];
	struct dump dump;

	(void)state;
	make_dump(&dump, threads, (pid_t[THREADS]){ 101, 102, 103, 104, 0,
						    104, 104, 999 });
	assert_int_equal(dump.deadlocks, 0);
	assert_deadlocks(&dump, (unsigned[THREADS]){ 0 });
}

static void
cycles_are_numbered_and_who_waits_for_one_is_not_in_it(void **state)
{
	struct dump_thread threads[THREADS];
	struct dump dump;

	(void)state;
	/* 100 > 102 > 104 > 102; 101 > 103 > 101; 105 for itself; 106 > 105 */
	make_dump(&dump, threads, (pid_t[THREADS]){ 102, 103, 104, 101, 102,
						    105, 105, 0 });
	assert_int_equal(dump.deadlocks, 3);
	assert_deadlocks(&dump, (unsigned[THREADS]){ 0, 2, 1, 2, 1, 3, 0, 0 });
	dump_find_deadlocks(&dump);
	assert_int_equal(dump.deadlocks, 3);
}

static void
addresses_are_told_once_with_all_that_wait(void **state)
{
	struct dump_thread threads[THREADS];
	struct dump_place *places;
	struct dump dump;
	size_t n;

	(void)state;
	make_dump(&dump, threads, (pid_t[THREADS]){ 0, 0, 107, 0 });
	threads[0].wait.address = 0x10;
	threads[1].wait.address = 0x20;
	threads[2].wait.address = 0x20;
	threads[3].wait.address = 0x20;
	places = dump_places(&dump, &n);
	assert_int_equal(n, 2);
	assert_int_equal(places[0].address, 0x20);
	assert_int_equal(places[0].waiters, 3);
	assert_int_equal(places[0].owner, 107);
	assert_int_equal(places[1].waiters, 1);
	free(places);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_of_owners_is_no_deadlock),
		cmocka_unit_test(
			cycles_are_numbered_and_who_waits_for_one_is_not_in_it),
		cmocka_unit_test(addresses_are_told_once_with_all_that_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
