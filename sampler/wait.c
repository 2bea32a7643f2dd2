/* SPDX-License-Identifier: MIT */
/*
 * wait.c - what a thread waits for.
 */
#include "sampler/wait.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "core/base.h"

#define SECOND 1000000000ull
#define EPOLL_TEXT 65536	/* of fdinfo: some 1,000 descriptors */

bool
wait_parse(const char *text, struct wait_line *out)
{
	size_t len = strlen(text);
	char *end;

	*out = (struct wait_line){ .number = -1 };
	out->place = lines_syscall(text, len, &out->number);
	if (out->place == PLACE_RUNNING || out->place == PLACE_UNKNOWN)
		return out->place == PLACE_RUNNING;
	strtol(text, &end, 10);
	for (size_t i = 0; out->place == PLACE_CALL && i < WAIT_ARGUMENTS; i++)
		out->arguments[i] = strtoull(end, &end, 16);
	out->sp = strtoull(end, &end, 16);
	text = end;
	out->pc = strtoull(text, &end, 16);
	return end != text;
}

static bool
read_line(const struct target *target, pid_t tid, struct wait_line *out)
{
	char text[256];

	return target_read_task(target, tid, "syscall", text,
				sizeof(text)) > 0 && wait_parse(text, out);
}

bool
wait_is_same(const struct target *target, pid_t tid,
	     const struct wait_line *line)
{
	struct wait_line now;

	return read_line(target, tid, &now) && now.place == line->place &&
	       now.number == line->number && now.sp == line->sp &&
	       now.pc == line->pc &&
	       !memcmp(now.arguments, line->arguments,
		       sizeof(now.arguments));
}

/* --- time limits */

/* Absolute ones are counted from now. */
static bool
read_timespec(const struct memory *memory, uint64_t addr, clockid_t clock,
	      bool is_absolute, uint64_t *ns)
{
	struct timespec limit, now = { 0 };

	if (!addr || !memory->read(memory->ctx, addr, &limit, sizeof(limit)) ||
	    limit.tv_sec < 0 || limit.tv_sec > INT_MAX || limit.tv_nsec < 0 ||
	    limit.tv_nsec >= (long)SECOND)
		return false;
	if (is_absolute && clock_gettime(clock, &now) != 0)
		return false;
	if (limit.tv_sec < now.tv_sec)
		limit = now;
	*ns = (uint64_t)(limit.tv_sec - now.tv_sec) * SECOND +
	      (uint64_t)limit.tv_nsec;
	*ns -= (uint64_t)now.tv_nsec < *ns ? (uint64_t)now.tv_nsec : *ns;
	return true;
}

/* FUTEX_WAIT alone has a limit that is counted from its beginning. */
static void
read_limit_of(const struct memory *memory, struct wait *wait, uint64_t addr)
{
	const uint64_t *arguments = wait->line.arguments;
	clockid_t clock = CLOCK_MONOTONIC;
	bool is_absolute = false;

	if (wait->call->shape == CALL_FUTEX) {
		int op = (int)arguments[1] & FUTEX_CMD_MASK;

		is_absolute = op != FUTEX_WAIT;
		if (arguments[1] & FUTEX_CLOCK_REALTIME ||
		    op == FUTEX_LOCK_PI)
			clock = CLOCK_REALTIME;
	} else if (!strcmp(wait->call->name, "clock_nanosleep")) {
		clock = (clockid_t)arguments[0];
		is_absolute = arguments[1] & TIMER_ABSTIME;
	}
	wait->has_limit = read_timespec(memory, addr, clock, is_absolute,
					&wait->limit_ns);
}

static void
read_limit(const struct memory *memory, struct wait *wait)
{
	uint64_t value = wait->line.arguments[wait->call->limit_at];
	struct timeval limit;

	switch (wait->call->limit) {
	case LIMIT_MS:
		wait->has_limit = (int)value >= 0;
		wait->limit_ns = (value & INT_MAX) * 1000000;
		break;
	case LIMIT_TIMESPEC:
		read_limit_of(memory, wait, value);
		break;
	case LIMIT_TIMEVAL:
		wait->has_limit = value &&
			memory->read(memory->ctx, value, &limit,
				     sizeof(limit)) && limit.tv_sec >= 0 &&
			limit.tv_sec <= INT_MAX && limit.tv_usec >= 0;
		if (wait->has_limit)
			wait->limit_ns = (uint64_t)limit.tv_sec * SECOND +
					 (uint64_t)limit.tv_usec * 1000;
		break;
	case LIMIT_NONE:
		break;
	}
}

