/* SPDX-License-Identifier: MIT */
/*
 * cfi_scene.h - a file with some code, its unwind entries, and its tables.
 */
#ifndef TESTS_UNIT_CFI_SCENE_H
#define TESTS_UNIT_CFI_SCENE_H

#include "core/rows.h"
#include "symbols/cfi.h"
#include "symbols/elf.h"
#include "symbols/symbols.h"
#include "tests/unit/cfi_fake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Code lies at FAKE_TEXT of the file and here when it is loaded. */
#define TEXT 0x401000
#define EH 0x500000
#define HDR 0x4f0000

/* A file, its table, and what they are made of. */
struct scene {
	struct writer eh, hdr, debug, text;
	uint64_t debug_flags;	/* SHF_COMPRESSED */
	uint32_t text_len;
	struct elf *elf;
	struct cfi_file *cfi;
	struct writer image, full_image;
	struct rows rows, full;
};

static inline void
begin(struct scene *s, uint32_t text_len)
{
	*s = (struct scene){ .text_len = text_len };
	while (s->text.len < text_len)
		writer_u8(&s->text, 0xcc);
}

static inline void
put_code(struct scene *s, size_t at, const uint8_t *bytes, size_t len)
{
	assert_true(at + len <= s->text.len);
	memcpy(s->text.bytes + at, bytes, len);
}

static inline struct elf *
open_elf(struct scene *s)
{
	const struct fake_segment segments[] = {
		{ 0, 0x400000, FAKE_TEXT, PT_LOAD, PF_R },
		{ FAKE_TEXT, TEXT, s->text_len, PT_LOAD, PF_R | PF_X },
		{ FAKE_TEXT + s->text_len + s->eh.len, HDR, s->hdr.len,
		  PT_GNU_EH_FRAME, PF_R },
	};
	const struct fake_section sections[] = {
		{ ".eh_frame", &s->eh, EH, SHF_ALLOC },
		{ ".eh_frame_hdr", &s->hdr, HDR, SHF_ALLOC },
		{ ".debug_frame", &s->debug, 0, s->debug_flags },
	};
	struct elf *elf;
	struct error err;

	assert_true(elf_open(fake_file(segments, s->hdr.len ? 3 : 2,
				       s->text.bytes, s->text_len, sections,
				       s->debug.len ? 3 : 2), &elf, &err));
	return elf;
}

static inline void
build(struct scene *s)
{
	uint32_t first, pages;
	struct error err;

	s->elf = open_elf(s);
	assert_true(cfi_file_open(s->elf, NULL, NULL, &s->cfi, &err));
	cfi_file_pages(s->cfi, &first, &pages);
	cfi_file_build(s->cfi, first, pages, false, &s->image);
	cfi_file_build(s->cfi, first, pages, true, &s->full_image);
	assert_true(rows_open(s->image.bytes, s->image.len, &s->rows));
	assert_true(rows_open(s->full_image.bytes, s->full_image.len,
			      &s->full));
}

static inline void
end(struct scene *s)
{
	cfi_file_free(s->cfi);
	elf_free(s->elf);
	writer_free(&s->eh);
	writer_free(&s->hdr);
	writer_free(&s->debug);
	writer_free(&s->text);
	writer_free(&s->image);
	writer_free(&s->full_image);
}

/* The rule at byte AT of the code. */
static inline const struct rule *
rule_at(struct scene *s, uint64_t at)
{
	const struct rule *rule = rows_rule(&s->rows, FAKE_TEXT + at);

	assert_non_null(rule);
	return rule;
}

static inline void
expect(struct scene *s, uint64_t at, enum rule_kind kind, int32_t cfa)
{
	const struct rule *rule = rule_at(s, at);

	assert_int_equal(rule->kind, kind);
	assert_int_equal(rule->cfa, cfa);
}

static inline size_t
add(struct scene *s, size_t cie, uint64_t at, uint32_t size,
    const uint8_t *instructions, size_t len)
{
	return add_fde(&s->eh, cie, EH, TEXT + at, size, instructions, len);
}

#endif
