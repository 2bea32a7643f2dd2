/* SPDX-License-Identifier: MIT */
/*
 * recording_health.c - how well it goes, and all that does not.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "app/recording.h"
#include "app/say.h"

void
recording_end_text(int status, char *out, size_t size)
{
	if (WIFSIGNALED(status))
		snprintf(out, size, "ended: %s", strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "ended: exit status %d",
			 WEXITSTATUS(status));
}

typedef void (*trouble_fn)(void *ctx, const char *text);

/* What is missing, the heaviest first: samples, frames, names. */
static void
each_trouble(struct recording *r, trouble_fn fn, void *ctx)
{
	pid_t suspended = targets_suspended(&r->targets);
	struct sampler_status status;
	const char *problem;
	char text[320];

	capture_status(r->capture, &status);
	if (*capture_refusal(r->capture)) {
		snprintf(text, sizeof(text), "ptrace: %s",
			 capture_refusal(r->capture));
		fn(ctx, text);
	}
	if (suspended) {
		snprintf(text, sizeof(text), "process %d is stopped "
			 "(state T): kill -CONT %d lets it go on",
			 (int)suspended, (int)suspended);
		fn(ctx, text);
	}
	if (*status.note)
		fn(ctx, status.note);
	if (tables_set_aside(r->tables)) {
		snprintf(text, sizeof(text), "no unwind rules from %u files: "
			 "their reader died of them",
			 tables_set_aside(r->tables));
		fn(ctx, text);
	}
	for (size_t i = 0; (problem = client_problem(r->client, i)); i++)
		fn(ctx, problem);
}

/* As many as find room. */
static void
append_note(void *ctx, const char *text)
{
	struct health *health = ctx;
	size_t used = strlen(health->note);

	snprintf(health->note + used, sizeof(health->note) - used, "%s%s",
		 used ? "; " : "", text);
}

static void
say_trouble(void *ctx, const char *text)
{
	(void)ctx;
	say("%s", text);
}

/* The health line has these as numbers; at the end they are words. */
static void
say_losses(const struct losses *losses)
{
	const struct {
		uint64_t count;
		const char *what;
	} all[] = {
		{ losses->lost, "were lost" },
		{ losses->cut, "have a stack that is cut" },
		{ losses->rules_late, "came before the unwind rules of their "
				      "code: callers may be wrong" },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].count)
			say("%llu samples %s",
			    (unsigned long long)all[i].count, all[i].what);
}

/* Names that were not waited for any longer. */
static void
say_nameless(const struct recording *r)
{
	const struct losses *losses = profile_losses(r->profile);

	if (!client_is_idle(r->client))
		say("%s: %llu of %llu samples have no name",
		    client_is_stuck(r->client) ?
		    "the process that reads symbol files does not answer" :
		    "reading symbol files takes too long",
		    (unsigned long long)losses->unresolved,
		    (unsigned long long)losses->samples);
}

void
recording_say_troubles(struct recording *r)
{
	char unfinished[240];

	each_trouble(r, say_trouble, NULL);
	if (client_unfinished(r->client, unfinished, sizeof(unfinished)))
		say("not all names have come in time: %s", unfinished);
	say_losses(profile_losses(r->profile));
	say_nameless(r);
}

void
recording_health(struct recording *r, struct health *out)
{
	pid_t pid = target_pid(r->targets.at[0]);
	struct sampler_status status;

	capture_status(r->capture, &status);
	if (r->targets.count == 1)
		snprintf(out->target, sizeof(out->target), "%s %d", r->comm,
			 (int)pid);
	else
		snprintf(out->target, sizeof(out->target), "%s %d and %zu "
			 "more", r->comm, (int)pid, r->targets.count - 1);
	out->is_suspended = targets_suspended(&r->targets) != 0;
	if (r->command_has_ended)
		recording_end_text(r->command_status, out->state,
				   sizeof(out->state));
	else
		snprintf(out->state, sizeof(out->state), "%s",
			 !r->ended_ns ? out->is_suspended ? "stopped" : "" :
			 capture_has_ended(r->capture) ? "ended" : "done");
	snprintf(out->event, sizeof(out->event), "%s", status.event);
	out->note[0] = '\0';
	each_trouble(r, append_note, out);
	out->hz_wanted = r->options->hz;
	out->hz_got = r->hz_got;
	out->own_cpu = r->own_cpu;
	out->is_stopping = strcmp(status.event, sampler_ptrace.name) == 0;
	out->stopped = r->stopped;
	out->threads_seen = status.threads_seen;
	out->threads_total = status.threads_total;
	out->seconds = recording_seconds(r);
	out->losses = *profile_losses(r->profile);
	out->is_live = out->knows_losses = true;
}
