/* SPDX-License-Identifier: MIT */
/*
 * ptrace_stop.c - one running thread stopped, read and let go.
 */
#include "sampler/ptrace_stop.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "sampler/clock.h"
#include "sampler/procstat.h"
#include "sampler/ptrace_lines.h"

#define PAGE 4096
#define HURRY_NS 200000000	/* no longer before others than this */
#define BEAT_NS 10000000

/*
 * While stops are awaited there is a beat with each wait: one that fails shows
 * the supervisor that nobody would let the thread go.
 */
static void
beat(struct stopper *stopper)
{
	pid_t tids[STOP_WATCH_TIDS];
	size_t i;

	if (!stopper->watch)
		return;
	for (i = 0; i < stopper->count && i < STOP_WATCH_TIDS; i++)
		tids[i] = stopper->pending[i].tid;
	stop_watch_beat(stopper->watch, tids, i);
}

/* A stop ends here. It began after the last look, so this is no less. */
static void
count_stopped(struct stopper *stopper)
{
	uint64_t stopped = clock_now() - stopper->wait.clear_ns;

	stopper->stopped_ns += stopped;
	if (stopped > stopper->stop_max_ns)
		stopper->stop_max_ns = stopped;
}

/* --- reading */

static void
read_regs(struct stopper *stopper, const struct user_regs_struct *from)
{
	uint64_t *r = stopper->regs.r;

	r[X86_RAX] = from->rax;
	r[X86_RDX] = from->rdx;
	r[X86_RCX] = from->rcx;
	r[X86_RBX] = from->rbx;
	r[X86_RSI] = from->rsi;
	r[X86_RDI] = from->rdi;
	r[X86_RBP] = from->rbp;
	r[X86_RSP] = from->rsp;
	r[X86_R8] = from->r8;
	r[X86_R9] = from->r9;
	r[X86_R10] = from->r10;
	r[X86_R11] = from->r11;
	r[X86_R12] = from->r12;
	r[X86_R13] = from->r13;
	r[X86_R14] = from->r14;
	r[X86_R15] = from->r15;
	r[X86_RIP] = from->rip;
}

/*
 * One piece for each page: the kernel may give up a whole piece for its last
 * byte, and the stack ends somewhere.
 */
static void
read_stack(struct stopper *stopper, pid_t tid)
{
	struct iovec pieces[STOP_STACK / PAGE + 2];
	struct iovec to = { stopper->stack, stopper->stack_bytes };
	uint64_t at = stopper->regs.r[X86_RSP];
	size_t left = stopper->stack_bytes, n = 0;
	ssize_t got;

	while (left > 0) {
		size_t len = PAGE - at % PAGE;

		if (len > left)
			len = left;
		pieces[n++] = (struct iovec){ (void *)(uintptr_t)at, len };
		at += len;
		left -= len;
	}
	got = process_vm_readv(tid, &to, 1, pieces, n, 0);
	stopper->stack_len = got > 0 ? (size_t)got : 0;
}

/* --- letting go */

static struct stop *
find_stop(const struct stopper *stopper, pid_t tid)
{
	size_t i;

	for (i = 0; i < stopper->count; i++)
		if (stopper->pending[i].tid == tid)
			return &stopper->pending[i];
	return NULL;
}

size_t
stop_count_asked(const struct stopper *stopper)
{
	size_t i, asked = 0;

	for (i = 0; i < stopper->count; i++)
		asked += stopper->pending[i].is_asked;
	return asked;
}

/* It is not attached any more. */
static void
forget(struct stopper *stopper, pid_t tid)
{
	struct stop *stop = find_stop(stopper, tid);

	if (!stop)
		return;
	*stop = stopper->pending[--stopper->count];
	beat(stopper);
}

/* The thread is stopped; from here on it is not, and not attached either. */
static void
let_go(struct stopper *stopper, const struct stop *stop, int signal)
{
	ptrace(PTRACE_DETACH, stop->tid, NULL, (void *)(intptr_t)signal);
	count_stopped(stopper);
	forget(stopper, stop->tid);
}

static bool
is_event(int status)
{
	return status >> 16 == PTRACE_EVENT_STOP;
}

