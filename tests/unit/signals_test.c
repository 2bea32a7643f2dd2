/* SPDX-License-Identifier: MIT */
/*
 * signals_test.c - which signals ask for the end, sent to ourselves.
 */
#include "app/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

static void
one_that_ends_is_heard_among_others(void **state)
{
	int fd = signals_open();

	(void)state;
	assert_true(fd >= 0);
	assert_false(signals_ask_end(fd));
	raise(SIGUSR1);
	assert_false(signals_ask_end(fd));
	raise(SIGINT);
	raise(SIGUSR1);		/* is taken after it */
	assert_true(signals_ask_end(fd));
	assert_false(signals_ask_end(fd));
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_ends_is_heard_among_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
