/* SPDX-License-Identifier: MIT */
/*
 * labels.c - /proc and /sys to keys of a profile.
 */
#include "app/labels.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "core/base.h"
#include "core/sanitise.h"
#include "sampler/procstat.h"

#define ENVIRONMENT_MAX ((size_t)256 << 10)

static void
set(struct profile *profile, const char *key, const char *value)
{
	if (*value)
		profile_set(profile, key, value);
}

static void
set_number(struct profile *profile, const char *key, long value)
{
	char text[24];

	snprintf(text, sizeof(text), "%ld", value);
	profile_set(profile, key, text);
}

/* The text of a file up to its first newline, as the value of KEY. */
static void
set_line(struct profile *profile, const char *key, const char *path)
{
	char raw[512], clean[LABEL_MAX];
	ssize_t len = proc_read(AT_FDCWD, path, raw, sizeof(raw));

	if (len <= 0)
		return;
	set(profile, key, sanitise_into(clean, sizeof(clean), raw,
					strcspn(raw, "\n")));
}

/* What stands behind "NAME<blanks>:" in TEXT; its length, or 0. */
static size_t
field(const char *text, const char *name, const char **value)
{
	const char *line = text;
	size_t n = strlen(name);

	while (line && strncmp(line, name, n) != 0) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	if (!line)
		return 0;
	*value = line + n;
	*value += strspn(*value, " \t:");
	return strcspn(*value, "\n");
}

static void
set_field(struct profile *profile, const char *key, const char *path,
	  const char *name)
{
	char text[16384], clean[LABEL_MAX];
	const char *value;
	size_t len;

	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return;
	len = field(text, name, &value);
	if (len)
		set(profile, key, sanitise_into(clean, sizeof(clean), value,
						len));
}

void
labels_of_machine(struct profile *profile)
{
	struct utsname kernel;

	if (uname(&kernel) == 0)
		set(profile, "kernel", kernel.release);
	set_field(profile, "cpu", "/proc/cpuinfo", "model name");
	set_number(profile, "cpus", sysconf(_SC_NPROCESSORS_ONLN));
	set_line(profile, "boot", "/proc/sys/kernel/random/boot_id");
	set_line(profile, "governor",
		 "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

/* When, for what began TICKS after boot. */
static time_t
wall_time(uint64_t ticks)
{
	struct timespec since_boot;

	clock_gettime(CLOCK_BOOTTIME, &since_boot);
	return time(NULL) - since_boot.tv_sec +
	       (time_t)(ticks / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void
set_start(struct profile *profile, const char *folder)
{
	char path[64], text[4096], clock[32];
	struct proc_stat stat;
	const char *value;
	struct tm tm;
	time_t start;

	snprintf(path, sizeof(path), "%s/stat", folder);
	if (!procstat_read(AT_FDCWD, path, &stat))
		return;
	set_number(profile, "ppid", stat.ppid);
	start = wall_time(stat.start);
	gmtime_r(&start, &tm);
	strftime(clock, sizeof(clock), "%Y-%m-%dT%H:%M:%SZ", &tm);
	profile_set(profile, "app.started", clock);
	snprintf(path, sizeof(path), "%s/status", folder);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) > 0 &&
	    field(text, "Uid:", &value))
		set_number(profile, "uid", strtol(value, NULL, 10));
}

static void
set_environment(struct profile *profile, const char *folder,
		struct environment_labels *labels)
{
	char *bytes = xcalloc(ENVIRONMENT_MAX, 1), path[64];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/environ", folder);
	len = proc_read(AT_FDCWD, path, bytes, ENVIRONMENT_MAX);
	labels_of_environment(bytes, len > 0 ? (size_t)len : 0, labels);
	explicit_bzero(bytes, ENVIRONMENT_MAX);
	free(bytes);
	set(profile, "app.version", labels->version);
	set(profile, "app.version-from", labels->version_from);
	set(profile, "app.env", labels->env);
	set(profile, "app.commit", labels->commit);
}

static void
set_cgroup(struct profile *profile, const char *folder,
	   struct cgroup_labels *labels)
{
	char text[16384], path[64];

	snprintf(path, sizeof(path), "%s/cgroup", folder);
	if (proc_read(AT_FDCWD, path, text, sizeof(text)) <= 0)
		text[0] = '\0';
	labels_of_cgroup(text, labels);
	set(profile, "app.unit", labels->unit);
	set(profile, "app.container", labels->container);
	set(profile, "app.pod", labels->pod);
}

/* The first that knows a name for the service. */
static void
set_service(struct profile *profile, const char *folder,
	    const struct environment_labels *env,
	    const struct cgroup_labels *cgroup)
{
	char path[64];

	if (*env->service) {
		profile_set(profile, "app.service", env->service);
		profile_set(profile, "app.service-from", env->service_from);
	} else if (*cgroup->unit) {
		profile_set(profile, "app.service", cgroup->unit);
		profile_set(profile, "app.service-from", "unit");
	} else {
		snprintf(path, sizeof(path), "%s/comm", folder);
		set_line(profile, "app.service", path);
		profile_set(profile, "app.service-from", "comm");
	}
}

/* Another file system than ours has packages that we know nothing of. */
static bool
shares_our_files(const char *folder)
{
	char path[64], theirs[64], ours[64];
	ssize_t one, two;

	snprintf(path, sizeof(path), "%s/ns/mnt", folder);
	one = readlink(path, theirs, sizeof(theirs));
	two = readlink("/proc/self/ns/mnt", ours, sizeof(ours));
	return one > 0 && one == two && memcmp(theirs, ours, (size_t)one) == 0;
}

void
labels_of_package(struct profile *profile, const char *exe)
{
	char package[LABEL_MAX];

	if (profile_get(profile, "app.version") ||
	    !labels_package(exe, package, sizeof(package)))
		return;
	profile_set(profile, "app.version", package);
	profile_set(profile, "app.version-from", "dpkg");
}

bool
labels_of_process(struct profile *profile, pid_t pid)
{
	struct environment_labels env;
	struct cgroup_labels cgroup;
	char folder[32];

	snprintf(folder, sizeof(folder), "/proc/%d", (int)pid);
	if (access(folder, F_OK) != 0)
		return false;
	set_start(profile, folder);
	set_environment(profile, folder, &env);
	set_cgroup(profile, folder, &cgroup);
	set_service(profile, folder, &env, &cgroup);
	return shares_our_files(folder);
}
