/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - what works here for this user, tried and not guessed.
 *
 * Each probe is a row: it does the very thing that sampling does, on a child
 * of our own or on the target that was named, and says on failure which knob
 * helps, for how long, and what it costs.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <linux/perf_event.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/open.h"
#include "app/say.h"
#include "sampler/procstat.h"
#include "sampler/target.h"

/* One visit: what is probed, and what was found out on the way. */
struct visit {
	pid_t pid;		/* the target, or a child of ours */
	bool is_own_child;
	long paranoid, yama, kptr;
	bool is_filtered;	/* a seccomp filter is on us */
};

/* The answer of a probe; a remedy only where something is missing. */
struct finding {
	bool is_good;
	char text[200];
	char remedy[240];
};

static long
read_number(const char *path, long fallback)
{
	char text[32];

	return proc_read(AT_FDCWD, path, text, sizeof(text)) > 0 ?
	       strtol(text, NULL, 10) : fallback;
}

static void
good(struct finding *f, const char *text)
{
	f->is_good = true;
	snprintf(f->text, sizeof(f->text), "%s", text);
}

static void
bad(struct finding *f, int errnum, const char *remedy)
{
	f->is_good = false;
	snprintf(f->text, sizeof(f->text), "no: %s", strerror(errnum));
	snprintf(f->remedy, sizeof(f->remedy), "%s", remedy);
}

static int
try_perf(pid_t pid, uint32_t type, uint64_t config, bool kernel)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config,
		.sample_period = 1000000, .disabled = 1,
		.exclude_kernel = !kernel, .exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static const char *
perf_remedy(const struct visit *v, int errnum)
{
	if (errnum == ENOSYS || errnum == ENODEV)
		return "this kernel or sandbox (gVisor) has no perf events; "
		       "--sampler ptrace works without";
	if (errnum == EPERM && v->is_filtered)
		return "a seccomp filter blocks it: docker run --cap-add "
		       "PERFMON, or run flametop on the host";
	if (v->paranoid > 2)
		return "sudo flametop; or for your own processes, until "
		       "reboot: sudo sysctl kernel.perf_event_paranoid=2 "
		       "(here it is higher, as Debian ships it)";
	return "sudo flametop, or run it as the user of the process";
}

static void
probe_perf_user(const struct visit *v, struct finding *f)
{
	int errnum = try_perf(v->pid, PERF_TYPE_SOFTWARE,
			      PERF_COUNT_SW_CPU_CLOCK, false);

	if (errnum)
		bad(f, errnum, perf_remedy(v, errnum));
	else
		good(f, "yes: nothing is stopped while sampling");
}

static void
probe_perf_kernel(const struct visit *v, struct finding *f)
{
	int errnum = try_perf(v->pid, PERF_TYPE_SOFTWARE,
			      PERF_COUNT_SW_CPU_CLOCK, true);

	if (!errnum)
		good(f, "yes");
	else
		bad(f, errnum, v->paranoid > 2 ? perf_remedy(v, errnum) :
		    "sudo flametop; or, until reboot: sudo sysctl "
		    "kernel.perf_event_paranoid=1");
}

static void
probe_cycles(const struct visit *v, struct finding *f)
{
	int errnum = try_perf(v->pid, PERF_TYPE_HARDWARE,
			      PERF_COUNT_HW_CPU_CYCLES, false);

	if (!errnum)
		good(f, "yes");
	else if (errnum == ENOENT || errnum == EOPNOTSUPP)
		good(f, "none here (virtual machine?); the cpu-clock timer "
		     "does as well");
	else
		bad(f, errnum, perf_remedy(v, errnum));
}

static const char *
ptrace_remedy(const struct visit *v)
{
	switch (v->yama) {
	case 3:
		return "kernel.yama.ptrace_scope is 3: off until reboot, for "
		       "root too; perf events are not affected";
	case 2:
		return "kernel.yama.ptrace_scope is 2: sudo flametop";
	case 1:
		return "kernel.yama.ptrace_scope is 1: flametop -- COMMAND, "
		       "sudo flametop, or until reboot: sudo sysctl "
		       "kernel.yama.ptrace_scope=0";
	default:
		return "sudo flametop, or run it as the user of the process";
	}
}

static void
probe_ptrace(const struct visit *v, struct finding *f)
{
	if (!v->is_own_child) {
		good(f, "not tried on it; its memory needs the same right");
	} else if (ptrace(PTRACE_SEIZE, v->pid, 0, 0) < 0) {
		bad(f, errno, ptrace_remedy(v));
	} else {
		good(f, "yes: the fallback where perf events are refused");
		ptrace(PTRACE_INTERRUPT, v->pid, 0, 0);
		waitpid(v->pid, NULL, __WALL);
		ptrace(PTRACE_DETACH, v->pid, 0, 0);
	}
}

static void
probe_memory(const struct visit *v, struct finding *f)
{
	char byte, path[64], line[64];
	struct iovec here = { &byte, 1 }, there;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)v->pid);
	if (proc_read(AT_FDCWD, path, line, sizeof(line)) <= 0) {
		bad(f, errno ? errno : EACCES, ptrace_remedy(v));
		return;
	}
	there = (struct iovec){
		(void *)(uintptr_t)strtoull(line, NULL, 16), 1,
	};
	if (process_vm_readv(v->pid, &here, 1, &there, 1, 0) == 1)
		good(f, "yes: deep stacks stay whole");
	else
		bad(f, errno, ptrace_remedy(v));
}