/* --- descriptors */

static void
add_fd(struct wait *wait, int fd)
{
	if (wait->nfds < WAIT_SET)
		wait->fds[wait->nfds] = fd;
	wait->nfds++;
}

static void
read_poll(const struct memory *memory, struct wait *wait)
{
	uint64_t addr = wait->line.arguments[0];
	uint64_t n = wait->line.arguments[1];
	struct pollfd poll;

	for (size_t i = 0; i < n && i < WAIT_SET; i++)
		if (memory->read(memory->ctx, addr + i * sizeof(poll), &poll,
				 sizeof(poll)))
			add_fd(wait, poll.fd);
	if (wait->nfds)
		wait->nfds = n;
}

/* The sets are not changed before the call is over. */
static void
read_select(const struct memory *memory, struct wait *wait)
{
	size_t n = wait->line.arguments[0] < FD_SETSIZE ?
		   wait->line.arguments[0] : FD_SETSIZE;
	size_t bytes = (n + 63) / 64 * 8;
	fd_set set, all;

	FD_ZERO(&all);
	for (size_t i = 1; i <= 3; i++) {
		FD_ZERO(&set);
		if (!wait->line.arguments[i] ||
		    !memory->read(memory->ctx, wait->line.arguments[i], &set,
				  bytes))
			continue;
		for (size_t fd = 0; fd < n; fd++)
			if (FD_ISSET(fd, &set))
				FD_SET(fd, &all);
	}
	for (size_t fd = 0; fd < n; fd++)
		if (FD_ISSET(fd, &all))
			add_fd(wait, (int)fd);
}

/* What is in the set; at least a part of a large one. */
static void
read_epoll(const struct target *target, pid_t tid, struct wait *wait)
{
	char name[32], *text = xcalloc(1, EPOLL_TEXT);
	const char *at = text;

	snprintf(name, sizeof(name), "fdinfo/%d",
		 (int)wait->line.arguments[0]);
	if (target_read_task(target, tid, name, text, EPOLL_TEXT) > 0)
		while ((at = strstr(at, "tfd:"))) {
			at += strlen("tfd:");
			add_fd(wait, (int)strtol(at, NULL, 10));
		}
	free(text);
}

/* --- the rest */

static void
read_child(struct wait *wait)
{
	const uint64_t *arguments = wait->line.arguments;

	wait->is_for_child = true;
	if (wait->call->shape == CALL_WAIT4)
		wait->child = (pid_t)arguments[0] > 0 ? (pid_t)arguments[0] : 0;
	else if (arguments[0] == P_PID)
		wait->child = (pid_t)arguments[1];
	else if (arguments[0] == P_PIDFD)
		add_fd(wait, (int)arguments[1]);
}

static void
read_subject(const struct target *target, pid_t tid, const pid_t *tids,
	     size_t n, struct wait *wait)
{
	struct memory memory = target_memory(target);

	switch (wait->call->shape) {
	case CALL_FD:
		add_fd(wait, (int)wait->line.arguments[0]);
		break;
	case CALL_POLL:
		read_poll(&memory, wait);
		break;
	case CALL_SELECT:
		read_select(&memory, wait);
		break;
	case CALL_EPOLL:
		read_epoll(target, tid, wait);
		break;
	case CALL_FUTEX:
		wait->address = wait->line.arguments[0];
		wait_find_lock(&memory, tids, n, wait);
		break;
	case CALL_WAIT4:
	case CALL_WAITID:
		read_child(wait);
		break;
	case CALL_PLAIN:
	case CALL_SLEEP:
		break;
	}
	read_limit(&memory, wait);
}

bool
wait_read(const struct target *target, pid_t tid, const pid_t *tids,
	  size_t n, struct wait *out)
{
	*out = (struct wait){ .lock = LOCK_NONE };
	if (!read_line(target, tid, &out->line))
		return false;
	if (out->line.place == PLACE_CALL)
		out->call = call_find(out->line.number);
	if (out->call)
		read_subject(target, tid, tids, n, out);
	return true;
}
