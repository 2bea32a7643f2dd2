/* SPDX-License-Identifier: MIT */
/*
 * folder.c - names in a folder that begin so.
 */
#include "app/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sanitise.h"

#define LINKS_MAX 1000		/* that are followed to see what they are */

/* '/' for a folder, ' ' for a file, '\0' for what is neither. */
static char
kind_of(int folder, const struct dirent *entry, unsigned *links)
{
	struct stat st;

	if (entry->d_type == DT_DIR)
		return '/';
	if (entry->d_type == DT_REG)
		return ' ';
	if ((entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN) ||
	    ++*links > LINKS_MAX ||
	    fstatat(folder, entry->d_name, &st, 0) < 0)
		return '\0';
	return S_ISDIR(st.st_mode) ? '/' : S_ISREG(st.st_mode) ? ' ' : '\0';
}

static bool
can_be_typed(const char *name)
{
	char clean[1100];

	sanitise_into(clean, sizeof(clean), name, strlen(name));
	return strcmp(clean, name) == 0;
}

static bool
begins_so(const struct dirent *entry, const char *start)
{
	const char *name = entry->d_name;

	return strncmp(name, start, strlen(start)) == 0 &&
	       (name[0] != '.' || start[0] == '.') &&
	       strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void
agree(struct folder *folder, const char *name)
{
	size_t same = 0;

	if (folder->total == 0) {
		snprintf(folder->common, sizeof(folder->common), "%s", name);
		return;
	}
	while (folder->common[same] && folder->common[same] == name[same])
		same++;
	while (same > 0 && (folder->common[same] & 0xc0) == 0x80)
		same--;		/* no half of a character */
	folder->common[same] = '\0';
}

/* In order; the last of them goes where there is no room. */
static void
insert(struct folder *folder, const char *name)
{
	size_t i = folder->count;

	while (i > 0 && strcmp(folder->names[i - 1], name) > 0)
		i--;
	if (i == FOLDER_LISTED)
		return;
	memmove(&folder->names[i + 1], &folder->names[i],
		(folder->count - i) * sizeof(*folder->names));
	folder->names[i] = xstrdup(name);
	if (folder->count < FOLDER_LISTED)
		folder->count++;
	else
		free(folder->names[FOLDER_LISTED]);
}

static void
take_entry(struct folder *folder, int fd, const struct dirent *entry,
	   const char *start, unsigned *links)
{
	char name[sizeof(entry->d_name) + 2], kind;

	if (!begins_so(entry, start) || !can_be_typed(entry->d_name))
		return;
	kind = kind_of(fd, entry, links);
	if (!kind)
		return;
	snprintf(name, sizeof(name), "%s%s", entry->d_name,
		 kind == '/' ? "/" : "");
	agree(folder, name);
	insert(folder, name);
	folder->total++;
}

struct folder *
folder_list(const char *path, const char *start, struct error *err)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	struct folder *folder;
	struct dirent *entry;
	unsigned links = 0;

	if (!dir) {
		fail(err, errno, "cannot list %.150s", path);
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	folder = xcalloc(1, sizeof(*folder));
	for (size_t n = 0; (entry = readdir(dir)); n++) {
		folder->is_cut = n == FOLDER_READ;
		if (folder->is_cut)
			break;
		take_entry(folder, fd, entry, start, &links);
	}
	closedir(dir);
	return folder;
}

void
folder_free(struct folder *folder)
{
	if (!folder)
		return;
	for (size_t i = 0; i < folder->count; i++)
		free(folder->names[i]);
	free(folder);
}
