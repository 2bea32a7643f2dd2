/* SPDX-License-Identifier: MIT */
/*
 * memfile.c - bytes into a file that lies in memory.
 */
#include "symbols/memfile.h"

#include <errno.h>
#include <unistd.h>

bool
memfile_write(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t put = write(fd, at, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		at += put;
		len -= (size_t)put;
	}
	return true;
}
