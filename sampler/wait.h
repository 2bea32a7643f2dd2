/* SPDX-License-Identifier: MIT */
/*
 * wait.h - what a thread waits for, read without stopping it.
 *
 *	/proc/PID/task/TID/syscall	which call, its arguments, rsp and rip
 *	memory				what these point to: times, locks
 *	/proc/PID/task/TID/fd, fdinfo	what a descriptor is
 *	/proc/PID/task/TID/net		who is at the other end of a socket
 *
 * Everything is a look at something that goes on, and may be of the past when
 * it is used; what does not fit together is left out.
 */
#ifndef SAMPLER_WAIT_H
#define SAMPLER_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sampler/calls.h"
#include "sampler/ptrace_lines.h"
#include "sampler/target.h"

#define WAIT_ARGUMENTS 6
#define WAIT_SET 4		/* descriptors of a set that are listed */

/* One line of /proc/PID/task/TID/syscall. */
struct wait_line {
	enum thread_place place;
	long number;		/* of the call, for PLACE_CALL; -1 */
	uint64_t arguments[WAIT_ARGUMENTS];
	uint64_t sp, pc;	/* 0 of a thread that runs */
};

/* False if TEXT (NUL-terminated) is no such line. */
bool wait_parse(const char *text, struct wait_line *out);

enum lock_kind {
	LOCK_NONE,
	LOCK_MUTEX,		/* glibc's pthread_mutex_t, at the address */
	LOCK_OWNED,		/* a word that has its owner's id in it: PI,
				   robust, and musl's but for the plain ones */
};

struct wait {
	struct wait_line line;
	const struct call *call;	/* NULL: none, or not in the table */
	uint64_t address;	/* of a futex that is waited at; else 0 */
	enum lock_kind lock;	/* what lies there, */
	pid_t owner;		/* and the thread that holds it; else 0 */
	bool has_limit;
	uint64_t limit_ns;	/* of the whole wait */
	bool is_for_child;	/* any, or: */
	pid_t child;
	int fds[WAIT_SET];	/* the descriptor, or the first of a set */
	size_t nfds;		/* how many there are, which may be more */
	char subject[160];	/* what the first descriptor is; cleaned */
};

/*
 * What thread TID of TARGET waits for. TIDS, N of them and sorted, are its
 * process's threads: only these can hold a lock. False if it has ended, or may
 * not be looked at. The descriptors' subject stays "".
 */
bool wait_read(const struct target *target, pid_t tid, const pid_t *tids,
	       size_t n, struct wait *out);

/* Is thread TID where LINE says, still or again? */
bool wait_is_same(const struct target *target, pid_t tid,
		  const struct wait_line *line);

struct sockets;

/*
 * Name WAIT's first descriptor, with the other end if it is a socket; SOCKETS
 * may be NULL.
 */
void wait_name(const struct target *target, pid_t tid,
	       struct sockets *sockets, struct wait *wait);

/*
 * In words: "epoll_wait on 12 descriptors (5, 7, 8, 9, ...)", "running",
 * "futex at 0x7f12e0". STATE is the letter of /proc/PID/stat. Returns OUT.
 */
char *wait_text(const struct wait *wait, char state, char *out, size_t size);

/* "3.2 s", "150 ms", "2 h". Returns OUT. */
char *wait_time_text(uint64_t ns, char *out, size_t size);

/* --- wait_lock.c */

/*
 * Is what WAIT waits for, a futex, a lock that one of the threads TIDS holds?
 * Sets its lock and owner if all that is known of such a lock fits. The owner
 * may be the thread itself, which then waits for ever.
 */
void wait_find_lock(const struct memory *memory, const pid_t *tids, size_t n,
		    struct wait *wait);

#endif
