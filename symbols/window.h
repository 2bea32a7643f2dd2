/* SPDX-License-Identifier: MIT */
/*
 * window.h - a long file read from front to back, a part of it in memory.
 */
#ifndef SYMBOLS_WINDOW_H
#define SYMBOLS_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"

/* Begins with FD (borrowed) and SIZE set, all else zero. */
struct window {
	int fd;
	uint64_t size;		/* of the file */
	uint64_t at;		/* of BYTES */
	size_t len, capacity;
	uint8_t *bytes;		/* owned; window_fini() */
};

/*
 * LEN bytes at AT, until the next call; a failed reader if the file has not
 * all of them.
 */
struct reader window_view(struct window *window, uint64_t at, size_t len);
void window_fini(struct window *window);

#endif
