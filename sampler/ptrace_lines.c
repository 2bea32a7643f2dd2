/* SPDX-License-Identifier: MIT */
/*
 * ptrace_lines.c - what decides whether a thread is stopped, and what then.
 */
#include "sampler/ptrace_lines.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "core/base.h"

/* Not in every libc's headers yet. */
#define NR_EPOLL_PWAIT2 441

/* A number without its NUL being promised; false if there is none. */
static bool
read_number(const char **at, const char *end, int base, uint64_t *out)
{
	char digits[32], *stop;
	size_t len = 0;

	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
	while (*at + len < end && len < sizeof(digits) - 1 &&
	       memchr("0123456789abcdefABCDEF", (*at)[len], 22))
		len++;
	memcpy(digits, *at, len);
	digits[len] = '\0';
	*out = strtoull(digits, &stop, base);
	*at += stop - digits;
	return stop != digits;
}

enum thread_place
lines_syscall(const char *text, size_t len, long *number)
{
	static const char running[] = "running";
	const char *end = text + len;
	uint64_t value;

	*number = -1;
	if (len >= sizeof(running) - 1 &&
	    !memcmp(text, running, sizeof(running) - 1))
		return PLACE_RUNNING;
	if (len >= 2 && text[0] == '-' && text[1] == '1')
		return PLACE_ELSEWHERE;
	if (!read_number(&text, end, 10, &value) || value > INT32_MAX ||
	    text >= end || *text != ' ')
		return PLACE_UNKNOWN;
	*number = (long)value;
	return PLACE_CALL;
}

bool
lines_schedstat(const char *text, size_t len, uint64_t *run_ns,
		uint64_t *wait_ns)
{
	const char *end = text + len;

	return read_number(&text, end, 10, run_ns) &&
	       read_number(&text, end, 10, wait_ns);
}

/* The number after KEY, which begins a line of TEXT. */
static bool
find_field(const char *text, size_t len, const char *key, int base,
	   uint64_t *out)
{
	const char *end = text + len, *eol;
	size_t key_len = strlen(key);

	for (; text < end; text = eol + 1) {
		eol = memchr(text, '\n', (size_t)(end - text));
		if (!eol)
			eol = end;
		if ((size_t)(eol - text) < key_len ||
		    memcmp(text, key, key_len) != 0)
			continue;
		text += key_len;
		return read_number(&text, eol, base, out);
	}
	return false;
}

bool
lines_status(const char *text, size_t len, struct signal_sets *out)
{
	uint64_t own, shared, tracer;

	if (!find_field(text, len, "TracerPid:", 10, &tracer) ||
	    !find_field(text, len, "SigPnd:", 16, &own) ||
	    !find_field(text, len, "ShdPnd:", 16, &shared) ||
	    !find_field(text, len, "SigBlk:", 16, &out->blocked) ||
	    !find_field(text, len, "SigIgn:", 16, &out->ignored) ||
	    !find_field(text, len, "SigCgt:", 16, &out->caught))
		return false;
	out->pending = own | shared;
	out->tracer = (pid_t)tracer;
	return true;
}

static uint64_t
bit_of(int signal)
{
	return signal >= 1 && signal <= 64 ? (uint64_t)1 << (signal - 1) : 0;
}

/* Signals without effect: ignored, or left at a default of doing nothing. */
static uint64_t
idle_signals(const struct signal_sets *sets)
{
	uint64_t by_default = bit_of(SIGCHLD) | bit_of(SIGCONT) |
			      bit_of(SIGURG) | bit_of(SIGWINCH);

	return sets->ignored | (by_default & ~sets->caught);
}

bool
signal_does_nothing(const struct signal_sets *sets, int signal)
{
	return idle_signals(sets) & bit_of(signal);
}

bool
signal_is_due(const struct signal_sets *sets)
{
	return sets->pending & ~sets->blocked & ~idle_signals(sets);
}

/*
 * The calls that signal(7) lists as never restarted by the kernel, those of
 * sockets with a time limit, and plain reads and writes (inotify, FUSE).
 */
static bool
can_be_repeated(long number)
{
	static const short calls[] = {
		SYS_epoll_wait, SYS_epoll_pwait, NR_EPOLL_PWAIT2,
		SYS_semop, SYS_semtimedop,
		SYS_rt_sigtimedwait,
		SYS_io_getevents, SYS_io_pgetevents, SYS_io_uring_enter,
		SYS_accept, SYS_accept4, SYS_connect,
		SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,
		SYS_sendto, SYS_sendmsg, SYS_sendmmsg,
		SYS_read, SYS_readv, SYS_pread64,
		SYS_write, SYS_writev, SYS_pwrite64,
	};
	size_t i;

	for (i = 0; i < ARRAY_LEN(calls); i++)
		if (number == calls[i])
			return true;
	return false;
}

bool
call_was_cut(const struct user_regs_struct *regs)
{
	return (long long)regs->rax == -EINTR &&
	       (long long)regs->orig_rax >= 0 &&
	       can_be_repeated((long)regs->orig_rax);
}

void
call_repeat(struct user_regs_struct *regs)
{
	regs->rax = regs->orig_rax;
	regs->rip -= CALL_INSTRUCTION;
	regs->orig_rax = (unsigned long long)-1;
}
