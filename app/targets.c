/* SPDX-License-Identifier: MIT */
/*
 * targets.c - pids, names and the picker to open targets.
 */
#include "app/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/picker.h"
#include "app/say.h"
#include "sampler/procstat.h"

#define COMM_MAX 15		/* what the kernel keeps of a name */

static bool
open_pid(struct targets *targets, pid_t pid, int *status, struct error *err)
{
	if (targets->count == PIDS_MAX) {
		*status = STATUS_USAGE;
		return fail(err, 0, "more than %d processes", PIDS_MAX);
	}
	if (target_open(pid, &targets->at[targets->count], err)) {
		targets->count++;
		return true;
	}
	*status = err->errnum == EPERM || err->errnum == EACCES ?
		  STATUS_REFUSED : STATUS_NO_TARGET;
	return false;
}

/* The last part of the command's first word. */
static bool
runs(const struct process *process, const char *name)
{
	size_t word = strcspn(process->cmdline, " ");
	size_t len = strlen(name);

	return word >= len && strncmp(process->cmdline + word - len, name,
				      len) == 0 &&
	       (word == len || process->cmdline[word - len - 1] == '/');
}

static bool
is_called(const struct process *process, const char *name)
{
	return strncmp(process->comm, name, COMM_MAX) == 0 ||
	       runs(process, name);
}

/* Not the sudo or the shell whose command line has NAME because ours has. */
static bool
is_like(const struct process *process, const char *name)
{
	return !process->started_us && (strstr(process->comm, name) ||
					strstr(process->cmdline, name));
}

/* Keep those that MATCH at the front of ALL; how many. */
static size_t
keep(struct process *all, size_t count,
     bool (*match)(const struct process *process, const char *name),
     const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (match(&all[i], name)) {
			struct process found = all[i];

			all[i] = all[kept];
			all[kept++] = found;
		}
	return kept;
}

static void
list_processes(const struct process *all, size_t count, const char *name)
{
	say("%zu processes are called %s; choose one by its PID:", count,
	    name);
	for (size_t i = 0; i < count; i++)
		fprintf(stderr, "%8d  %s\n", (int)all[i].pid,
			all[i].cmdline[0] ? all[i].cmdline : all[i].comm);
}

static bool
choose_by_name(const struct options *options, const struct link *link,
	       bool can_ask, pid_t *pid, struct error *err)
{
	struct process *all;
	size_t count = process_list(&all);
	size_t found = keep(all, count, is_called, options->name);
	bool ok = false;

	if (found == 0)
		found = keep(all, count, is_like, options->name);
	if (found == 0) {
		fail(err, 0, "no process is called %.100s; flametop alone "
		     "lists them", options->name);
	} else if (found == 1) {
		*pid = all[0].pid;
		ok = true;
	} else if (can_ask) {
		ok = picker_run(options, link, options->name, pid, err);
	} else {
		list_processes(all, found, options->name);
		err->text[0] = '\0';
	}
	free(all);
	return ok;
}

static bool
open_all(const struct options *options, const struct link *link, bool can_ask,
	 struct targets *out, int *status, struct error *err)
{
	pid_t pid = 0;

	*status = STATUS_NO_TARGET;
	err->text[0] = '\0';
	if (link->command)
		return open_pid(out, link->command, status, err);
	for (size_t i = 0; i < options->npids; i++)
		if (!open_pid(out, options->pids[i], status, err))
			return false;
	if (options->npids)
		return true;
	if (options->name) {
		if (!choose_by_name(options, link, can_ask, &pid, err)) {
			if (!err->text[0] && can_ask)
				*status = STATUS_DONE;
			return false;
		}
	} else if (!can_ask) {
		*status = STATUS_USAGE;
		return fail(err, 0, "nothing to look at: give a PID, -n NAME, "
			    "-- COMMAND or a FILE (flametop --help)");
	} else if (!picker_run(options, link, "", &pid, err)) {
		*status = err->text[0] ? STATUS_FAILED : STATUS_DONE;
		return false;
	}
	return open_pid(out, pid, status, err);
}

/* Every thread that was asked for must be one of these processes'. */
static bool
has_threads(const struct targets *targets, const struct options *options,
	    struct error *err)
{
	for (size_t i = 0; i < options->ntids; i++) {
		struct thread_stat ignored;
		size_t t = 0;

		while (t < targets->count &&
		       !target_thread_stat(targets->at[t], options->tids[i],
					   &ignored))
			t++;
		if (t == targets->count)
			return fail(err, 0, "process %d has no thread %d; "
				    "ls /proc/%d/task lists them",
				    (int)target_pid(targets->at[0]),
				    (int)options->tids[i],
				    (int)target_pid(targets->at[0]));
	}
	return true;
}

bool
targets_open(const struct options *options, const struct link *link,
	     bool can_ask, struct targets *out, int *status,
	     struct error *err)
{
	out->count = 0;
	if (!open_all(options, link, can_ask, out, status, err)) {
		targets_close(out);
		return false;
	}
	if (!has_threads(out, options, err)) {
		*status = STATUS_NO_TARGET;
		targets_close(out);
		return false;
	}
	for (size_t i = 0; i < out->count; i++)
		atomic_store(&link->shared->targets[i],
			     target_pid(out->at[i]));
	return true;
}

pid_t
targets_suspended(const struct targets *targets)
{
	struct proc_stat stat;
	char path[32];

	for (size_t i = 0; i < targets->count; i++) {
		pid_t pid = target_pid(targets->at[i]);

		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
		if (procstat_read(AT_FDCWD, path, &stat) && stat.state == 'T')
			return pid;
	}
	return 0;
}

void
targets_close(struct targets *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		target_free(targets->at[i]);
	targets->count = 0;
}
