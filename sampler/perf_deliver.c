/* SPDX-License-Identifier: MIT */
/*
 * perf_deliver.c - records to samples, in the order of their time.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampler/perf_state.h"

#define NS_PER_S 1000000000u
#define SETTLED_NS (2ull * NS_PER_S)	/* such a thread gets own events */

/* --- processes and threads */

static struct perf_process *
find_process(struct perf *perf, pid_t pid)
{
	size_t i;

	for (i = 0; i < perf->nprocesses; i++)
		if (perf->processes[i].pid == pid &&
		    !perf->processes[i].is_over)
			return &perf->processes[i];
	return NULL;
}

struct perf_process *
perf_process_add(struct perf *perf, pid_t pid, const struct target *target,
		 struct space *space)
{
	struct perf_process *process;

	perf->processes = grow(perf->processes, perf->nprocesses,
			       &perf->capacity, sizeof(*perf->processes));
	process = &perf->processes[perf->nprocesses++];
	*process = (struct perf_process){
		.pid = pid, .target = target, .space = space,
	};
	return process;
}

static void
announce(const struct perf *perf, const struct perf_thread *thread,
	 bool has_ended)
{
	perf->sink->thread(perf->sink->ctx, thread->pid, thread->tid,
			   thread->start, thread->comm, has_ended);
}

struct perf_thread *
perf_thread_known(struct perf *perf, const struct target *target, pid_t tid)
{
	struct perf_thread *thread;
	struct thread_stat stat;

	thread = perf_threads_add(&perf->threads, target_pid(target), tid);
	if (target_thread_stat(target, tid, &stat)) {
		thread->start = stat.start;
		memcpy(thread->comm, stat.comm, sizeof(thread->comm));
	}
	announce(perf, thread, false);
	return thread;
}

static uint64_t
start_ticks(const struct perf *perf, uint64_t time_ns)
{
	uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);

	return (time_ns + perf->boot_ns) / (NS_PER_S / hz);
}

/* A thread whose birth was seen, or was missed until now. */
static struct perf_thread *
new_thread(struct perf *perf, const struct perf_record *record,
	   const struct perf_thread *parent)
{
	struct perf_thread *thread;

	thread = perf_threads_add(&perf->threads, record->pid, record->tid);
	thread->start = start_ticks(perf, record->time_ns);
	thread->born_ns = record->time_ns;
	thread->own = 0;
	thread->source = parent ? parent->source : 0;
	if (parent)
		memcpy(thread->comm, parent->comm, sizeof(thread->comm));
	announce(perf, thread, false);
	return thread;
}

void
perf_retire(struct perf *perf, uint32_t owner)
{
	if (!owner)
		return;
	perf->retired = grow(perf->retired, perf->nretired,
			     &perf->retired_capacity, sizeof(*perf->retired));
	perf->retired[perf->nretired++] = owner;
}

static void
end_thread(struct perf *perf, struct perf_thread *thread)
{
	announce(perf, thread, true);
	perf_retire(perf, thread->own);
	perf_threads_remove(&perf->threads, thread->tid);
}

/* exec leaves one thread of a process; it goes by the process's number. */
static void
end_other_threads(struct perf *perf, pid_t pid, pid_t survivor)
{
	struct perf_thread *thread, *next;
	size_t i;

	for (i = 0; i < PERF_THREAD_BUCKETS; i++)
		for (thread = perf->threads.buckets[i]; thread; thread = next) {
			next = thread->next;
			if (thread->pid == pid && thread->tid != survivor)
				end_thread(perf, thread);
		}
}

/* A child that was followed; nothing of it stays. */
static void
end_child(struct perf *perf, struct perf_process *process)
{
	perf->sink->process(perf->sink->ctx, process->pid, false);
	space_free(process->space);
	*process = perf->processes[--perf->nprocesses];
}

/* --- records */

static void
deliver_fork(struct perf *perf, const struct perf_record *record)
{
	const struct perf_thread *parent;
	struct space *space;

	if (perf->config.tids)
		return;
	parent = perf_threads_find(&perf->threads, record->u.task.ptid);
	if (record->pid != record->u.task.ppid) {
		struct perf_process *process =
			find_process(perf, record->u.task.ppid);

		if (!perf->config.follow || !process)
			return;
		space = space_fork(process->space, record->pid);
		perf_process_add(perf, record->pid, NULL, space);
	}
	if (find_process(perf, record->pid))
		new_thread(perf, record, parent);
}

static void
deliver_exit(struct perf *perf, const struct perf_record *record)
{
	struct perf_thread *thread =
		perf_threads_find(&perf->threads, record->tid);
	struct perf_process *process = find_process(perf, record->pid);

	if (thread)
		end_thread(perf, thread);
	/* A target's end is seen by its pidfd: its main thread may go first. */
	if (process && !process->target &&
	    perf_threads_of(&perf->threads, record->pid) == 0)
		end_child(perf, process);
}

static void
deliver_comm(struct perf *perf, const struct perf_record *record)
{
	struct perf_process *process = find_process(perf, record->pid);
	struct perf_thread *thread;

	if (!process)
		return;
	if (record->u.comm.is_exec) {
		end_other_threads(perf, record->pid, record->tid);
		space_reset(process->space);
		process->maps_ns = 0;
		process->awaits_program = true;
		perf->sink->process(perf->sink->ctx, record->pid, true);
	}
	thread = perf_threads_find(&perf->threads, record->tid);
	if (!thread && perf->config.tids)
		return;
	if (!thread)
		thread = new_thread(perf, record, NULL);
	memset(thread->comm, 0, sizeof(thread->comm));
	memcpy(thread->comm, record->u.comm.name,
	       strnlen(record->u.comm.name, sizeof(thread->comm) - 1));
	announce(perf, thread, false);
}

