/* SPDX-License-Identifier: MIT */
/*
 * line_header.h - what stands before the program of a line table: its
 * constants, and the files that it numbers. DWARF 5, 6.2.4, and the forms of
 * DWARF 2 to 4.
 */
#ifndef SYMBOLS_LINE_HEADER_H
#define SYMBOLS_LINE_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"
#include "symbols/dwarf.h"

struct line_header {
	struct reader program;
	uint8_t step, max_ops, opcode_base, range;
	int8_t base;
	uint8_t lengths[256];	/* operands of standard opcodes */
};

struct line_path {
	const char *text;	/* borrowed from the file */
	uint64_t folder;
};

struct line_paths {
	struct line_path *at;
	size_t count, capacity;
};

/* All zeroes is an empty one. */
struct line_files {
	struct line_paths folders, files;
};

/*
 * Read the header of UNIT's table. False: it has none that makes sense; FILES
 * may have some even then.
 */
bool line_header_read(struct dwarf_unit *unit, struct line_header *out,
		      struct line_files *files);
void line_files_fini(struct line_files *files);

/*
 * Where file number FILE of UNIT lies, put together in OUT: absolute if the
 * table says so. "" for a number that is none.
 */
void line_files_path(const struct line_files *files,
		     const struct dwarf_unit *unit, uint32_t file, char *out,
		     size_t size);

size_t line_files_bytes(const struct line_files *files);

#endif
