/* SPDX-License-Identifier: MIT */
/*
 * opener.c - jobs, their thread, and leaving both behind.
 */
#include "app/opener.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/bell.h"
#include "app/signals.h"
#include "sampler/clock.h"

struct task {
	struct task *next;
	struct opener_job job;
	struct opener_result result;
	uint64_t began_ns;		/* 0: nobody took it yet */
	bool is_done, is_abandoned;
};

/*
 * Shared with the thread, and with threads that were left behind: freed by
 * the last that lets go.
 */
struct opener {
	pthread_mutex_t lock;
	pthread_cond_t has_work;
	unsigned holders;
	bool is_closing;
	bool is_manned;			/* a thread takes the next task */
	int event;
	struct task *first, **last;	/* in order; done ones leave first */
};

static int
open_job(const struct opener_job *job, struct opener_result *result)
{
	struct error *err = &result->err;

	switch (job->kind) {
	case OPENER_FILE:
		return open_file(job->mapping.path, job->max, NULL, err);
	case OPENER_MODULE:
		return open_module(&job->mapping, err);
	case OPENER_DEBUG:
		result->place = job->place;
		return open_debug(&job->mapping, &job->hint, &result->place,
				  err);
	case OPENER_COMMON:
		return open_common(&job->mapping, &job->hint, err);
	case OPENER_PERF_MAP:
		return open_perf_map(job->mapping.pid, &result->size, err);
	case OPENER_JITDUMP:
		return open_jitdump(job->mapping.pid, &result->size, err);
	case OPENER_VDSO:
		return open_vdso(&job->mapping, err);
	case OPENER_KALLSYMS:
		return open_kallsyms(err);
	case OPENER_FOLDER:
		result->folder = folder_list(job->mapping.path, job->start,
					     err);
		return -1;
	}
	return -1;
}

/* Leaves the lock behind. */
static void
let_go(struct opener *opener)
{
	bool is_last = --opener->holders == 0;

	pthread_mutex_unlock(&opener->lock);
	if (!is_last)
		return;
	while (opener->first) {
		struct task *task = opener->first;

		opener->first = task->next;
		if (task->is_done && task->result.fd >= 0)
			close(task->result.fd);
		folder_free(task->is_done ? task->result.folder : NULL);
		free(task);
	}
	close(opener->event);
	pthread_cond_destroy(&opener->has_work);
	pthread_mutex_destroy(&opener->lock);
	free(opener);
}

static struct task *
next_task(const struct opener *opener)
{
	struct task *task = opener->first;

	while (task && (task->is_done || task->began_ns))
		task = task->next;
	return task;
}

static void *
work(void *ctx)
{
	struct opener *opener = ctx;

	pthread_mutex_lock(&opener->lock);
	while (!opener->is_closing) {
		struct task *task = next_task(opener);
		int fd;

		if (!task) {
			pthread_cond_wait(&opener->has_work, &opener->lock);
			continue;
		}
		task->began_ns = clock_now();
		pthread_mutex_unlock(&opener->lock);
		fd = open_job(&task->job, &task->result);
		pthread_mutex_lock(&opener->lock);
		if (task->is_abandoned) {
			if (fd >= 0)
				close(fd);
			folder_free(task->result.folder);
			free(task);
			break;
		}
		task->result.fd = fd;
		task->is_done = true;
		bell_ring(opener->event);
	}
	let_go(opener);
	return NULL;
}

static void
start_thread(struct opener *opener)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t before;

	signals_quiet(&before);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 256 << 10);
	opener->is_manned = pthread_create(&thread, &attr, work, opener) == 0;
	opener->holders += opener->is_manned;
	pthread_attr_destroy(&attr);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct opener *
opener_new(void)
{
	struct opener *opener = xcalloc(1, sizeof(*opener));

	pthread_mutex_init(&opener->lock, NULL);
	pthread_cond_init(&opener->has_work, NULL);
	opener->event = bell_new();
	opener->last = &opener->first;
	opener->holders = 1;
	pthread_mutex_lock(&opener->lock);
	start_thread(opener);
	pthread_mutex_unlock(&opener->lock);
	return opener;
}

void
opener_free(struct opener *opener)
{
	if (!opener)
		return;
	pthread_mutex_lock(&opener->lock);
	opener->is_closing = true;
	pthread_cond_broadcast(&opener->has_work);
	let_go(opener);
}

int
opener_fd(const struct opener *opener)
{
	return opener->event;
}

void
opener_ask(struct opener *opener, const struct opener_job *job)
{
	struct task *task = xcalloc(1, sizeof(*task));

	task->job = *job;
	task->result = (struct opener_result){
		.kind = job->kind, .tag = job->tag, .fd = -1,
	};
	pthread_mutex_lock(&opener->lock);
	*opener->last = task;
	opener->last = &task->next;
	pthread_cond_signal(&opener->has_work);
	pthread_mutex_unlock(&opener->lock);
}

static bool
hangs(const struct task *task)
{
	return task->began_ns && !task->is_done &&
	       clock_now() - task->began_ns > OPENER_MS * 1000000ull;
}

/* The answer to a task that brings none itself. */
static void
give_up(struct opener *opener, struct task *task, struct opener_result *out)
{
	/* Not task->result: a thread may be writing to that. */
	*out = (struct opener_result){
		.kind = task->job.kind, .tag = task->job.tag, .fd = -1,
	};
	if (!task->began_ns) {
		fail(&out->err, EAGAIN, "no thread to open %.150s",
		     task->job.mapping.path);
		free(task);
		return;
	}
	fail(&out->err, ETIMEDOUT, "opening %.150s hangs",
	     task->job.mapping.path);
	task->is_abandoned = true;
	start_thread(opener);
}

bool
opener_next(struct opener *opener, struct opener_result *out)
{
	struct task *task;
	bool is_there;

	pthread_mutex_lock(&opener->lock);
	task = opener->first;
	if (task && !opener->is_manned)
		start_thread(opener);
	is_there = task && (task->is_done || hangs(task) ||
			    (!task->began_ns && !opener->is_manned));
	if (is_there) {
		opener->first = task->next;
		if (!opener->first)
			opener->last = &opener->first;
		if (task->is_done) {
			*out = task->result;
			free(task);
		} else {
			give_up(opener, task, out);
		}
	}
	/* It stays rung as long as another result is waiting. */
	if (!opener->first || !opener->first->is_done)
		bell_silence(opener->event);
	pthread_mutex_unlock(&opener->lock);
	return is_there;
}

int
opener_open_now(struct opener *opener, const char *path, uint64_t max,
		struct error *err)
{
	struct opener_job *job = xcalloc(1, sizeof(*job));
	struct opener_result result;

	job->kind = OPENER_FILE;
	job->max = max;
	snprintf(job->mapping.path, sizeof(job->mapping.path), "%s", path);
	opener_ask(opener, job);
	free(job);
	while (!opener_next(opener, &result)) {
		struct pollfd ready = { opener->event, POLLIN, 0 };

		poll(&ready, 1, 100);
	}
	if (result.fd < 0 && err)
		*err = result.err;
	return result.fd;
}
