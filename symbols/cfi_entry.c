/* SPDX-License-Identifier: MIT */
/*
 * cfi_entry.c - CIEs and FDEs as checked numbers.
 */
#include "symbols/cfi_entry.h"

#include "symbols/cfi_bytes.h"

#define LONG_LENGTH 0xffffffffu

/* No function lies beyond, so that a step or two from it do not wrap. */
#define ADDRESS_MAX (UINT64_MAX - 4096)

/* A record without its length. */
struct record {
	struct reader r;
	bool is_long;		/* 64-bit DWARF */
	uint64_t id;		/* of a CIE; else where its CIE is */
	const uint8_t *id_at;
};

static uint64_t
read_form(struct reader *r, uint8_t encoding)
{
	switch (encoding & PE_FORM) {
	case PE_ABSPTR:
	case PE_UDATA8:
	case PE_SDATA8:
		return cfi_u64(r);
	case PE_UDATA4:
		return cfi_u32(r);
	case PE_SDATA4:
		return (uint64_t)(int64_t)(int32_t)cfi_u32(r);
	case PE_UDATA2:
		return cfi_u16(r);
	case PE_SDATA2:
		return (uint64_t)(int64_t)(int16_t)cfi_u16(r);
	case PE_ULEB:
		return cfi_uleb(r);
	case PE_SLEB:
		return (uint64_t)cfi_sleb(r);
	}
	r->failed = true;
	return 0;
}

uint64_t
cfi_pointer(const struct cfi_section *section, struct reader *r,
	    uint8_t encoding)
{
	uint64_t place = section->vaddr + (uint64_t)(r->at - section->bytes);
	uint64_t value;

	switch (encoding & (PE_BASE | PE_INDIRECT)) {
	case 0:
		return read_form(r, encoding);
	case PE_PCREL:
		return place + read_form(r, encoding);
	case PE_DATAREL:
		value = read_form(r, encoding);
		r->failed |= !section->data;
		return section->data + value;
	}
	r->failed = true;
	return 0;
}

/*
 * Where ENCODING ends, whatever it points to. An aligned one begins at the
 * next multiple of eight of its address.
 */
static void
skip_pointer(const struct cfi_section *section, struct reader *r,
	     uint8_t encoding)
{
	uint64_t place = section->vaddr + (uint64_t)(r->at - section->bytes);

	if (encoding == PE_OMIT)
		return;
	if (encoding == PE_ALIGNED) {
		cfi_part(r, -place & 7);
		encoding = PE_ABSPTR;
	}
	read_form(r, encoding);
}

/* Cut the record at *AT off its section; *AT moves behind it. */
static bool
read_record(const struct cfi_section *section, size_t *at,
	    struct record *record)
{
	struct reader r;
	uint64_t len;

	if (*at >= section->len)
		return false;
	r = (struct reader){ .at = section->bytes + *at,
			     .end = section->bytes + section->len };
	len = cfi_u32(&r);
	record->is_long = len == LONG_LENGTH;
	if (record->is_long)
		len = cfi_u64(&r);
	record->r = cfi_part(&r, len);
	if (r.failed)
		return false;
	*at = (size_t)(r.at - section->bytes);
	record->id_at = record->r.at;
	record->id = section->is_debug && record->is_long
			     ? cfi_u64(&record->r)
			     : cfi_u32(&record->r);
	return true;
}

static bool
is_cie(const struct cfi_section *section, const struct record *record)
{
	if (!section->is_debug)
		return !record->id;
	return record->id == (record->is_long ? UINT64_MAX : UINT32_MAX);
}

bool
cfi_next(const struct cfi_section *section, size_t *at,
	 enum cfi_record *kind)
{
	struct record record;

	if (!read_record(section, at, &record))
		return false;
	if (record.r.failed)
		*kind = CFI_NOTHING;
	else
		*kind = is_cie(section, &record) ? CFI_CIE : CFI_FDE;
	return true;
}

/*
 * The letters of the augmentation, from after its 'z', and their data. Without
 * a 'z' none of them may have any.
 */
static bool
read_augmentation(struct cfi_cie *cie, const char *letters, struct reader *r)
{
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			cie->encoding = cfi_u8(r);
			break;
		case 'P':
			skip_pointer(cie->section, r, cfi_u8(r));
			break;
		case 'L':
			cfi_u8(r);
			break;
		case 'S':
			cie->is_signal = true;
			break;
		default:
			return false;
		}
		if (r->failed)
			return false;
	}
	return true;
}

