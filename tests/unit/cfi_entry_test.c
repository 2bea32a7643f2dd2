/* SPDX-License-Identifier: MIT */
#include "symbols/cfi_entry.h"

#include "tests/unit/cfi_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define VADDR 0x5000

static struct cfi_section
section_of(const struct writer *w, bool is_debug)
{
	return (struct cfi_section){
		.bytes = w->bytes, .len = w->len,
		.vaddr = is_debug ? 0 : VADDR, .data = 0x9000,
		.is_debug = is_debug,
	};
}

/* An FDE whose addresses are written by ENCODING as the bytes given. */
static bool
reads(uint8_t encoding, const uint8_t *bytes, size_t len,
      struct cfi_fde *fde)
{
	struct writer w = { 0 };
	struct cfi_cies cies = { 0 };
	struct cfi_section section;
	size_t cie, at;
	bool ok;

	cie = add_cie(&w, 0, "zR", &encoding, 1, NULL, 0);
	at = w.len;
	writer_u32(&w, 0);
	writer_u32(&w, (uint32_t)(w.len - cie));
	writer_bytes(&w, bytes, len);
	end_record(&w, at);
	section = section_of(&w, false);
	ok = cfi_read_fde(&section, &cies, at, fde);
	writer_free(&w);
	return ok;
}

static void
expect_range(uint8_t encoding, const uint8_t *bytes, size_t len,
	     uint64_t start, uint64_t size)
{
	struct cfi_fde fde;

	assert_true(reads(encoding, bytes, len, &fde));
	assert_int_equal(fde.start, start);
	assert_int_equal(fde.len, size);
}

static void
addresses_of_every_encoding_are_read(void **state)
{
	/* The first address is behind a CIE of 20 bytes and two words. */
	const uint64_t here = VADDR + 28;

	(void)state;
	expect_range(PE_ABSPTR, BYTES(1, 2, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0,
				      0, 0, 0), 0x201, 5);
	expect_range(PE_UDATA2, BYTES(0xff, 0xff, 5, 0, 0), 0xffff, 5);
	expect_range(PE_UDATA4, BYTES(1, 0, 0, 0x80, 5, 0, 0, 0, 0),
		     0x80000001, 5);
	expect_range(PE_UDATA8, BYTES(1, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 0, 0, 0,
				      0, 0, 0), 0x100000001, 5);
	expect_range(PE_ULEB, BYTES(0x80, 0x01, 5, 0), 128, 5);
	expect_range(PE_SLEB | PE_PCREL, BYTES(0x7c, 5, 0), here - 4, 5);
	expect_range(PE_SDATA2 | PE_PCREL, BYTES(0xf8, 0xff, 5, 0, 0),
		     here - 8, 5);
	expect_range(PE_SDATA4 | PE_PCREL, BYTES(0xf0, 0xff, 0xff, 0xff, 5, 0,
						 0, 0, 0), here - 16, 5);
	expect_range(PE_SDATA8 | PE_DATAREL, BYTES(16, 0, 0, 0, 0, 0, 0, 0, 5,
						   0, 0, 0, 0, 0, 0, 0, 0),
		     0x9010, 5);
}

static void
an_encoding_that_is_not_understood_is_refused(void **state)
{
	static const uint8_t encodings[] = {
		PE_OMIT, PE_INDIRECT | PE_SDATA4, PE_TEXTREL | PE_SDATA4,
		PE_FUNCREL | PE_SDATA4, PE_ALIGNED, 0x05, 0x0f,
	};
	const uint8_t bytes[32] = { 1, 0, 0, 0, 0, 0, 0, 0, 1 };
	struct cfi_fde fde;

	(void)state;
	for (size_t i = 0; i < sizeof(encodings); i++)
		assert_false(reads(encodings[i], bytes, sizeof(bytes), &fde));
	assert_false(reads(PE_UDATA8, BYTES(1, 0), &fde));
	assert_false(reads(PE_UDATA8, BYTES(255, 255, 255, 255, 255, 255, 255,
					    255, 1, 0, 0, 0, 0, 0, 0, 0, 0),
			   &fde));
}

