/* SPDX-License-Identifier: MIT */
/*
 * recording.h - one sampling of some targets: what live, record and report
 * have in common.
 *
 *	targets -> capture -> (take) -> profile --+-- names <- client <- symbols
 *	             ^                            +-- whoever asked: cell_fn
 *	             +-- tables of unwind rules, by a thread (app/tables.h)
 */
#ifndef APP_RECORDING_H
#define APP_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "app/capture.h"
#include "app/client.h"
#include "app/options.h"
#include "app/supervisor.h"
#include "app/tables.h"
#include "app/targets.h"
#include "core/names.h"
#include "core/profile.h"
#include "tui/view.h"

struct recording {
	const struct options *options;
	struct link *link;
	struct targets targets;
	struct opener *opener;
	struct client *client;
	struct capture *capture;	/* NULL: a file is looked at */
	struct tables *tables;
	struct dump *dump;		/* set it to have every thread once and
					   no more; borrowed. NULL else */
	struct profile *profile;
	struct names *names;

	uint64_t began_ns, ended_ns;	/* ended: 0 while it goes on */
	uint64_t *leaf_weights;		/* by frame: samples that end there */
	size_t nleaves, leaves_capacity;
	uint64_t samples;		/* taken so far, KIND_CPU */
	bool command_has_ended;
	int command_status;		/* waitpid */
	bool editor_has_ended;		/* likewise */
	int editor_status;
	bool has_resumed;		/* since recording_suspend() */
	bool is_orphaned;		/* the supervisor has gone */
	char problem[480];		/* with a symbol file; told once */

	/* Our own CPU time, all four processes, for a rate. */
	uint64_t cpu_ns, cpu_at_ns, pulled_at_ns;
	double own_cpu;
	uint64_t stopped_ns;		/* threads of the target, by ptrace */
	double stopped;			/* per cent of the time */

	/* Samples for each second that the targets ran. */
	uint64_t target_cpu_ns, samples_then;
	double hz_got;

	char comm[64], exe[4096];	/* of the first target; cleaned */
	bool has_labels;		/* of what EXE is (app/labels.h), */
	bool has_our_files;		/* its package may be one of ours, */
	bool has_sought_package;	/* and was looked for */
};

/* Only what a file needs: opener and client. */
void recording_init(struct recording *r, const struct options *options,
		    struct link *link);

/*
 * Begin to sample TARGETS (taken). A command that waits is let go. On failure
 * *STATUS is the exit status.
 */
bool recording_start(struct recording *r, const struct targets *targets,
		     int *status, struct error *err);

/*
 * Take messages of the supervisor and answers of the symbols process; true
 * when a name has come. Call it often: poll the descriptors of
 * recording_polls().
 */
bool recording_turn(struct recording *r);

#define RECORDING_POLLS 3
struct pollfd;
void recording_polls(const struct recording *r, struct pollfd *polls);

/* Take what capture has; each count also goes to FN (may be NULL). */
void recording_take(struct recording *r, cell_fn fn, void *ctx);

/* Every target has ended, or the time asked for is over. */
bool recording_is_over(const struct recording *r);

/* End sampling: targets are let go, the rest is taken. */
void recording_stop(struct recording *r, cell_fn fn, void *ctx);

/*
 * Wait for names at most TIMEOUT_MS; less if those that should bring them do
 * not move.
 */
void recording_settle(struct recording *r, int timeout_ms);

/*
 * The same, for inlined functions too: of all frames, as a file should have
 * them.
 */
void recording_settle_places(struct recording *r, int timeout_ms);

/* Samples whose leaf has no name yet. */
uint64_t recording_unresolved(const struct recording *r);

/* Set the header keys as of now (event, unit, period, start …). */
void recording_describe(struct recording *r);

/*
 * Have the whole job stopped as ^Z does, sampling too, until somebody
 * continues it. False: sampling does not go on, and why.
 */
bool recording_suspend(struct recording *r, struct error *err);

/* From its start until now, or its end. */
double recording_seconds(const struct recording *r);

/* What header and health line show. */
void recording_health(struct recording *r, struct health *out);

/* Every trouble known so far and what it cost, a line each (say()). */
void recording_say_troubles(struct recording *r);

void recording_close(struct recording *r);

/* "ended: exit status 3" for a waitpid status. */
void recording_end_text(int status, char *out, size_t size);

#endif
