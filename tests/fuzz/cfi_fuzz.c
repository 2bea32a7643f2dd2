/* SPDX-License-Identifier: MIT */
/*
 * cfi_fuzz.c - any bytes as unwind sections and expressions.
 *
 * Nothing may crash, hang or read outside, and whatever comes out is a sound
 * table: sorted, with rules that exist and programs within bounds that never
 * read below their stack. A page on demand has what the whole table has.
 *
 * Bytes that begin as an ELF file are one. Else the first byte says whether
 * an expression follows, or the lengths of .eh_frame, .eh_frame_hdr and of
 * code, and these; what is left is .debug_frame.
 */
#include "core/rows.h"
#include "symbols/cfi.h"
#include "symbols/cfi_expression.h"
#include "symbols/elf.h"
#include "tests/unit/cfi_fake.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
require(bool is_so)
{
	if (!is_so)
		abort();
}

/* How an operation changes the depth of the stack, and what it needs. */
static int
depth_after(const struct op *op, int depth)
{
	switch (op->code) {
	case OP_CONST:
	case OP_REG:
		return depth + 1;
	case OP_ADD_CONST:
	case OP_DEREF:
	case OP_NEG:
	case OP_NOT:
	case OP_ABS:
		require(depth >= 1);
		return depth;
	case OP_DUP:
		require(depth >= 1);
		return depth + 1;
	case OP_DROP:
		require(depth >= 1);
		return depth - 1;
	case OP_SWAP:
		require(depth >= 2);
		return depth;
	case OP_OVER:
		require(depth >= 2);
		return depth + 1;
	case OP_ROT:
		require(depth >= 3);
		return depth;
	case OP_PICK:
		require(op->value >= 0 && op->value < depth);
		return depth + 1;
	default:
		require(op->code < OP_CODES && depth >= 2);
		return depth - 1;
	}
}

static void
check_program(const struct op *ops, size_t n, bool has_cfa)
{
	int depth = has_cfa;

	require(n <= ROWS_OPS_MAX);
	for (size_t i = 0; i < n; i++) {
		require(ops[i].reg < X86_COUNT || ops[i].code == OP_DEREF);
		depth = depth_after(&ops[i], depth);
	}
	require(depth >= 1);
}

static void
try_expression(const uint8_t *bytes, size_t len)
{
	struct op ops[ROWS_OPS_MAX];
	size_t n;

	for (int has_cfa = 0; has_cfa < 2; has_cfa++)
		if (cfi_compile(bytes, len, has_cfa, ops, &n))
			check_program(ops, n, has_cfa);
}

static void
check_column(const struct rows *rows, const struct column *column,
	     bool has_cfa)
{
	if (column->how == COLUMN_AT_CODE || column->how == COLUMN_IS_CODE)
		check_program(rows->ops + column->value, column->ops, has_cfa);
}

static void
check_full(const struct rows *rows, const struct full_rule *full)
{
	require(full);
	check_column(rows, &full->cfa, false);
	for (size_t i = 0; i < X86_COUNT; i++)
		check_column(rows, &full->r[i], true);
}

static void
check_table(const struct rows *rows)
{
	const struct rows_header *h = rows->header;
	const uint32_t limit = h->is_full ? h->fulls : h->rules;

	for (uint32_t part = 0; part < h->pages * ROWS_PARTS; part++) {
		const uint32_t end = rows->starts[part + 1];
		uint32_t i = rows->starts[part];
		bool is_page = part % ROWS_PARTS == 0;

		require(!is_page || (i < end && !(rows->rows[i] >> 16)));
		for (; i < end; i++) {
			require((rows->rows[i] & 0xffff) < limit);
			require(rows->rows[i] >> (16 + ROWS_PART_LOG) ==
				part % ROWS_PARTS);
			require((is_page && i == rows->starts[part]) ||
				rows->rows[i - 1] >> 16 < rows->rows[i] >> 16);
		}
	}
	for (uint32_t i = 0; i < h->rules; i++)
		if (rows->rules[i].kind == RULE_FULL)
			require(rows_full(rows,
					  (uint64_t)rows->rules[i].cfa));
	for (uint32_t i = 0; i < h->fulls; i++)
		check_full(rows, rows_full(rows, i));
}