/* Whether an FDE of a CIE with LETTERS and DATA is read; FDE is without it. */
static bool
reads_letters(const char *letters, const uint8_t *data, size_t len,
	      struct cfi_cie *out)
{
	struct writer w = { 0 };
	struct cfi_cies cies = { 0 };
	struct cfi_section section;
	struct cfi_fde fde;
	size_t cie, at;
	bool ok;

	cie = add_cie(&w, 0, letters, data, len,
		      BYTES(DW_CFA_def_cfa, 7, 8));
	at = w.len;
	writer_u32(&w, 0);
	writer_u32(&w, (uint32_t)(w.len - cie));
	/* Whatever the encoding, this is a start, a length and no more. */
	writer_u64(&w, 0x1000);
	writer_u64(&w, 0);
	writer_u64(&w, 0);
	end_record(&w, at);
	section = section_of(&w, false);
	ok = cfi_read_fde(&section, &cies, at, &fde);
	if (ok)
		*out = *fde.cie;
	if (ok)
		assert_int_equal(*out->instructions.at, DW_CFA_def_cfa);
	writer_free(&w);
	return ok;
}

static void
augmentations_are_read(void **state)
{
	struct cfi_cie cie;

	(void)state;
	assert_true(reads_letters("", NULL, 0, &cie));
	assert_false(cie.has_length || cie.is_signal);
	assert_true(reads_letters("S", NULL, 0, &cie));
	assert_true(cie.is_signal && !cie.has_length);
	assert_true(reads_letters("z", NULL, 0, &cie));
	assert_true(cie.has_length);
	assert_true(reads_letters("zRS", BYTES(PE_ABSPTR), &cie));
	assert_true(cie.is_signal);
	assert_true(reads_letters("zPLR", BYTES(0x9b, 1, 2, 3, 4, 0x1b,
						PE_UDATA4), &cie));
	assert_int_equal(cie.encoding, PE_UDATA4);
	assert_true(reads_letters("zPR", BYTES(PE_OMIT, PE_UDATA4), &cie));
	assert_true(reads_letters("zR", BYTES(PE_UDATA4, 1, 2, 3), &cie));
	assert_int_equal(cie.data_factor, -8);
}

static void
augmentations_that_are_not_known_are_refused(void **state)
{
	struct cfi_cie cie;

	(void)state;
	assert_false(reads_letters("eh", NULL, 0, &cie));
	assert_false(reads_letters("R", BYTES(PE_UDATA4), &cie));
	assert_false(reads_letters("zX", NULL, 0, &cie));
	assert_false(reads_letters("zR", NULL, 0, &cie));
	assert_false(reads_letters("zPR", BYTES(0x0f, 1, PE_UDATA4), &cie));
	assert_false(reads_letters("zLLLL", BYTES(1, 2, 3), &cie));
}

/* An aligned pointer to a personality begins at a multiple of eight. */
static void
an_aligned_pointer_is_skipped(void **state)
{
	uint8_t data[32] = { PE_ALIGNED };
	struct cfi_cie cie;
	/* "zPR" stands at 9, its data from 17 on. */
	const size_t pad = 24 - 18;

	(void)state;
	data[1 + pad + 8] = PE_UDATA4;
	assert_true(reads_letters("zPR", data, 1 + pad + 9, &cie));
	assert_int_equal(cie.encoding, PE_UDATA4);
}

/* Version 4 tells sizes of addresses and segments. */
static bool
reads_version(uint8_t version, uint8_t address_size, uint8_t segment_size,
	      uint8_t ra)
{
	struct writer w = { 0 };
	struct cfi_cies cies = { 0 };
	struct cfi_section section;
	struct cfi_fde fde;
	size_t at;
	bool ok;

	writer_u32(&w, 0);
	writer_u32(&w, UINT32_MAX);
	writer_u8(&w, version);
	writer_cstr(&w, "");
	if (version == 4) {
		writer_u8(&w, address_size);
		writer_u8(&w, segment_size);
	}
	writer_u8(&w, 4);
	writer_u8(&w, 0x78);
	writer_u8(&w, ra);
	end_record(&w, 0);
	at = w.len;
	add_debug_fde(&w, 0, 0x4000, 0x20, BYTES(ADVANCE(1)));
	section = section_of(&w, true);
	ok = cfi_read_fde(&section, &cies, at, &fde);
	if (ok) {
		assert_int_equal(fde.start, 0x4000);
		assert_int_equal(fde.len, 0x20);
		assert_int_equal(fde.cie->code_factor, 4);
		assert_int_equal(*fde.instructions.at, ADVANCE(1));
	}
	writer_free(&w);
	return ok;
}

