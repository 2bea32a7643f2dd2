/* SPDX-License-Identifier: MIT */
/*
 * signals_test.c - which signals ask for the end, sent to ourselves.
 */
#include "app/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
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

static void
one_that_ends_a_program_ends_what_computes(void **state)
{
	pid_t child = fork();
	int status;

	(void)state;
	if (child == 0) {
		signals_open();
		raise(SIGTSTP);
		raise(SIGTERM);		/* is kept back */
		signals_end_us();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_that_ends_is_heard_among_others),
		cmocka_unit_test(one_that_ends_a_program_ends_what_computes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
