/* SPDX-License-Identifier: MIT */
/*
 * open.c - the rules of opening.
 */
#include "app/open_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "symbols/memfile.h"

#define VDSO_MAX (1u << 20)
#define LIBRARY_DEBUG "/usr/lib/debug"

static int
open_path(int root, const char *path, uint64_t resolve)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC, .resolve = resolve,
	};

	if (resolve == 0)
		return openat(root, path, O_PATH | O_CLOEXEC);
	return (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

int
open_again(int fd, const char *name, struct error *err)
{
	char path[32];
	int opened;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (opened < 0)
		fail(err, errno, "cannot read %.150s", name);
	close(fd);
	return opened;
}

const char *
file_type(mode_t mode)
{
	return S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a pipe" :
	       S_ISSOCK(mode) ? "a socket" : S_ISLNK(mode) ? "a link" :
	       "a device";
}

uint64_t
open_left(int fd)
{
	struct stat st;
	off_t at = lseek(fd, 0, SEEK_CUR);

	return at >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
}

int
open_find(int root, const char *path, uint64_t resolve, uint64_t max,
	  struct stat *st, struct error *err)
{
	int fd = open_path(root, path, resolve);

	if (fd < 0) {
		fail(err, errno, "cannot open %.150s", path);
		return -1;
	}
	if (fstat(fd, st) < 0)
		fail(err, errno, "%.150s", path);
	else if (!S_ISREG(st->st_mode))
		fail(err, 0, "%.150s is %s, not a file", path,
		     file_type(st->st_mode));
	else if ((uint64_t)st->st_size > max)
		fail(err, EFBIG, "%.150s", path);
	else
		return fd;
	close(fd);
	return -1;
}

static int
open_regular(int root, const char *path, uint64_t resolve, uint64_t max,
	     struct stat *st, struct error *err)
{
	int fd = open_find(root, path, resolve, max, st, err);

	return fd < 0 ? -1 : open_again(fd, path, err);
}

int
open_file(const char *path, uint64_t max, struct stat *st, struct error *err)
{
	struct stat own;

	return open_regular(AT_FDCWD, path, 0, max, st ? st : &own, err);
}

/*
 * A main thread that has exited has no root any more; another one is asked
 * then.
 */
int
open_root(pid_t pid)
{
	char path[64];
	struct dirent *entry;
	int fd;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/root", (int)pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	if (!tasks)
		return -1;
	while (fd < 0 && (entry = readdir(tasks))) {
		snprintf(path, sizeof(path), "%.20s/root", entry->d_name);
		if (entry->d_name[0] != '.')
			fd = openat(dirfd(tasks), path,
				    O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	closedir(tasks);
	return fd;
}

bool
open_is_ours(int root)
{
	struct stat theirs, ours;

	return fstat(root, &theirs) == 0 && stat("/", &ours) == 0 &&
	       theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

/*
 * PATH below ROOT, which no link leaves. Kernels before 5.6 and some
 * containers have no openat2(2); then only our own root will do.
 */
static int
open_below(int root, const char *path, struct stat *st, struct error *err)
{
	struct error own = { 0 };
	int fd = open_regular(root, path, RESOLVE_IN_ROOT |
			      RESOLVE_NO_MAGICLINKS, OPEN_MODULE_MAX, st,
			      &own);

	if (fd < 0 && (own.errnum == ENOSYS || own.errnum == EPERM) &&
	    open_is_ours(root))
		fd = open_regular(AT_FDCWD, path, 0, OPEN_MODULE_MAX, st,
				  &own);
	if (fd < 0 && err)
		*err = own;
	return fd;
}

/*
 * The program itself, which its owner may open even when the file has gone.
 * Mappings of other files need a privilege for that.
 */
static int
open_program(const struct open_mapping *mapping)
{
	char path[32];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/exe", (int)mapping->pid);
	fd = open_regular(AT_FDCWD, path, 0, OPEN_MODULE_MAX, &st, NULL);
	if (fd >= 0 && st.st_ino == mapping->inode)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/*
 * The file through the mapping itself: right even when it was replaced on
 * disk. Another library may be mapped there by now; then it is not this one.
 * On an overlay the two numbers may differ for one file.
 */
static int
open_mapped(const struct open_mapping *mapping)
{
	char path[96];
	struct statfs fs;
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx",
		 (int)mapping->pid, (unsigned long long)mapping->start,
		 (unsigned long long)mapping->end);
	fd = open_regular(AT_FDCWD, path, 0, OPEN_MODULE_MAX, &st, NULL);
	if (fd < 0 || !mapping->inode || st.st_ino == mapping->inode ||
	    (fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

int
open_module(const struct open_mapping *mapping, struct error *err)
{
	struct stat st;
	int root, fd;

	fd = open_mapped(mapping);
	if (fd < 0 && mapping->inode)
		fd = open_program(mapping);
	if (fd >= 0)
		return fd;
	if (mapping->is_deleted) {
		fail(err, 0, "%.150s was deleted or replaced while it runs; "
		     "root can still read it", mapping->path);
		return -1;
	}
	/* Without the right to look there, our own root may do: the file is
	   known by its inode. */
	root = open_root(mapping->pid);
	fd = root >= 0 ? open_below(root, mapping->path, &st, err) :
	     open_regular(AT_FDCWD, mapping->path, 0, OPEN_MODULE_MAX, &st,
			  err);
	if (root >= 0)
		close(root);
	if (fd >= 0 && mapping->inode && st.st_ino != mapping->inode) {
		close(fd);
		fail(err, 0, "%.150s is another file now than the one that "
		     "runs", mapping->path);
		return -1;
	}
	return fd;
}

/* "/usr/lib/debug/.build-id/ab/cdef.debug" */
static int
build_id_place(const char *id, char *out, size_t size)
{
	if (!id[0] || !id[1])
		return -1;
	return snprintf(out, size, LIBRARY_DEBUG "/.build-id/%.2s/%s.debug",
			id, id + 2);
}

/* The folder of MAPPING's file, for "%.*s". */
static int
folder_length(const struct open_mapping *mapping)
{
	const char *slash = strrchr(mapping->path, '/');

	return slash ? (int)(slash - mapping->path) : 0;
}

/* The Ith place where a debug file may be, "" for none; false past the last. */
static bool
debug_place(const struct open_mapping *mapping, const struct debug_hint *hint,
	    unsigned i, char *out, size_t size)
{
	static const char *const forms[] = {
		"%.*s/%s", "%.*s/.debug/%s", LIBRARY_DEBUG "%.*s/%s",
	};
	const char *link = hint->debuglink;
	int len = -1;

	if (i > ARRAY_LEN(forms))
		return false;
	if (i == 0)
		len = build_id_place(hint->build_id, out, size);
	else if (link[0] && !strchr(link, '/') && strcmp(link, "..") != 0)
		len = snprintf(out, size, forms[i - 1],
			       folder_length(mapping), mapping->path, link);
	if (len < 0 || (size_t)len >= size)
		out[0] = '\0';
	return true;
}

/*
 * The Ith place of a common file. Of the path that the debug file says only
 * what comes after the last ".dwz/" is used, or the last part: it may not lead
 * anywhere else.
 */
static bool
common_place(const struct open_mapping *mapping, const struct debug_hint *hint,
	     unsigned i, char *out, size_t size)
{
	static const char *const forms[] = {
		"%.*s/%s", "%.*s/.debug/%s", "%.*s/.dwz/%s",
	};
	const char *dwz = strstr(hint->common, ".dwz/");
	const char *last = strrchr(hint->common, '/');
	int len = -1;

	last = last ? last + 1 : hint->common;
	if (i > 1 + ARRAY_LEN(forms))
		return false;
	if (i == 0)
		len = build_id_place(hint->common_id, out, size);
	else if (i == 1 && dwz && !strstr(dwz, ".."))
		len = snprintf(out, size, LIBRARY_DEBUG "/%s", dwz);
	else if (i > 1 && last[0] && strcmp(last, "..") != 0)
		len = snprintf(out, size, forms[i - 2],
			       folder_length(mapping), mapping->path, last);
	if (len < 0 || (size_t)len >= size)
		out[0] = '\0';
	return true;
}

typedef bool (*place_fn)(const struct open_mapping *mapping,
			 const struct debug_hint *hint, unsigned i, char *out,
			 size_t size);

/* The first of PLACES from *FROM on that has a file, below either root. */
static int
open_first(const struct open_mapping *mapping, const struct debug_hint *hint,
	   place_fn places, unsigned *from, struct error *err)
{
	int root = open_root(mapping->pid), fd = -1;
	char path[4096];
	struct stat st;

	for (; places(mapping, hint, *from, path, sizeof(path)); ++*from) {
		if (!path[0])
			continue;
		if (root >= 0)
			fd = open_below(root, path, &st, NULL);
		if (fd < 0)
			fd = open_regular(AT_FDCWD, path, 0, OPEN_MODULE_MAX,
					  &st, NULL);
		if (fd >= 0)
			break;
	}
	if (root >= 0)
		close(root);
	if (fd < 0)
		fail(err, ENOENT, "no debug file for %.150s", mapping->path);
	return fd;
}

int
open_debug(const struct open_mapping *mapping, const struct debug_hint *hint,
	   unsigned *place, struct error *err)
{
	return open_first(mapping, hint, debug_place, place, err);
}

int
open_common(const struct open_mapping *mapping, const struct debug_hint *hint,
	    struct error *err)
{
	unsigned place = 0;

	return open_first(mapping, hint, common_place, &place, err);
}

static bool
read_memory(pid_t pid, uint64_t addr, void *out, size_t len)
{
	struct iovec here = { out, len };
	struct iovec there = { (void *)(uintptr_t)addr, len };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)len;
}

int
open_vdso(const struct open_mapping *mapping, struct error *err)
{
	uint64_t len = mapping->end - mapping->start;
	int fd = -1;
	char *copy;

	if (mapping->end <= mapping->start || len > VDSO_MAX) {
		fail(err, EINVAL, "the vdso");
		return -1;
	}
	copy = xcalloc(1, (size_t)len);
	/* Every process has the same one; of ours all may be read. */
	if (!read_memory(mapping->pid, mapping->start, copy, (size_t)len) &&
	    !read_memory(getpid(), getauxval(AT_SYSINFO_EHDR), copy,
			 (size_t)len)) {
		fail(err, errno, "cannot read the vdso");
		goto out;
	}
	fd = memfd_create("vdso", MFD_CLOEXEC);
	if (fd >= 0 && (!memfile_write(fd, copy, (size_t)len) ||
			lseek(fd, 0, SEEK_SET) != 0)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		fail(err, errno, "no memory for the vdso");
out:
	free(copy);
	return fd;
}

int
open_kallsyms(struct error *err)
{
	return open_file("/proc/kallsyms", OPEN_MODULE_MAX, NULL, err);
}