/* The kernel's path without what it appends to that of an unlinked file. */
static bool
cut_deleted(char *out, size_t size, const char *path)
{
	static const char suffix[] = " (deleted)";
	size_t len = strlen(path), cut = sizeof(suffix) - 1;
	bool is_deleted = len >= cut && !strcmp(path + len - cut, suffix);

	snprintf(out, size, "%.*s", (int)(is_deleted ? len - cut : len), path);
	return is_deleted;
}

static void
deliver_mmap(struct perf *perf, const struct perf_record *record)
{
	struct perf_process *process = find_process(perf, record->pid);
	char path[PATH_MAX];
	struct mapping mapping = {
		.start = record->u.mmap.addr,
		.end = record->u.mmap.addr + record->u.mmap.len,
		.file_offset = record->u.mmap.offset,
		.dev = record->u.mmap.dev,
		.inode = record->u.mmap.inode,
		.path = path,
		.is_executable = record->u.mmap.prot & PROT_EXEC,
		.is_writable = record->u.mmap.prot & PROT_WRITE,
	};

	if (!process || record->time_ns < process->maps_ns)
		return;
	mapping.is_deleted = cut_deleted(path, sizeof(path),
					 record->u.mmap.path);
	mapping.kind = mapping_kind(&mapping);
	if (mapping.inode && process->awaits_program) {
		process->awaits_program = false;
		mapping.kind = MODULE_PROGRAM;
	}
	maps_add(space_maps(process->space), &mapping);
}

/* How many samples is it worth? 0: none, it is a copy or weighed so. */
static uint64_t
weigh(struct perf *perf, const struct perf_record *record)
{
	struct perf_event *event = perf_events_find(&perf->events, record->id);
	struct perf_thread *thread =
		perf_threads_find(&perf->threads, record->tid);

	if (!thread && perf->config.tids)
		return 0;
	if (!thread)
		thread = new_thread(perf, record, NULL);
	if (!event)
		return perf_events_weigh(&perf->events,
					 record->u.sample.period);
	if (!thread->source)
		thread->source = event->owner;
	if (!perf->system_owner && thread->source != event->owner &&
	    !(thread->before == event->owner &&
	      record->time_ns < thread->since_ns))
		return 0;
	if (record->stream_id != record->id)
		return perf_events_weigh(&perf->events,
					 record->u.sample.period);
	return perf_events_fired(&perf->events, event, record->time_ns,
				 perf->now_ns);
}

static void
deliver_sample(struct perf *perf, const struct perf_record *record)
{
	struct perf_process *process = find_process(perf, record->pid);
	struct raw_sample raw = {
		.time_ns = record->time_ns,
		.tid = record->tid,
		.kind = KIND_CPU,
		.kernel = record->u.sample.kernel,
		.nkernel = record->u.sample.nkernel,
		.trail = record->u.sample.user,
		.ntrail = record->u.sample.nuser,
		.has_regs = record->u.sample.has_regs,
		.regs = record->u.sample.regs,
		.stack = record->u.sample.stack,
		.stack_len = record->u.sample.stack_len,
	};

	if (!process)
		return;
	raw.weight = weigh(perf, record);
	if (!raw.weight)
		return;
	space_sample(process->space, &raw);
	perf_copy_note(perf, process->space);
}

void
perf_deliver(struct perf *perf, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		deliver_sample(perf, record);
		break;
	case PERF_RECORD_MMAP2:
		deliver_mmap(perf, record);
		break;
	case PERF_RECORD_COMM:
		deliver_comm(perf, record);
		break;
	case PERF_RECORD_FORK:
		deliver_fork(perf, record);
		break;
	case PERF_RECORD_EXIT:
		deliver_exit(perf, record);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		perf->sink->lost(perf->sink->ctx, record->u.lost);
		break;
	case PERF_RECORD_THROTTLE:
		perf->sink->throttled(perf->sink->ctx, 1);
		break;
	}
}

/* --- now and then */

/* A thread that stays has its period drawn like the others'. */
static void
give_events(struct perf *perf, struct perf_thread *thread)
{
	uint32_t owner;

	if (thread->own || !thread->born_ns ||
	    perf->now_ns < thread->born_ns + SETTLED_NS ||
	    perf->events.count + perf->events.nrings > PERF_MOST_DRAWN)
		return;
	thread->born_ns = 0;
	owner = perf_events_open(&perf->events, thread->tid);
	if (owner)
		thread->own = thread->source = owner;
}

void
perf_tidy(struct perf *perf)
{
	struct perf_thread *thread;
	size_t i, kept = 0;

	perf_copy_tidy(perf);
	if (perf->system_owner)
		return;
	for (i = 0; i < PERF_THREAD_BUCKETS && !perf->config.tids; i++)
		for (thread = perf->threads.buckets[i]; thread;
		     thread = thread->next)
			give_events(perf, thread);
	/* While it is open whose samples a thread takes, none is closed. */
	if (perf_threads_use(&perf->threads, 0))
		return;
	for (i = 0; i < perf->nretired; i++) {
		if (perf_threads_use(&perf->threads, perf->retired[i]))
			perf->retired[kept++] = perf->retired[i];
		else
			perf_events_close(&perf->events, perf->retired[i]);
	}
	perf->nretired = kept;
}
