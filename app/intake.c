/* SPDX-License-Identifier: MIT */
/*
 * intake.c - what the sampler delivers, counted under a lock.
 */
#include "app/intake.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bell.h"
#include "core/lookup.h"
#include "core/sanitise.h"

/* Where a module was seen last. */
struct origin {
	pid_t pid;
	enum module_kind kind;
	uint64_t start, end, inode;
	bool is_deleted;
	char *path;		/* raw, owned */
	uint64_t version;	/* of a JIT's code, where frames have it */
};

/* (pid, tid) as samples name a thread, and what it is in the profile. */
struct seen_thread {
	pid_t pid, tid;
	thread_id id;
};

struct intake {
	struct row_store *rows;
	int bell;
	pthread_mutex_t lock;		/* all below */
	bool has_rung;			/* since the last was taken */
	struct profile *staging;
	struct origin *origins;		/* by module_id */
	size_t norigins;
	struct lookup thread_ids;
	struct seen_thread *threads;
	size_t nthreads, threads_capacity;
};

struct intake *
intake_new(struct row_store *rows)
{
	struct intake *in = xcalloc(1, sizeof(*in));

	in->rows = rows;
	in->bell = bell_new();
	pthread_mutex_init(&in->lock, NULL);
	in->staging = profile_new();
	return in;
}

void
intake_free(struct intake *in)
{
	if (!in)
		return;
	close(in->bell);
	profile_free(in->staging);
	for (size_t i = 0; i < in->norigins; i++)
		free(in->origins[i].path);
	free(in->origins);
	lookup_fini(&in->thread_ids);
	free(in->threads);
	pthread_mutex_destroy(&in->lock);
	free(in);
}

/* --- the sampler's side */

static string_id
clean_id(struct profile *profile, const char *raw)
{
	char *clean = sanitise(raw, strlen(raw));
	string_id id = strings_add(profile_strings(profile), clean,
				   strlen(clean));

	free(clean);
	return id;
}

/* The lock is held. */
static void
ring(struct intake *in)
{
	if (!in->has_rung)
		bell_ring(in->bell);
	in->has_rung = true;
}

