/* SPDX-License-Identifier: MIT */
/*
 * open_private.h - the steps of opening, for open.c and open_jit.c.
 */
#ifndef APP_OPEN_PRIVATE_H
#define APP_OPEN_PRIVATE_H

#include "app/open.h"

/* PID's root directory (O_PATH), or -1. */
int open_root(pid_t pid);

/* Is ROOT the directory that we call "/"? */
bool open_is_ours(int root);

/*
 * A regular file of at most MAX bytes below ROOT, still O_PATH; RESOLVE is
 * that of openat2(2).
 */
int open_find(int root, const char *path, uint64_t resolve, uint64_t max,
	      struct stat *st, struct error *err);

/* Open for reading what FD (O_PATH, closed here) stands for. */
int open_again(int fd, const char *name, struct error *err);

#endif
