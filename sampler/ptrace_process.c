/* SPDX-License-Identifier: MIT */
/*
 * ptrace_process.c - the processes and threads that sampling by ptrace(2)
 * watches.
 */
#include "sampler/ptrace_process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sampler/clock.h"
#include "sampler/procstat.h"

#define MS 1000000ull
#define FILES_LEFT 128		/* descriptors for others */
#define LIST_MIN_NS (20 * MS)	/* while threads come and go */
#define LIST_MAX_NS (100 * MS)
#define LIST_HELD_NS (5 * MS)
#define LIST_PART 16		/* of the time since the last change */
#define SHARE_NS (250 * MS)
#define SHARE_MIN_NS (20 * MS)	/* to know enough */

uint64_t
random_below(uint64_t *state, uint64_t bound)
{
	uint64_t x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	x *= 0x2545f4914f6cdd1dull;
	return (uint64_t)(((unsigned __int128)x * bound) >> 64);
}

/* --- a thread */

static ssize_t
read_task(const struct watched_process *process, pid_t tid, const char *name,
	  char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s",
		 (int)target_pid(process->target), (int)tid, name);
	return proc_read(AT_FDCWD, path, text, size);
}

static bool
read_stat(const struct watched_process *process, pid_t tid,
	  struct proc_stat *out)
{
	char text[1024];
	ssize_t len = read_task(process, tid, "stat", text, sizeof(text));

	return len > 0 && procstat_parse(text, (size_t)len, out);
}

