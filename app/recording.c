/* SPDX-License-Identifier: MIT */
/*
 * recording.c - capture, names and supervisor, turn by turn.
 */
#include "app/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/labels.h"
#include "app/patience.h"
#include "core/sanitise.h"
#include "sampler/clock.h"
#include "sampler/procstat.h"
#include "sampler/refusal.h"

#define CONTINUE_MS 1000		/* the supervisor tells within that */
#define RATE_NS 1000000000ull
#define BUSY_NS 100000000ull		/* of CPU: less tells no rate */

void
recording_init(struct recording *r, const struct options *options,
	       struct link *link)
{
	*r = (struct recording){
		.options = options, .link = link, .own_cpu = -1, .hz_got = -1,
	};
	r->opener = opener_new();
	r->client = client_new(link->symbols, r->opener);
	link->symbols = -1;
	if (options->inlined == INLINE_OFF)
		client_hide_inlined(r->client);
}

static void
release_command(struct recording *r)
{
	struct control ready = { .type = CONTROL_READY };

	if (r->link->command)
		control_send(r->link->control, &ready, -1);
}

/* What has not begun yet is still ourselves: go by the command line. */
static void
name_command(struct recording *r, const char *word)
{
	const char *slash = strrchr(word, '/');
	const char *name = slash && slash[1] ? slash + 1 : word;

	sanitise_into(r->comm, sizeof(r->comm), name, strlen(name));
	r->exe[0] = '\0';
}

static bool
find_origin(void *ctx, module_id module, struct open_mapping *out)
{
	return capture_origin(ctx, module, out);
}

static bool
start_tables(struct recording *r, struct error *err)
{
	struct tables_config config = {
		.sock = r->link->tables, .control = r->link->tables_control,
		.pid = r->link->tables_pid, .rows = capture_rows(r->capture),
		.origin = find_origin, .ctx = r->capture,
	};

	r->link->tables = r->link->tables_control = -1;
	r->tables = tables_start(&config, err);
	return r->tables;
}

bool
recording_start(struct recording *r, const struct targets *targets,
		int *status, struct error *err)
{
	const struct options *o = r->options;
	struct capture_config config = {
		.choice = r->dump ? SAMPLER_DUMP : o->sampler,
		.sampler = {
			.hz = o->hz, .stack_bytes = 16384,
			.unwind = o->unwind,
			.kernel = !o->has[OPTION_NO_KERNEL],
			.follow = o->has[OPTION_FOLLOW],
			.hold = o->argv != NULL,
			.tids = o->ntids ? o->tids : NULL,
			.ntids = o->ntids,
			.dump = r->dump,
		},
		.ntargets = targets->count, .shared = r->link->shared,
	};
	bool was_refused;

	r->targets = *targets;
	config.targets = r->targets.at;
	*status = STATUS_REFUSED;
	for (size_t i = 0; i < targets->count; i++)
		if (o->unwind == UNWIND_LIBUNWIND &&
		    !refusal_allows_libunwind(target_pid(targets->at[i]), err))
			return false;
	if (!capture_start(&config, &r->capture, &was_refused, err)) {
		*status = was_refused ? STATUS_REFUSED :
			  err->errnum == ESRCH ? STATUS_NO_TARGET :
						 STATUS_FAILED;
		return false;
	}
	*status = STATUS_FAILED;
	if (!start_tables(r, err))
		return false;
	r->profile = profile_new();
	r->names = names_new(r->profile);
	client_watch(r->client, r->profile, r->names, r->capture);
	r->began_ns = clock_now();
	snprintf(r->comm, sizeof(r->comm), "%s", target_comm(targets->at[0]));
	snprintf(r->exe, sizeof(r->exe), "%s", target_exe(targets->at[0]));
	if (o->argv)
		name_command(r, o->argv[0]);
	release_command(r);
	return true;
}

static void
take_control(struct recording *r)
{
	struct control message;
	bool has_gone = false;
	int fd;

	while (r->link->control >= 0 &&
	       control_receive(r->link->control, &message, &fd, &has_gone)) {
		if (message.type == CONTROL_SYMBOLS) {
			r->link->symbols_pid = message.pid;
			client_reconnect(r->client, fd, message.value);
			fd = -1;
		} else if (message.type == CONTROL_ENDED) {
			r->command_has_ended = true;
			r->command_status = message.value;
		} else if (message.type == CONTROL_EDITED) {
			r->editor_has_ended = true;
			r->editor_status = message.value;
		} else if (message.type == CONTROL_RESUMED) {
			r->has_resumed = true;
		}
		if (fd >= 0)
			close(fd);
	}
	if (has_gone) {
		r->is_orphaned = true;
		close(r->link->control);
		r->link->control = -1;
	}
}

