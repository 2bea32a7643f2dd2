/* SPDX-License-Identifier: MIT */
/*
 * capture.c - sampler to staging profile, on a thread of its own.
 */
#include "app/capture.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "app/signals.h"
#include "core/lookup.h"
#include "core/sanitise.h"

#define RUN_MS 100
#define STATUS_NS 500000000ull

/* Where a module was first seen. */
struct origin {
	pid_t pid;
	uint64_t start, end, inode;
	bool is_deleted;
	char *path;		/* raw, owned */
};

/* (pid, tid) as samples name a thread, and what it is in the profile. */
struct seen_thread {
	pid_t pid, tid;
	thread_id id;
};

enum wish { WISH_RUN, WISH_PAUSE, WISH_STOP };

struct capture {
	struct capture_config config;
	pid_t *tids;
	const struct sampler_ops *ops;
	void *state;
	struct sink sink;		/* the sampler borrows it */
	char refusal[240];
	pthread_t thread;
	bool has_thread;
	int wake;

	pthread_mutex_t lock;		/* all below */
	pthread_cond_t changed;
	struct profile *staging;
	enum wish wish;
	bool is_running, has_ended;
	bool has_answer, is_ok, was_refused;	/* to start() and resume() */
	struct error err;
	struct sampler_status status;
	struct origin *origins;		/* by module_id */
	size_t norigins;
	struct lookup thread_ids;
	struct seen_thread *threads;
	size_t nthreads, threads_capacity;
};

static uint64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* --- the sink; HOT where it says so */

static string_id
clean_id(struct profile *profile, const char *raw)
{
	char *clean = sanitise(raw, strlen(raw));
	string_id id = strings_add(profile_strings(profile), clean,
				   strlen(clean));

	free(clean);
	return id;
}

static void
note_origin(struct capture *c, module_id id, pid_t pid,
	    const struct mapping *mapping)
{
	struct origin *origin;

	while (c->norigins <= id) {
		size_t n = c->norigins * 2 + 64;

		c->origins = xreallocarray(c->origins, n, sizeof(*origin));
		memset(c->origins + c->norigins, 0,
		       (n - c->norigins) * sizeof(*origin));
		c->norigins = n;
	}
	origin = &c->origins[id];
	if (origin->path)
		return;
	*origin = (struct origin){
		.pid = pid, .path = xstrdup(mapping ? mapping->path : ""),
	};
	if (!mapping)
		return;
	origin->start = mapping->start;
	origin->end = mapping->end;
	origin->inode = mapping->inode;
	origin->is_deleted = mapping->is_deleted;
}

static module_id
on_module(void *ctx, pid_t pid, const struct mapping *mapping)
{
	struct capture *c = ctx;
	struct module module = { .kind = MODULE_KERNEL };
	const char *path = mapping ? mapping->path : "[kernel]";
	module_id id;

	if (mapping) {
		module.kind = mapping->kind;
		module.dev = mapping->dev;
		module.inode = mapping->inode;
	}
	if (module.kind == MODULE_JIT) {
		module.dev = 0;
		module.inode = (uint64_t)pid;
		path = "[jit]";
	} else if (module.kind == MODULE_VDSO) {
		module.dev = module.inode = 0;
	}
	pthread_mutex_lock(&c->lock);
	module.path = clean_id(c->staging, path);
	id = profile_module(c->staging, &module);
	note_origin(c, id, pid, mapping);
	pthread_mutex_unlock(&c->lock);
	return id;
}

static bool
same_thread(const void *owner, uint32_t id, const void *key)
{
	const struct capture *c = owner;
	const struct seen_thread *wanted = key;

	return c->threads[id].pid == wanted->pid &&
	       c->threads[id].tid == wanted->tid;
}

/* The entry of a thread, made at first sight; START is 0 when not known. */
static struct seen_thread *
seen(struct capture *c, pid_t pid, pid_t tid, uint64_t start)
{
	struct seen_thread key = { .pid = pid, .tid = tid };
	uint32_t hash = hash_words((uint64_t)pid, (uint64_t)tid);
	uint32_t i = lookup_find(&c->thread_ids, hash, same_thread, c, &key);

	if (i != LOOKUP_NONE) {
		if (start)
			c->threads[i].id = profile_thread(c->staging, pid, tid,
							  start);
		return &c->threads[i];
	}
	c->threads = grow(c->threads, c->nthreads, &c->threads_capacity,
			  sizeof(*c->threads));
	key.id = profile_thread(c->staging, pid, tid, start);
	c->threads[c->nthreads] = key;
	lookup_add(&c->thread_ids, hash, (uint32_t)c->nthreads);
	return &c->threads[c->nthreads++];
}

static void
on_thread(void *ctx, pid_t pid, pid_t tid, uint64_t start, const char *comm,
	  bool has_ended)
{
	struct capture *c = ctx;
	struct seen_thread *thread;

	pthread_mutex_lock(&c->lock);
	thread = seen(c, pid, tid, start);
	if (comm)
		profile_name_thread(c->staging, thread->id,
				    clean_id(c->staging, comm));
	if (has_ended)
		profile_end_thread(c->staging, thread->id);
	pthread_mutex_unlock(&c->lock);
}

static frame_id
intern_frame(struct profile *profile, const struct frame *frame)
{
	struct frame note = { .kind = FRAME_NOTE };

	if (frame->module)
		return profile_frame(profile, frame);
	note.name = clean_id(profile, sample_note_text(frame->offset));
	return profile_frame(profile, &note);
}