/* -1 too when few descriptors are left: then it is opened for each look. */
static int
open_syscall(const struct watched_process *process, pid_t tid)
{
	struct rlimit limit = { .rlim_cur = 0 };
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall",
		 (int)target_pid(process->target), (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (fd >= 0 && (rlim_t)fd + FILES_LEFT >= limit.rlim_cur) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A kernel without that file (gVisor): the state alone must do. */
static enum thread_place
look_at_state(const struct watched_process *process,
	      const struct watched_thread *thread)
{
	struct proc_stat stat;

	if (!read_stat(process, thread->tid, &stat))
		return PLACE_UNKNOWN;
	return stat.state == 'R' ? PLACE_RUNNING : PLACE_ELSEWHERE;
}

enum thread_place
process_look(const struct watched_process *process,
	     struct watched_thread *thread, long *number)
{
	enum thread_place place;
	char text[256];
	ssize_t len;

	if (thread->syscall_fd >= 0)
		len = pread(thread->syscall_fd, text, sizeof(text), 0);
	else
		len = read_task(process, thread->tid, "syscall", text,
				sizeof(text));
	if (len <= 0) {
		*number = -1;
		place = thread->syscall_fd >= 0 ?
			PLACE_UNKNOWN : look_at_state(process, thread);
	} else {
		place = lines_syscall(text, (size_t)len, number);
	}
	if (place == PLACE_UNKNOWN)
		thread->has_vanished = true;
	return place;
}

static bool
read_schedstat(const struct watched_process *process,
	       const struct watched_thread *thread, uint64_t *run_ns,
	       uint64_t *wait_ns)
{
	char text[128];
	ssize_t len = read_task(process, thread->tid, "schedstat", text,
				sizeof(text));

	return len > 0 && lines_schedstat(text, (size_t)len, run_ns, wait_ns);
}

/*
 * From sums, not from shares: a wait is counted as a whole when it ends, long
 * after most of it. The first reading covers the thread's life so far.
 */
static void
update_share(struct watched_process *process, struct watched_thread *thread,
	     uint64_t now_ns)
{
	uint64_t run, wait, sum;

	thread->share_ns = now_ns;
	if (!read_schedstat(process, thread, &run, &wait))
		return;
	if (run == thread->run_ns && wait == thread->wait_ns)
		return;
	thread->ran_ns = thread->ran_ns / 4 * 3 + (run - thread->run_ns);
	thread->waited_ns = thread->waited_ns / 4 * 3 +
			    (wait - thread->wait_ns);
	thread->run_ns = run;
	thread->wait_ns = wait;
	sum = thread->ran_ns + thread->waited_ns;
	if (sum < SHARE_MIN_NS)
		return;
	thread->share = (uint32_t)((unsigned __int128)thread->ran_ns *
				   SHARE_ALL / sum);
	process->share = (uint32_t)(((uint64_t)process->share * 7 +
				     thread->share) / 8);
}

bool
process_has_cpu(struct watched_process *process,
		struct watched_thread *thread, uint64_t now_ns)
{
	if (now_ns - thread->share_ns >= SHARE_NS)
		update_share(process, thread, now_ns);
	thread->credit += thread->share;
	if (thread->credit < SHARE_ALL)
		return false;
	thread->credit -= SHARE_ALL;
	return true;
}

static void
name_thread(struct watched_process *process, struct watched_thread *thread,
	    const struct proc_stat *stat, const struct sink *sink)
{
	if (thread->start == stat->start &&
	    !memcmp(thread->comm, stat->comm, sizeof(thread->comm)))
		return;
	thread->start = stat->start;
	memcpy(thread->comm, stat->comm, sizeof(thread->comm));
	sink->thread(sink->ctx, target_pid(process->target), thread->tid,
		     thread->start, thread->comm, false);
}

/* --- a process */

struct watched_process *
process_watch(struct target *target, bool is_ours,
	      const struct sampler_config *config, const struct sink *sink,
	      struct waiting *waiting)
{
	struct watched_process *process = xcalloc(1, sizeof(*process));
	struct proc_stat stat;

	process->target = target;
	process->own = is_ours ? target : NULL;
	process->space = space_new(target_pid(target), target, config->unwind,
				   sink, waiting);
	process->share = SHARE_ALL;
	process->seen = maps_new();
	process->is_held = config->hold && !is_ours;
	process->image_ns = clock_now();
	if (read_stat(process, target_live_tid(target), &stat))
		process->image = stat.image;
	return process;
}

void
process_unwatch(struct watched_process *process)
{
	size_t i;

	if (!process)
		return;
	for (i = 0; i < process->count; i++)
		if (process->threads[i].syscall_fd >= 0)
			close(process->threads[i].syscall_fd);
	free(process->threads);
	free(process->tids);
	space_free(process->space);
	maps_free(process->seen);
	target_free(process->own);
	free(process);
}

/* Another program's identity in STAT: all that was known is void. */
static bool
notice_exec(struct watched_process *process, const struct proc_stat *stat,
	    const struct sink *sink)
{
	if (!stat->image || stat->image == process->image)
		return false;
	process->image = stat->image;
	process->is_held = false;
	process->image_ns = clock_now();
	process->maps_ns = 0;
	space_reset(process->space);
	sink->process(sink->ctx, target_pid(process->target), true);
	return true;
}

bool
process_verify(struct watched_process *process, struct watched_thread *thread,
	       const struct sink *sink)
{
	struct proc_stat stat;

	if (!read_stat(process, thread->tid, &stat))
		return !process->is_held;
	if (notice_exec(process, &stat, sink))
		return false;
	name_thread(process, thread, &stat, sink);
	return !process->is_held;
}

/* --- its threads */

/* The threads there are, in order; false when the process has ended. */
static bool
list_tids(struct watched_process *process, const struct sampler_config *config)
{
	size_t n, kept = 0;
	pid_t *tids = target_list_threads(process->target, &n);

	for (size_t i = 0; i < n; i++)
		if (sampler_wants(config, tids[i]))
			tids[kept++] = tids[i];
	free(process->tids);
	process->tids = tids;
	process->tid_count = kept;
	return n > 0 && target_is_alive(process->target);
}

/*
 * A thread that came while we watched has run before we saw it. That is no
 * moment to sample any more, but it can be counted; by chance, so that many
 * threads of less than a period come out right together.
 */
static void
count_missed(const struct watched_process *process,
	     const struct watched_thread *thread,
	     const struct listing *listing)
{
	uint64_t run, wait, missed;

	if (process->is_held || !read_schedstat(process, thread, &run, &wait))
		return;
	missed = (run + random_below(listing->random, listing->period_ns)) /
		 listing->period_ns;
	if (missed)
		listing->sink->lost(listing->sink->ctx, missed);
}

static struct watched_thread
new_thread(struct watched_process *process, pid_t tid,
	   const struct listing *listing)
{
	struct watched_thread thread = {
		.tid = tid,
		.share = process->share,
		.credit = (uint32_t)random_below(listing->random, SHARE_ALL),
		.due_ns = listing->now_ns +
			  random_below(listing->random, listing->period_ns),
	};
	struct proc_stat stat;

	thread.syscall_fd = open_syscall(process, tid);
	if (read_stat(process, tid, &stat))
		name_thread(process, &thread, &stat, listing->sink);
	if (process->was_listed || process->own)
		count_missed(process, &thread, listing);
	return thread;
}

static void
end_thread(const struct watched_process *process,
	   const struct watched_thread *thread, const struct sink *sink)
{
	if (thread->syscall_fd >= 0)
		close(thread->syscall_fd);
	if (thread->start)
		sink->thread(sink->ctx, target_pid(process->target),
			     thread->tid, thread->start, thread->comm, true);
}

/* Both lists are in order. Returns whether there were any. */
static bool
drop_ended(struct watched_process *process, const struct sink *sink)
{
	size_t i, j = 0, kept = 0;

	for (i = 0; i < process->count; i++) {
		const struct watched_thread *thread = &process->threads[i];

		while (j < process->tid_count &&
		       process->tids[j] < thread->tid)
			j++;
		if (j < process->tid_count &&
		    process->tids[j] == thread->tid && !thread->has_vanished)
			process->threads[kept++] = *thread;
		else
			end_thread(process, thread, sink);
	}
	i = process->count;
	process->count = kept;
	return kept < i;
}

static int
compare_threads(const void *a, const void *b)
{
	const struct watched_thread *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

/* What is watched is a part of what was listed. */
static bool
add_new(struct watched_process *process, const struct listing *listing)
{
	size_t old = process->count, i = 0, j;

	for (j = 0; j < process->tid_count; j++) {
		pid_t tid = process->tids[j];

		if (i < old && process->threads[i].tid == tid) {
			i++;
			continue;
		}
		process->threads = grow(process->threads, process->count,
					&process->capacity,
					sizeof(*process->threads));
		process->threads[process->count++] =
			new_thread(process, tid, listing);
	}
	if (process->count > old)
		qsort(process->threads, process->count,
		      sizeof(*process->threads), compare_threads);
	return process->count > old;
}

struct watched_thread *
process_thread(struct watched_process *process, pid_t tid)
{
	const struct watched_thread key = { .tid = tid };

	return process->count ?
	       bsearch(&key, process->threads, process->count,
		       sizeof(key), compare_threads) : NULL;
}

static void
end_process(struct watched_process *process, const struct sink *sink)
{
	process->tid_count = 0;
	drop_ended(process, sink);
	process->has_ended = true;
	if (!process->is_refused)
		sink->process(sink->ctx, target_pid(process->target), false);
}

/* Soon again while something happens, else less and less often. */
static void
schedule_listing(struct watched_process *process, uint64_t now_ns,
		 bool has_changed)
{
	uint64_t gap = LIST_HELD_NS;

	if (has_changed)
		process->change_ns = now_ns;
	if (!process->is_held) {
		gap = (now_ns - process->change_ns) / LIST_PART;
		gap = gap < LIST_MIN_NS ? LIST_MIN_NS :
		      gap > LIST_MAX_NS ? LIST_MAX_NS : gap;
	}
	process->list_ns = now_ns + gap;
}

bool
process_list_threads(struct watched_process *process,
		     const struct listing *listing)
{
	struct proc_stat stat;
	bool has_changed;

	if (process->has_ended || listing->now_ns < process->list_ns)
		return false;
	if (!list_tids(process, listing->config)) {
		end_process(process, listing->sink);
		return true;
	}
	if (process->is_refused)
		process->tid_count = 0;
	has_changed = drop_ended(process, listing->sink);
	has_changed |= add_new(process, listing);
	process->was_listed = true;
	if (process->count && read_stat(process, process->threads[0].tid,
					&stat))
		notice_exec(process, &stat, listing->sink);
	schedule_listing(process, listing->now_ns, has_changed);
	return true;
}

/* A line of numbers for each thread; kernels may be built without it. */
size_t
process_children(const struct watched_process *process, pid_t *pids,
		 size_t max)
{
	char text[4096], *at, *end;
	size_t i, n = 0;

	for (i = 0; i < process->tid_count && n < max; i++) {
		if (read_task(process, process->tids[i], "children", text,
			      sizeof(text)) <= 0)
			continue;
		for (at = text; n < max; at = end) {
			long pid = strtol(at, &end, 10);

			if (end == at || pid <= 0)
				break;
			pids[n++] = (pid_t)pid;
		}
	}
	return n;
}
