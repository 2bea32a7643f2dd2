/* SPDX-License-Identifier: MIT */
/*
 * stops.c - sampling by ptrace(2) alone, for tests: no names, only counts.
 *
 *	stops [-F HZ] [-d SECONDS] [-n STOPS] [-b PERMILLE] [-c] [-f] [-x]
 *	      PID...
 *
 * Runs for SECONDS or until so many STOPS were made, and prints what each
 * thread got and what the stops took. -c leaves cut calls cut, -f follows
 * children, -x waits for the target's exec. "ready" on standard error says
 * that it has begun. SIGTERM ends it as time does.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sampler/clock.h"
#include "sampler/ptrace_stop.h"
#include "sampler/sampler.h"

#define PROCESSES 16
#define THREADS 65536
#define BINS 10000		/* of a microsecond each */

struct count {
	pid_t pid, tid;
	char comm[16];
	uint64_t samples, whole;
};

struct tally {
	struct count *threads;	/* by tid modulo THREADS */
	uint64_t samples, lost, ended, execs;
	uint32_t bins[BINS];
	uint64_t binned;
};

struct job {
	struct sampler_config config;
	double seconds;
	uint64_t stops;
	struct target *targets[PROCESSES];
	size_t count;
};

static volatile sig_atomic_t is_over;

static void
end_now(int signal)
{
	(void)signal;
	is_over = 1;
}

static struct count *
count_of(struct tally *tally, pid_t pid, pid_t tid)
{
	struct count *count = &tally->threads[tid % THREADS];

	count->pid = pid;
	count->tid = tid;
	return count;
}

static module_id
on_module(void *ctx, pid_t pid, const struct mapping *mapping)
{
	(void)ctx;
	(void)pid;
	(void)mapping;
	return 1;
}

static void
on_thread(void *ctx, pid_t pid, pid_t tid, uint64_t start, const char *comm,
	  bool has_ended)
{
	struct tally *tally = ctx;

	(void)start;
	memcpy(count_of(tally, pid, tid)->comm, comm, 16);
	tally->ended += has_ended;
}

static void
on_sample(void *ctx, const struct sample *sample)
{
	struct tally *tally = ctx;
	struct count *count = count_of(tally, sample->pid, sample->tid);

	count->samples += sample->weight;
	count->whole += sample->end == UNWIND_COMPLETE ? sample->weight : 0;
	tally->samples += sample->weight;
}

static void
on_lost(void *ctx, uint64_t count)
{
	struct tally *tally = ctx;

	tally->lost += count;
}

static void
on_throttled(void *ctx, uint64_t count)
{
	(void)ctx;
	(void)count;
}

static void
on_process(void *ctx, pid_t pid, bool has_execed)
{
	struct tally *tally = ctx;

	(void)pid;
	tally->execs += has_execed;
}

/* Between two calls there is mostly one stop, so its length can be told. */
static void
count_stop(struct tally *tally, const struct sampler_status *before,
	   const struct sampler_status *now)
{
	uint64_t us = (now->stopped_ns - before->stopped_ns) / 1000;

	if (now->stops != before->stops + 1)
		return;
	tally->bins[us < BINS ? us : BINS - 1]++;
	tally->binned++;
}

static unsigned
percentile(const struct tally *tally, unsigned permille)
{
	uint64_t sum = 0;
	unsigned i;

	for (i = 0; i < BINS - 1; i++) {
		sum += tally->bins[i];
		if (sum * 1000 >= tally->binned * permille)
			break;
	}
	return i;
}

