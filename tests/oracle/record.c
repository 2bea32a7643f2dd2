/* SPDX-License-Identifier: MIT */
/*
 * record.c - raw samples of a process into a file (tests/oracle/samples.h).
 *
 *	oracle-record [-F HZ] [-d SECONDS] [-b STACK_BYTES] -o FILE
 *	              PID | -- CMD [ARG...]
 *
 * A command is ended after SECONDS if it still runs. Mappings come from perf
 * records, and again from /proc twice a second: memory that becomes
 * executable by mprotect(2) makes no record.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sampler/perf_attr.h"
#include "sampler/perf_events.h"
#include "sampler/perf_record.h"
#include "sampler/target.h"
#include "tests/oracle/samples.h"

#define LOOK_NS 500000000u	/* between two looks at /proc/PID/maps */
#define CODE_MAX (64u << 20)	/* of one mapping */
#define THREADS_MAX 4096
#define TRAIL_MAX 1024		/* return addresses; the kernel's limit: 127 */

struct recorder {
	FILE *out;
	struct perf_events events;
	pid_t *pids;
	size_t npids, capacity;
	uint64_t samples, lost;
};

static uint64_t
now_ns(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

/* --- the file */

static void
put(struct recorder *r, enum record_kind kind, pid_t pid, pid_t tid,
    uint64_t time_ns, const void *head, size_t head_len, const void *tail,
    size_t tail_len)
{
	struct samples_record record = {
		.kind = kind,
		.len = (uint32_t)(head_len + tail_len),
		.pid = pid,
		.tid = tid,
		.time_ns = time_ns,
	};
	static const uint8_t zeroes[8];

	fwrite(&record, sizeof(record), 1, r->out);
	if (head_len)
		fwrite(head, 1, head_len, r->out);
	if (tail_len)
		fwrite(tail, 1, tail_len, r->out);
	fwrite(zeroes, 1, -(head_len + tail_len) & 7, r->out);
}

static void
put_mapping(struct recorder *r, pid_t pid, uint64_t time_ns,
	    const struct mapping *mapping)
{
	struct recorded_mapping head = {
		mapping->start, mapping->end, mapping->file_offset,
		mapping->dev, mapping->inode, mapping->is_executable,
		mapping->is_writable,
	};

	put(r, RECORD_MAPPING, pid, pid, time_ns, &head, sizeof(head),
	    mapping->path, strlen(mapping->path) + 1);
}

static void
put_maps(struct recorder *r, pid_t pid)
{
	struct target *target;
	struct maps *maps = maps_new();
	size_t i;

	if (target_open(pid, &target, NULL)) {
		target_read_maps(target, maps, NULL);
		target_free(target);
	}
	for (i = 0; i < maps_count(maps); i++)
		put_mapping(r, pid, now_ns(), maps_at(maps, i));
	maps_free(maps);
}

static void
put_code(struct recorder *r, pid_t pid, const struct mapping *mapping)
{
	size_t len = mapping->end - mapping->start, at;
	uint8_t *bytes;

	if (!mapping->is_executable || mapping->inode ||
	    mapping->path[0] == '[' || len > CODE_MAX)
		return;
	bytes = xcalloc(1, len);
	for (at = 0; at < len; at += 4096) {
		struct iovec to = { bytes + at, 4096 };
		struct iovec from = { (char *)(uintptr_t)mapping->start + at,
				      4096 };

		if (process_vm_readv(pid, &to, 1, &from, 1, 0) < 0)
			memset(bytes + at, 0, 4096);
	}
	put(r, RECORD_CODE, pid, pid, now_ns(), &mapping->start, 8, bytes, len);
	free(bytes);
}

static void
put_all_code(struct recorder *r)
{
	size_t i, k;

	for (i = 0; i < r->npids; i++) {
		struct target *target;
		struct maps *maps = maps_new();

		if (target_open(r->pids[i], &target, NULL)) {
			target_read_maps(target, maps, NULL);
			target_free(target);
		}
		for (k = 0; k < maps_count(maps); k++)
			put_code(r, r->pids[i], maps_at(maps, k));
		maps_free(maps);
	}
}

/* --- records of the kernel's */

static bool
knows(const struct recorder *r, pid_t pid)
{
	size_t i;

	for (i = 0; i < r->npids; i++)
		if (r->pids[i] == pid)
			return true;
	return false;
}

static void
add_pid(struct recorder *r, pid_t pid)
{
	if (knows(r, pid))
		return;
	r->pids = grow(r->pids, r->npids, &r->capacity, sizeof(*r->pids));
	r->pids[r->npids++] = pid;
}

static void
take_mmap(struct recorder *r, const struct perf_record *record)
{
	struct mapping mapping = {
		.start = record->u.mmap.addr,
		.end = record->u.mmap.addr + record->u.mmap.len,
		.file_offset = record->u.mmap.offset,
		.dev = record->u.mmap.dev,
		.inode = record->u.mmap.inode,
		.path = record->u.mmap.path,
		.is_executable = record->u.mmap.prot & 4,
		.is_writable = record->u.mmap.prot & 2,
	};

	put_mapping(r, record->pid, record->time_ns, &mapping);
}

/* Registers, what frame pointers led to, the stack. */
static void
put_sample(struct recorder *r, const struct perf_record *record)
{
	uint64_t head[X86_COUNT + 1 + TRAIL_MAX];
	size_t n = record->u.sample.nuser;

	if (n > TRAIL_MAX)
		n = TRAIL_MAX;
	memcpy(head, record->u.sample.regs.r, X86_COUNT * sizeof(*head));
	head[X86_COUNT] = n;
	if (n)
		memcpy(head + X86_COUNT + 1, record->u.sample.user,
		       n * sizeof(*head));
	r->samples++;
	put(r, RECORD_SAMPLE, record->pid, record->tid, record->time_ns, head,
	    (X86_COUNT + 1 + n) * sizeof(*head), record->u.sample.stack,
	    record->u.sample.stack_len);
}

static void
take(struct recorder *r, const struct perf_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP2:
		take_mmap(r, record);
		break;
	case PERF_RECORD_COMM:
		if (record->u.comm.is_exec)
			put(r, RECORD_EXEC, record->pid, record->tid,
			    record->time_ns, NULL, 0, NULL, 0);
		break;
	case PERF_RECORD_FORK:
		if (knows(r, record->pid))
			break;
		add_pid(r, record->pid);
		put(r, RECORD_FORK, record->u.task.ppid, record->pid,
		    record->time_ns, NULL, 0, NULL, 0);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		r->lost += record->u.lost;
		break;
	case PERF_RECORD_SAMPLE:
		if (record->u.sample.has_regs)
			put_sample(r, record);
		break;
	}
}

