/* SPDX-License-Identifier: MIT */
/*
 * fde.c - one pass over .eh_frame that keeps only the ranges.
 */
#include "symbols/fde.h"

#include <stdlib.h>

#include "core/base.h"
#include "symbols/cfi_entry.h"

/* At 0 lies what the linker has thrown away. */
static void
add_all(const struct cfi_section *section, struct ranges *ranges)
{
	struct cfi_cies cies = { 0 };
	size_t at = 0, before = 0;
	enum cfi_record record;
	struct cfi_fde fde;

	for (; cfi_next(section, &at, &record); before = at)
		if (record == CFI_FDE &&
		    cfi_read_fde(section, &cies, before, &fde) &&
		    fde.start && fde.len)
			ranges_add(ranges, fde.start, fde.start + fde.len, 0);
}

struct ranges *
fde_ranges(const struct elf *elf)
{
	struct ranges *ranges = ranges_new();
	const Elf64_Shdr *header = elf_find(elf, ".eh_frame");
	struct cfi_section section = { 0 };
	uint8_t *bytes;
	uint32_t at;

	ranges_name(ranges, "", 0, &at);
	if (!header || !elf_load(elf, header, &bytes, NULL))
		return ranges;
	section.bytes = bytes;
	section.len = header->sh_size;
	section.vaddr = header->sh_addr;
	add_all(&section, ranges);
	free(bytes);
	ranges_settle(ranges);
	return ranges;
}
