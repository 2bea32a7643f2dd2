/* SPDX-License-Identifier: MIT */
/*
 * open_jit.c - where a target says what the code is that it has generated.
 */
#include "app/open_private.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/maps.h"

/* The target's effective user, and its pid as it knows it itself. */
static bool
read_status(pid_t pid, uid_t *euid, pid_t *inner)
{
	char path[64], line[512];
	unsigned real, effective;
	FILE *status;
	int found = 0;

	*inner = pid;
	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	status = fopen(path, "re");
	if (!status)
		return false;
	while (fgets(line, sizeof(line), status)) {
		char *last = strrchr(line, '\t');

		if (sscanf(line, "Uid: %u %u", &real, &effective) == 2) {
			*euid = effective;
			found = 1;
		} else if (strncmp(line, "NSpid:", 6) == 0 && last) {
			*inner = (pid_t)strtol(last, NULL, 10);
		}
	}
	fclose(status);
	return found;
}

/* Map number PID below ROOT, if OWNER or root has written it; O_PATH. */
static int
find_perf_map(int root, pid_t pid, uid_t owner, uint64_t *size,
	      struct error *err)
{
	char path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)pid);
	fd = open_find(root, path, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
		       OPEN_PERF_MAP_MAX, &st, err);
	if (fd < 0)
		return -1;
	if (st.st_uid == owner || st.st_uid == 0) {
		*size = (uint64_t)st.st_size;
		return open_again(fd, path, err);
	}
	fail(err, 0, "%s belongs to user %u, not to the target's", path,
	     (unsigned)st.st_uid);
	close(fd);
	return -1;
}

/*
 * In a container the target writes where it sees /tmp, under the number that
 * it knows; agents from outside do so under ours, some of them in our /tmp.
 * What is said of the first place is said when all have failed.
 */
int
open_perf_map(pid_t pid, uint64_t *size, struct error *err)
{
	int root = open_root(pid), ours = -1, fd = -1;
	uid_t owner;
	pid_t inner;

	if (root < 0 || !read_status(pid, &owner, &inner)) {
		fail(err, ESRCH, "no perf map of %d", (int)pid);
		goto out;
	}
	fd = find_perf_map(root, inner, owner, size, err);
	if (fd < 0 && inner != pid)
		fd = find_perf_map(root, pid, owner, size, NULL);
	if (fd < 0 && !open_is_ours(root))
		ours = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (ours >= 0)
		fd = find_perf_map(ours, pid, owner, size, NULL);
out:
	if (ours >= 0)
		close(ours);
	if (root >= 0)
		close(root);
	return fd;
}

/* ".../jit-4242.dump" */
static bool
is_jitdump(const struct mapping *mapping)
{
	const char *slash = strrchr(mapping->path, '/');
	size_t digits;

	if (!mapping->is_executable || !slash ||
	    strncmp(slash, "/jit-", 5) != 0)
		return false;
	digits = strspn(slash + 5, "0123456789");
	return digits && strcmp(slash + 5 + digits, ".dump") == 0;
}

static bool
find_jitdump(pid_t pid, struct open_mapping *out)
{
	char path[64], line[4096 + 128];
	struct mapping mapping;
	bool is_found = false;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && !is_found && fgets(line, sizeof(line), maps)) {
		line[strcspn(line, "\n")] = '\0';
		is_found = maps_parse_line(line, strlen(line), &mapping,
					   out->path, sizeof(out->path)) &&
			   is_jitdump(&mapping);
	}
	if (maps)
		fclose(maps);
	if (!is_found)
		return false;
	out->pid = pid;
	out->start = mapping.start;
	out->end = mapping.end;
	out->inode = mapping.inode;
	out->is_deleted = mapping.is_deleted;
	return true;
}

int
open_jitdump(pid_t pid, uint64_t *size, struct error *err)
{
	struct open_mapping *mapping = xcalloc(1, sizeof(*mapping));
	struct stat st;
	uid_t owner;
	pid_t inner;
	int fd = -1;

	if (!find_jitdump(pid, mapping) || !read_status(pid, &owner, &inner)) {
		fail(err, ENOENT, "no jitdump of %d", (int)pid);
		goto out;
	}
	fd = open_module(mapping, err);
	if (fd < 0)
		goto out;
	if (fstat(fd, &st) < 0 || (st.st_uid != owner && st.st_uid != 0))
		fail(err, 0, "%.150s is not the target's", mapping->path);
	else if ((uint64_t)st.st_size > OPEN_JITDUMP_MAX)
		fail(err, EFBIG, "%.150s", mapping->path);
	else
		goto good;
	close(fd);
	fd = -1;
	goto out;
good:
	*size = (uint64_t)st.st_size;
out:
	free(mapping);
	return fd;
}
