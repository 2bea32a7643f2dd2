/* SPDX-License-Identifier: MIT */
/*
 * ptrace_lines.h - what decides whether a thread is stopped, and what then.
 *
 * Pure: texts of /proc (proc(5)) and registers in, answers out.
 *
 * A stop ends some system calls early with EINTR (signal(7), "Interruption of
 * system calls and library functions by stop signals"). So a thread that is
 * in a call is never stopped on purpose; and when one slips into a call
 * between the look and the stop, the call is made again. ptrace(2) shows it
 * at the stop: the result is -EINTR and the number is still there.
 */
#ifndef SAMPLER_PTRACE_LINES_H
#define SAMPLER_PTRACE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct user_regs_struct;

/* What /proc/PID/task/TID/syscall says. */
enum thread_place {
	PLACE_RUNNING,		/* on a CPU, or waiting for one */
	PLACE_CALL,		/* blocked in a system call */
	PLACE_ELSEWHERE,	/* blocked outside one: a page fault, a stop */
	PLACE_UNKNOWN,		/* no such line */
};

/* *NUMBER is the call's, for PLACE_CALL. */
enum thread_place lines_syscall(const char *text, size_t len, long *number);

/* /proc/PID/task/TID/schedstat: nanoseconds on a CPU, and waiting for one. */
bool lines_schedstat(const char *text, size_t len, uint64_t *run_ns,
		     uint64_t *wait_ns);

/* What /proc/PID/task/TID/status says of signals; bit N-1 for signal N. */
struct signal_sets {
	uint64_t pending;	/* the thread's and the process's */
	uint64_t blocked, ignored, caught;
	pid_t tracer;		/* who traces it; 0 */
};

/* False if one of the lines is missing. */
bool lines_status(const char *text, size_t len, struct signal_sets *out);

/* Would SIGNAL do nothing at all to a thread that takes it now? */
bool signal_does_nothing(const struct signal_sets *sets, int signal);

/* Does a signal wait that the thread will take as soon as it goes on? */
bool signal_is_due(const struct signal_sets *sets);

/*
 * Do REGS at a stop show a call (x86-64) that was cut short by it, and can be
 * made again with nothing lost? One that returns EINTR has moved no data, and
 * a connect goes on where it was.
 */
bool call_was_cut(const struct user_regs_struct *regs);

#define CALL_INSTRUCTION 2	/* bytes of `syscall` */

/* Set REGS to make the call again. */
void call_repeat(struct user_regs_struct *regs);

#endif