static bool
read_cie_fields(struct cfi_cie *cie, struct reader r)
{
	uint8_t version = cfi_u8(&r);
	const char *letters = reader_cstr(&r);
	uint64_t ra;

	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4 && (cfi_u8(&r) != 8 || cfi_u8(&r) != 0))
		return false;	/* addresses of 8 bytes, without segments */
	cie->encoding = PE_ABSPTR;
	cie->code_factor = cfi_uleb(&r);
	cie->data_factor = cfi_sleb(&r);
	ra = version == 1 ? cfi_u8(&r) : cfi_uleb(&r);
	if (r.failed || ra != X86_RIP)
		return false;
	if (*letters == 'z') {
		struct reader part = cfi_part(&r, cfi_uleb(&r));

		cie->has_length = true;
		if (!read_augmentation(cie, letters + 1, &part))
			return false;
	} else if (strspn(letters, "S") != strlen(letters)) {
		return false;
	} else {
		cie->is_signal = *letters;
	}
	cie->instructions = r;
	cie->is_usual = cie->code_factor == 1 && cie->data_factor > -256 &&
			cie->data_factor < 256;
	return !r.failed;
}

/* The CIE at offset AT, out of the cache or into it. */
static struct cfi_cie *
find_cie(const struct cfi_section *section, struct cfi_cies *cies,
	 uint64_t at)
{
	size_t mixed = (size_t)(at / 8) + section->is_debug;
	struct cfi_cie *cie = &cies->slots[mixed % CFI_CIES];
	struct record record;
	size_t next = (size_t)at;

	if (cie->section == section && cie->at == at)
		return cie->is_good ? cie : NULL;
	*cie = (struct cfi_cie){ .section = section, .at = next };
	if (at >= section->len || !read_record(section, &next, &record) ||
	    !is_cie(section, &record) || record.r.failed)
		return NULL;
	cie->is_good = read_cie_fields(cie, record.r);
	return cie->is_good ? cie : NULL;
}

static bool
is_sane(const struct cfi_fde *fde)
{
	return fde->start <= ADDRESS_MAX &&
	       fde->len <= ADDRESS_MAX - fde->start;
}

/*
 * HOT: an FDE as gcc and clang write it, of fixed fields as far as its
 * instructions. False: it is of another form, or none.
 *
 *	u32 length, u32 back to the CIE, i32 start from here, u32 size,
 *	u8 length of its augmentation
 */
static bool
read_usual_fde(const struct cfi_section *section, struct cfi_cies *cies,
	       size_t at, struct cfi_fde *fde)
{
	enum { ID = 4, START = 8, SIZE = 12, AUGMENTATION = 16, REST = 17 };
	const uint8_t *bytes;
	uint32_t len, back, size, fixed;
	int32_t start;

	if (section->is_debug || at > section->len ||
	    section->len - at < REST)
		return false;
	bytes = section->bytes + at;
	memcpy(&len, bytes, sizeof(len));
	memcpy(&back, bytes + ID, sizeof(back));
	if (len > section->len - at - ID || !back || back > at + ID)
		return false;
	fde->cie = find_cie(section, cies, at + ID - back);
	if (!fde->cie || fde->cie->encoding != (PE_PCREL | PE_SDATA4) ||
	    !fde->cie->has_length || bytes[AUGMENTATION] >= 0x80)
		return false;
	fixed = REST + bytes[AUGMENTATION];
	if (len + ID < fixed)
		return false;
	memcpy(&start, bytes + START, sizeof(start));
	memcpy(&size, bytes + SIZE, sizeof(size));
	fde->start = section->vaddr + at + START + (uint64_t)(int64_t)start;
	fde->len = size;
	fde->instructions = (struct reader){
		.at = bytes + fixed,
		.end = bytes + ID + len,
	};
	return is_sane(fde);
}

static bool
read_any_fde(const struct cfi_section *section, struct cfi_cies *cies,
	     size_t at, struct cfi_fde *fde)
{
	struct record record;
	uint64_t cie_at;

	if (!read_record(section, &at, &record) || record.r.failed ||
	    is_cie(section, &record))
		return false;
	cie_at = record.id;
	if (!section->is_debug) {
		uint64_t here = (uint64_t)(record.id_at - section->bytes);

		if (record.id > here)
			return false;
		cie_at = here - record.id;
	}
	fde->cie = find_cie(section, cies, cie_at);
	if (!fde->cie)
		return false;
	fde->start = cfi_pointer(section, &record.r, fde->cie->encoding);
	fde->len = read_form(&record.r, fde->cie->encoding);
	if (fde->cie->has_length)
		cfi_part(&record.r, cfi_uleb(&record.r));
	fde->instructions = record.r;
	return !record.r.failed && is_sane(fde);
}

bool
cfi_read_fde(const struct cfi_section *section, struct cfi_cies *cies,
	     size_t at, struct cfi_fde *fde)
{
	return read_usual_fde(section, cies, at, fde) ||
	       read_any_fde(section, cies, at, fde);
}
