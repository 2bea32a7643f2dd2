/* SPDX-License-Identifier: MIT */
/*
 * sampler.h - the interface every way of sampling fills.
 *
 *	perf	perf_event_open(2): stops nothing
 *	ptrace	stops one running thread at a time, for microseconds
 *	dump	every thread once, and then it is over (sampler/dump.h)
 *
 * A sampler runs on the capture thread alone. It unwinds and hands over whole
 * samples; names are not its business.
 */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/maps.h"
#include "core/sample.h"
#include "sampler/target.h"
#include "sampler/unwind/unwind.h"

/*
 * Shared with the supervisor, so that it can kill us when a thread of the
 * target stays stopped because nobody is there to let it go. Zeroed at first.
 */
#define STOP_WATCH_TIDS 16
struct stop_watch {
	_Atomic uint64_t since_ns;	/* the last beat; 0: none attached */
	_Atomic pid_t tids[STOP_WATCH_TIDS];
};

/* These threads may be stopped, and we are there; more are not remembered. */
void stop_watch_beat(struct stop_watch *watch, const pid_t *tids,
		     size_t count);

/*
 * Has there been no beat for LIMIT_NS, at least 100 ms, while one of them is
 * stopped?
 */
bool stop_watch_is_late(const struct stop_watch *watch, uint64_t limit_ns);

struct sampler_config {
	unsigned hz;			/* samples a second and CPU or thread */
	unsigned stack_bytes;		/* stack copy; 16384 */
	enum unwind_mode unwind;
	bool kernel;			/* kernel frames, if permitted */
	bool follow;			/* children too */
	bool hold;			/* targets have not started: begin with
					   their exec (-- CMD) */
	bool no_restart;		/* ptrace, tests only: leave cut calls
					   cut (samplers' law 4.2b off) */
	unsigned stop_permille;		/* ptrace: the part of the target's
					   time it may be stopped; 0: 10 */
	const pid_t *tids;		/* only these threads; NULL: all */
	size_t ntids;
	struct stop_watch *watch;	/* may be NULL */
	struct dump *dump;		/* sampler_dump: what to fill; else
					   NULL */
};

/* Is thread TID one of those that are asked for? */
static inline bool
sampler_wants(const struct sampler_config *config, pid_t tid)
{
	for (size_t i = 0; i < config->ntids; i++)
		if (config->tids[i] == tid)
			return true;
	return !config->tids;
}

/* Where a sampler delivers. Called on its thread only; borrows everything. */
struct sink {
	void *ctx;

	/*
	 * The module of a mapping of process PID (through live thread TID),
	 * asked once for each and then kept in the mapping; and the kernel's,
	 * for a NULL mapping.
	 */
	module_id (*module)(void *ctx, pid_t pid,
			    const struct mapping *mapping);

	/* A thread was seen, has a new name (raw bytes), or has ended. */
	void (*thread)(void *ctx, pid_t pid, pid_t tid, uint64_t start,
		       const char *comm, bool has_ended);

	void (*sample)(void *ctx, const struct sample *sample);

	/*
	 * The table of unwind rules for OFFSET of a module's file, see struct
	 * row_source; and a number that grows when one which was asked for
	 * has come, or will not. NULL, both: there are none.
	 */
	enum rows_state (*rows)(void *ctx, module_id module, uint64_t offset,
				bool is_full, struct rows *out);
	uint64_t (*rows_version)(void *ctx);

	/* COUNT samples were lost; the event was paused COUNT times. */
	void (*lost)(void *ctx, uint64_t count);
	void (*throttled)(void *ctx, uint64_t count);

	/* Process PID ended or (HAS_EXECED) runs another program now. */
	void (*process)(void *ctx, pid_t pid, bool has_execed);
};

struct sampler_status {
	char event[32];			/* "cpu-clock", "cycles", "ptrace" */
	char note[200];			/* what is missing and why; or "" */
	bool has_kernel;
	unsigned threads_seen;		/* alive and watched */
	unsigned threads_total;
	/* ptrace only */
	uint64_t stops, restarts, skips;
	uint64_t stopped_ns, stop_max_ns;
};

struct sampler_ops {
	const char *name;
	bool is_stopping;	/* threads are, so the stop watch is minded */
	size_t state_size;	/* zeroed state handed to every call below */

	/*
	 * Begin sampling N targets (borrowed until stop()). On failure ERR
	 * says what the user can do about it; err->errnum tells a refusal
	 * (EPERM, EACCES, ENOSYS, ENODEV) from the rest.
	 */
	bool (*start)(void *state, struct target *const *targets, size_t n,
		      const struct sampler_config *config,
		      const struct sink *sink, struct error *err);

	/*
	 * Wait for work at most TIMEOUT_MS (or until WAKE_FD is readable) and
	 * deliver what has arrived. False: every target is gone.
	 */
	bool (*run)(void *state, int timeout_ms, int wake_fd);

	void (*status)(void *state, struct sampler_status *out);

	/* Undo start(), deliver the rest; legal on what never started. */
	void (*stop)(void *state);
};

extern const struct sampler_ops sampler_perf, sampler_ptrace, sampler_dump;

#endif
