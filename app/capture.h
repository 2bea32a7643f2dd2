/* SPDX-License-Identifier: MIT */
/*
 * capture.h - the thread that samples, and the profile it fills.
 *
 * It drains, unwinds and counts into a staging profile. Nothing that a
 * terminal, a slow disk or a symbol file does can hold it up: main comes and
 * takes what is new under a lock that is held for less than a millisecond.
 */
#ifndef APP_CAPTURE_H
#define APP_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "app/open.h"
#include "app/row_store.h"
#include "app/supervisor.h"
#include "core/profile.h"
#include "sampler/sampler.h"

/* In the order of --sampler's words, but for the last, which has none. */
enum sampler_choice {
	SAMPLER_AUTO, SAMPLER_PERF, SAMPLER_PTRACE, SAMPLER_DUMP,
};

struct capture_config {
	enum sampler_choice choice;
	struct sampler_config sampler;
	struct target *const *targets;	/* borrowed until capture_free() */
	size_t ntargets;
	struct shared *shared;
};

struct capture;

/*
 * Start the thread and wait until it samples. When perf is refused and the
 * choice is left to us, ptrace is tried. On failure *WAS_REFUSED tells a
 * missing right from the rest.
 */
bool capture_start(const struct capture_config *config, struct capture **out,
		   bool *was_refused, struct error *err);

/* Pause, and end the thread; what was sampled can still be taken. Legal
   twice. */
void capture_stop(struct capture *capture);
void capture_free(struct capture *capture);

/*
 * Let the targets go, and wait until it is so: what waits for tables has its
 * time (sampler/waiting.h). capture_resume() waits until sampling has begun
 * again.
 */
void capture_pause(struct capture *capture);
bool capture_resume(struct capture *capture, struct error *err);

/* profile_take() with the lock held. */
void capture_take(struct capture *capture, struct profile *dst, cell_fn fn,
		  void *ctx);

/*
 * Readable while capture_take() would bring samples, or modules that a stack
 * has led to.
 */
int capture_fd(const struct capture *capture);

/* Samples that capture_take() would bring. */
uint64_t capture_waiting(struct capture *capture);

/* Which tables of unwind rules it needs, for app/tables.h. */
struct row_store *capture_rows(struct capture *capture);

/* Every target has ended. */
bool capture_has_ended(struct capture *capture);

/* As of at most a second ago. */
void capture_status(struct capture *capture, struct sampler_status *out);

/* Why not perf, or "". Valid until capture_free(). */
const char *capture_refusal(const struct capture *capture);

/* Where the code of MODULE is mapped; false if it is nowhere. */
bool capture_origin(struct capture *capture, module_id module,
		    struct open_mapping *out);

/* From now on frames of MODULE, a JIT's, are of VERSION (core/profile.h). */
void capture_version(struct capture *capture, module_id module,
		     uint32_t version);

#endif
