/* SPDX-License-Identifier: MIT */
/*
 * lines.c - libdw on a small copy of the file.
 *
 * The copy is an ELF file made here, in memory, of those debug sections that
 * lines need, inflated. So libdw sees no header that somebody else wrote, no
 * name of another file to open, and none of the sections that would cost most
 * (locations, macros, types). Units are found by their ranges: not every
 * compiler emits .debug_aranges.
 */
#include "symbols/lines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#include <zlib.h>

#include "symbols/ranges.h"

/* One unit's line program; every byte of it may become a row of 100. */
#define PROGRAM_MAX ((uint32_t)16 << 20)

/* deflate cannot do better than 1:1032; who claims more lies. */
#define RATIO_MAX   1032
#define UNITS_MAX   1000000
#define RANGES_MAX  4000000

#define SECTIONS(_)						\
	_(info) _(abbrev) _(line) _(line_str) _(str)		\
	_(ranges) _(rnglists) _(addr) _(str_offsets)

static const char *const names[] = {
#define NAME(x) ".debug_" #x,
	SECTIONS(NAME)
#undef NAME
};

/* Section numbers: the first is the empty one, the last has the names. */
enum {
	LINE = 3,
	NAMES = ARRAY_LEN(names) + 1,
	COUNT,
};

/* A section as it is in the file, and as it will be in the image. */
struct part {
	const Elf64_Shdr *section;	/* NULL: the file has none */
	uint64_t skip;			/* header before compressed bytes */
	uint64_t size;			/* inflated */
	bool is_deflated;
};

static const Elf64_Shdr *
find_part(const struct elf *elf, const char *name)
{
	char old[32] = ".z";
	const Elf64_Shdr *section = elf_find(elf, name);

	if (section)
		return section;
	strncat(old, name + 1, sizeof(old) - 3);
	return elf_find(elf, old);
}

bool
lines_exist(const struct elf *elf)
{
	return find_part(elf, ".debug_line") && find_part(elf, ".debug_info");
}

/* ".zdebug_": the old way, "ZLIB" and the size as a big-endian number. */
static bool
read_old_header(const struct elf *elf, struct part *part)
{
	uint8_t header[12];

	if (part->section->sh_size < sizeof(header) ||
	    !elf_read(elf, part->section->sh_offset, header, sizeof(header)) ||
	    memcmp(header, "ZLIB", 4))
		return false;
	part->size = 0;
	for (size_t i = 4; i < sizeof(header); i++)
		part->size = part->size << 8 | header[i];
	part->skip = sizeof(header);
	part->is_deflated = true;
	return true;
}

static bool
read_header(const struct elf *elf, struct part *part, struct error *err)
{
	const char *name = elf_section_name(elf, part->section);
	Elf64_Chdr header;

	part->size = part->section->sh_size;
	if (name[1] == 'z')
		return read_old_header(elf, part) ||
		       fail(err, 0, "%s is broken", name);
	if (!(part->section->sh_flags & SHF_COMPRESSED))
		return true;
	if (part->size < sizeof(header) ||
	    !elf_read(elf, part->section->sh_offset, &header, sizeof(header)))
		return fail(err, 0, "%s is broken", name);
	if (header.ch_type != ELFCOMPRESS_ZLIB)
		return fail(err, 0, "%s is compressed in a way that is not "
				    "read (type %u)", name, header.ch_type);
	part->skip = sizeof(header);
	part->size = header.ch_size;
	part->is_deflated = true;
	return true;
}

static bool
measure(const struct elf *elf, struct part parts[], uint64_t *total,
	struct error *err)
{
	*total = 0;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct part *part = &parts[i];

		part->section = find_part(elf, names[i]);
		if (!part->section)
			continue;
		if (!read_header(elf, part, err))
			return false;
		if (part->is_deflated &&
		    part->size / RATIO_MAX > part->section->sh_size)
			return fail(err, 0, "%s lies about its size", names[i]);
		if (part->size > LINES_MAX - *total)
			return fail(err, 0, "the debug sections are too large "
					    "for lines (more than %u MiB)",
				    (unsigned)(LINES_MAX >> 20));
		*total += part->size;
	}
	return true;
}