/* A sample may stand for several; then so does what it lacks. */
static void
count_end(struct losses *losses, const struct sample *sample)
{
	enum unwind_end end = sample->end;

	if (sample->kind != KIND_CPU)
		return;
	losses->samples += sample->weight;
	if (end == UNWIND_GUESSED)
		losses->guessed += sample->weight;
	else if (end == UNWIND_CUT || end == UNWIND_NO_RULE ||
		 end == UNWIND_STUCK)
		losses->cut += sample->weight;
}

/* HOT: once for each sample. */
static void
on_sample(void *ctx, const struct sample *sample)
{
	struct capture *c = ctx;
	struct cell cell = { .kind = sample->kind, .weight = sample->weight };

	pthread_mutex_lock(&c->lock);
	for (size_t i = sample->depth; i-- > 0;)
		cell.stack = profile_push(c->staging, cell.stack,
					  intern_frame(c->staging,
						       &sample->frames[i]));
	cell.thread = seen(c, sample->pid, sample->tid, 0)->id;
	profile_add(c->staging, sample->time_ns, &cell);
	count_end(profile_losses(c->staging), sample);
	pthread_mutex_unlock(&c->lock);
}

static void
on_lost(void *ctx, uint64_t count)
{
	struct capture *c = ctx;

	pthread_mutex_lock(&c->lock);
	profile_losses(c->staging)->lost += count;
	pthread_mutex_unlock(&c->lock);
}

static void
on_throttled(void *ctx, uint64_t count)
{
	struct capture *c = ctx;

	pthread_mutex_lock(&c->lock);
	profile_losses(c->staging)->throttled += count;
	pthread_mutex_unlock(&c->lock);
}

/* Frames say which module they are in; nothing else hangs on a process. */
static void
on_process(void *ctx, pid_t pid, bool has_execed)
{
	(void)ctx;
	(void)pid;
	(void)has_execed;
}

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
	c->sink = (struct sink){
		.ctx = c, .module = on_module, .thread = on_thread,
		.sample = on_sample, .lost = on_lost,
		.throttled = on_throttled, .process = on_process,
	};
	free(c->state);
	c->state = xcalloc(1, ops->state_size);
	c->ops = ops;
	if (c->config.shared)
		atomic_store(&c->config.shared->is_stopping,
			     ops == &sampler_ptrace);
	if (ops->start(c->state, c->config.targets, c->config.ntargets,
		       &c->config.sampler, &c->sink, err))
		return true;
	ops->stop(c->state);
	return false;
}

/* perf, and ptrace where perf is refused. */
static bool
start_any(struct capture *c, struct error *err)
{
	struct error second;

	if (c->ops || c->config.choice == SAMPLER_PTRACE)
		return start_with(c, c->ops ? c->ops : &sampler_ptrace, err);
	if (start_with(c, &sampler_perf, err))
		return true;
	if (c->config.choice == SAMPLER_PERF || !is_refusal(err->errnum))
		return false;
	snprintf(c->refusal, sizeof(c->refusal), "%s", err->text);
	if (start_with(c, &sampler_ptrace, &second))
		return true;
	if (!is_refusal(second.errnum))
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
		if (now_ns() - published > STATUS_NS) {
			publish_status(c);
			published = now_ns();
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

static void
wake(struct capture *c)
{
	uint64_t one = 1;
	ssize_t ignored = write(c->wake, &one, sizeof(one));

	(void)ignored;
}

static void
silence(struct capture *c)
{
	uint64_t rings;
	ssize_t ignored = read(c->wake, &rings, sizeof(rings));

	(void)ignored;
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
	c->staging = profile_new();
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
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
		wake(c);
}

void
capture_stop(struct capture *c)
{
	if (!c->has_thread)
		return;
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
	profile_free(c->staging);
	for (size_t i = 0; i < c->norigins; i++)
		free(c->origins[i].path);
	free(c->origins);
	lookup_fini(&c->thread_ids);
	free(c->threads);
	free(c->state);
	close(c->wake);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

void
capture_pause(struct capture *c)
{
	wish_for(c, WISH_PAUSE);
	pthread_mutex_lock(&c->lock);
	while (c->is_running)
		pthread_cond_wait(&c->changed, &c->lock);
	pthread_mutex_unlock(&c->lock);
	silence(c);
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
	pthread_mutex_lock(&c->lock);
	profile_take(dst, c->staging, fn, ctx);
	pthread_mutex_unlock(&c->lock);
}

uint64_t
capture_waiting(struct capture *c)
{
	uint64_t waiting;

	pthread_mutex_lock(&c->lock);
	waiting = profile_waiting(c->staging, KIND_CPU);
	pthread_mutex_unlock(&c->lock);
	return waiting;
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
capture_sampler(const struct capture *c)
{
	return c->ops->name;
}

const char *
capture_refusal(const struct capture *c)
{
	return c->refusal;
}

bool
capture_origin(struct capture *c, module_id module, struct open_mapping *out)
{
	const struct origin *origin;
	bool is_known;

	pthread_mutex_lock(&c->lock);
	is_known = module < c->norigins && c->origins[module].path;
	if (is_known) {
		origin = &c->origins[module];
		out->pid = origin->pid;
		out->start = origin->start;
		out->end = origin->end;
		out->inode = origin->inode;
		out->is_deleted = origin->is_deleted;
		snprintf(out->path, sizeof(out->path), "%s", origin->path);
	}
	pthread_mutex_unlock(&c->lock);
	return is_known;
}
