/* SPDX-License-Identifier: MIT */
/*
 * open.h - opening files that others chose, by rule.
 *
 * Every path here was named by a user, by the target or by a file. It is
 * opened with O_PATH first, which has no effect on devices and never waits
 * for a FIFO; only a regular file of an allowed owner and size is then opened
 * for reading, through /proc/self/fd. Files of the target are looked up below
 * its own root (openat2(2), RESOLVE_IN_ROOT), so no link leads out of a
 * container.
 *
 * All of this may still hang (NFS, FUSE): call it on the opener's thread.
 */
#ifndef APP_OPEN_H
#define APP_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "core/base.h"
#include "symbols/symbols.h"

#define OPEN_PROFILE_MAX ((uint64_t)1 << 30)
#define OPEN_MODULE_MAX ((uint64_t)4 << 30)
#define OPEN_PERF_MAP_MAX ((uint64_t)256 << 20)
#define OPEN_JITDUMP_MAX ((uint64_t)1 << 30)

/* "a directory", "a pipe", ... for what is no regular file. */
const char *file_type(mode_t mode);

/* All below return a descriptor for reading, or -1 with ERR. */

/* A file the user named. ST may be NULL. */
int open_file(const char *path, uint64_t max, struct stat *st,
	      struct error *err);

/*
 * What FD has behind its position, if it is a regular file; else 0. Who comes
 * to an end sooner has not read all: OPEN_SHRUNK says so.
 */
uint64_t open_left(int fd);
#define OPEN_SHRUNK \
	"it became shorter while it was read; read it again when nobody " \
	"writes to it"

/* What is mapped at [START, END) of PID. */
struct open_mapping {
	pid_t pid;
	enum module_kind kind;
	uint64_t start, end;
	uint64_t inode;
	bool is_deleted;
	char path[4096];	/* as the target names it */
};
int open_module(const struct open_mapping *mapping, struct error *err);

/*
 * A separate debug file for it, in the first place from number *PLACE on that
 * has one: by build id, then the debuglink beside the file, in .debug, and
 * below /usr/lib/debug. *PLACE tells which.
 */
int open_debug(const struct open_mapping *mapping,
	       const struct debug_hint *hint, unsigned *place,
	       struct error *err);

/* What debug files share: by build id, in .dwz folders, beside the file. */
int open_common(const struct open_mapping *mapping,
		const struct debug_hint *hint, struct error *err);

/* /tmp/perf-N.map of PID; *SIZE is what it has now. */
int open_perf_map(pid_t pid, uint64_t *size, struct error *err);

/*
 * The jitdump of PID, which shows where it is by mapping it executable:
 * .../jit-N.dump. ENOENT: there is none.
 */
int open_jitdump(pid_t pid, uint64_t *size, struct error *err);

/* A copy of the vdso, from the target's memory. */
int open_vdso(const struct open_mapping *mapping, struct error *err);

int open_kallsyms(struct error *err);

#endif
