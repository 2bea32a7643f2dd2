/* SPDX-License-Identifier: MIT */
/*
 * target.c - a process to watch.
 *
 * Everything is looked up below a descriptor of /proc/PID, which goes stale
 * (ESRCH) when the process ends, whoever gets its number afterwards. What the
 * kernel answers for the main thread only is asked of a thread that lives:
 * once the main thread has exited, its maps, exe and memory are gone while
 * the others run on.
 */
#include "sampler/target.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/reader.h"
#include "core/sanitise.h"
#include "sampler/procstat.h"

struct target {
	pid_t pid;
	uid_t uid;
	uint64_t start;
	int proc_fd;		/* /proc/PID */
	int pidfd;		/* -1 before Linux 5.3 */
	int mem_fd;		/* /proc/PID/task/TID/mem, only without
				   process_vm_readv(2); else -1 */
	_Atomic pid_t reader;	/* thread whose memory is read */
	char comm[64];
	char exe[PATH_MAX];	/* cleaned */
	char raw_exe[PATH_MAX];
};

/* --- who it is */

/* PID cannot be opened as a process: say why not. */
static bool
explain_missing(pid_t pid, struct error *err)
{
	char path[64], text[2048];
	const char *tgid;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) > 0) {
		tgid = strstr(text, "\nTgid:");
		if (tgid && atoi(tgid + 6) != pid)
			return explain(err, ESRCH, "%d is a thread of process "
				    "%d; try flametop -t %d %d", (int)pid,
				    atoi(tgid + 6), (int)pid, atoi(tgid + 6));
	}
	if (kill(pid, 0) != 0 && errno == EPERM)
		return explain(err, EPERM, "process %d is another user's and "
			    "/proc hides it; try sudo flametop %d", (int)pid,
			    (int)pid);
	return explain(err, ESRCH, "no process %d; flametop alone lists what "
		    "runs", (int)pid);
}

static bool
refuse_unsuitable(const struct target *target, struct error *err)
{
	struct proc_stat stat;

	if (!procstat_read(target->proc_fd, "stat", &stat))
		return explain_missing(target->pid, err);
	if (stat.is_kernel_thread)
		return explain(err, EINVAL, "%d (%s) is a kernel thread and "
			    "has no program to look at", (int)target->pid,
			    target->comm);
	if (!target_live_tid(target))
		return explain(err, ESRCH, "process %d (%s) has ended; its "
			    "parent %d has not taken notice yet",
			    (int)target->pid, target->comm, (int)stat.ppid);
	return true;
}

/*
 * The auxiliary vector has words of the program's own size, and says how long
 * a program header is. It is the kernel's copy: no page of the target is
 * touched.
 */
static bool
has_short_words(const struct target *target)
{
	char path[64], auxv[2048];
	ssize_t len;
	struct reader r;

	snprintf(path, sizeof(path), "task/%d/auxv",
		 (int)target_live_tid(target));
	len = proc_read(target->proc_fd, path, auxv, sizeof(auxv));
	r = reader_of(auxv, len > 0 ? (size_t)len : 0);
	while (reader_left(&r) >= 8) {
		uint32_t key = reader_u32(&r), value = reader_u32(&r);

		if (key == AT_PHENT)
			return value == sizeof(Elf32_Phdr);
	}
	return false;
}

static void
read_exe(struct target *target)
{
	static const char deleted[] = " (deleted)";
	char path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "task/%d/exe",
		 (int)target_live_tid(target));
	len = readlinkat(target->proc_fd, path, target->raw_exe,
			 sizeof(target->raw_exe) - 1);
	if (len < 0)
		len = 0;
	target->raw_exe[len] = '\0';
	sanitise_into(target->exe, sizeof(target->exe), target->raw_exe,
		      (size_t)len);
	/* The lines of maps have it apart from the path, too. */
	if ((size_t)len > strlen(deleted) &&
	    !strcmp(target->raw_exe + len - strlen(deleted), deleted))
		target->raw_exe[(size_t)len - strlen(deleted)] = '\0';
}

