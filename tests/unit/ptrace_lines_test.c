/* SPDX-License-Identifier: MIT */
#include "sampler/ptrace_lines.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include <cmocka.h>

static enum thread_place
place_of(const char *line, long *number)
{
	return lines_syscall(line, strlen(line), number);
}

static void
only_a_running_thread_may_be_stopped(void **state)
{
	long number;

	(void)state;
	assert_int_equal(place_of("running\n", &number), PLACE_RUNNING);
	assert_int_equal(place_of("232 0x4 0x7ffd 0x1 0xffffffff 0x0 0x0 "
				  "0x7ffc 0x7f2a\n", &number), PLACE_CALL);
	assert_int_equal(number, SYS_epoll_wait);
	assert_int_equal(place_of("58 0x0 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n",
				  &number), PLACE_CALL);
	assert_int_equal(number, SYS_vfork);
	assert_int_equal(place_of("-1 0x7ffd17f4 0x55d5\n", &number),
			 PLACE_ELSEWHERE);
	assert_int_equal(number, -1);
}

static void
what_is_no_syscall_line_is_nothing_to_act_upon(void **state)
{
	static const char *const lines[] = {
		"", "\n", "runnin", "r", "-", "232", "232\n", "x 0x4",
		"0x7f 0x4", "99999999999999999999 0x4", "-2 0x4 0x4",
		" running",
	};
	size_t i;
	long number;

	(void)state;
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_int_equal(place_of(lines[i], &number), PLACE_UNKNOWN);
}

static void
schedstat_gives_running_and_waiting(void **state)
{
	static const char line[] = "512340 77 12\n";
	uint64_t run, wait;

	(void)state;
	assert_true(lines_schedstat(line, strlen(line), &run, &wait));
	assert_int_equal(run, 512340);
	assert_int_equal(wait, 77);
	assert_false(lines_schedstat(line, 6, &run, &wait));
	assert_false(lines_schedstat("", 0, &run, &wait));
	assert_false(lines_schedstat("- 5", 3, &run, &wait));
}

#define STATUS(tracer, own, shared, blocked, ignored, caught)		\
	"Name:\tSigPnd: x\nUmask:\t0022\nTracerPid:\t" tracer "\n"	\
	"SigQ:\t0/7\nSigPnd:\t" own "\nShdPnd:\t" shared "\nSigBlk:\t"	\
	blocked "\nSigIgn:\t" ignored "\nSigCgt:\t" caught "\n"
#define NONE "0000000000000000"
#define USR1 "0000000000000200"
#define CHLD "0000000000010000"
#define RTMAX "8000000000000000"

static struct signal_sets
sets_of(const char *text)
{
	struct signal_sets sets;

	assert_true(lines_status(text, strlen(text), &sets));
	return sets;
}

static void
status_gives_signals_and_the_tracer(void **state)
{
	struct signal_sets sets = sets_of(STATUS("4711", USR1, RTMAX, CHLD,
						 NONE, USR1));

	(void)state;
	assert_int_equal(sets.tracer, 4711);
	assert_true(sets.pending == (0x200 | (uint64_t)1 << 63));
	assert_int_equal(sets.blocked, 0x10000);
	assert_int_equal(sets.ignored, 0);
	assert_int_equal(sets.caught, 0x200);
}

static void
status_without_a_line_is_refused(void **state)
{
	static const char *const keys[] = {
		"TracerPid", "SigPnd:\t0", "ShdPnd", "SigBlk", "SigIgn",
		"SigCgt",
	};
	struct signal_sets sets;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		char text[] = STATUS("0", NONE, NONE, NONE, NONE, NONE);

		*strstr(text, keys[i]) = 'x';
		assert_false(lines_status(text, strlen(text), &sets));
	}
}