/* The signal that STATUS is about and that the thread must still get. */
static int
signal_of(int status)
{
	return is_event(status) ? 0 : WSTOPSIG(status);
}

static bool
read_signals(pid_t tid, struct signal_sets *out)
{
	char path[32], text[4096];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	len = proc_read(AT_FDCWD, path, text, sizeof(text));
	return len > 0 && lines_status(text, (size_t)len, out);
}

/* --- making a cut call again */

static bool
is_call_instruction(pid_t tid, uint64_t addr)
{
	unsigned char bytes[2];
	struct iovec to = { bytes, sizeof(bytes) };
	struct iovec from = { (void *)(uintptr_t)addr, sizeof(bytes) };

	return process_vm_readv(tid, &to, 1, &from, 1, 0) == sizeof(bytes) &&
	       bytes[0] == 0x0f && bytes[1] == 0x05;
}

/*
 * Is the EINTR in REGS of our making? Not if a signal has cut the call, or
 * the thread is stopped as its whole process is: these cut it without us.
 */
static bool
is_cut_by_us(pid_t tid, int status, const struct user_regs_struct *regs)
{
	struct signal_sets sets;

	if (!call_was_cut(regs))
		return false;
	if (is_event(status) && WSTOPSIG(status) != SIGTRAP)
		return false;
	if (!read_signals(tid, &sets) || signal_is_due(&sets))
		return false;
	if (signal_of(status) && !signal_does_nothing(&sets, signal_of(status)))
		return false;
	return is_call_instruction(tid, regs->rip - CALL_INSTRUCTION);
}

/*
 * Have the call made again. The thread stays attached: a signal that comes
 * before the call has begun is then seen at a stop of its own, where this is
 * undone (cut_again()). Let go here, the thread could handle that signal and
 * then sleep on in its call as if there had been none. And it cannot be let go
 * when the call has begun, for PTRACE_DETACH cuts it: so not before it is
 * seen running again, or a signal comes. Only at the very end that risk, of
 * some microseconds, is taken.
 */
static void
repeat_call(struct stopper *stopper, struct stop *stop,
	    const struct user_regs_struct *regs)
{
	struct user_regs_struct again = *regs;

	call_repeat(&again);
	if (ptrace(PTRACE_SETREGS, stop->tid, NULL, &again) != 0) {
		let_go(stopper, stop, 0);
		return;
	}
	stopper->restarts++;
	if (stopper->is_closing) {
		let_go(stopper, stop, 0);
		return;
	}
	stop->is_asked = false;
	stop->is_repeating = true;
	stop->cut = *regs;
	*find_stop(stopper, stop->tid) = *stop;
	ptrace(PTRACE_CONT, stop->tid, NULL, NULL);
	count_stopped(stopper);
}

/*
 * The thread has stopped for a signal or with its whole process. If that was
 * before it made its call again, it shall see the call cut: without us it
 * would have.
 */
static void
cut_again(const struct stop *stop, struct user_regs_struct *regs)
{
	if (!stop->is_repeating || (long long)regs->orig_rax >= 0 ||
	    regs->rax != stop->cut.orig_rax || regs->rsp != stop->cut.rsp ||
	    regs->rip + CALL_INSTRUCTION != stop->cut.rip)
		return;
	*regs = stop->cut;
	ptrace(PTRACE_SETREGS, stop->tid, NULL, regs);
}

/* --- a stop */

/* The thread is stopped: read it if it was asked, and let it go. */
static enum stop_result
take(struct stopper *stopper, struct stop *stop, int status)
{
	bool was_asked = stop->is_asked;
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, stop->tid, NULL, &regs) != 0) {
		let_go(stopper, stop, signal_of(status));
		return STOP_GONE;
	}
	cut_again(stop, &regs);
	if (was_asked) {
		read_regs(stopper, &regs);
		read_stack(stopper, stop->tid);
		stopper->stops++;
	}
	if (!stopper->no_repeat && is_cut_by_us(stop->tid, status, &regs))
		repeat_call(stopper, stop, &regs);
	else
		let_go(stopper, stop, signal_of(status));
	return was_asked ? STOP_TAKEN : STOP_GONE;
}

