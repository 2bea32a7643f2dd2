/* SPDX-License-Identifier: MIT */
/*
 * elf_links.c - who a file is, and which other files belong to it.
 */
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "core/reader.h"
#include "symbols/elf.h"

#define NOTES_MAX	((size_t)64 << 10)
#define CRC_FILE_MAX	((uint64_t)64 << 20)

/* Take the build id out of a block of notes, if one is there. */
static void
take_build_id(struct elf *elf, const uint8_t *notes, size_t len)
{
	Elf64_Nhdr note;

	while (len >= sizeof(note)) {
		size_t name_len, desc_len;

		memcpy(&note, notes, sizeof(note));
		name_len = ((size_t)note.n_namesz + 3) & ~(size_t)3;
		desc_len = ((size_t)note.n_descsz + 3) & ~(size_t)3;
		notes += sizeof(note);
		len -= sizeof(note);
		if (name_len > len || desc_len > len - name_len)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp(notes, "GNU", 4) && note.n_descsz &&
		    note.n_descsz <= ELF_BUILD_ID_MAX) {
			memcpy(elf->build_id, notes + name_len, note.n_descsz);
			elf->build_id_len = note.n_descsz;
			return;
		}
		notes += name_len + desc_len;
		len -= name_len + desc_len;
	}
}

static void
read_notes_at(struct elf *elf, uint64_t offset, uint64_t len)
{
	uint8_t *notes;

	if (!len || len > NOTES_MAX || !elf_holds(elf, offset, len))
		return;
	notes = xcalloc(len, 1);
	if (elf_read(elf, offset, notes, len))
		take_build_id(elf, notes, len);
	free(notes);
}

/*
 * By sections first: the segments of a separate debug file are those of the
 * file it was cut from and point nowhere. The number of tries is bounded
 * because a file may say that it has a million notes.
 */
static void
find_build_id(struct elf *elf)
{
	unsigned tries = 64;

	for (size_t i = 0; i < elf->nsections && !elf->build_id_len; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (s->sh_type == SHT_NOTE && tries && tries--)
			read_notes_at(elf, s->sh_offset, s->sh_size);
	}
	if (elf->nsections)
		return;
	for (size_t i = 0; i < elf->nsegments && !elf->build_id_len; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type == PT_NOTE && tries && tries--)
			read_notes_at(elf, p->p_offset, p->p_filesz);
	}
}

static bool
is_component(const char *name)
{
	return *name && !strchr(name, '/') && strcmp(name, ".") &&
	       strcmp(name, "..");
}

/*
 * A file name, NUL, padding to 4 bytes, CRC. A name that is no single path
 * component is not used: it would lead out of the folders searched.
 */
static void
find_debuglink(struct elf *elf)
{
	const Elf64_Shdr *section = elf_find(elf, ".gnu_debuglink");
	uint8_t bytes[sizeof(elf->debuglink) + 8];
	size_t len, name_len;

	if (!section || section->sh_size > sizeof(bytes) ||
	    !elf_read(elf, section->sh_offset, bytes, section->sh_size))
		return;
	len = section->sh_size;
	name_len = strnlen((char *)bytes, len);
	if (!name_len || name_len >= sizeof(elf->debuglink) ||
	    ((name_len + 4) & ~(size_t)3) + 4 > len)
		return;
	if (!is_component((char *)bytes))
		return;
	memcpy(elf->debuglink, bytes, name_len + 1);
	memcpy(&elf->debuglink_crc, bytes + ((name_len + 4) & ~(size_t)3), 4);
}

/*
 * The file that dwz moved shared entries to: its name and NUL, then its build
 * id; in DWARF 5 the id has a length and a header comes before.
 */
static void
find_common(struct elf *elf)
{
	const Elf64_Shdr *section = elf_find(elf, ".gnu_debugaltlink");
	bool is_new = !section;
	uint8_t bytes[4096 + ELF_BUILD_ID_MAX];
	struct reader r;
	const char *name;
	size_t len;

	if (is_new)
		section = elf_find(elf, ".debug_sup");
	if (!section || section->sh_size > sizeof(bytes) ||
	    !elf_read(elf, section->sh_offset, bytes, section->sh_size))
		return;
	r = reader_of(bytes, section->sh_size);
	if (is_new && (reader_u16(&r) != 5 || reader_u8(&r) != 0))
		return;
	name = reader_cstr(&r);
	if (is_new)
		reader_u8(&r);
	len = reader_left(&r);
	if (r.failed || !*name || !len || len > sizeof(elf->common_id) ||
	    strlen(name) >= sizeof(elf->common))
		return;
	memcpy(elf->common, name, strlen(name) + 1);
	memcpy(elf->common_id, r.at, len);
	elf->common_id_len = len;
}

void
elf_find_links(struct elf *elf)
{
	find_build_id(elf);
	find_debuglink(elf);
	find_common(elf);
}

static bool
file_crc(const struct elf *elf, uint32_t *crc)
{
	uint8_t chunk[32 << 10];
	uint64_t size = (uint64_t)elf->stat.st_size;
	uLong sum = crc32(0, NULL, 0);

	if (size > CRC_FILE_MAX)
		return false;
	for (uint64_t at = 0; at < size;) {
		size_t len = size - at < sizeof(chunk) ? size - at
						       : sizeof(chunk);

		if (!elf_read(elf, at, chunk, len))
			return false;
		sum = crc32(sum, chunk, (uInt)len);
		at += len;
	}
	*crc = (uint32_t)sum;
	return true;
}

bool
elf_accepts_debug(const struct elf *elf, const struct elf *debug,
		  struct error *err)
{
	uint32_t crc;

	if (elf->build_id_len || debug->build_id_len) {
		if (elf->build_id_len == debug->build_id_len &&
		    !memcmp(elf->build_id, debug->build_id, elf->build_id_len))
			return true;
		return fail(err, 0, "its debug file has another build id, it "
			    "is of another build");
	}
	if (!elf->debuglink[0])
		return fail(err, 0, "nothing says that the debug file fits");
	if (!file_crc(debug, &crc) || crc != elf->debuglink_crc)
		return fail(err, 0, "the debug file has another checksum");
	return true;
}

bool
elf_accepts_common(const struct elf *elf, const struct elf *common,
		   struct error *err)
{
	if (elf->common_id_len && elf->common_id_len == common->build_id_len &&
	    !memcmp(elf->common_id, common->build_id, elf->common_id_len))
		return true;
	return fail(err, 0, "the file that its debug file shares with others "
		    "has another build id");
}
