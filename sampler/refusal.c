/* SPDX-License-Identifier: MIT */
/*
 * refusal.c - why a process may not be sampled, and what helps.
 *
 * ptrace answers EPERM to everything, so the causes are looked for one by
 * one, as ptrace(2) lists them under "Ptrace access mode checking". With perf
 * events the errno tells more: EACCES is the kernel's own rules, EPERM mostly
 * a container's filter of system calls (perf_event_open(2)). A text begins
 * with the cause, for it is cut on a narrow screen.
 */
#include "sampler/refusal.h"

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
#include "sampler/perf_attr.h"
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
	return explain(err, EPERM, "process %d is traced by %s (pid %d), and "
		       "there can be one tracer only", (int)pid, comm,
		       (int)tracer);
}

/* --- closed to us, whatever way it is looked at */

static uid_t
user_of(pid_t pid)
{
	char path[32], text[4096];
	const char *uids;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return geteuid();
	uids = strstr(text, "\nUid:");
	return uids ? (uid_t)strtoul(uids + 5, NULL, 10) : geteuid();
}

/*
 * The files of /proc/PID, unlike the directory, belong to root when the
 * process lets nobody look into it.
 */
static bool
hides_itself(pid_t pid)
{
	char path[32];
	struct stat file;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	return stat(path, &file) == 0 && file.st_uid != geteuid();
}

/* Another user's process, or one that hides; ERR is then filled. */
static bool
is_closed(pid_t pid, struct error *err)
{
	uid_t owner = user_of(pid);

	if (geteuid() == 0 || try_to_read(pid) == 0)
		return false;
	if (owner != geteuid())
		explain(err, EPERM, "process %d belongs to user %u, you are "
			"user %u; try sudo flametop %d", (int)pid,
			(unsigned)owner, (unsigned)geteuid(), (int)pid);
	else if (hides_itself(pid))
		explain(err, EPERM, "process %d lets nobody look into it "
			"(set-uid, file capabilities or PR_SET_DUMPABLE); only "
			"root may: sudo flametop %d", (int)pid, (int)pid);
	else
		return false;
	return true;
}

/* --- perf events */

/* The kernel's own rules: EACCES. */
static bool
refuse_by_rule(pid_t pid, int errnum, struct error *err)
{
	long paranoid = perf_sysctl("paranoid", 2);

	if (geteuid() == 0)
		return explain(err, errnum, "root here lacks CAP_PERFMON, or a "
			       "security module forbids perf events; docker "
			       "run --cap-add PERFMON");
	if (paranoid > 2)
		return explain(err, errnum, "perf_event_paranoid is %ld: perf "
			       "events are for root alone; try sudo flametop "
			       "%d, or sudo sysctl "
			       "kernel.perf_event_paranoid=1", paranoid,
			       (int)pid);
	return explain(err, errnum, "a security module or a sandbox forbids "
		       "perf events; try sudo flametop %d", (int)pid);
}

bool
refusal_by_perf(pid_t pid, int errnum, struct error *err)
{
	if ((errnum == EACCES || errnum == EPERM) && is_closed(pid, err))
		return false;
	switch (errnum) {
	case EACCES:
		return refuse_by_rule(pid, errnum, err);
	case EPERM:
		return explain(err, errnum, "a container's filter of system "
			       "calls blocks perf events; docker run "
			       "--cap-add PERFMON, or flametop on the host");
	case ENOSYS:
	case ENODEV:
	case ENOENT:
	case EOPNOTSUPP:
		return explain(err, errnum, "this kernel, or the sandbox it "
			       "is, has no perf events");
	case ESRCH:
		return explain(err, errnum, "process %d has ended", (int)pid);
	}
	return fail(err, errnum, "cannot open a perf event on process %d",
		    (int)pid);
}

/* --- ptrace */

static int
yama_scope(void)
{
	char text[16];

	return proc_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text,
			 sizeof(text)) > 0 ? atoi(text) : 0;
}

static bool
refuse_user(pid_t pid, struct error *err)
{
	switch (yama_scope()) {
	case 0:
		break;
	case 1:
		return explain(err, EPERM, "kernel.yama.ptrace_scope is 1: "
			       "only a parent may trace; try sudo flametop "
			       "%d, or flametop -- COMMAND", (int)pid);
	case 2:
		return explain(err, EPERM, "kernel.yama.ptrace_scope is 2: "
			       "only root may trace; try sudo flametop %d",
			       (int)pid);
	default:
		return explain(err, EPERM, "kernel.yama.ptrace_scope is 3: "
			       "nobody may trace until the next boot");
	}
	return explain(err, EPERM, "process %d may not be traced by you (its "
		       "group, namespace or a security module differs); try "
		       "sudo flametop %d", (int)pid, (int)pid);
}

/* Root is refused too: what is left is said in the order of likelihood. */
static bool
refuse_root(pid_t pid, struct error *err)
{
	if (yama_scope() == 3)
		return explain(err, EPERM, "kernel.yama.ptrace_scope is 3: "
			       "nobody may trace until the next boot");
	return explain(err, EPERM, "root here may not trace process %d: "
		       "CAP_SYS_PTRACE is missing (docker run --cap-add "
		       "SYS_PTRACE) or a security module forbids it",
		       (int)pid);
}

bool
refusal_allows_reading(const struct target *target, struct error *err)
{
	pid_t pid = target_pid(target), tid = target_live_tid(target);
	int errnum = try_to_read(tid);

	if (!errnum)
		return true;
	if (errnum == ESRCH)
		return explain(err, ESRCH, "process %d has ended", (int)pid);
	if (errnum == ENOSYS)
		return explain(err, ENOSYS, "this kernel has no "
			       "process_vm_readv, which sampling by ptrace "
			       "and dump need");
	if (is_closed(pid, err))
		return false;
	return geteuid() ? refuse_user(pid, err) : refuse_root(pid, err);
}

bool
refusal_allows_ptrace(const struct target *target, struct error *err)
{
	pid_t pid = target_pid(target), tid = target_live_tid(target), tracer;
	int errnum = try_ptrace();

	if (errnum)
		return explain(err, errnum, "ptrace is switched off here, by a "
			       "container's filter of system calls or the "
			       "kernel; docker run --cap-add SYS_PTRACE");
	tracer = tracer_of(tid);
	if (tracer)
		return refuse_traced(pid, tracer, err);
	return refusal_allows_reading(target, err);
}

/* --- where a foreign library reads foreign bytes */

static bool
read_rights(const char *process, uid_t *user, uint64_t *capabilities)
{
	char path[32], text[4096];
	const char *uid, *effective;

	snprintf(path, sizeof(path), "/proc/%s/status", process);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return false;
	uid = strstr(text, "\nUid:");
	effective = strstr(text, "\nCapEff:");
	if (!uid || !effective)
		return false;
	*user = (uid_t)strtoul(uid + 5, NULL, 10);
	*capabilities = strtoull(effective + 8, NULL, 16);
	return true;
}

bool
refusal_allows_libunwind(pid_t pid, struct error *err)
{
	uint64_t ours = 0, theirs = 0;
	uid_t user = 0, owner = 0;
	char process[16];

	snprintf(process, sizeof(process), "%d", (int)pid);
	if (read_rights("self", &user, &ours) &&
	    read_rights(process, &owner, &theirs) && user == owner &&
	    !(ours & ~theirs))
		return true;
	return explain(err, EPERM, "--unwind libunwind would read process %d "
		       "with rights that its owner (user %u) has not: run it "
		       "as that user, or try --unwind auto", (int)pid,
		       (unsigned)owner);
}