static bool
fill(const struct elf *elf, const struct part *part, uint8_t *to,
     struct error *err)
{
	uLongf size = part->size;
	uint8_t *bytes;
	bool ok;

	if (!part->is_deflated)
		return (elf_is_readable(elf, part->section) &&
			elf_read(elf, part->section->sh_offset, to, size)) ||
		       fail(err, 0, "a debug section cannot be read");
	if (!elf_load(elf, part->section, &bytes, err))
		return false;
	ok = uncompress(to, &size, bytes + part->skip,
			part->section->sh_size - part->skip) == Z_OK &&
	     size == part->size;
	free(bytes);
	return ok || fail(err, 0, "a debug section cannot be inflated");
}

/* An ELF file in the making: header, sections, section table. */
struct image {
	uint8_t *bytes;
	size_t len;		/* so far */
	Elf64_Shdr table[COUNT];
};

struct lines {
	struct image image;
	Elf *elf;
	Dwarf *dwarf;
	struct ranges *units;	/* vaddr to offset of the unit's DIE */
	char *path;		/* last answer that had to be put together */
};

/* Give section INDEX a place of SIZE bytes, to be filled. */
static uint8_t *
place(struct image *image, size_t index, uint32_t type, uint64_t size)
{
	uint8_t *at = image->bytes + image->len;

	image->table[index].sh_type = type;
	image->table[index].sh_offset = image->len;
	image->table[index].sh_size = size;
	image->table[index].sh_addralign = 1;
	image->len = (image->len + size + 7) & ~(size_t)7;
	return at;
}

static void
place_names(struct image *image)
{
	static const char texts[] =
		"\0.shstrtab"
#define NAME(x) "\0.debug_" #x
		SECTIONS(NAME)
#undef NAME
		;
	size_t name = sizeof(".shstrtab") + 1;

	memcpy(place(image, NAMES, SHT_STRTAB, sizeof(texts)), texts,
	       sizeof(texts));
	image->table[NAMES].sh_name = 1;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		image->table[i + 1].sh_name = (uint32_t)name;
		name += strlen(names[i]) + 1;
	}
}

/* TOTAL is the size of all PARTS. What was begun is the caller's to free. */
static bool
build(const struct elf *elf, const struct part parts[], uint64_t total,
      struct image *image, struct error *err)
{
	Elf64_Ehdr *header;

	image->len = sizeof(*header);
	image->bytes = calloc(total + 4096, 1);
	if (!image->bytes)
		return fail(err, ENOMEM, "no room for the debug sections");
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (!parts[i].section)
			continue;
		if (!fill(elf, &parts[i],
			  place(image, i + 1, SHT_PROGBITS, parts[i].size),
			  err))
			return false;
	}
	place_names(image);
	header = (Elf64_Ehdr *)image->bytes;
	*header = elf->header;
	header->e_phoff = header->e_phnum = 0;
	header->e_shoff = image->len;
	header->e_shnum = COUNT;
	header->e_shstrndx = NAMES;
	header->e_ehsize = sizeof(*header);
	header->e_shentsize = sizeof(*image->table);
	memcpy(image->bytes + image->len, image->table, sizeof(image->table));
	image->len += sizeof(image->table);
	return true;
}

static bool
is_unit_with_lines(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_compile_unit || tag == DW_TAG_skeleton_unit ||
	       tag == DW_TAG_partial_unit;
}

/*
 * dwarf_get_units() would look for split units in files that the unit names;
 * by offset nothing is opened.
 */