static void
note_origin(struct intake *in, module_id id, pid_t pid,
	    const struct mapping *mapping)
{
	struct origin *origin;

	while (in->norigins <= id) {
		size_t n = in->norigins * 2 + 64;

		in->origins = xreallocarray(in->origins, n, sizeof(*origin));
		memset(in->origins + in->norigins, 0,
		       (n - in->norigins) * sizeof(*origin));
		in->norigins = n;
	}
	/* The newest process that has it is the one most likely to live. */
	origin = &in->origins[id];
	free(origin->path);
	*origin = (struct origin){
		.version = origin->version, .pid = pid,
		.path = xstrdup(mapping ? mapping->path : ""),
		.kind = mapping ? mapping->kind : MODULE_KERNEL,
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
	struct intake *in = ctx;
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
	pthread_mutex_lock(&in->lock);
	module.path = clean_id(in->staging, path);
	id = profile_module(in->staging, &module);
	note_origin(in, id, pid, mapping);
	ring(in);
	pthread_mutex_unlock(&in->lock);
	return id;
}

static bool
same_thread(const void *owner, uint32_t id, const void *key)
{
	const struct intake *in = owner;
	const struct seen_thread *wanted = key;

	return in->threads[id].pid == wanted->pid &&
	       in->threads[id].tid == wanted->tid;
}

/* The entry of a thread, made at first sight; START is 0 when not known. */
static struct seen_thread *
seen(struct intake *in, pid_t pid, pid_t tid, uint64_t start)
{
	struct seen_thread key = { .pid = pid, .tid = tid };
	uint32_t hash = hash_words((uint64_t)pid, (uint64_t)tid);
	uint32_t i = lookup_find(&in->thread_ids, hash, same_thread, in, &key);

	if (i != LOOKUP_NONE) {
		if (start)
			in->threads[i].id = profile_thread(in->staging, pid,
							   tid, start);
		return &in->threads[i];
	}
	in->threads = grow(in->threads, in->nthreads, &in->threads_capacity,
			  sizeof(*in->threads));
	key.id = profile_thread(in->staging, pid, tid, start);
	in->threads[in->nthreads] = key;
	lookup_add(&in->thread_ids, hash, (uint32_t)in->nthreads);
	return &in->threads[in->nthreads++];
}

static void
on_thread(void *ctx, pid_t pid, pid_t tid, uint64_t start, const char *comm,
	  bool has_ended)
{
	struct intake *in = ctx;
	struct seen_thread *thread;

	pthread_mutex_lock(&in->lock);
	thread = seen(in, pid, tid, start);
	if (comm)
		profile_name_thread(in->staging, thread->id,
				    clean_id(in->staging, comm));
	if (has_ended)
		profile_end_thread(in->staging, thread->id);
	pthread_mutex_unlock(&in->lock);
}

static frame_id
intern_frame(struct intake *in, const struct frame *frame)
{
	struct frame note = { .kind = FRAME_NOTE }, now = *frame;

	if (frame->kind == FRAME_JIT && frame->module < in->norigins)
		now.offset |= in->origins[frame->module].version;
	if (frame->module)
		return profile_frame(in->staging, &now);
	note.name = clean_id(in->staging, sample_note_text(frame->offset));
	return profile_frame(in->staging, &note);
}

/* A sample may stand for several; then so does what it lacks. */
static void
count_end(struct losses *losses, const struct sample *sample)
{
	enum unwind_end end = sample->end;

	if (sample->kind != KIND_CPU)
		return;
	losses->samples += sample->weight;
	losses->rules_late += sample->is_late ? sample->weight : 0;
	if (end == UNWIND_GUESSED)
		losses->guessed += sample->weight;
	else if (end == UNWIND_STITCHED)
		losses->stitched += sample->weight;
	else if (end == UNWIND_DEEP)
		losses->deep += sample->weight;
	else if (end == UNWIND_CUT || end == UNWIND_NO_RULE ||
		 end == UNWIND_STUCK)
		losses->cut += sample->weight;
}

/* HOT: once for each sample. */
static void
on_sample(void *ctx, const struct sample *sample)
{
	struct intake *in = ctx;
	struct cell cell = { .kind = sample->kind, .weight = sample->weight };

	pthread_mutex_lock(&in->lock);
	for (size_t i = sample->depth; i-- > 0;)
		cell.stack = profile_push(in->staging, cell.stack,
					  intern_frame(in,
						       &sample->frames[i]));
	cell.thread = seen(in, sample->pid, sample->tid, 0)->id;
	profile_add(in->staging, sample->time_ns, &cell);
	count_end(profile_losses(in->staging), sample);
	ring(in);
	pthread_mutex_unlock(&in->lock);
}

static enum rows_state
on_rows(void *ctx, module_id module, uint64_t offset, bool is_full,
	struct rows *out)
{
	struct intake *in = ctx;

	return row_store_find(in->rows, module, offset, is_full, out);
}

static uint64_t
on_rows_version(void *ctx)
{
	struct intake *in = ctx;

	return row_store_version(in->rows);
}

static void
on_lost(void *ctx, uint64_t count)
{
	struct intake *in = ctx;

	pthread_mutex_lock(&in->lock);
	profile_losses(in->staging)->lost += count;
	pthread_mutex_unlock(&in->lock);
}

static void
on_throttled(void *ctx, uint64_t count)
{
	struct intake *in = ctx;

	pthread_mutex_lock(&in->lock);
	profile_losses(in->staging)->throttled += count;
	pthread_mutex_unlock(&in->lock);
}

/* Frames say which module they are in; nothing else hangs on a process. */
static void
on_process(void *ctx, pid_t pid, bool has_execed)
{
	(void)ctx;
	(void)pid;
	(void)has_execed;
}

struct sink
intake_sink(struct intake *in)
{
	return (struct sink){
		.ctx = in, .module = on_module, .thread = on_thread,
		.sample = on_sample, .rows = on_rows,
		.rows_version = on_rows_version, .lost = on_lost,
		.throttled = on_throttled, .process = on_process,
	};
}

/* --- main's side */

void
intake_take(struct intake *in, struct profile *dst, cell_fn fn, void *ctx)
{
	pthread_mutex_lock(&in->lock);
	profile_take(dst, in->staging, fn, ctx);
	if (in->has_rung)
		bell_silence(in->bell);
	in->has_rung = false;
	pthread_mutex_unlock(&in->lock);
}

int
intake_fd(const struct intake *in)
{
	return in->bell;
}

uint64_t
intake_waiting(struct intake *in)
{
	uint64_t waiting;

	pthread_mutex_lock(&in->lock);
	waiting = profile_waiting(in->staging, KIND_CPU);
	pthread_mutex_unlock(&in->lock);
	return waiting;
}

bool
intake_origin(struct intake *in, module_id module, struct open_mapping *out)
{
	const struct origin *origin;
	bool is_known;

	pthread_mutex_lock(&in->lock);
	is_known = module < in->norigins && in->origins[module].path;
	if (is_known) {
		origin = &in->origins[module];
		out->pid = origin->pid;
		out->kind = origin->kind;
		out->start = origin->start;
		out->end = origin->end;
		out->inode = origin->inode;
		out->is_deleted = origin->is_deleted;
		snprintf(out->path, sizeof(out->path), "%s", origin->path);
	}
	pthread_mutex_unlock(&in->lock);
	return is_known;
}

void
intake_version(struct intake *in, module_id module, uint32_t version)
{
	uint64_t high = (uint64_t)version * (FRAME_ADDRESS + 1);

	pthread_mutex_lock(&in->lock);
	if (module < in->norigins && high > in->origins[module].version)
		in->origins[module].version = high;
	pthread_mutex_unlock(&in->lock);
}