static void
versions_of_dwarf_are_read(void **state)
{
	(void)state;
	assert_true(reads_version(1, 0, 0, 16));
	assert_true(reads_version(3, 0, 0, 16));
	assert_true(reads_version(4, 8, 0, 16));
	assert_false(reads_version(2, 0, 0, 16));
	assert_false(reads_version(5, 8, 0, 16));
	assert_false(reads_version(4, 4, 0, 16));
	assert_false(reads_version(4, 8, 1, 16));
	assert_false(reads_version(3, 0, 0, 30));
}

/* Records of 64-bit DWARF, in .debug_frame and in .eh_frame. */
static void
long_records_are_read(void **state)
{
	struct writer w = { 0 };
	struct cfi_cies cies = { 0 };
	struct cfi_section section;
	enum cfi_record kind;
	struct cfi_fde fde;
	size_t at = 0;

	(void)state;
	writer_u32(&w, UINT32_MAX);
	writer_u64(&w, 16);
	writer_u64(&w, UINT64_MAX);
	writer_bytes(&w, BYTES(3, 0, 1, 0x78, 16, 0, 0, 0));
	writer_u32(&w, UINT32_MAX);
	writer_u64(&w, 24);
	writer_u64(&w, 0);
	writer_u64(&w, 0x4000);
	writer_u64(&w, 0x20);
	section = section_of(&w, true);
	assert_true(cfi_next(&section, &at, &kind));
	assert_int_equal(kind, CFI_CIE);
	assert_true(cfi_read_fde(&section, &cies, at, &fde));
	assert_int_equal(fde.start, 0x4000);
	assert_true(cfi_next(&section, &at, &kind));
	assert_int_equal(kind, CFI_FDE);
	assert_false(cfi_next(&section, &at, &kind));
	writer_free(&w);
}

static void
records_that_leave_the_section_are_refused(void **state)
{
	struct writer w = { 0 };
	struct cfi_cies cies = { 0 };
	struct cfi_section section;
	enum cfi_record kind;
	struct cfi_fde fde;
	size_t at, next;

	(void)state;
	at = add_fde(&w, add_usual_cie(&w), VADDR, 0x1000, 16, NULL, 0);
	writer_u32(&w, 0);
	section = section_of(&w, false);
	next = w.len - 4;
	assert_true(cfi_next(&section, &next, &kind));
	assert_int_equal(kind, CFI_NOTHING);
	assert_true(cfi_read_fde(&section, &cies, at, &fde));
	assert_false(cfi_read_fde(&section, &cies, 0, &fde));
	assert_false(cfi_read_fde(&section, &cies, w.len - 4, &fde));
	assert_false(cfi_read_fde(&section, &cies, SIZE_MAX, &fde));
	section.len = w.len - 5;
	assert_false(cfi_read_fde(&section, &cies, at, &fde));
	section.len = w.len;
	for (uint32_t back = 0; back < 64; back++) {
		/* A CIE in the middle of something, or before the section. */
		memcpy(w.bytes + at + 4, &back, sizeof(back));
		cies = (struct cfi_cies){ 0 };
		assert_true(!cfi_read_fde(&section, &cies, at, &fde) ||
			    back == at + 4);
	}
	writer_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_every_encoding_are_read),
		cmocka_unit_test(
			an_encoding_that_is_not_understood_is_refused),
		cmocka_unit_test(augmentations_are_read),
		cmocka_unit_test(augmentations_that_are_not_known_are_refused),
		cmocka_unit_test(an_aligned_pointer_is_skipped),
		cmocka_unit_test(versions_of_dwarf_are_read),
		cmocka_unit_test(long_records_are_read),
		cmocka_unit_test(records_that_leave_the_section_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