static void
probe_files(const struct visit *v, struct finding *f)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)v->pid);
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0) {
		bad(f, errno, "names need the right to read the program: "
		    "sudo flametop");
		return;
	}
	close(fd);
	snprintf(path, sizeof(path), "/proc/%d/map_files", (int)v->pid);
	good(f, geteuid() == 0 ? "yes, deleted and replaced ones too" :
	     "yes; root can also read those that were replaced");
}

static void
probe_kallsyms(const struct visit *v, struct finding *f)
{
	char text[4096];
	ssize_t len = proc_read(AT_FDCWD, "/proc/kallsyms", text,
				sizeof(text));

	if (len > 0 && strspn(text, "0") < 16)
		good(f, "yes");
	else if (v->kptr >= 2)
		bad(f, EACCES, "kernel.kptr_restrict is 2: hidden from "
		    "everybody; sudo sysctl kernel.kptr_restrict=1");
	else
		bad(f, EACCES, "sudo flametop (or CAP_SYSLOG)");
}

static void
probe_buffers(const struct visit *v, struct finding *f)
{
	struct rlimit locked = { 0 };
	char text[160];

	(void)v;
	getrlimit(RLIMIT_MEMLOCK, &locked);
	snprintf(text, sizeof(text), "perf_event_mlock_kb %ld, ulimit -l %lld "
		 "KiB", read_number("/proc/sys/kernel/perf_event_mlock_kb",
				    516),
		 locked.rlim_cur == RLIM_INFINITY ? -1LL :
		 (long long)(locked.rlim_cur / 1024));
	good(f, text);
}

static void
probe_descriptors(const struct visit *v, struct finding *f)
{
	struct rlimit files = { 0 };
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char text[160];

	(void)v;
	getrlimit(RLIMIT_NOFILE, &files);
	snprintf(text, sizeof(text), "%lld (raised by ourselves): enough for "
		 "%lld threads on %ld CPUs", (long long)files.rlim_max,
		 (long long)files.rlim_max / (cpus > 0 ? cpus : 1), cpus);
	good(f, text);
}

static void
probe_terminal(const struct visit *v, struct finding *f)
{
	const char *term = getenv("TERM");
	const char *locale = setlocale(LC_CTYPE, "");
	char text[160];

	(void)v;
	snprintf(text, sizeof(text), "TERM=%s, %s, %s", term ? term : "(unset)",
		 isatty(STDOUT_FILENO) ? "a terminal" : "not a terminal",
		 locale ? nl_langinfo(CODESET) : "locale not installed");
	good(f, text);
}

static const struct {
	const char *name;
	void (*probe)(const struct visit *visit, struct finding *finding);
} probes[] = {
	{ "perf events, user code",	probe_perf_user },
	{ "perf events, kernel code",	probe_perf_kernel },
	{ "hardware cycle counter",	probe_cycles },
	{ "ptrace",			probe_ptrace },
	{ "reading its memory",		probe_memory },
	{ "reading its files",		probe_files },
	{ "names of kernel functions",	probe_kallsyms },
	{ "buffers for perf events",	probe_buffers },
	{ "file descriptors",		probe_descriptors },
	{ "terminal",			probe_terminal },
};

static void
look_around(struct visit *v)
{
	char status[4096];

	v->paranoid = read_number("/proc/sys/kernel/perf_event_paranoid", 2);
	v->yama = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);
	v->kptr = read_number("/proc/sys/kernel/kptr_restrict", 0);
	v->is_filtered = proc_read(AT_FDCWD, "/proc/self/status", status,
				   sizeof(status)) > 0 &&
			 strstr(status, "\nSeccomp:\t2");
	printf("user %u, perf_event_paranoid %ld, yama.ptrace_scope %ld, "
	       "kptr_restrict %ld%s\n\n", (unsigned)geteuid(), v->paranoid,
	       v->yama, v->kptr, v->is_filtered ? ", seccomp filter" : "");
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

/* Can this process be sampled at all? */
static int
examine(const struct visit *v)
{
	bool is_good[ARRAY_LEN(probes)];

	for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
		struct finding f = { 0 };

		errno = 0;
		probes[i].probe(v, &f);
		is_good[i] = f.is_good;
		printf("%-3s %-26s %s\n", f.is_good ? "ok" : "--",
		       probes[i].name, f.text);
		if (*f.remedy)
			printf("    %-26s %s\n", "", f.remedy);
	}
	/* perf events, or the right that ptrace and memory share. */
	return is_good[0] || is_good[4] ? STATUS_DONE : STATUS_REFUSED;
}

int
cmd_doctor(const struct options *options)
{
	struct visit visit = { .is_own_child = options->npids == 0 };
	struct target *target = NULL;
	struct error err;
	int status;

	if (options->npids && !target_open(options->pids[0], &target, &err)) {
		say("%s", err.text);
		return err.errnum == EPERM || err.errnum == EACCES ?
		       STATUS_REFUSED : STATUS_NO_TARGET;
	}
	visit.pid = target ? options->pids[0] : start_child();
	printf("flametop %s: probing %s %d\n", FLAMETOP_VERSION,
	       target ? "process" : "a child of its own,", (int)visit.pid);
	look_around(&visit);
	status = examine(&visit);
	if (!target && visit.pid > 0) {
		kill(visit.pid, SIGKILL);
		waitpid(visit.pid, NULL, 0);
	}
	target_free(target);
	return status;
}