/* Attach, unless it is. */
static struct stop *
attach(struct stopper *stopper, pid_t tid)
{
	struct stop *stop = find_stop(stopper, tid);

	if (stop)
		return stop;
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		return NULL;
	stopper->pending = grow(stopper->pending, stopper->count,
				&stopper->capacity, sizeof(*stop));
	if (!stopper->count)
		stopper->wait.clear_ns = clock_now();
	stop = &stopper->pending[stopper->count++];
	*stop = (struct stop){ .tid = tid };
	return stop;
}

enum stop_result
stop_begin(struct stopper *stopper, pid_t tid, void *owner)
{
	struct stop *stop = attach(stopper, tid);

	if (!stop)
		return errno == ESRCH ? STOP_GONE : STOP_REFUSED;
	if (stop->is_asked)
		return STOP_GONE;
	stop->owner = owner;
	stop->is_asked = true;
	beat(stopper);
	wait_hurry(&stopper->wait);
	stopper->begin_ns = clock_now();
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return STOP_PENDING;
}

/*
 * A tracee may go without a word: another thread of its process execs in its
 * place. Then it alone is "no such tracee".
 */
static enum stop_result
find_gone(struct stopper *stopper, struct stop *stop)
{
	size_t i;
	int status;

	for (i = 0; i < stopper->count; i++) {
		pid_t tid = stopper->pending[i].tid, got;

		got = wait_for_stop(&stopper->wait, tid, 0, &status);
		if (got == 0)
			continue;
		*stop = stopper->pending[i];
		if (got > 0 && WIFSTOPPED(status))
			return take(stopper, stop, status);
		forget(stopper, tid);
		return STOP_GONE;
	}
	return STOP_PENDING;
}

static enum stop_result
next(struct stopper *stopper, uint64_t limit_ns, struct stop *stop)
{
	const struct stop *found;
	int status;
	pid_t got;

	got = wait_for_stop(&stopper->wait, WAIT_ANY, limit_ns, &status);
	if (got <= 0)
		return find_gone(stopper, stop);
	found = find_stop(stopper, got);
	*stop = found ? *found : (struct stop){ .tid = got };
	if (WIFSTOPPED(status))
		return take(stopper, stop, status);
	forget(stopper, got);
	return STOP_GONE;
}

enum stop_result
stop_next(struct stopper *stopper, uint64_t limit_ns, struct stop *stop)
{
	enum stop_result result;

	if (!stopper->count)
		return STOP_PENDING;
	beat(stopper);
	wait_hurry(&stopper->wait);
	result = next(stopper, limit_ns, stop);
	if (!stopper->count || clock_now() > stopper->begin_ns + HURRY_NS)
		wait_relax(&stopper->wait);
	return result;
}

void
stop_open(struct stopper *stopper)
{
	wait_open(&stopper->wait);
}

/* On their way to the stop, without a CPU as yet. */
static bool
has_runnable(const struct stopper *stopper)
{
	struct proc_stat stat;
	char path[32];
	size_t i;

	for (i = 0; i < stopper->count; i++) {
		snprintf(path, sizeof(path), "/proc/%d/stat",
			 (int)stopper->pending[i].tid);
		if (procstat_read(AT_FDCWD, path, &stat) && stat.state == 'R')
			return true;
	}
	return false;
}

/*
 * To end now would leave a call cut for those that are on their way: they are
 * given ten times as long.
 */
void
stop_close(struct stopper *stopper, uint64_t limit_ns)
{
	uint64_t end = clock_now() + limit_ns, last = end + 9 * limit_ns;
	struct stop stop;
	size_t i;

	stopper->is_closing = true;
	for (i = 0; i < stopper->count; i++) {
		if (!stopper->pending[i].is_asked)
			ptrace(PTRACE_INTERRUPT, stopper->pending[i].tid, NULL,
			       NULL);
		stopper->pending[i].is_asked = true;
	}
	while (stopper->count &&
	       (clock_now() < end ||
		(clock_now() < last && has_runnable(stopper))))
		stop_next(stopper, BEAT_NS, &stop);
	wait_close(&stopper->wait);
	free(stopper->pending);
	stopper->pending = NULL;
	stopper->count = stopper->capacity = 0;
	beat(stopper);
}