static void
a_signal_is_due_unless_blocked_or_without_effect(void **state)
{
	static const struct {
		const char *status;
		bool is_due;
	} cases[] = {
		{ STATUS("0", NONE, NONE, NONE, NONE, USR1), false },
		{ STATUS("0", USR1, NONE, NONE, NONE, USR1), true },
		{ STATUS("0", NONE, USR1, NONE, NONE, NONE), true },
		{ STATUS("0", USR1, NONE, USR1, NONE, USR1), false },
		{ STATUS("0", USR1, NONE, NONE, USR1, NONE), false },
		/* SIGCHLD does nothing where nobody handles it. */
		{ STATUS("0", NONE, CHLD, NONE, NONE, NONE), false },
		{ STATUS("0", NONE, CHLD, NONE, NONE, CHLD), true },
		{ STATUS("0", RTMAX, NONE, NONE, NONE, NONE), true },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct signal_sets sets = sets_of(cases[i].status);

		assert_int_equal(signal_is_due(&sets), cases[i].is_due);
	}
}

static void
signals_without_effect_are_known(void **state)
{
	struct signal_sets sets = sets_of(STATUS("0", NONE, NONE, NONE, USR1,
						 CHLD));

	(void)state;
	assert_true(signal_does_nothing(&sets, SIGUSR1));
	assert_true(signal_does_nothing(&sets, SIGWINCH));
	assert_false(signal_does_nothing(&sets, SIGCHLD));
	assert_false(signal_does_nothing(&sets, SIGTERM));
	assert_false(signal_does_nothing(&sets, SIGSTOP));
	assert_false(signal_does_nothing(&sets, 0));
	assert_false(signal_does_nothing(&sets, 65));
}

static struct user_regs_struct
regs_after(long number, long result)
{
	return (struct user_regs_struct){
		.orig_rax = (unsigned long long)number,
		.rax = (unsigned long long)result,
		.rip = 0x401002, .rdi = 3, .rsp = 0x7ffc,
	};
}

static void
a_listed_call_that_gave_eintr_was_cut(void **state)
{
	static const struct {
		long number, result;
		bool was_cut;
	} cases[] = {
		{ SYS_epoll_wait, -EINTR, true },
		{ SYS_epoll_pwait, -EINTR, true },
		{ 441, -EINTR, true },		/* epoll_pwait2 */
		{ SYS_semop, -EINTR, true },
		{ SYS_semtimedop, -EINTR, true },
		{ SYS_rt_sigtimedwait, -EINTR, true },
		{ SYS_io_getevents, -EINTR, true },
		{ 426, -EINTR, true },		/* io_uring_enter */
		{ SYS_recvfrom, -EINTR, true },
		{ SYS_accept4, -EINTR, true },
		{ SYS_read, -EINTR, true },
		{ SYS_epoll_wait, 0, false },
		{ SYS_epoll_wait, 4, false },
		{ SYS_epoll_wait, -EAGAIN, false },
		/* The kernel makes these again by itself, or must not. */
		{ SYS_nanosleep, -EINTR, false },
		{ SYS_close, -EINTR, false },
		{ SYS_ioctl, -EINTR, false },
		/* Not in a call: a number the program left in rax. */
		{ -1, -EINTR, false },
		{ -512, -EINTR, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct user_regs_struct regs =
			regs_after(cases[i].number, cases[i].result);

		assert_int_equal(call_was_cut(&regs), cases[i].was_cut);
	}
}

static void
a_call_is_repeated_by_going_back_to_it(void **state)
{
	struct user_regs_struct regs = regs_after(SYS_semop, -EINTR);

	(void)state;
	call_repeat(&regs);
	assert_int_equal(regs.rax, SYS_semop);
	assert_int_equal(regs.rip, 0x401000);
	assert_int_equal((long long)regs.orig_rax, -1);
	assert_int_equal(regs.rdi, 3);
	assert_int_equal(regs.rsp, 0x7ffc);
	assert_false(call_was_cut(&regs));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_running_thread_may_be_stopped),
		cmocka_unit_test(
			what_is_no_syscall_line_is_nothing_to_act_upon),
		cmocka_unit_test(schedstat_gives_running_and_waiting),
		cmocka_unit_test(status_gives_signals_and_the_tracer),
		cmocka_unit_test(status_without_a_line_is_refused),
		cmocka_unit_test(
			a_signal_is_due_unless_blocked_or_without_effect),
		cmocka_unit_test(signals_without_effect_are_known),
		cmocka_unit_test(a_listed_call_that_gave_eintr_was_cut),
		cmocka_unit_test(a_call_is_repeated_by_going_back_to_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