static void
print(const struct tally *tally, const struct sampler_status *status,
      double seconds)
{
	size_t i;

	for (i = 0; i < THREADS; i++) {
		const struct count *count = &tally->threads[i];

		if (count->samples)
			printf("thread %d %s samples %llu whole %llu\n",
			       (int)count->tid, count->comm,
			       (unsigned long long)count->samples,
			       (unsigned long long)count->whole);
	}
	printf("samples %llu lost %llu ended %llu execs %llu threads %u of %u "
	       "seconds %.2f\n", (unsigned long long)tally->samples,
	       (unsigned long long)tally->lost,
	       (unsigned long long)tally->ended,
	       (unsigned long long)tally->execs, status->threads_seen,
	       status->threads_total, seconds);
	printf("stops %llu restarts %llu skips %llu stopped_us %llu p50_us %u "
	       "p99_us %u max_us %llu\n", (unsigned long long)status->stops,
	       (unsigned long long)status->restarts,
	       (unsigned long long)status->skips,
	       (unsigned long long)status->stopped_ns / 1000,
	       percentile(tally, 500), percentile(tally, 990),
	       (unsigned long long)status->stop_max_ns / 1000);
	if (status->note[0])
		printf("note %s\n", status->note);
}

static bool
sample(struct job *job, struct tally *tally, struct error *err)
{
	const struct sink sink = {
		.ctx = tally, .module = on_module, .thread = on_thread,
		.sample = on_sample, .lost = on_lost,
		.throttled = on_throttled, .process = on_process,
	};
	void *state = xcalloc(1, sampler_ptrace.state_size);
	struct sampler_status before = { 0 }, now = { 0 };
	uint64_t begin = clock_now(), end;
	bool runs;

	if (!sampler_ptrace.start(state, job->targets, job->count,
				  &job->config, &sink, err)) {
		free(state);
		return false;
	}
	fprintf(stderr, "ready\n");
	end = begin + (uint64_t)(job->seconds * 1e9);
	do {
		before = now;
		runs = sampler_ptrace.run(state, 1, -1);
		sampler_ptrace.status(state, &now);
		count_stop(tally, &before, &now);
	} while (runs && !is_over && clock_now() < end &&
		 now.stops < job->stops);
	sampler_ptrace.stop(state);
	print(tally, &now, (double)(clock_now() - begin) / 1e9);
	free(state);
	return true;
}

static bool
parse(struct job *job, int argc, char **argv, struct error *err)
{
	int option;

	while ((option = getopt(argc, argv, "F:d:n:b:cfx")) != -1) {
		switch (option) {
		case 'F': job->config.hz = (unsigned)atoi(optarg); break;
		case 'd': job->seconds = atof(optarg); break;
		case 'n': job->stops = strtoull(optarg, NULL, 10); break;
		case 'b':
			job->config.stop_permille = (unsigned)atoi(optarg);
			break;
		case 'c': job->config.no_restart = true; break;
		case 'f': job->config.follow = true; break;
		case 'x': job->config.hold = true; break;
		default: return fail(err, 0, "unknown option");
		}
	}
	for (; optind < argc && job->count < PROCESSES; optind++)
		if (!target_open((pid_t)atoi(argv[optind]),
				 &job->targets[job->count++], err))
			return false;
	return job->count || fail(err, 0, "no process given");
}

int
main(int argc, char **argv)
{
	struct stop_watch watch = { 0 };
	struct job job = {
		.config = { .hz = 99, .stack_bytes = 16384, .watch = &watch },
		.seconds = 10, .stops = UINT64_MAX,
	};
	struct tally *tally = xcalloc(1, sizeof(*tally));
	struct sigaction action = { .sa_handler = end_now };
	struct error err;
	size_t i;
	bool ok;

	tally->threads = xcalloc(THREADS, sizeof(*tally->threads));
	sigaction(SIGTERM, &action, NULL);
	ok = parse(&job, argc, argv, &err) && sample(&job, tally, &err);
	if (!ok)
		fprintf(stderr, "stops: %s\n", err.text);
	for (i = 0; i < job.count; i++)
		target_free(job.targets[i]);
	free(tally->threads);
	free(tally);
	return ok ? 0 : err.errnum == EPERM ? 3 : 1;
}
