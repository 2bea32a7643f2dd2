/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - what works here for this user, tried and not guessed.
 *
 * On the process that was named, or on a child of our own.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/probes.h"
#include "app/say.h"
#include "sampler/procstat.h"
#include "sampler/target.h"

static const struct {
	int bit;
	const char *name;
} capabilities[] = {
	{ CAP_SYS_ADMIN, "SYS_ADMIN" }, { CAP_PERFMON, "PERFMON" },
	{ CAP_SYS_PTRACE, "SYS_PTRACE" }, { CAP_SYSLOG, "SYSLOG" },
	{ CAP_IPC_LOCK, "IPC_LOCK" },
	{ CAP_DAC_READ_SEARCH, "DAC_READ_SEARCH" },
};

static bool
can(const struct visit *v, int capability)
{
	return v->capabilities >> capability & 1;
}

static void
look_around(struct visit *v)
{
	char status[4096];
	const char *effective = NULL;

	if (proc_read(AT_FDCWD, "/proc/self/status", status,
		      sizeof(status)) > 0)
		effective = strstr(status, "\nCapEff:");
	if (effective)
		v->capabilities = strtoull(effective + 8, NULL, 16);
	v->is_filtered = effective && strstr(status, "\nSeccomp:\t2");
	v->paranoid = probes_sysctl("perf_event_paranoid", 2);
	v->yama = probes_sysctl("yama/ptrace_scope", 0);
	v->is_parent_only = v->yama == 1 && !can(v, CAP_SYS_PTRACE);
	v->kptr = probes_sysctl("kptr_restrict", 0);
	printf("you are user %u", (unsigned)geteuid());
	for (size_t i = 0; i < ARRAY_LEN(capabilities); i++)
		if (can(v, capabilities[i].bit))
			printf(" CAP_%s", capabilities[i].name);
	printf("%s\nperf_event_paranoid %ld, yama.ptrace_scope %ld, "
	       "kptr_restrict %ld\n\n", v->is_filtered ?
	       ", under a filter of system calls" : "", v->paranoid, v->yama,
	       v->kptr);
}

/* A child that waits until it is killed. */
static pid_t
start_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		alarm(30);
		for (;;)
			pause();
	}
	return pid;
}

/* The number of a child of ours helps nobody: PID stands for it. */
static void
print_remedy(const struct visit *v, const char *text)
{
	char number[16];
	const char *at;

	snprintf(number, sizeof(number), "%d", (int)target_pid(v->target));
	printf("    %-26s ", "");
	while (v->is_own_child && (at = strstr(text, number))) {
		printf("%.*sPID", (int)(at - text), text);
		text = at + strlen(number);
	}
	puts(text);
}

/* Can this process be sampled, how, and what would be missing? */
static int
conclude(const struct visit *v)
{
	char who[32] = "PID";

	if (v->is_own_child && !v->has_perf && v->is_parent_only)
		strcpy(who, "-- COMMAND");
	if (!v->is_own_child)
		snprintf(who, sizeof(who), "%d", (int)target_pid(v->target));
	if (!v->has_perf && !v->has_ptrace) {
		printf("\nflametop %s cannot sample\n", who);
		return STATUS_REFUSED;
	}
	printf("\nflametop %s samples by %s", who, v->has_perf ?
	       "perf events" : "ptrace, without kernel frames");
	if (v->has_perf && !v->has_kernel)
		printf(", without kernel frames");
	if (v->has_kernel && !v->has_kernel_names)
		printf(", without names of kernel functions");
	if (!v->has_files)
		printf(", some of its functions without names");
	if (!v->has_memory)
		printf(", large stacks are cut");
	putchar('\n');
	return STATUS_DONE;
}

static int
examine(struct visit *v)
{
	for (size_t i = 0; i < probes_count; i++) {
		struct finding f = { 0 };

		probes[i].run(v, &f);
		printf("%-3s %-26s %s\n", f.is_good ? "ok" : "--",
		       probes[i].name, f.text);
		if (*f.remedy)
			print_remedy(v, f.remedy);
	}
	return conclude(v);
}

int
cmd_doctor(const struct options *options)
{
	struct visit visit = { .is_own_child = options->npids == 0 };
	struct error err;
	int status;
	pid_t pid;

	if (options->name || options->argv || options->file ||
	    options->npids > 1) {
		say("doctor takes one PID, or nothing");
		return STATUS_USAGE;
	}
	pid = options->npids ? options->pids[0] : start_child();
	if (!target_open(pid, &visit.target, &err)) {
		say("%s", err.text);
		return err.errnum == EPERM || err.errnum == EACCES ?
		       STATUS_REFUSED : STATUS_NO_TARGET;
	}
	if (visit.is_own_child)
		printf("flametop %s: what works here\n", FLAMETOP_VERSION);
	else
		printf("flametop %s: what works on %s %d of user %u\n",
		       FLAMETOP_VERSION, target_comm(visit.target), (int)pid,
		       (unsigned)target_uid(visit.target));
	look_around(&visit);
	status = examine(&visit);
	if (visit.is_own_child) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	target_free(visit.target);
	return status == STATUS_DONE ? say_flush() : status;
}