static bool
identify(struct target *target, struct error *err)
{
	struct proc_stat stat;
	struct stat dir;

	if (!procstat_read(target->proc_fd, "stat", &stat) ||
	    fstat(target->proc_fd, &dir) != 0)
		return explain_missing(target->pid, err);
	target->start = stat.start;
	target->uid = dir.st_uid;
	sanitise_into(target->comm, sizeof(target->comm), stat.comm,
		      strnlen(stat.comm, sizeof(stat.comm)));
	if (!refuse_unsuitable(target, err))
		return false;
	if (has_short_words(target))
		return explain(err, ENOEXEC, "%d (%s) is a 32-bit program; "
			    "only 64-bit ones can be looked at",
			    (int)target->pid, target->comm);
	read_exe(target);
	return true;
}

bool
target_open(pid_t pid, struct target **out, struct error *err)
{
	struct target *target = xcalloc(1, sizeof(*target));
	char path[32];

	target->pid = pid;
	target->mem_fd = -1;
	target->proc_fd = -1;
	target->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (target->pidfd < 0 && errno != ENOSYS && errno != EPERM) {
		explain_missing(pid, err);
		goto fail;
	}
	/* The pidfd came first: if it still lives, this is the same one. */
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	target->proc_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target->proc_fd < 0) {
		explain_missing(pid, err);
		goto fail;
	}
	if (!identify(target, err))
		goto fail;
	*out = target;
	return true;

fail:
	target_free(target);
	return false;
}

void
target_free(struct target *target)
{
	if (!target)
		return;
	if (target->proc_fd >= 0)
		close(target->proc_fd);
	if (target->pidfd >= 0)
		close(target->pidfd);
	if (target->mem_fd >= 0)
		close(target->mem_fd);
	free(target);
}

pid_t
target_pid(const struct target *target)
{
	return target->pid;
}

uid_t
target_uid(const struct target *target)
{
	return target->uid;
}

uint64_t
target_start(const struct target *target)
{
	return target->start;
}

const char *
target_comm(const struct target *target)
{
	return target->comm;
}

const char *
target_exe(const struct target *target)
{
	return target->exe;
}

int
target_pidfd(const struct target *target)
{
	return target->pidfd;
}

bool
target_is_alive(const struct target *target)
{
	struct pollfd ended = { .fd = target->pidfd, .events = POLLIN };

	if (target->pidfd >= 0)
		return poll(&ended, 1, 0) == 0;
	return target_live_tid(target) != 0;
}

/* --- its threads */

static bool
is_over(const struct proc_stat *stat)
{
	return stat->state == 'Z' || stat->state == 'X';
}

static bool
is_live(const struct target *target, pid_t tid)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "task/%d/stat", (int)tid);
	return procstat_read(target->proc_fd, path, &stat) && !is_over(&stat);
}

/*
 * Only the main thread can stay behind as a zombie, so it alone is asked for
 * its state: a list of 4,000 threads costs one directory.
 */
size_t
target_threads(const struct target *target, pid_t *tids, size_t max)
{
	int fd = openat(target->proc_fd, "task",
			O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t count = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(dir))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid <= 0 || (tid == target->pid && !is_live(target, tid)))
			continue;
		if (count < max)
			tids[count] = tid;
		count++;
	}
	closedir(dir);
	return count;
}

static int
compare_tids(const void *a, const void *b)
{
	const pid_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

pid_t *
target_list_threads(const struct target *target, size_t *n)
{
	size_t room = 256;
	pid_t *tids = xcalloc(room, sizeof(*tids));

	while ((*n = target_threads(target, tids, room)) > room) {
		room = *n * 2;
		tids = xreallocarray(tids, room, sizeof(*tids));
	}
	qsort(tids, *n, sizeof(*tids), compare_tids);
	return tids;
}

bool
thread_list_has(const pid_t *tids, size_t n, pid_t tid)
{
	return n && bsearch(&tid, tids, n, sizeof(*tids), compare_tids);
}

pid_t
target_live_tid(const struct target *target)
{
	pid_t tid = 0;

	if (is_live(target, target->pid))
		return target->pid;
	return target_threads(target, &tid, 1) ? tid : 0;
}

bool
target_thread_stat(const struct target *target, pid_t tid,
		   struct thread_stat *out)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "task/%d/stat", (int)tid);
	if (!procstat_read(target->proc_fd, path, &stat))
		return false;
	memcpy(out->comm, stat.comm, sizeof(out->comm));
	out->state = stat.state;
	out->start = stat.start;
	out->cpu_ticks = stat.cpu_ticks;
	out->cpu = stat.cpu;
	return true;
}