/*
 * The shell continues the job, the supervisor then us, maybe again: both are
 * over when it says so. A wait that ended while nothing ran is one of three.
 */
bool
recording_suspend(struct recording *r, struct error *err)
{
	struct control message = { .type = CONTROL_SUSPEND };
	struct timespec none = { 0 };
	sigset_t goes_on;

	if (r->capture)
		capture_pause(r->capture);
	r->has_resumed = false;
	control_send(r->link->control, &message, -1);
	for (int i = 0; i < 3 && !r->has_resumed && !r->is_orphaned; i++) {
		struct pollfd control = { r->link->control, POLLIN, 0 };

		poll(&control, 1, CONTINUE_MS);
		take_control(r);
	}
	sigemptyset(&goes_on);
	sigaddset(&goes_on, SIGCONT);
	while (sigtimedwait(&goes_on, NULL, &none) > 0)
		;
	return !r->capture || capture_resume(r->capture, err);
}

/* Names that come after the end still count: nothing measures then. */
bool
recording_turn(struct recording *r)
{
	struct control hangs = {
		.type = CONTROL_HANGS, .pid = r->link->symbols_pid,
	};
	bool has_names;

	take_control(r);
	has_names = client_turn(r->client);
	if (client_hangs(r->client, process_cpu_ns(r->link->symbols_pid)) &&
	    r->link->control >= 0)
		control_send(r->link->control, &hangs, -1);
	if (has_names && r->ended_ns)
		profile_losses(r->profile)->unresolved =
			recording_unresolved(r);
	return has_names;
}

void
recording_polls(const struct recording *r, struct pollfd *polls)
{
	polls[0] = (struct pollfd){ r->link->control, POLLIN, 0 };
	polls[1] = (struct pollfd){ client_fd(r->client), POLLIN, 0 };
	polls[2] = (struct pollfd){ opener_fd(r->opener), POLLIN, 0 };
}

static void measure_rates(struct recording *r);

struct take {
	struct recording *r;
	cell_fn fn;
	void *ctx;
};

/* A frame's weight at the leaf tells how much has no name. */
static void
on_cell(void *ctx, const struct cell *cell)
{
	struct take *take = ctx;
	struct recording *r = take->r;

	if (cell->kind == KIND_CPU) {
		frame_id leaf = profile_get_stack(r->profile,
						  cell->stack)->frame;

		while (r->nleaves <= leaf) {
			r->leaf_weights = grow(r->leaf_weights, r->nleaves,
					       &r->leaves_capacity,
					       sizeof(*r->leaf_weights));
			r->leaf_weights[r->nleaves++] = 0;
		}
		if (cell->stack)
			r->leaf_weights[leaf] += cell->weight;
		r->samples += cell->weight;
	}
	if (take->fn)
		take->fn(take->ctx, cell);
}

void
recording_take(struct recording *r, cell_fn fn, void *ctx)
{
	struct take take = { r, fn, ctx };

	capture_take(r->capture, r->profile, on_cell, &take);
	measure_rates(r);
	r->pulled_at_ns = clock_now();
	if (capture_has_ended(r->capture) && !r->ended_ns)
		r->ended_ns = clock_now();
}

bool
recording_is_over(const struct recording *r)
{
	double limit = r->options->seconds;

	return r->ended_ns != 0 ||
	       (limit > 0 && (double)(clock_now() - r->began_ns) / 1e9 >= limit);
}

void
recording_stop(struct recording *r, cell_fn fn, void *ctx)
{
	if (!r->ended_ns)
		r->ended_ns = clock_now();
	capture_stop(r->capture);
	recording_take(r, fn, ctx);
	profile_losses(r->profile)->unresolved = recording_unresolved(r);
}

