/* SPDX-License-Identifier: MIT */
/*
 * fde.c - one pass over .eh_frame that keeps only the ranges.
 *
 * The section is a list of records: a CIE says how the addresses of its FDEs
 * are written, an FDE names its CIE and then a start and a length. The form
 * is that of the Linux Standard Base, chapter 10.6, and DWARF's 6.4.
 */
#include "symbols/fde.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/reader.h"

/* Pointer encodings: low half the size, high half what it is relative to. */
enum {
	PE_ABSPTR = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORM = 0x0f,
	PE_PCREL = 0x10,
	PE_BASE = 0x70,
	PE_UNKNOWN = 0xff,
};

struct eh_frame {
	const uint8_t *bytes;
	size_t len;
	uint64_t vaddr;		/* of BYTES */
	size_t cie;		/* offset of the CIE that was read last */
	uint8_t encoding;	/* of its FDEs, or PE_UNKNOWN */
};

static void
skip_leb(struct reader *r)
{
	while (reader_u8(r) & 0x80)
		;
}

static uint64_t
read_form(struct reader *r, uint8_t encoding)
{
	switch (encoding & PE_FORM) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return reader_u64(r);
	case PE_UDATA4:
		return reader_u32(r);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)reader_u32(r);
	case PE_UDATA2:
		return reader_u16(r);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)reader_u16(r);
	}
	r->failed = true;
	return 0;
}

/* The encoding in the augmentation of the CIE whose fields are at R. */
static uint8_t
read_cie(struct reader *r)
{
	uint8_t version = reader_u8(r), encoding = PE_ABSPTR;
	const char *augmentation = reader_cstr(r);

	skip_leb(r);		/* code alignment */
	skip_leb(r);		/* data alignment */
	if (version == 1)
		reader_u8(r);	/* return address register */
	else
		skip_leb(r);
	if (*augmentation != 'z')
		return *augmentation ? PE_UNKNOWN : PE_ABSPTR;
	skip_leb(r);
	while (*++augmentation && !r->failed) {
		switch (*augmentation) {
		case 'R':
			encoding = reader_u8(r);
			break;
		case 'P':
			read_form(r, reader_u8(r));
			break;
		case 'L':
			reader_u8(r);
			break;
		case 'S':
		case 'B':
			break;
		default:
			return PE_UNKNOWN;
		}
	}
	return r->failed ? PE_UNKNOWN : encoding;
}

/* Make the CIE at offset AT the one whose encoding is known. */
static void
use_cie(struct eh_frame *frame, size_t at)
{
	struct reader r;
	uint32_t len;

	if (at == frame->cie)
		return;
	frame->cie = at;
	frame->encoding = PE_UNKNOWN;
	if (at >= frame->len)
		return;
	r = reader_of(frame->bytes + at, frame->len - at);
	len = reader_u32(&r);
	if (len < reader_left(&r))
		r = reader_of(r.at, len);
	if (reader_u32(&r) == 0 && !r.failed)
		frame->encoding = read_cie(&r);
}

static void
add_fde(struct eh_frame *frame, struct reader *r, struct ranges *ranges)
{
	uint64_t start, size, place;

	if (frame->encoding == PE_UNKNOWN)
		return;
	place = frame->vaddr + (uint64_t)(r->at - frame->bytes);
	start = read_form(r, frame->encoding);
	size = read_form(r, frame->encoding & PE_FORM);
	if ((frame->encoding & PE_BASE) == PE_PCREL)
		start += place;
	else if (frame->encoding & PE_BASE)
		return;
	if (!r->failed && start && size && size <= UINT64_MAX - start)
		ranges_add(ranges, start, start + size, 0);
}

static void
walk(struct eh_frame *frame, struct ranges *ranges)
{
	struct reader all = reader_of(frame->bytes, frame->len);

	while (reader_left(&all) >= 4) {
		uint64_t len = reader_u32(&all);
		const uint8_t *record;
		struct reader r;
		uint32_t back;

		if (len == 0xffffffff)
			len = reader_u64(&all);
		if (!len)
			continue;	/* terminator; linkers leave several */
		record = len <= SIZE_MAX ? reader_bytes(&all, len) : NULL;
		if (!record)
			return;
		r = reader_of(record, len);
		back = reader_u32(&r);
		if (!back || back > (size_t)(record - frame->bytes))
			continue;
		use_cie(frame, (size_t)(record - frame->bytes) - back);
		add_fde(frame, &r, ranges);
	}
}

struct ranges *
fde_ranges(const struct elf *elf)
{
	struct ranges *ranges = ranges_new();
	const Elf64_Shdr *section = elf_find(elf, ".eh_frame");
	struct eh_frame frame = { .cie = SIZE_MAX };
	uint8_t *bytes;
	uint32_t at;

	ranges_name(ranges, "", 0, &at);
	if (!section || !elf_load(elf, section, &bytes, NULL))
		return ranges;
	frame.bytes = bytes;
	frame.len = section->sh_size;
	frame.vaddr = section->sh_addr;
	walk(&frame, ranges);
	free(bytes);
	ranges_settle(ranges);
	return ranges;
}
