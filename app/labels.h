/* SPDX-License-Identifier: MIT */
/*
 * labels.h - what a process is, for whoever compares its snapshots later.
 *
 *	app.version app.commit app.env app.service	what was deployed
 *	app.version-from app.service-from		who said so
 *	app.unit app.container app.pod			where it runs
 *	app.started ppid uid				its start is the tick of
 *							a deploy
 *	kernel cpu cpus boot governor			what both sides of a
 *							comparison should share
 *
 * All of it is found in /proc, /sys and the files of dpkg; what is not there
 * or not permitted is left out. Of the environment only names on a list are
 * looked at: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, DD_SERVICE, DD_ENV,
 * DD_VERSION, GIT_COMMIT, SOURCE_COMMIT.
 */
#ifndef APP_LABELS_H
#define APP_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/profile.h"

#define LABEL_MAX 129		/* bytes of a value, with its NUL */

/*
 * Set the keys of PROFILE that can be found while PID runs. True if it has the
 * same files as we, so that labels_of_package() is about its own.
 */
bool labels_of_process(struct profile *profile, pid_t pid);

/*
 * The Debian package of the program EXE as its version, unless it has one.
 * Reads all of dpkg's lists, so it is asked when something is written, not
 * while a screen waits for its first picture.
 */
void labels_of_package(struct profile *profile, const char *exe);

/* Those of this machine. */
void labels_of_machine(struct profile *profile);

/* "" in each that is not told. */
struct cgroup_labels {
	char unit[LABEL_MAX];		/* "nginx.service" */
	char container[65];		/* 64 hex digits */
	char pod[37];			/* Kubernetes' uid */
};

/* From the text of /proc/PID/cgroup, version 1 or 2. */
void labels_of_cgroup(const char *text, struct cgroup_labels *out);

struct environment_labels {
	char service[LABEL_MAX], service_from[LABEL_MAX];
	char version[LABEL_MAX], version_from[LABEL_MAX];
	char env[LABEL_MAX], commit[LABEL_MAX];
};

/* From LEN bytes of /proc/PID/environ. */
void labels_of_environment(const char *bytes, size_t len,
			   struct environment_labels *out);

/*
 * "redis-server 5:7.0.15-1", the Debian package that EXE belongs to, into OUT;
 * false: none that is known of.
 */
bool labels_package(const char *exe, char *out, size_t size);

#endif
