/* SPDX-License-Identifier: MIT */
/*
 * capture.c - the sampler on a thread of its own, and telling it what to do.
 */
#include "app/capture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "app/bell.h"
#include "app/intake.h"
#include "app/signals.h"
#include "sampler/clock.h"

#define RUN_MS 100
#define STATUS_NS 500000000ull

enum wish { WISH_RUN, WISH_PAUSE, WISH_STOP };

struct capture {
	struct capture_config config;
	pid_t *tids;
	const struct sampler_ops *ops;
	void *state;
	struct row_store *rows;
	struct intake *intake;
	struct sink sink;		/* into the intake; borrowed by the
					   sampler */
	char refusal[sizeof(((struct error *)NULL)->text)];
	pthread_t thread;
	bool has_thread;
	int wake;

	pthread_mutex_t lock;		/* all below */
	pthread_cond_t changed;
	enum wish wish;
	bool is_running, has_ended;
	bool has_answer, is_ok, was_refused;	/* to start() and resume() */
	struct error err;
	struct sampler_status status;
};

/* --- the thread */

static bool
is_refusal(int errnum)
{
	return errnum == EPERM || errnum == EACCES || errnum == ENOSYS ||
	       errnum == ENODEV;
}

static bool
start_with(struct capture *c, const struct sampler_ops *ops,
	   struct error *err)
{
	free(c->state);
	c->state = xcalloc(1, ops->state_size);
	c->ops = ops;
	if (ops->start(c->state, c->config.targets, c->config.ntargets,
		       &c->config.sampler, &c->sink, err)) {
		/* Till now the supervisor has watched, whatever comes. */
		if (c->config.shared && !ops->is_stopping)
			atomic_store(&c->config.shared->is_stopping, false);
		return true;
	}
	ops->stop(c->state);
	return false;
}

/* Neither way is open: both causes, unless they are one. */
static bool
refuse_both(struct error *err, const struct error *second)
{
	struct error first = *err;

	if (strcmp(first.text, second->text) == 0)
		return false;
	return explain(err, first.errnum, "%s; and %s", first.text,
		       second->text);
}

/* The one that was asked for, and no other. */
static bool
start_only(struct capture *c, const struct sampler_ops *ops,
	   const char *other, struct error *err)
{
	struct error own;

	if (start_with(c, ops, &own))
		return true;
	if (is_refusal(own.errnum))
		return explain(err, own.errnum, "%s; or try --sampler %s",
			       own.text, other);
	*err = own;
	return false;
}

/* perf, and ptrace where perf is refused. */
static bool
start_any(struct capture *c, struct error *err)
{
	struct error second;

	if (c->ops)
		return start_with(c, c->ops, err);
	if (c->config.choice == SAMPLER_DUMP)
		return start_with(c, &sampler_dump, err);
	if (c->config.choice == SAMPLER_PTRACE)
		return start_only(c, &sampler_ptrace, "perf", err);
	if (c->config.choice == SAMPLER_PERF)
		return start_only(c, &sampler_perf, "ptrace", err);
	if (start_with(c, &sampler_perf, err))
		return true;
	if (!is_refusal(err->errnum))
		return false;
	snprintf(c->refusal, sizeof(c->refusal), "%s", err->text);
	if (start_with(c, &sampler_ptrace, &second))
		return true;
	if (is_refusal(second.errnum))
		return refuse_both(err, &second);
	*err = second;
	return false;
}

