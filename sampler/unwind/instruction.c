/* SPDX-License-Identifier: MIT */
/*
 * instruction.c - how long an x86-64 instruction is, and its parts.
 */
#include "sampler/unwind/instruction.h"

#include <string.h>

#include "core/base.h"
#include "core/reader.h"

/*
 * What follows the opcode, one letter each:
 *
 *	-	nothing			M, Z, T	ModRM, and then as b, z, t
 *	m	ModRM			t	test: b or z if reg is 0 or 1
 *	b	8 bits			v	32 bits, 64 with REX.W
 *	z	32 bits, 16 after 66	a	an address of 64 bits
 *	d	32 bits			e	24 bits
 *	w	16 bits			x	no instruction, or a prefix
 */
static const char one_byte[] =
	"mmmmbzxxmmmmbzxx" "mmmmbzxxmmmmbzxx"	/* 00 */
	"mmmmbzxxmmmmbzxx" "mmmmbzxxmmmmbzxx"	/* 20 */
	"xxxxxxxxxxxxxxxx" "----------------"	/* 40 */
	"xxxmxxxxzZbM----" "bbbbbbbbbbbbbbbb"	/* 60 */
	"MZxMmmmmmmmmmmmm" "----------x-----"	/* 80 */
	"aaaa----bz------" "bbbbbbbbvvvvvvvv"	/* a0 */
	"MMw-xxMZe-w--bx-" "mmmmxxx-mmmmmmmm"	/* c0 */
	"bbbbbbbbddxb----" "x-xx--tT------mm";	/* e0 */

static const char two_bytes[] =
	"mmmmx-----x-xm-M" "mmmmmmmmmmmmmmmm"	/* 00 */
	"mmmmxxxxmmmmmmmm" "--------xxxxxxxx"	/* 20 */
	"mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm"	/* 40 */
	"mmmmmmmmmmmmmmmm" "MMMMmmm-mmmmmmmm"	/* 60 */
	"dddddddddddddddd" "mmmmmmmmmmmmmmmm"	/* 80 */
	"---mMmxx---mMmmm" "mmmmmmmmmmMmmmmm"	/* a0 */
	"mmMmMMMm--------" "mmmmmmmmmmmmmmmm"	/* c0 */
	"mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm";	/* e0 */

struct prefixes {
	bool is_16_bit;		/* 66 */
	uint8_t rex;
};

static bool
is_legacy_prefix(uint8_t byte)
{
	return byte == 0x66 || byte == 0x67 || byte == 0xf0 ||
	       byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
	       byte == 0x36 || byte == 0x3e || byte == 0x26 ||
	       byte == 0x64 || byte == 0x65;
}

/* What follows the opcode of map MAP. */
static char
form_of(unsigned map, uint8_t opcode)
{
	switch (map) {
	case 0:
		return one_byte[opcode];
	case 1:
		return two_bytes[opcode];
	case 2:
	case 5:
	case 6:
		return 'm';
	case 3:
		return 'M';
	default:
		return 'x';
	}
}

/* The opcode behind BYTE, which begins a VEX or EVEX prefix; its form. */
static char
take_vector(struct reader *r, uint8_t byte, struct instruction *out)
{
	unsigned map = 1;

	if (byte != 0xc5)
		map = reader_u8(r) & (byte == 0x62 ? 7 : 0x1f);
	reader_u8(r);
	if (byte == 0x62)
		reader_u8(r);
	out->opcode = reader_u8(r);
	if (map == 0)
		return 'x';
	byte = (uint8_t)out->opcode;
	out->opcode |= INSTRUCTION_VECTOR | map << 8;
	return form_of(map, byte);
}

static char
take_opcode(struct reader *r, struct prefixes *prefixes,
	    struct instruction *out)
{
	uint8_t byte = reader_u8(r);
	unsigned map = 0;

	for (; is_legacy_prefix(byte); byte = reader_u8(r)) {
		if (byte == 0x66)
			prefixes->is_16_bit = true;
		if (r->failed)
			return 'x';
	}
	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return take_vector(r, byte, out);
	if ((byte & 0xf0) == 0x40) {
		prefixes->rex = byte;
		byte = reader_u8(r);
	}
	if (byte == 0x0f) {
		byte = reader_u8(r);
		map = byte == 0x38 ? 2 : byte == 0x3a ? 3 : 1;
		if (map != 1)
			byte = reader_u8(r);
	}
	out->opcode = map << 8 | byte;
	return form_of(map, byte);
}

static void
take_modrm(struct reader *r, struct instruction *out)
{
	uint8_t byte = reader_u8(r), base;

	out->has_modrm = true;
	out->mod = byte >> 6;
	out->reg = byte >> 3 & 7;
	out->rm = base = byte & 7;
	if (out->mod == 3)
		return;
	if (base == 4) {
		out->sib = reader_u8(r);
		base = out->sib & 7;
	}
	if (out->mod == 1)
		out->displacement = (int8_t)reader_u8(r);
	else if (out->mod == 2 || base == 5)
		out->displacement = (int32_t)reader_u32(r);
}

static void
take_immediate(struct reader *r, char form, const struct prefixes *prefixes,
	       struct instruction *out)
{
	if (form == 'v' && prefixes->rex & 8)
		form = 'a';
	else if (form == 'v' || form == 'z')
		form = prefixes->is_16_bit ? 'w' : 'd';
	switch (form) {
	case 'b':
		out->immediate = (int8_t)reader_u8(r);
		break;
	case 'w':
		out->immediate = (int16_t)reader_u16(r);
		break;
	case 'd':
		out->immediate = (int32_t)reader_u32(r);
		break;
	case 'a':
		out->immediate = (int64_t)reader_u64(r);
		break;
	case 'e':
		reader_u16(r);
		reader_u8(r);
		break;
	}
}

bool
instruction_decode(const uint8_t *code, size_t len, struct instruction *out)
{
	struct reader r = reader_of(code, len < INSTRUCTION_MAX ? len :
					  INSTRUCTION_MAX);
	struct prefixes prefixes = { 0 };
	char form;

	memset(out, 0, sizeof(*out));
	form = take_opcode(&r, &prefixes, out);
	if (form == 'x' || r.failed)
		return false;
	out->rex = prefixes.rex;
	if (strchr("mMZtT", form))
		take_modrm(&r, out);
	if (form == 'M' || (form == 't' && out->reg < 2))
		form = 'b';
	else if (form == 'Z' || (form == 'T' && out->reg < 2))
		form = 'z';
	take_immediate(&r, form, &prefixes, out);
	out->len = (unsigned)(r.at - code);
	/* Else XOP, which only some processors of AMD had. */
	return !r.failed && (out->opcode != 0x8f || !out->reg);
}
