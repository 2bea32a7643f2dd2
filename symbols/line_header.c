/* SPDX-License-Identifier: MIT */
/*
 * line_header.c - the headers of line tables, old and new.
 */
#include "symbols/line_header.h"

#include <stdio.h>
#include <stdlib.h>

#include <dwarf.h>

#include "core/base.h"
#include "symbols/dwarf_private.h"

#define PROGRAM_MAX ((uint64_t)16 << 20)
#define PATHS_MAX ((size_t)1 << 20)
#define FORMATS_MAX 16

/* A table, while its header is read. */
struct reading {
	struct dwarf_unit *unit;
	unsigned version, offset_size;	/* may differ from the unit's */
};

static void
add_path(struct line_paths *paths, struct line_path new)
{
	if (paths->count >= PATHS_MAX)
		return;
	paths->at = grow(paths->at, paths->count, &paths->capacity,
			 sizeof(new));
	paths->at[paths->count++] = new;
}

/* DWARF 2 to 4: number 0 is the folder and the file of the unit. */
static void
read_old_files(const struct reading *reading, struct reader *r,
	       struct line_files *files)
{
	struct line_path path = { reading->unit->folder, 0 };

	add_path(&files->folders, path);
	while (!r->failed && *(path.text = reader_cstr(r)))
		add_path(&files->folders, path);
	path.text = reading->unit->name;
	add_path(&files->files, path);
	while (!r->failed && *(path.text = reader_cstr(r))) {
		path.folder = dwarf_uleb(r);
		dwarf_uleb(r);
		dwarf_uleb(r);
		add_path(&files->files, path);
	}
}

static uint64_t
read_number(struct reader *r, uint64_t form)
{
	switch (form) {
	case DW_FORM_data1:
		return reader_u8(r);
	case DW_FORM_data2:
		return reader_u16(r);
	case DW_FORM_data4:
		return reader_u32(r);
	case DW_FORM_data8:
		return reader_u64(r);
	case DW_FORM_udata:
		return dwarf_uleb(r);
	case DW_FORM_data16:
		reader_bytes(r, 16);
		return 0;
	case DW_FORM_block:
		reader_bytes(r, dwarf_uleb(r));
		return 0;
	}
	r->failed = true;
	return 0;
}

static const char *
text_in(struct dwarf *dwarf, enum dwarf_section section, uint64_t at)
{
	struct reader r = dwarf_reader(dwarf, section, at);

	return reader_left(&r) ? reader_cstr(&r) : NULL;
}

static const char *
read_text(const struct reading *reading, struct reader *r, uint64_t form)
{
	struct dwarf *dwarf = reading->unit->file;
	unsigned size = reading->offset_size;

	switch (form) {
	case DW_FORM_string:
		return reader_cstr(r);
	case DW_FORM_line_strp:
		return text_in(dwarf, DWARF_LINE_STR, dwarf_offset(r, size));
	case DW_FORM_strp:
		return text_in(dwarf, DWARF_STR, dwarf_offset(r, size));
	}
	r->failed = true;
	return NULL;
}

/* DWARF 5: the columns of a list of folders or files, then the list. */
static void
read_new_paths(const struct reading *reading, struct reader *r,
	       struct line_paths *paths)
{
	uint64_t formats[FORMATS_MAX][2], count;
	unsigned nformats = reader_u8(r);

	if (nformats > FORMATS_MAX) {
		r->failed = true;
		return;
	}
	for (unsigned i = 0; i < nformats; i++) {
		formats[i][0] = dwarf_uleb(r);
		formats[i][1] = dwarf_uleb(r);
	}
	count = dwarf_uleb(r);
	for (uint64_t i = 0; i < count && nformats && !r->failed; i++) {
		struct line_path path = { NULL, 0 };

		for (unsigned f = 0; f < nformats; f++) {
			if (formats[f][0] == DW_LNCT_path)
				path.text = read_text(reading, r,
						      formats[f][1]);
			else if (formats[f][0] == DW_LNCT_directory_index)
				path.folder = read_number(r, formats[f][1]);
			else
				read_number(r, formats[f][1]);
		}
		if (!r->failed)
			add_path(paths, path);
	}
}

static void
read_files(const struct reading *reading, struct reader *r,
	   struct line_files *files)
{
	if (reading->version < 5) {
		read_old_files(reading, r, files);
		return;
	}
	read_new_paths(reading, r, &files->folders);
	read_new_paths(reading, r, &files->files);
}

static void
read_constants(const struct reading *reading, struct reader *r,
	       struct line_header *out)
{
	out->step = reader_u8(r);
	out->max_ops = reading->version >= 4 ? reader_u8(r) : 1;
	reader_u8(r);			/* is_stmt at the beginning */
	out->base = (int8_t)reader_u8(r);
	out->range = reader_u8(r);
	out->opcode_base = reader_u8(r);
	for (unsigned i = 1; i < out->opcode_base; i++)
		out->lengths[i] = reader_u8(r);
}

bool
line_header_read(struct dwarf_unit *unit, struct line_header *out,
		 struct line_files *files)
{
	struct reader r = dwarf_reader(unit->file, DWARF_LINE, unit->line_at);
	struct reading reading = { .unit = unit };
	uint64_t len = reader_u32(&r), header_len;
	struct reader inner;

	reading.offset_size = len == 0xffffffff ? 8 : 4;
	if (reading.offset_size == 8)
		len = reader_u64(&r);
	if (len < reader_left(&r))
		r.end = r.at + len;
	reading.version = reader_u16(&r);
	if (reading.version >= 5)
		reader_u16(&r);		/* sizes of addresses and selectors */
	header_len = dwarf_offset(&r, reading.offset_size);
	if (r.failed || reading.version < 2 || reading.version > 5 ||
	    header_len > reader_left(&r) ||
	    reader_left(&r) - header_len > PROGRAM_MAX)
		return false;
	out->program = reader_of(r.at + header_len,
				 reader_left(&r) - header_len);
	inner = reader_of(r.at, header_len);
	read_constants(&reading, &inner, out);
	if (inner.failed || !out->range || !out->max_ops)
		return false;
	read_files(&reading, &inner, files);
	return true;
}

void
line_files_fini(struct line_files *files)
{
	free(files->folders.at);
	free(files->files.at);
}

static bool
is_absolute(const char *path)
{
	return path && path[0] == '/';
}

void
line_files_path(const struct line_files *files,
		const struct dwarf_unit *unit, uint32_t file, char *out,
		size_t size)
{
	const struct line_paths *folders = &files->folders;
	const char *name, *folder = NULL, *root = unit->folder;
	uint64_t number;

	out[0] = '\0';
	if (file >= files->files.count || !files->files.at[file].text)
		return;
	name = files->files.at[file].text;
	number = files->files.at[file].folder;
	if (number < folders->count)
		folder = folders->at[number].text;
	if (is_absolute(name))
		folder = root = NULL;
	else if (is_absolute(folder) || folder == root)
		root = NULL;
	snprintf(out, size, "%s%s%s%s%s", root ? root : "",
		 root && *root ? "/" : "", folder ? folder : "",
		 folder && *folder ? "/" : "", name);
}

size_t
line_files_bytes(const struct line_files *files)
{
	return (files->folders.capacity + files->files.capacity) *
	       sizeof(struct line_path);
}