static void
drain(struct recorder *r)
{
	struct perf_events *events = &r->events;
	uint64_t until = events->attr.use_clockid ? now_ns() : UINT64_MAX;
	struct perf_record record;
	struct perf_ring *ring;
	size_t i;

	for (i = 0; i < events->nrings; i++)
		perf_ring_look(&events->rings[i]);
	while ((ring = perf_rings_oldest(events->rings, events->nrings,
					 until))) {
		if (perf_record_decode(ring->record, ring->len, &record))
			take(r, &record);
		perf_ring_drop(ring);
	}
}

/* --- running */

static void
run(struct recorder *r, const struct target *target, double seconds)
{
	uint64_t end = now_ns() + (uint64_t)(seconds * 1e9), looked = 0;
	size_t i;

	while (now_ns() < end && target_is_alive(target)) {
		if (now_ns() - looked > LOOK_NS) {
			looked = now_ns();
			drain(r);
			for (i = 0; i < r->npids; i++)
				put_maps(r, r->pids[i]);
		}
		poll(NULL, 0, 5);
		drain(r);
	}
	put_all_code(r);
}

/* A child that waits for one byte before it becomes ARGV. */
static pid_t
hold_command(char **argv, int *go)
{
	int fds[2];
	pid_t pid;
	char byte;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		if (read(fds[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static bool
start(struct recorder *r, const struct target *target, struct perf_wish *wish,
      int go, struct error *err)
{
	pid_t tids[THREADS_MAX], pid = target_pid(target);
	size_t i, count = target_threads(target, tids, THREADS_MAX), opened = 0;

	/* What the first samples are of; the next look is behind them. */
	fwrite(SAMPLES_MAGIC, 8, 1, r->out);
	add_pid(r, pid);
	put_maps(r, pid);
	if (!perf_events_init(&r->events, wish, pid, err))
		return false;
	r->events.attr.mmap_data = 1;
	for (i = 0; i < count && i < THREADS_MAX; i++)
		opened += perf_events_open(&r->events, tids[i]) != 0;
	if (!opened)
		return fail(err, 0, "no event could be opened");
	if (go >= 0 && write(go, "g", 1) != 1)
		return fail(err, errno, "cannot start the command");
	return true;
}

struct request {
	struct perf_wish wish;
	const char *path;
	double seconds;
	bool is_command;
};

static bool
parse_options(int argc, char **argv, struct request *request)
{
	int option;

	while ((option = getopt(argc, argv, "+F:d:b:o:")) > 0)
		switch (option) {
		case 'F':
			request->wish.hz = (unsigned)atoi(optarg);
			break;
		case 'd':
			request->seconds = atof(optarg);
			break;
		case 'b':
			request->wish.stack_bytes = (unsigned)atoi(optarg);
			break;
		case 'o':
			request->path = optarg;
			break;
		default:
			return false;
		}
	request->is_command = !strcmp(argv[optind - 1], "--");
	return request->path && optind < argc;
}

int
main(int argc, char **argv)
{
	struct request request = {
		.wish = { .hz = 997, .stack_bytes = 65000, .kernel = true,
			  .children = true, .new_threads = true },
		.seconds = 3,
	};
	struct recorder r = { 0 };
	struct target *target = NULL;
	struct error err = { 0 };
	int go = -1;
	pid_t pid;
	bool ok;

	if (!parse_options(argc, argv, &request))
		return 2;
	request.wish.on_exec = request.is_command;
	pid = request.is_command ? hold_command(argv + optind, &go) :
				   atoi(argv[optind]);
	r.out = fopen(request.path, "w");
	ok = r.out && target_open(pid, &target, &err) &&
	     start(&r, target, &request.wish, go, &err);
	if (ok)
		run(&r, target, request.seconds);
	if (request.is_command)
		kill(pid, SIGKILL);
	ok = ok && fclose(r.out) == 0;
	if (!ok)
		fprintf(stderr, "oracle-record: %s\n", err.text);
	else
		fprintf(stderr, "%llu samples, %llu lost\n",
			(unsigned long long)r.samples,
			(unsigned long long)r.lost);
	target_free(target);
	perf_events_fini(&r.events);
	free(r.pids);
	return ok ? 0 : err.errnum == EPERM || err.errnum == EACCES ? 3 : 1;
}
