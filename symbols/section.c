/* SPDX-License-Identifier: MIT */
/*
 * section.c - zlib and zstd, held to what their headers promise.
 */
#include "symbols/section.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>
#include <zstd.h>

/* Younger than the headers of some systems. */
#define COMPRESS_ZSTD 2

/*
 * deflate cannot do better than 1:1032; who claims more lies. zstd can (a
 * block of 128 KiB in 4 bytes), but no compiler's output comes near.
 */
#define ZLIB_RATIO_MAX 1032
#define ZSTD_RATIO_MAX 4096

/* How the bytes of a section lie in the file. */
struct packing {
	uint32_t type;		/* 0: plain; else ELFCOMPRESS_* */
	uint64_t skip;		/* header before the compressed bytes */
	uint64_t size;		/* unpacked */
};

const Elf64_Shdr *
section_find(const struct elf *elf, const char *name)
{
	const Elf64_Shdr *section = elf_find(elf, name);
	char old[64];

	if (section || strncmp(name, ".debug_", 7))
		return section;
	snprintf(old, sizeof(old), ".z%s", name + 1);
	return elf_find(elf, old);
}

static bool
is_old_style(const struct elf *elf, const Elf64_Shdr *section)
{
	return !strncmp(elf_section_name(elf, section), ".zdebug_", 8);
}

bool
section_is_packed(const struct elf *elf, const Elf64_Shdr *section)
{
	return (section->sh_flags & SHF_COMPRESSED) ||
	       is_old_style(elf, section);
}

/* "ZLIB", and the size as a big-endian number. */
static bool
read_old_header(const struct elf *elf, const Elf64_Shdr *section,
		struct packing *out)
{
	uint8_t header[12];

	if (section->sh_size < sizeof(header) ||
	    !elf_read(elf, section->sh_offset, header, sizeof(header)) ||
	    memcmp(header, "ZLIB", 4))
		return false;
	out->size = 0;
	for (size_t i = 4; i < sizeof(header); i++)
		out->size = out->size << 8 | header[i];
	out->skip = sizeof(header);
	out->type = ELFCOMPRESS_ZLIB;
	return true;
}

static bool
read_header(const struct elf *elf, const Elf64_Shdr *section,
	    struct packing *out)
{
	Elf64_Chdr header;

	*out = (struct packing){ .size = section->sh_size };
	if (is_old_style(elf, section))
		return read_old_header(elf, section, out);
	if (!(section->sh_flags & SHF_COMPRESSED))
		return true;
	if (section->sh_size < sizeof(header) ||
	    !elf_read(elf, section->sh_offset, &header, sizeof(header)))
		return false;
	out->type = header.ch_type;
	out->skip = sizeof(header);
	out->size = header.ch_size;
	return true;
}

static bool
measure(const struct elf *elf, const Elf64_Shdr *section, uint64_t max,
	struct packing *out, struct error *err)
{
	const char *name = elf_section_name(elf, section);
	uint64_t ratio = 1;

	if (!elf_is_readable(elf, section))
		return fail(err, 0, "%.32s is not inside the file, or too "
			    "large", name);
	if (!read_header(elf, section, out))
		return fail(err, 0, "%.32s is broken", name);
	if (out->type == ELFCOMPRESS_ZLIB)
		ratio = ZLIB_RATIO_MAX;
	else if (out->type == COMPRESS_ZSTD)
		ratio = ZSTD_RATIO_MAX;
	else if (out->type)
		return fail(err, 0, "%.32s is compressed in a way that is not "
			    "read (type %u)", name, out->type);
	if (out->size / ratio > section->sh_size)
		return fail(err, 0, "%.32s lies about its size", name);
	if (out->size > max || out->size > SECTION_UNPACKED_MAX)
		return fail(err, 0, "%.32s is too large (%llu MiB)", name,
			    (unsigned long long)(out->size >> 20));
	return true;
}

bool
section_size(const struct elf *elf, const Elf64_Shdr *section, uint64_t max,
	     uint64_t *size, struct error *err)
{
	struct packing packing;

	if (!measure(elf, section, max, &packing, err))
		return false;
	*size = packing.size;
	return true;
}

static bool
unpack(const struct packing *packing, const uint8_t *from, size_t len,
       uint8_t *to)
{
	uLongf size = packing->size;

	if (packing->type == COMPRESS_ZSTD)
		return ZSTD_decompress(to, packing->size, from, len) ==
		       packing->size;
	return uncompress(to, &size, from, len) == Z_OK &&
	       size == packing->size;
}

static bool
fill(const struct elf *elf, const Elf64_Shdr *section,
     const struct packing *packing, uint8_t *to, struct error *err)
{
	const char *name = elf_section_name(elf, section);
	uint8_t *packed;
	bool ok;

	if (!packing->type)
		return elf_read(elf, section->sh_offset, to, packing->size) ||
		       fail(err, 0, "%.32s cannot be read", name);
	if (!elf_load(elf, section, &packed, err))
		return false;
	ok = unpack(packing, packed + packing->skip,
		    section->sh_size - packing->skip, to);
	free(packed);
	return ok || fail(err, 0, "%.32s cannot be unpacked", name);
}

bool
section_load(const struct elf *elf, const Elf64_Shdr *section, uint64_t max,
	     uint8_t **bytes, uint64_t *size, struct error *err)
{
	struct packing packing;
	uint8_t *room;

	if (!measure(elf, section, max, &packing, err))
		return false;
	room = malloc(packing.size + 1);
	if (!room)
		return fail(err, ENOMEM, "no room for %.32s",
			    elf_section_name(elf, section));
	if (!fill(elf, section, &packing, room, err)) {
		free(room);
		return false;
	}
	room[packing.size] = '\0';
	*bytes = room;
	*size = packing.size;
	return true;
}