static void
find_units(struct lines *lines)
{
	Dwarf_Off at = 0, next;
	size_t header_size, nunits = 0, nranges = 0;

	while (nunits++ < UNITS_MAX && nranges < RANGES_MAX &&
	       !dwarf_next_unit(lines->dwarf, at, &next, &header_size, NULL,
				NULL, NULL, NULL, NULL, NULL) &&
	       next > at) {
		Dwarf_Addr base, low, high;
		Dwarf_Die die;
		ptrdiff_t i = 0;

		if (dwarf_offdie(lines->dwarf, at + header_size, &die) &&
		    is_unit_with_lines(&die))
			while (nranges++ < RANGES_MAX &&
			       (i = dwarf_ranges(&die, i, &base, &low,
						 &high)) > 0)
				if (low < high)
					ranges_add(lines->units, low, high,
						   (uint32_t)dwarf_dieoffset(
							   &die));
		at = next;
	}
	ranges_settle(lines->units);
}

bool
lines_open(const struct elf *elf, struct lines **out, struct error *err)
{
	struct part parts[ARRAY_LEN(names)] = { 0 };
	struct lines *lines;
	uint64_t total;

	if (!lines_exist(elf))
		return fail(err, 0, "no line tables");
	if (!measure(elf, parts, &total, err))
		return false;
	lines = xcalloc(1, sizeof(*lines));
	lines->units = ranges_new();
	if (!build(elf, parts, total, &lines->image, err))
		goto fail_free;
	elf_version(EV_CURRENT);
	lines->elf = elf_memory((char *)lines->image.bytes, lines->image.len);
	if (lines->elf)
		lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
	if (!lines->dwarf) {
		fail(err, 0, "the debug sections are not understood");
		goto fail_free;
	}
	find_units(lines);
	*out = lines;
	return true;

fail_free:
	lines_free(lines);
	return false;
}

void
lines_free(struct lines *lines)
{
	if (!lines)
		return;
	dwarf_end(lines->dwarf);
	elf_end(lines->elf);
	free(lines->image.bytes);
	ranges_free(lines->units);
	free(lines->path);
	free(lines);
}

/* Is the line program of UNIT short enough to be run? */
static bool
is_short(const struct lines *lines, Dwarf_Die *unit)
{
	const Elf64_Shdr *section = &lines->image.table[LINE];
	Dwarf_Attribute attribute;
	Dwarf_Word at;
	uint32_t len;

	if (!dwarf_attr(unit, DW_AT_stmt_list, &attribute) ||
	    dwarf_formudata(&attribute, &at) ||
	    section->sh_size < sizeof(len) ||
	    at > section->sh_size - sizeof(len))
		return false;
	memcpy(&len, lines->image.bytes + section->sh_offset + at, sizeof(len));
	return len <= PROGRAM_MAX || section->sh_size - at <= PROGRAM_MAX;
}

/* File names are relative to where the compiler ran; PATH may be that. */
static const char *
whole_path(struct lines *lines, Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder;

	if (!path || path[0] == '/' ||
	    !dwarf_attr(unit, DW_AT_comp_dir, &attribute))
		return path;
	folder = dwarf_formstring(&attribute);
	if (!folder || !*folder)
		return path;
	free(lines->path);
	if (asprintf(&lines->path, "%s/%s", folder, path) < 0)
		lines->path = NULL;
	return lines->path;
}

bool
lines_find(struct lines *lines, uint64_t vaddr, const char **file,
	   uint32_t *line)
{
	uint64_t start;
	uint32_t unit;
	Dwarf_Die die;
	Dwarf_Line *found;
	int number;

	if (!ranges_lookup(lines->units, vaddr, &start, &unit) ||
	    !dwarf_offdie(lines->dwarf, unit, &die) || !is_short(lines, &die))
		return false;
	found = dwarf_getsrc_die(&die, vaddr);
	if (!found || dwarf_lineno(found, &number) || number <= 0)
		return false;
	*file = whole_path(lines, &die, dwarf_linesrc(found, NULL, NULL));
	*line = (uint32_t)number;
	return *file != NULL;
}