void
recording_settle(struct recording *r, int timeout_ms)
{
	uint64_t until = clock_now() + (uint64_t)timeout_ms * 1000000;

	for (;;) {
		struct pollfd polls[RECORDING_POLLS];

		recording_turn(r);
		if (client_is_idle(r->client) || clock_now() > until ||
		    client_is_stuck(r->client))
			return;
		recording_polls(r, polls);
		poll(polls, RECORDING_POLLS, 50);
	}
}

void
recording_settle_places(struct recording *r, int timeout_ms)
{
	if (r->options->inlined != INLINE_OFF)
		client_ask_all_places(r->client);
	recording_settle(r, timeout_ms);
}

/* --- what is known about it */

double
recording_seconds(const struct recording *r)
{
	uint64_t end = r->ended_ns ? r->ended_ns : clock_now();

	return (double)(end - r->began_ns) / 1e9;
}

uint64_t
recording_unresolved(const struct recording *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < r->nleaves; i++) {
		const struct frame *frame;

		if (!r->leaf_weights[i])
			continue;
		frame = profile_get_frame(r->profile, (frame_id)i);
		if (frame->module &&
		    !names_get(r->names, names_of(r->names,
						  (frame_id)i))->is_named)
			sum += r->leaf_weights[i];
	}
	return sum;
}

/* Is EXE our own file, since a command has not begun yet? */
static bool
is_still_us(const struct recording *r, const char *exe, size_t len)
{
	char own[4096];
	ssize_t own_len = readlink("/proc/self/exe", own, sizeof(own));

	return r->options->argv && !r->exe[0] && own_len == (ssize_t)len &&
	       memcmp(own, exe, len) == 0;
}

/* What the first target runs: exec changes it, and a command begins so. */
static void
look_at_target(struct recording *r)
{
	pid_t pid = target_pid(r->targets.at[0]);
	char path[64], raw[4096], exe[sizeof(r->exe)];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	len = readlink(path, raw, sizeof(raw));
	if (len > 0 && is_still_us(r, raw, (size_t)len))
		return;
	if (len > 0 && sanitise_into(exe, sizeof(exe), raw, (size_t)len) &&
	    (!r->has_labels || strcmp(exe, r->exe) != 0)) {
		snprintf(r->exe, sizeof(r->exe), "%s", exe);
		r->has_our_files = labels_of_process(r->profile, pid);
		r->has_labels = true;
		r->has_sought_package = false;
	}
	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	len = proc_read(AT_FDCWD, path, raw, sizeof(raw));
	if (len > 1)
		sanitise_into(r->comm, sizeof(r->comm), raw, (size_t)len - 1);
}

/* Once a second: our own CPU, and the rate at which samples came. */
static void
measure_rates(struct recording *r)
{
	uint64_t now = clock_now(), elapsed = now - r->cpu_at_ns;
	uint64_t cpu, target = 0;
	struct sampler_status status;

	if (elapsed < RATE_NS || r->ended_ns)
		return;
	for (size_t i = 0; i < r->targets.count; i++)
		target += process_cpu_ns(target_pid(r->targets.at[i]));
	cpu = process_cpu_ns(getpid()) + process_cpu_ns(r->link->supervisor_pid) +
	      process_cpu_ns(r->link->symbols_pid) +
	      process_cpu_ns(tables_pid(r->tables));
	if (r->cpu_at_ns && cpu >= r->cpu_ns) {
		r->own_cpu = 100.0 * (double)(cpu - r->cpu_ns) /
			     (double)elapsed;
		r->hz_got = target < r->target_cpu_ns + BUSY_NS ? -1 :
			    (double)(r->samples - r->samples_then) * 1e9 /
			    (double)(target - r->target_cpu_ns);
	}
	capture_status(r->capture, &status);
	if (r->cpu_at_ns && status.stopped_ns >= r->stopped_ns)
		r->stopped = 100.0 * (double)(status.stopped_ns -
					      r->stopped_ns) / (double)elapsed;
	look_at_target(r);
	r->stopped_ns = status.stopped_ns;
	r->target_cpu_ns = target;
	r->cpu_ns = cpu;
	r->cpu_at_ns = now;
	r->samples_then = r->samples;
	profile_losses(r->profile)->unresolved = recording_unresolved(r);
}

void
recording_close(struct recording *r)
{
	client_free(r->client);
	tables_free(r->tables);
	capture_free(r->capture);
	targets_close(&r->targets);
	opener_free(r->opener);
	names_free(r->names);
	profile_free(r->profile);
	free(r->leaf_weights);
}
