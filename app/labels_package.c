/* SPDX-License-Identifier: MIT */
/*
 * labels_package.c - which Debian package a program is of.
 *
 * dpkg keeps a list of files for each package and one file with all that is
 * installed. The lists are ten megabytes of a small system; dpkg itself is not
 * run.
 */
#include "app/labels.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base.h"
#include "core/sanitise.h"

#define LISTS "/var/lib/dpkg/info"
#define STATUS "/var/lib/dpkg/status"

/* Is PATH a line of the file NAME in FOLDER? */
static bool
has_line(int folder, const char *name, const char *path)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	char *line = NULL;
	size_t size = 0, len = strlen(path);
	bool is_there = false;

	while (file && !is_there && getline(&line, &size, file) > 0)
		is_there = strncmp(line, path, len) == 0 &&
			   (line[len] == '\n' || !line[len]);
	free(line);
	if (file)
		fclose(file);
	else if (fd >= 0)
		close(fd);
	return is_there;
}

/* The package with EXE or its old name without /usr; into OUT. */
static bool
find_package(const char *exe, char *out, size_t size)
{
	const char *old = strncmp(exe, "/usr/", 5) == 0 ? exe + 4 : exe;
	DIR *lists = opendir(LISTS);
	struct dirent *entry;
	bool is_found = false;

	while (lists && !is_found && (entry = readdir(lists))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".list") != 0)
			continue;
		is_found = has_line(dirfd(lists), entry->d_name, exe) ||
			   (old != exe &&
			    has_line(dirfd(lists), entry->d_name, old));
		if (is_found)
			snprintf(out, size, "%.*s",
				 (int)strcspn(entry->d_name, ":."),
				 entry->d_name);
		if (is_found && !strchr(entry->d_name, ':'))
			snprintf(out, size, "%.*s",
				 (int)(dot - entry->d_name), entry->d_name);
	}
	if (lists)
		closedir(lists);
	return is_found;
}

/* The version in the paragraph of PACKAGE; "" if there is none. */
static void
find_version(const char *package, char *out, size_t size)
{
	FILE *status = fopen(STATUS, "re");
	char *line = NULL;
	size_t room = 0;
	bool is_in = false;

	out[0] = '\0';
	while (status && !*out && getline(&line, &room, status) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (!*line)
			is_in = false;
		else if (strncmp(line, "Package: ", 9) == 0)
			is_in = strcmp(line + 9, package) == 0;
		else if (is_in && strncmp(line, "Version: ", 9) == 0)
			snprintf(out, size, "%s", line + 9);
	}
	free(line);
	if (status)
		fclose(status);
}

bool
labels_package(const char *exe, char *out, size_t size)
{
	char package[LABEL_MAX], version[LABEL_MAX], both[2 * LABEL_MAX];

	if (*exe != '/' || !find_package(exe, package, sizeof(package)))
		return false;
	find_version(package, version, sizeof(version));
	snprintf(both, sizeof(both), "%s%s%s", package, *version ? " " : "",
		 version);
	sanitise_into(out, size, both, strlen(both));
	return true;
}
