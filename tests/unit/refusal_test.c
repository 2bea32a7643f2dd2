/* SPDX-License-Identifier: MIT */
#include "sampler/refusal.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct child {
	pid_t pid;
	struct target *target;
};

static int
set_up(void **state)
{
	static struct child child;
	struct error err;

	child.pid = fork();
	if (child.pid == 0) {
		alarm(30);
		for (;;)
			pause();
	}
	*state = &child;
	return target_open(child.pid, &child.target, &err) ? 0 : -1;
}

static int
tear_down(void **state)
{
	struct child *child = *state;

	target_free(child->target);
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	return 0;
}

static void
every_refusal_of_perf_says_what_helps_or_what_is_missing(void **state)
{
	const struct child *child = *state;
	static const int refusals[] = { EACCES, EPERM, ENOSYS, ENODEV };
	struct error err;

	for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
		assert_false(refusal_by_perf(child->pid, refusals[i], &err));
		assert_int_equal(err.errnum, refusals[i]);
		assert_true(strstr(err.text, "sudo flametop") ||
			    strstr(err.text, "docker run") ||
			    strstr(err.text, "has no perf events"));
		assert_null(strstr(err.text, strerror(refusals[i])));
	}
}

static void
a_child_may_be_traced(void **state)
{
	const struct child *child = *state;
	struct error err = { 0 };

	if (!refusal_allows_ptrace(child->target, &err)) {
		assert_string_not_equal(err.text, "");
		skip();
	}
}

static void
who_traces_already_is_named(void **state)
{
	const struct child *child = *state;
	struct error err;
	char pid[32];

	if (ptrace(PTRACE_SEIZE, child->pid, 0, 0) < 0)
		skip();
	assert_false(refusal_allows_ptrace(child->target, &err));
	assert_int_equal(err.errnum, EPERM);
	snprintf(pid, sizeof(pid), "(pid %d)", (int)getpid());
	assert_non_null(strstr(err.text, "is traced by refusal_test"));
	assert_non_null(strstr(err.text, pid));
}

static void
libunwind_may_read_what_has_our_rights(void **state)
{
	const struct child *child = *state;
	struct error err;
	int said[2];
	pid_t other;
	char byte;

	assert_true(refusal_allows_libunwind(child->pid, &err));
	if (geteuid() != 0)
		skip();
	assert_int_equal(pipe(said), 0);
	other = fork();
	if (other == 0) {
		alarm(30);
		if (setuid(65534) == 0 && write(said[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(said[0], &byte, 1), 1);
	assert_false(refusal_allows_libunwind(other, &err));
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	assert_non_null(strstr(err.text, "--unwind auto"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define WITH_CHILD(test) cmocka_unit_test_setup_teardown(test, set_up, \
							 tear_down)
		WITH_CHILD(
		    every_refusal_of_perf_says_what_helps_or_what_is_missing),
		WITH_CHILD(libunwind_may_read_what_has_our_rights),
		WITH_CHILD(a_child_may_be_traced),
		WITH_CHILD(who_traces_already_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
