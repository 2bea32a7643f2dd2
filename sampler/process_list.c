/* SPDX-License-Identifier: MIT */
/*
 * process_list.c - what runs here, for a picker and -n.
 */
#include "sampler/target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sanitise.h"
#include "sampler/procstat.h"

/*
 * This program is several processes: the one that asks, the one that started
 * it and the others it started. All run the same file.
 */
static bool
is_ourselves(pid_t pid, pid_t ppid)
{
	struct stat ours, theirs;
	char path[32];

	if (pid == getpid())
		return true;
	if (pid != getppid() && ppid != getppid() && ppid != getpid())
		return false;
	snprintf(path, sizeof(path), "/proc/%d/exe", (int)pid);
	return stat("/proc/self/exe", &ours) == 0 && stat(path, &theirs) == 0 &&
	       ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

static void
read_command(int dir, struct process *process)
{
	char raw[sizeof(process->cmdline)];
	ssize_t len = proc_read(dir, "cmdline", raw, sizeof(raw));
	ssize_t i;

	while (len > 0 && raw[len - 1] == '\0')
		len--;
	for (i = 0; i < len; i++)
		if (raw[i] == '\0')
			raw[i] = ' ';
	sanitise_into(process->cmdline, sizeof(process->cmdline), raw,
		      len > 0 ? (size_t)len : 0);
}

static bool
read_process(pid_t pid, struct process *process)
{
	struct proc_stat stat;
	struct stat owner;
	char path[32];
	bool ok = false;
	int dir;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return false;
	if (!procstat_read(dir, "stat", &stat) || stat.is_kernel_thread ||
	    fstat(dir, &owner) != 0 || is_ourselves(pid, stat.ppid))
		goto out;
	process->pid = pid;
	process->uid = owner.st_uid;
	process->cpu_ticks = stat.cpu_ticks;
	process->start = stat.start;
	sanitise_into(process->comm, sizeof(process->comm), stat.comm,
		      strnlen(stat.comm, sizeof(stat.comm)));
	read_command(dir, process);
	ok = true;
out:
	close(dir);
	return ok;
}

static int
by_pid(const void *a, const void *b)
{
	const struct process *left = a, *right = b;

	return (left->pid > right->pid) - (left->pid < right->pid);
}

static pid_t
parent_of(pid_t pid)
{
	struct proc_stat stat;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	return procstat_read(AT_FDCWD, path, &stat) ? stat.ppid : 0;
}

/* sudo, timeout, the shell: their command lines quote ours. */
static void
mark_ancestors(struct process *list, size_t count)
{
	for (pid_t pid = parent_of(getpid()); pid > 1; pid = parent_of(pid))
		for (size_t i = 0; i < count; i++)
			if (list[i].pid == pid)
				list[i].started_us = true;
}

size_t
process_list(struct process **out)
{
	struct process *list = NULL;
	size_t count = 0, capacity = 0;
	const struct dirent *entry;
	DIR *proc = opendir("/proc");

	while (proc && (entry = readdir(proc))) {
		pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (pid <= 0)
			continue;
		list = grow(list, count, &capacity, sizeof(*list));
		list[count] = (struct process){ 0 };
		if (read_process(pid, &list[count]))
			count++;
	}
	if (proc)
		closedir(proc);
	if (count)
		qsort(list, count, sizeof(*list), by_pid);
	mark_ancestors(list, count);
	*out = list;
	return count;
}