static void
build(struct cfi_file *cfi, uint32_t first, uint32_t pages, bool is_full,
      struct writer *image, struct rows *rows)
{
	cfi_file_build(cfi, first, pages, is_full, image);
	require(rows_open(image->bytes, image->len, rows));
	check_table(rows);
}

static bool
is_same(const struct rows *a, const struct rows *b, uint64_t offset)
{
	const struct rule *x = rows_rule(a, offset), *y = rows_rule(b, offset);

	return x->kind == y->kind &&
	       (x->kind == RULE_FULL || !memcmp(x, y, sizeof(*x)));
}

static void
try_tables(struct cfi_file *cfi)
{
	struct writer whole = { 0 }, full = { 0 }, page = { 0 };
	struct rows rows, full_rows, page_rows;
	uint32_t first, pages;

	cfi_file_pages(cfi, &first, &pages);
	/* Large files of nothing are for the fuzzer of ELF files. */
	pages = pages < 16 ? pages : 16;
	build(cfi, first, pages, false, &whole, &rows);
	build(cfi, first, pages, true, &full, &full_rows);
	build(cfi, first + pages - 1, 1, false, &page, &page_rows);
	for (uint64_t i = 0; i < ROWS_PAGE; i += 61)
		require(is_same(&rows, &page_rows,
				((uint64_t)(first + pages - 1)
				 << ROWS_PAGE_LOG) + i));
	writer_free(&whole);
	writer_free(&full);
	writer_free(&page);
}

static void
try_file(int fd)
{
	struct cfi_file *cfi;
	struct error err;
	struct elf *elf;

	require(fd >= 0);
	if (!elf_open(fd, &elf, &err))
		return;
	if (cfi_file_open(elf, elf, NULL, &cfi, &err)) {
		try_tables(cfi);
		cfi_file_free(cfi);
	}
	elf_free(elf);
}

static struct writer
take(struct reader *r, size_t len)
{
	struct writer w = { 0 };

	len = len < reader_left(r) ? len : reader_left(r);
	writer_bytes(&w, reader_bytes(r, len), len);
	return w;
}

static void
try_sections(struct reader *r)
{
	uint16_t eh_len = reader_u16(r), hdr_len = reader_u16(r);
	uint16_t text_len = reader_u16(r);
	struct writer eh = take(r, eh_len), hdr = take(r, hdr_len);
	struct writer text = take(r, text_len);
	struct writer debug = take(r, reader_left(r));
	const struct fake_segment segments[] = {
		{ FAKE_TEXT, FAKE_TEXT, text.len, PT_LOAD, PF_R | PF_X },
		{ FAKE_TEXT + text.len + eh.len, 0x4000, hdr.len,
		  PT_GNU_EH_FRAME, PF_R },
	};
	const struct fake_section sections[] = {
		{ ".eh_frame", &eh, 0x5000, SHF_ALLOC },
		{ ".eh_frame_hdr", &hdr, 0x4000, SHF_ALLOC },
		{ ".debug_frame", &debug, 0, 0 },
	};

	try_file(fake_file(segments, 2, text.bytes, text.len, sections, 3));
	writer_free(&eh);
	writer_free(&hdr);
	writer_free(&text);
	writer_free(&debug);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct reader r = reader_of(bytes, len);
	uint8_t kind = reader_u8(&r);
	int fd;

	if (kind == 0x7f) {
		fd = memfd_create("elf", MFD_CLOEXEC);
		require(write(fd, bytes, len) == (ssize_t)len);
		try_file(fd);
	} else if (kind & 1) {
		try_expression(r.at, reader_left(&r));
	} else {
		try_sections(&r);
	}
	return 0;
}