static void
answer(struct capture *c, bool ok, const struct error *err)
{
	pthread_mutex_lock(&c->lock);
	c->is_ok = ok;
	c->is_running = ok;
	if (!ok) {
		c->err = *err;
		c->was_refused = is_refusal(err->errnum);
	}
	c->has_answer = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

static enum wish
wish_of(struct capture *c)
{
	enum wish wish;

	pthread_mutex_lock(&c->lock);
	wish = c->wish;
	pthread_mutex_unlock(&c->lock);
	return wish;
}

static void
publish_status(struct capture *c)
{
	struct sampler_status status = { 0 };

	c->ops->status(c->state, &status);
	pthread_mutex_lock(&c->lock);
	c->status = status;
	pthread_mutex_unlock(&c->lock);
}

/* Sample until told otherwise; true when the targets are gone. */
static bool
run_sampler(struct capture *c)
{
	uint64_t published = 0;
	bool has_ended = false;

	while (!has_ended && wish_of(c) == WISH_RUN) {
		has_ended = !c->ops->run(c->state, RUN_MS, c->wake);
		bell_silence(c->wake);	/* what it was rung for is looked at next */
		if (clock_now() - published > STATUS_NS) {
			publish_status(c);
			published = clock_now();
		}
	}
	publish_status(c);
	c->ops->stop(c->state);
	return has_ended;
}

/* Paused: wait for another wish. */
static void
wait_for_wish(struct capture *c, bool has_ended)
{
	pthread_mutex_lock(&c->lock);
	c->is_running = false;
	c->has_ended = has_ended;
	pthread_cond_broadcast(&c->changed);
	while (c->wish == WISH_PAUSE || (has_ended && c->wish == WISH_RUN))
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

static void *
capture_main(void *ctx)
{
	struct capture *c = ctx;

	prctl(PR_SET_NAME, "flametop-capt");
	while (wish_of(c) == WISH_RUN) {
		struct error err = { 0 };
		bool ok = start_any(c, &err);

		answer(c, ok, &err);
		if (!ok)
			break;
		wait_for_wish(c, run_sampler(c));
	}
	return NULL;
}

/* Wait for the thread's answer to a start. */
static bool
await_answer(struct capture *c, struct error *err)
{
	bool ok;

	pthread_mutex_lock(&c->lock);
	while (!c->has_answer)
		pthread_cond_wait(&c->changed, &c->lock);
	ok = c->is_ok;
	if (!ok && err)
		*err = c->err;
	pthread_mutex_unlock(&c->lock);
	return ok;
}

bool
capture_start(const struct capture_config *config, struct capture **out,
	      bool *was_refused, struct error *err)
{
	struct capture *c = xcalloc(1, sizeof(*c));
	sigset_t before;

	c->config = *config;
	if (config->shared)
		c->config.sampler.watch = &config->shared->watch;
	c->wake = bell_new();
	c->rows = row_store_new(c->wake);
	c->intake = intake_new(c->rows);
	c->sink = intake_sink(c->intake);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	signals_quiet(&before);
	c->has_thread = pthread_create(&c->thread, NULL, capture_main, c) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	*was_refused = false;
	if (c->has_thread ? await_answer(c, err) :
			    fail(err, EAGAIN, "cannot start a thread")) {
		*out = c;
		return true;
	}
	*was_refused = c->was_refused;
	capture_free(c);
	return false;
}

static void
wish_for(struct capture *c, enum wish wish)
{
	pthread_mutex_lock(&c->lock);
	c->wish = wish;
	c->has_answer = false;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	if (wish != WISH_RUN)
		bell_ring(c->wake);
}

void
capture_pause(struct capture *c)
{
	wish_for(c, WISH_PAUSE);
	pthread_mutex_lock(&c->lock);
	while (c->is_running)
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void
capture_stop(struct capture *c)
{
	if (!c->has_thread)
		return;
	capture_pause(c);
	wish_for(c, WISH_STOP);
	pthread_join(c->thread, NULL);
	c->has_thread = false;
}

void
capture_free(struct capture *c)
{
	if (!c)
		return;
	capture_stop(c);
	intake_free(c->intake);
	row_store_free(c->rows);
	free(c->state);
	close(c->wake);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

bool
capture_resume(struct capture *c, struct error *err)
{
	bool has_ended;

	pthread_mutex_lock(&c->lock);
	has_ended = c->has_ended;
	pthread_mutex_unlock(&c->lock);
	if (has_ended)
		return true;
	wish_for(c, WISH_RUN);
	return await_answer(c, err);
}

void
capture_take(struct capture *c, struct profile *dst, cell_fn fn, void *ctx)
{
	intake_take(c->intake, dst, fn, ctx);
}

int
capture_fd(const struct capture *c)
{
	return intake_fd(c->intake);
}

uint64_t
capture_waiting(struct capture *c)
{
	return intake_waiting(c->intake);
}

struct row_store *
capture_rows(struct capture *c)
{
	return c->rows;
}

bool
capture_has_ended(struct capture *c)
{
	bool has_ended;

	pthread_mutex_lock(&c->lock);
	has_ended = c->has_ended;
	pthread_mutex_unlock(&c->lock);
	return has_ended;
}

void
capture_status(struct capture *c, struct sampler_status *out)
{
	pthread_mutex_lock(&c->lock);
	*out = c->status;
	pthread_mutex_unlock(&c->lock);
}

const char *
capture_refusal(const struct capture *c)
{
	return c->refusal;
}

bool
capture_origin(struct capture *c, module_id module, struct open_mapping *out)
{
	return intake_origin(c->intake, module, out);
}

void
capture_version(struct capture *c, module_id module, uint32_t version)
{
	intake_version(c->intake, module, version);
}
