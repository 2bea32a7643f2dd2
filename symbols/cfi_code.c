/* SPDX-License-Identifier: MIT */
/*
 * cfi_code.c - segments, cut to what is code.
 */
#include "symbols/cfi_code.h"

#include <stdlib.h>

#include "core/base.h"
#include "core/rows.h"

static int
compare_codes(const void *a, const void *b)
{
	const struct cfi_code *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

/*
 * Linkers that do not pad put read-only data in the same segment, before the
 * code and behind it. There is nothing to look for.
 */
static void
cut_to_sections(const struct elf *elf, struct cfi_code *code)
{
	uint64_t from = code->to, to = code->from;

	for (size_t i = 0; i < elf->nsections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (!(s->sh_flags & SHF_EXECINSTR) ||
		    !elf_is_readable(elf, s) || !s->sh_size ||
		    s->sh_offset < code->from ||
		    s->sh_offset + s->sh_size > code->to)
			continue;
		from = s->sh_offset < from ? s->sh_offset : from;
		to = s->sh_offset + s->sh_size > to
			     ? s->sh_offset + s->sh_size : to;
	}
	if (from < to) {
		code->from = from;
		code->to = to;
	}
}

/* CODE as one or, if there is Go code in the middle, as three; how many. */
static size_t
divide(const struct cfi_code *code, const struct go_rows *rows,
       struct cfi_code out[3])
{
	uint64_t start, end;

	out[0] = out[1] = out[2] = *code;
	if (!rows)
		return 1;
	go_rows_span(rows, &start, &end);
	if (start < code->from + code->bias || start >= end ||
	    end > code->to + code->bias)
		return 1;
	out[1].is_go = true;
	out[0].to = out[1].from = start - code->bias;
	out[1].to = out[2].from = end - code->bias;
	return 3;
}

struct cfi_code *
cfi_codes(const struct elf *elf, const struct go_rows *go, size_t *ncodes)
{
	const uint64_t end = (uint64_t)ROWS_PAGES_MAX << ROWS_PAGE_LOG;
	struct cfi_code *segments = xcalloc(elf->nsegments, sizeof(*segments));
	struct cfi_code *codes;
	uint64_t last = 0;
	size_t n = 0;

	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X) ||
		    p->p_offset >= end || p->p_filesz > end - p->p_offset ||
		    p->p_filesz > UINT64_MAX - p->p_vaddr)
			continue;
		segments[n++] = (struct cfi_code){
			.from = p->p_offset,
			.to = p->p_offset + p->p_filesz,
			.bias = p->p_vaddr - p->p_offset,
		};
	}
	if (n)
		qsort(segments, n, sizeof(*segments), compare_codes);
	codes = xcalloc(3 * n, sizeof(*codes));
	*ncodes = 0;
	for (size_t i = 0; i < n; i++) {
		struct cfi_code code = segments[i];

		code.from = code.from > last ? code.from : last;
		if (code.from >= code.to)
			continue;
		last = code.to;
		cut_to_sections(elf, &code);
		*ncodes += divide(&code, go, codes + *ncodes);
	}
	free(segments);
	return codes;
}

static int
compare_offsets(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint64_t *
cfi_section_starts(const struct elf *elf, size_t *n)
{
	uint64_t *starts = xcalloc(elf->nsections, sizeof(*starts));

	*n = 0;
	for (size_t i = 0; i < elf->nsections; i++)
		if (elf->sections[i].sh_flags & SHF_EXECINSTR)
			starts[(*n)++] = elf->sections[i].sh_offset;
	qsort(starts, *n, sizeof(*starts), compare_offsets);
	return starts;
}

uint64_t
cfi_code_size(const struct elf *elf, const struct cfi_code *codes, size_t n)
{
	uint64_t in_sections = 0, in_segments = 0;

	for (size_t i = 0; i < elf->nsections; i++)
		if ((elf->sections[i].sh_flags & SHF_EXECINSTR) &&
		    elf_is_readable(elf, &elf->sections[i]))
			in_sections += elf->sections[i].sh_size;
	for (size_t i = 0; i < n; i++)
		in_segments += codes[i].to - codes[i].from;
	return in_sections && in_sections < in_segments ? in_sections
							: in_segments;
}
