/* SPDX-License-Identifier: MIT */
/*
 * probes.c - the very thing that sampling does, and why it is refused.
 *
 * The reasons are told in the words of sampler/refusal.h, as they would be
 * when sampling.
 */
#include "app/probes.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <linux/perf_event.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "app/open.h"
#include "core/maps.h"
#include "sampler/procstat.h"
#include "sampler/refusal.h"

long
probes_sysctl(const char *name, long fallback)
{
	char path[96], text[32];

	snprintf(path, sizeof(path), "/proc/sys/kernel/%s", name);
	return proc_read(AT_FDCWD, path, text, sizeof(text)) > 0 ?
	       strtol(text, NULL, 10) : fallback;
}

static bool
good(struct finding *f, const char *text)
{
	f->is_good = true;
	snprintf(f->text, sizeof(f->text), "%s", text);
	return true;
}

static bool
bad(struct finding *f, int errnum, const char *remedy)
{
	f->is_good = false;
	snprintf(f->text, sizeof(f->text), "no: %s", strerror(errnum));
	snprintf(f->remedy, sizeof(f->remedy), "%s", remedy);
	return false;
}

/* "task/TID/NAME" of a thread that lives, below /proc/PID. */
static void
path_of(const struct visit *v, const char *name, char *out, size_t size)
{
	snprintf(out, size, "/proc/%d/task/%d/%s", (int)target_pid(v->target),
		 (int)target_live_tid(v->target), name);
}

/* --- perf events */

