/* SPDX-License-Identifier: MIT */
/*
 * kallsyms_fuzz.c - any bytes as the kernel's list of symbols.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("kallsyms", MFD_CLOEXEC);
	struct ranges *ranges = NULL;
	struct error err = { 0 };
	uint64_t start;

	if (write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		abort();
	if (!kallsyms_read(fd, &ranges, &err) && !err.text[0])
		abort();
	for (uint64_t at = 1; ranges && at; at <<= 1)
		if (ranges_find(ranges, at, &start) && start > at)
			abort();
	ranges_free(ranges);
	close(fd);
	return 0;
}
