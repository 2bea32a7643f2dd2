/* SPDX-License-Identifier: MIT */
/*
 * jitdump_fuzz.c - any bytes as a jitdump, at once and as it grows.
 *
 * What was read in two parts knows all that was read at once.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
ask(struct jitdump *dump, uint64_t addr)
{
	const char *file;
	uint64_t start;
	uint32_t name, line;

	for (uint64_t version = 0; version < 2; version++) {
		uint64_t offset = version << VERSION_SHIFT | addr;

		if (versions_find(jitdump_versions(dump), offset, &start,
				  &name) &&
		    (start & (((uint64_t)1 << VERSION_SHIFT) - 1)) > addr)
			abort();
		jitdump_line(dump, offset, &file, &line);
	}
}

/* Numbers in the file might be addresses. */
static void
ask_all(struct jitdump *dump, const uint8_t *bytes, size_t len)
{
	uint64_t addr;

	for (size_t at = 0; at + 8 <= len; at += 8) {
		memcpy(&addr, bytes + at, 8);
		addr &= ((uint64_t)1 << VERSION_SHIFT) - 1;
		ask(dump, addr);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct jitdump *whole = jitdump_new(), *parts = jitdump_new();
	size_t half = len / 2;
	int fd = memfd_create("dump", MFD_CLOEXEC);
	struct error err;

	if (fd < 0 || write(fd, bytes, half) != (ssize_t)half)
		abort();
	jitdump_is(bytes, len);
	jitdump_read(parts, fd, &err);
	ask_all(parts, bytes, len);
	if (write(fd, bytes + half, len - half) != (ssize_t)(len - half))
		abort();
	jitdump_read(parts, fd, &err);
	jitdump_read(whole, fd, &err);
	if (jitdump_loads(whole) != jitdump_loads(parts))
		abort();
	ask_all(parts, bytes, len);
	ask_all(whole, bytes, len);
	/* Another file in its place: names before that are kept. */
	if (pwrite(fd, "\xff", 1, 24) != 1)
		abort();
	jitdump_read(parts, fd, &err);
	ask_all(parts, bytes, len);
	close(fd);
	jitdump_free(whole);
	jitdump_free(parts);
	return 0;
}