static int
try_perf(const struct visit *v, uint32_t type, uint64_t config, bool kernel)
{
	struct perf_event_attr attr = {
		.type = type, .size = sizeof(attr), .config = config,
		.sample_period = 1000000, .disabled = 1,
		.exclude_kernel = !kernel, .exclude_hv = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr,
			      target_live_tid(v->target), -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static void
probe_perf_user(struct visit *v, struct finding *f)
{
	int errnum = try_perf(v, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
			      false);
	struct error err;

	v->has_perf = errnum == 0;
	if (v->has_perf) {
		good(f, "yes: nothing is stopped while sampling");
	} else {
		refusal_by_perf(target_pid(v->target), errnum, &err);
		bad(f, errnum, err.text);
	}
}

static void
probe_perf_kernel(struct visit *v, struct finding *f)
{
	int errnum = try_perf(v, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK,
			      true);
	char text[160];

	v->has_kernel = errnum == 0;
	snprintf(text, sizeof(text), "perf_event_paranoid is %ld: sudo "
		 "flametop, or sudo sysctl kernel.perf_event_paranoid=1",
		 v->paranoid);
	if (v->has_kernel)
		good(f, "yes");
	else
		bad(f, errnum, !v->has_perf ? "as above" :
		    v->paranoid > 1 ? text :
		    "a security module forbids it");
}

static void
probe_cycles(struct visit *v, struct finding *f)
{
	int errnum = try_perf(v, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES,
			      false);

	if (!errnum)
		good(f, "yes");
	else if (v->has_perf || errnum == ENOENT || errnum == EOPNOTSUPP)
		good(f, "none here (virtual machine?); the cpu-clock timer "
		     "does as well");
	else
		bad(f, errnum, "as above");
}

/* --- ptrace, and what needs the same right */

static void
probe_ptrace(struct visit *v, struct finding *f)
{
	struct error err;

	v->has_ptrace = refusal_allows_ptrace(v->target, &err);
	if (!v->has_ptrace) {
		bad(f, err.errnum, err.text);
	} else if (v->is_own_child && v->is_parent_only) {
		good(f, "of what flametop starts itself: flametop -- COMMAND");
		snprintf(f->remedy, sizeof(f->remedy), "for others: "
			 "kernel.yama.ptrace_scope is 1: sudo flametop, or "
			 "sudo sysctl kernel.yama.ptrace_scope=0");
	} else {
		good(f, "yes: the fallback where perf events are refused");
	}
}

/* The first page that may be read at all. */
static uint64_t
readable_address(const struct visit *v)
{
	char path[64], text[4096];
	const char *line = text, *perms;

	path_of(v, "maps", path, sizeof(path));
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return 0;
	while (line && (perms = strchr(line, ' '))) {
		if (perms[1] == 'r')
			return strtoull(line, NULL, 16);
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return 0;
}

static void
probe_memory(struct visit *v, struct finding *f)
{
	struct memory memory = target_memory(v->target);
	uint64_t address = readable_address(v);
	char byte;

	errno = EACCES;
	v->has_memory = address &&
			memory.read(memory.ctx, address, &byte, 1);
	if (v->has_memory)
		good(f, "yes: stacks stay whole");
	else
		bad(f, errno, "large stacks are cut; sudo flametop, or "
		    "CAP_SYS_PTRACE");
}

static bool
can_open(const struct visit *v, const struct mapping *mapping,
	 struct error *err)
{
	struct open_mapping wanted = {
		.pid = target_pid(v->target), .start = mapping->start,
		.end = mapping->end, .inode = mapping->inode,
		.is_deleted = mapping->is_deleted,
	};
	int fd;

	snprintf(wanted.path, sizeof(wanted.path), "%s", mapping->path);
	fd = open_module(&wanted, err);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
is_code_of_a_file(const struct mapping *mapping)
{
	return mapping->is_executable && (mapping->kind == MODULE_PROGRAM ||
					  mapping->kind == MODULE_LIBRARY);
}

static void
count_files(struct visit *v, const struct maps *maps, struct finding *f)
{
	size_t files = 0, closed = 0;
	struct error err;

	for (size_t i = 0; i < maps_count(maps); i++)
		if (is_code_of_a_file(maps_at(maps, i))) {
			files++;
			closed += !can_open(v, maps_at(maps, i), &err);
		}
	v->has_files = closed == 0;
	if (v->has_files) {
		good(f, "yes");
		return;
	}
	snprintf(f->text, sizeof(f->text), "%zu of %zu", files - closed,
		 files);
	snprintf(f->remedy, sizeof(f->remedy), "%.300s; sudo flametop",
		 err.text);
}

static void
probe_files(struct visit *v, struct finding *f)
{
	struct maps *maps = maps_new();
	struct error err;

	if (target_read_maps(v->target, maps, &err))
		count_files(v, maps, f);
	else
		bad(f, err.errnum, err.text);
	maps_free(maps);
}

/* --- the rest */

/* The first lines are of low addresses on some kernels, for root too. */
static bool
has_addresses(const char *text)
{
	while (text && strspn(text, "0") == 16) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text && strspn(text, "0123456789abcdef") == 16;
}

static void
probe_kallsyms(struct visit *v, struct finding *f)
{
	char text[65536];
	ssize_t len = proc_read(AT_FDCWD, "/proc/kallsyms", text,
				sizeof(text));

	v->has_kernel_names = len > 0 && has_addresses(text);
	if (v->has_kernel_names)
		good(f, "yes");
	else if (v->kptr >= 2)
		bad(f, EACCES, "kernel.kptr_restrict is 2: hidden from "
		    "everybody; sudo sysctl kernel.kptr_restrict=1");
	else
		bad(f, EACCES, "sudo flametop, or CAP_SYSLOG");
}

static void
probe_buffers(struct visit *v, struct finding *f)
{
	struct rlimit locked = { 0 };
	char text[160];

	(void)v;
	getrlimit(RLIMIT_MEMLOCK, &locked);
	snprintf(text, sizeof(text), "perf_event_mlock_kb %ld, ulimit -l %lld "
		 "KiB", probes_sysctl("perf_event_mlock_kb", 516),
		 locked.rlim_cur == RLIM_INFINITY ? -1LL :
		 (long long)(locked.rlim_cur / 1024));
	good(f, text);
}

static void
probe_descriptors(struct visit *v, struct finding *f)
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
probe_terminal(struct visit *v, struct finding *f)
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

const struct probe probes[] = {
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

const size_t probes_count = ARRAY_LEN(probes);