ssize_t
target_read_task(const struct target *target, pid_t tid, const char *name,
		 char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "task/%d/%s", (int)tid, name);
	return proc_read(target->proc_fd, path, text, size);
}

ssize_t
target_read_link(const struct target *target, pid_t tid, const char *name,
		 char *text, size_t size)
{
	char path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "task/%d/%s", (int)tid, name);
	len = readlinkat(target->proc_fd, path, text, size - 1);
	text[len > 0 ? len : 0] = '\0';
	return len;
}

/* --- its memory */

static char *
read_whole(int dir, const char *path, size_t *len)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	size_t capacity = 0;
	ssize_t n;

	*len = 0;
	if (fd < 0)
		return NULL;
	do {
		text = grow(text, *len + 65536, &capacity, 1);
		n = read(fd, text + *len, capacity - *len);
		if (n > 0)
			*len += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	close(fd);
	if (n < 0 && !*len) {
		free(text);
		return NULL;
	}
	return text;
}

bool
target_read_maps(const struct target *target, struct maps *maps,
		 struct error *err)
{
	char path[PATH_MAX], *text;
	const char *at, *end, *eol;
	struct mapping mapping;
	size_t len;

	snprintf(path, sizeof(path), "task/%d/maps",
		 (int)target_live_tid(target));
	text = read_whole(target->proc_fd, path, &len);
	if (!text && geteuid() == 0)
		return explain(err, errno, "the memory map of process %d may "
			       "not be read: root here lacks CAP_SYS_PTRACE",
			       (int)target->pid);
	if (!text)
		return explain(err, errno, "the memory map of process %d may "
			       "not be read; try sudo flametop %d",
			       (int)target->pid, (int)target->pid);
	maps_clear(maps);
	for (at = text, end = text + len; at < end; at = eol + 1) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		if (!maps_parse_line(at, (size_t)(eol - at), &mapping, path,
				     sizeof(path)))
			continue;
		/* A program may well run from memory without a name. */
		if (mapping.inode && !strcmp(mapping.path, target->raw_exe))
			mapping.kind = MODULE_PROGRAM;
		maps_add(maps, &mapping);
	}
	free(text);
	maps_rejoin(maps);
	return true;
}

/* Without process_vm_readv(2): a kernel built so, or a filter. */
static bool
read_by_file(struct target *target, uint64_t addr, void *buf, size_t len)
{
	char path[64];

	if (target->mem_fd < 0) {
		snprintf(path, sizeof(path), "task/%d/mem",
			 (int)target->reader);
		target->mem_fd = openat(target->proc_fd, path,
					O_RDONLY | O_CLOEXEC);
	}
	return target->mem_fd >= 0 && addr <= INT64_MAX &&
	       pread(target->mem_fd, buf, len, (off_t)addr) == (ssize_t)len;
}

static bool
read_memory(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct target *target = ctx;
	struct iovec to = { buf, len };
	struct iovec from = { (void *)(uintptr_t)addr, len };
	ssize_t n;

	if (!target->reader)
		target->reader = target_live_tid(target);
	n = process_vm_readv(target->reader, &to, 1, &from, 1, 0);
	if (n < 0 && errno == ESRCH) {
		/* That thread has gone, the process perhaps not. */
		target->reader = target_live_tid(target);
		if (!target->reader)
			return false;
		n = process_vm_readv(target->reader, &to, 1, &from, 1, 0);
	}
	if (n < 0 && errno == ENOSYS)
		return read_by_file(target, addr, buf, len);
	return n == (ssize_t)len;
}

struct memory
target_memory(const struct target *target)
{
	return (struct memory){
		.read = read_memory, .ctx = (struct target *)target,
	};
}
