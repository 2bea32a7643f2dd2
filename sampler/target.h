/* SPDX-License-Identifier: MIT */
/*
 * target.h - a process to watch: who it is, its threads, its memory.
 *
 * Identity is a pidfd, a descriptor of /proc/PID and the start time, so a
 * reused pid is never mistaken for the target. Works on when the main thread
 * has exited: everything goes through a thread that lives.
 */
#ifndef SAMPLER_TARGET_H
#define SAMPLER_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base.h"
#include "core/maps.h"
#include "core/memory.h"

struct target;

/*
 * Start watching PID. On success *OUT is a new target the caller frees with
 * target_free(); on failure *OUT is untouched and ERR says why: no such
 * process, a zombie, another user's and so on, with the next command.
 */
bool target_open(pid_t pid, struct target **out, struct error *err);
void target_free(struct target *target);

pid_t target_pid(const struct target *target);
uid_t target_uid(const struct target *target);
uint64_t target_start(const struct target *target); /* stat field 22 */
const char *target_comm(const struct target *target); /* cleaned */
const char *target_exe(const struct target *target);  /* cleaned; "" */

/* Polls readable when the whole process has ended; owned by TARGET. */
int target_pidfd(const struct target *target);

/* Is it still the process that was opened, and has it a live thread? */
bool target_is_alive(const struct target *target);

/*
 * The thread ids alive now: at most MAX are written to TIDS, the number there
 * are is returned (0 when the process is gone).
 */
size_t target_threads(const struct target *target, pid_t *tids, size_t max);

/*
 * All of them in order, *N; the caller frees the list. And is TID one of N
 * such?
 */
pid_t *target_list_threads(const struct target *target, size_t *n);
bool thread_list_has(const pid_t *tids, size_t n, pid_t tid);

/* A thread that lives, the main one if it does; 0 when the process is gone. */
pid_t target_live_tid(const struct target *target);

/* What /proc/PID/task/TID/{stat,comm} say. */
struct thread_stat {
	char comm[16];		/* raw bytes, not cleaned */
	char state;		/* R S D T t Z X I */
	uint64_t start;		/* clock ticks after boot */
	uint64_t cpu_ticks;	/* user + system */
	int cpu;		/* last ran on */
};
bool target_thread_stat(const struct target *target, pid_t tid,
			struct thread_stat *out);

/*
 * At most SIZE - 1 bytes of /proc/PID/task/TID/NAME and a NUL; and what the
 * link of that name leads to. Both return the length, or -1.
 */
ssize_t target_read_task(const struct target *target, pid_t tid,
			 const char *name, char *text, size_t size);
ssize_t target_read_link(const struct target *target, pid_t tid,
			 const char *name, char *text, size_t size);

/* Read /proc/PID/maps whole, once, into MAPS (cleared first). */
bool target_read_maps(const struct target *target, struct maps *maps,
		      struct error *err);

/*
 * The target's memory by process_vm_readv(2), a page at a time where a range
 * crosses one. Without the right to it every read fails. Valid until
 * target_free().
 */
struct memory target_memory(const struct target *target);

/* A process as a picker and -n see it. */
struct process {
	pid_t pid;
	uid_t uid;
	char comm[64];		/* cleaned */
	char cmdline[160];	/* cleaned; "" for kernel threads */
	uint64_t cpu_ticks;	/* user + system since it started */
	uint64_t start;
	bool started_us;	/* our parent, or one of its */
};

/*
 * Every process but ourselves and kernel threads, in pid order; the caller
 * frees *OUT. Returns how many.
 */
size_t process_list(struct process **out);

#endif
