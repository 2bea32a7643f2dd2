/* SPDX-License-Identifier: MIT */
/*
 * minidebug.c - an ELF file inside an ELF file.
 */
#include "symbols/minidebug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <lzma.h>

#include "symbols/memfile.h"

#define SECTION ".gnu_debugdata"
#define DECODER_MAX ((uint64_t)128 << 20)	/* memory of the decoder */
#define CHUNK ((size_t)64 << 10)

bool
minidebug_exists(const struct elf *elf)
{
	return elf_find(elf, SECTION);
}

/* Until the end of the stream, in pieces. */
static bool
run(lzma_stream *stream, int fd, struct error *err)
{
	uint8_t chunk[CHUNK];
	lzma_ret result = LZMA_OK;

	while (result == LZMA_OK) {
		stream->next_out = chunk;
		stream->avail_out = sizeof(chunk);
		result = lzma_code(stream, LZMA_FINISH);
		if (result != LZMA_OK && result != LZMA_STREAM_END)
			return fail(err, 0, SECTION " cannot be unpacked");
		if (stream->total_out > MINIDEBUG_MAX)
			return fail(err, 0, SECTION " is too large");
		if (!memfile_write(fd, chunk,
				   sizeof(chunk) - stream->avail_out))
			return fail(err, errno, "no room for " SECTION);
	}
	return true;
}

static bool
unpack(const uint8_t *bytes, size_t len, int fd, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	bool ok;

	if (lzma_stream_decoder(&stream, DECODER_MAX, 0) != LZMA_OK)
		return fail(err, ENOMEM, "no room for " SECTION);
	stream.next_in = bytes;
	stream.avail_in = len;
	ok = run(&stream, fd, err);
	lzma_end(&stream);
	return ok;
}

bool
minidebug_open(const struct elf *elf, struct elf **out, struct error *err)
{
	const Elf64_Shdr *section = elf_find(elf, SECTION);
	uint8_t *bytes;
	bool ok;
	int fd;

	if (!section)
		return fail(err, 0, "no " SECTION);
	if (!elf_load(elf, section, &bytes, err))
		return false;
	fd = memfd_create("symbols", MFD_CLOEXEC);
	ok = fd >= 0 ? unpack(bytes, section->sh_size, fd, err)
		     : fail(err, errno, "no room for " SECTION);
	free(bytes);
	if (ok)
		return elf_open(fd, out, err);
	if (fd >= 0)
		close(fd);
	return false;
}
