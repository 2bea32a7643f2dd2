/* SPDX-License-Identifier: MIT */
/*
 * ptrace_refusal.c - whether ptrace(2) is permitted, and if not, why.
 *
 * The kernel answers EPERM to everything, so the causes are looked for one by
 * one, as ptrace(2) lists them under "Ptrace access mode checking".
 */
#include "sampler/ptrace_refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/sanitise.h"
#include "sampler/procstat.h"
#include "sampler/ptrace_lines.h"

/* The same check as for attaching, without attaching. 0, or errno. */
static int
try_to_read(pid_t tid)
{
	char byte;
	struct iovec to = { &byte, 1 }, from = { NULL, 1 };

	if (process_vm_readv(tid, &to, 1, &from, 1, 0) >= 0 || errno == EFAULT)
		return 0;
	return errno;
}

/* Nobody is our tracee, so a kernel that listens says ESRCH. */
static int
try_ptrace(void)
{
	ptrace(PTRACE_INTERRUPT, getpid(), NULL, NULL);
	return errno == ESRCH ? 0 : errno;
}

/* Who traces TID? 0: nobody, or it cannot be known. */
static pid_t
tracer_of(pid_t tid)
{
	struct signal_sets sets;
	char path[32], text[4096];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	len = proc_read(AT_FDCWD, path, text, sizeof(text));
	return len > 0 && lines_status(text, (size_t)len, &sets) ?
	       sets.tracer : 0;
}

static bool
refuse_traced(pid_t pid, pid_t tracer, struct error *err)
{
	struct proc_stat stat;
	char path[32], comm[64] = "another program";

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tracer);
	if (procstat_read(AT_FDCWD, path, &stat))
		sanitise_into(comm, sizeof(comm), stat.comm,
			      strnlen(stat.comm, sizeof(stat.comm)));
	return fail(err, EPERM, "process %d is traced by %s (pid %d), and "
		    "there can be one tracer only; end that one or try "
		    "--sampler perf", (int)pid, comm, (int)tracer);
}

static int
yama_scope(void)
{
	char text[16];

	return proc_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text,
			 sizeof(text)) > 0 ? atoi(text) : 0;
}

/*
 * The files of /proc/PID, unlike the directory, belong to root when the
 * process lets nobody look into it.
 */
static bool
is_hidden_from_its_user(pid_t pid)
{
	char path[32], text[4096];
	const char *uids;
	struct stat file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	if (stat(path, &file) != 0 || file.st_uid == geteuid())
		return false;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	uids = strstr(text, "\nUid:");
	return uids && strtoul(uids + 5, NULL, 10) == geteuid();
}

static bool
refuse_user(const struct target *target, struct error *err)
{
	int pid = (int)target_pid(target);

	if (is_hidden_from_its_user(target_pid(target)))
		return fail(err, EPERM, "process %d lets nobody look into it "
			    "(set-uid, file capabilities or PR_SET_DUMPABLE); "
			    "only root may: sudo flametop %d", pid, pid);
	if (target_uid(target) != geteuid())
		return fail(err, EPERM, "process %d belongs to user %u, you "
			    "are user %u; try sudo flametop %d", pid,
			    (unsigned)target_uid(target), (unsigned)geteuid(),
			    pid);
	switch (yama_scope()) {
	case 0:
		break;
	case 1:
		return fail(err, EPERM, "kernel.yama.ptrace_scope is 1: only "
			    "a parent may trace; try sudo flametop %d, or "
			    "flametop -- COMMAND", pid);
	case 2:
		return fail(err, EPERM, "kernel.yama.ptrace_scope is 2: only "
			    "root may trace; try sudo flametop %d", pid);
	default:
		return fail(err, EPERM, "kernel.yama.ptrace_scope is 3: "
			    "nobody may trace until the next boot; try "
			    "--sampler perf");
	}
	return fail(err, EPERM, "process %d may not be traced by you (its "
		    "group, namespace or a security module differs); try sudo "
		    "flametop %d", pid, pid);
}

/* Root is refused too: what is left is said in the order of likelihood. */
static bool
refuse_root(const struct target *target, struct error *err)
{
	int pid = (int)target_pid(target);

	if (yama_scope() == 3)
		return fail(err, EPERM, "kernel.yama.ptrace_scope is 3: "
			    "nobody may trace until the next boot; try "
			    "--sampler perf");
	return fail(err, EPERM, "root here may not trace process %d: "
		    "CAP_SYS_PTRACE is missing (docker run --cap-add "
		    "SYS_PTRACE) or a security module forbids it", pid);
}

bool
ptrace_permitted(const struct target *target, struct error *err)
{
	pid_t pid = target_pid(target), tid = target_live_tid(target), tracer;
	int errnum = try_ptrace();

	if (errnum)
		return fail(err, errnum, "ptrace is switched off here, by a "
			    "container's system call filter or the kernel "
			    "(docker run --cap-add SYS_PTRACE)");
	tracer = tracer_of(tid);
	if (tracer)
		return refuse_traced(pid, tracer, err);
	errnum = try_to_read(tid);
	if (!errnum)
		return true;
	if (errnum == ESRCH)
		return fail(err, ESRCH, "process %d has ended", (int)pid);
	if (errnum == ENOSYS)
		return fail(err, ENOSYS, "this kernel has no "
			    "process_vm_readv, which sampling by ptrace "
			    "needs");
	return geteuid() ? refuse_user(target, err) : refuse_root(target, err);
}
