/* SPDX-License-Identifier: MIT */
/*
 * memfile.h - bytes into a file that lies in memory (memfd_create(2)).
 */
#ifndef SYMBOLS_MEMFILE_H
#define SYMBOLS_MEMFILE_H

#include <stdbool.h>
#include <stddef.h>

/* All LEN BYTES, at FD's position; false: no room for them, see errno. */
bool memfile_write(int fd, const void *bytes, size_t len);

#endif
