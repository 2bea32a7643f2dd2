/* SPDX-License-Identifier: MIT */
/*
 * cfi_index.c - FDEs in the order of addresses.
 */
#include "symbols/cfi_index.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/cfi_bytes.h"
#include "symbols/section.h"

/* The table of .eh_frame_hdr: pairs of these, start and FDE. */
#define HEADER_TABLE (PE_DATAREL | PE_SDATA4)
#define HEADER_PAIR 8

#define DEBUG_FRAME_MAX ((uint64_t)256 << 20)

static void
add_entry(struct cfi_index *index, const struct cfi_section *section,
	  size_t at, const struct cfi_fde *fde)
{
	struct cfi_entry *entry;

	/* At 0 lies what the linker has thrown away. */
	if (!fde->start || !fde->len)
		return;
	index->entries = grow(index->entries, index->n, &index->capacity,
			      sizeof(*index->entries));
	entry = &index->entries[index->n++];
	entry->start = fde->start;
	entry->len = fde->len < UINT32_MAX ? (uint32_t)fde->len : UINT32_MAX;
	entry->at = (uint32_t)(at << 1) | section->is_debug;
}

/* All FDEs of SECTION in the order in which they are. */
static void
add_all(struct cfi_index *index, const struct cfi_section *section)
{
	size_t at = 0, before = 0;
	enum cfi_record record;
	struct cfi_fde fde;

	for (; cfi_next(section, &at, &record); before = at) {
		if (record != CFI_FDE)
			continue;
		if (cfi_read_fde(section, &index->cies, before, &fde))
			add_entry(index, section, before, &fde);
		else
			index->nbad++;
	}
}

/* Read what stands before the table; R is left there. */
static bool
read_header(const struct cfi_section *header, uint64_t eh_vaddr,
	    struct reader *r, uint64_t *count)
{
	uint8_t version = cfi_u8(r), pointer = cfi_u8(r);
	uint8_t number = cfi_u8(r), table = cfi_u8(r);

	if (version != 1 || table != HEADER_TABLE ||
	    cfi_pointer(header, r, pointer) != eh_vaddr)
		return false;
	*count = cfi_pointer(header, r, number);
	return !r->failed && *count && *count <= reader_left(r) / HEADER_PAIR;
}

/*
 * All FDEs in the order of .eh_frame_hdr. False: its table does not say the
 * same as the FDEs, or is not sorted, and what was added is void.
 */
static bool
add_sorted(struct cfi_index *index, const struct cfi_section *header)
{
	const struct cfi_section *eh = &index->eh;
	struct reader r = reader_of(header->bytes, header->len);
	uint64_t count, last = 0;

	if (!read_header(header, eh->vaddr, &r, &count))
		return false;
	for (; count; count--) {
		uint64_t start = header->vaddr +
				 (uint64_t)(int64_t)(int32_t)cfi_u32(&r);
		uint64_t at = header->vaddr - eh->vaddr +
			      (uint64_t)(int64_t)(int32_t)cfi_u32(&r);
		struct cfi_fde fde;

		if (start < last || at >= eh->len)
			return false;
		last = start;
		if (!cfi_read_fde(eh, &index->cies, (size_t)at, &fde))
			index->nbad++;
		else if (fde.start == start)
			add_entry(index, eh, (size_t)at, &fde);
		else
			return false;
	}
	return true;
}

static int
compare_entries(const void *a, const void *b)
{
	const struct cfi_entry *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->len > y->len) - (x->len < y->len);
}

static void
sort_entries(struct cfi_entry *entries, size_t n)
{
	bool is_sorted = true;

	for (size_t i = 1; i < n && is_sorted; i++)
		is_sorted = compare_entries(&entries[i - 1], &entries[i]) <= 0;
	if (!is_sorted)
		qsort(entries, n, sizeof(*entries), compare_entries);
}

/* Let each entry end where the next one starts; of two at one, the longest. */
static size_t
cut_overlaps(struct cfi_entry *entries, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (i + 1 < n) {
			uint64_t room = entries[i + 1].start -
					entries[i].start;

			if (!room)
				continue;
			if (entries[i].len > room)
				entries[i].len = (uint32_t)room;
		}
		entries[kept++] = entries[i];
	}
	return kept;
}

static size_t
find_entry(const struct cfi_entry *entries, size_t n, uint64_t vaddr)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (entries[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : n;
}

size_t
cfi_index_find(const struct cfi_index *index, uint64_t vaddr)
{
	return find_entry(index->entries, index->n, vaddr);
}

/* Keep of the entries from NEH on those that no entry before them covers. */
static void
merge_debug(struct cfi_index *index, size_t neh)
{
	struct cfi_entry *all = index->entries;
	size_t kept = neh;

	for (size_t i = neh; i < index->n; i++) {
		size_t before = find_entry(all, neh, all[i].start);

		if (before == neh || all[i].start - all[before].start >=
					     all[before].len)
			all[kept++] = all[i];
	}
	index->n = kept;
	sort_entries(all, index->n);
	index->n = cut_overlaps(all, index->n);
}

/* The bytes of .eh_frame_hdr, by the segment that the loader would use. */
static bool
load_header(const struct elf *elf, struct cfi_section *header,
	    uint8_t **bytes)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];
		const Elf64_Shdr where = {
			.sh_type = SHT_PROGBITS,
			.sh_name = UINT32_MAX,
			.sh_offset = p->p_offset,
			.sh_size = p->p_filesz,
		};

		if (p->p_type != PT_GNU_EH_FRAME)
			continue;
		if (!elf_load(elf, &where, bytes, NULL))
			return false;
		*header = (struct cfi_section){
			.bytes = *bytes,
			.len = p->p_filesz,
			.vaddr = p->p_vaddr,
			.data = p->p_vaddr,
		};
		return true;
	}
	return false;
}

static uint64_t
address_of(const struct elf *elf, const char *name)
{
	const Elf64_Shdr *section = elf_find(elf, name);

	return section ? section->sh_addr : 0;
}

/*
 * .eh_frame of a file without section headers: from where .eh_frame_hdr says,
 * as linkers write it (relative to itself, four bytes), to the segment's end.
 */
static bool
find_by_segments(const struct elf *elf, Elf64_Shdr *out)
{
	uint8_t header[8];
	uint64_t start = 0;
	int32_t distance;

	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type != PT_GNU_EH_FRAME ||
		    !elf_read(elf, p->p_offset, header, sizeof(header)) ||
		    header[0] != 1 || header[1] != 0x1b)
			continue;
		memcpy(&distance, header + 4, sizeof(distance));
		start = p->p_vaddr + 4 + (uint64_t)(int64_t)distance;
	}
	for (size_t i = 0; start && i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];
		uint64_t skip = start - p->p_vaddr;

		if (p->p_type != PT_LOAD || skip >= p->p_filesz)
			continue;
		*out = (Elf64_Shdr){
			.sh_type = SHT_PROGBITS, .sh_name = UINT32_MAX,
			.sh_offset = p->p_offset + skip,
			.sh_size = p->p_filesz - skip, .sh_addr = start,
		};
		return true;
	}
	return false;
}

static void
load_eh(struct cfi_index *index, const struct elf *elf)
{
	const Elf64_Shdr *section = elf_find(elf, ".eh_frame");
	Elf64_Shdr found;

	if (!section && !elf->nsections && find_by_segments(elf, &found))
		section = &found;
	if (!section || !elf_load(elf, section, &index->eh_bytes, NULL))
		return;
	index->eh.bytes = index->eh_bytes;
	index->eh.len = section->sh_size;
	index->eh.vaddr = section->sh_addr;
	index->eh.data = address_of(elf, ".got.plt");
	if (!index->eh.data)
		index->eh.data = address_of(elf, ".got");
}

static void
index_eh(struct cfi_index *index, const struct elf *elf)
{
	struct cfi_section header;
	uint8_t *bytes = NULL;

	load_eh(index, elf);
	if (!index->eh_bytes)
		return;
	index->has_header = load_header(elf, &header, &bytes) &&
			    add_sorted(index, &header);
	free(bytes);
	if (!index->has_header) {
		index->n = index->nbad = 0;
		add_all(index, &index->eh);
	}
	sort_entries(index->entries, index->n);
	index->n = cut_overlaps(index->entries, index->n);
}

/* Only .debug_frame may be packed: programs do not read it. */
static void
index_debug(struct cfi_index *index, const struct elf *elf,
	    const struct elf *debug)
{
	const Elf64_Shdr *section = section_find(elf, ".debug_frame");
	size_t neh = index->n;
	uint64_t len;

	if (!section && debug) {
		elf = debug;
		section = section_find(elf, ".debug_frame");
	}
	if (!section || !section_load(elf, section, DEBUG_FRAME_MAX,
				      &index->debug_bytes, &len, NULL))
		return;
	index->debug.bytes = index->debug_bytes;
	index->debug.len = len;
	index->debug.is_debug = true;
	add_all(index, &index->debug);
	merge_debug(index, neh);
}

void
cfi_index_init(struct cfi_index *index, const struct elf *elf,
	       const struct elf *debug)
{
	*index = (struct cfi_index){ 0 };
	if (elf->header.e_machine != EM_X86_64)
		return;
	index_eh(index, elf);
	index_debug(index, elf, debug);
}

void
cfi_index_fini(struct cfi_index *index)
{
	free(index->entries);
	free(index->eh_bytes);
	free(index->debug_bytes);
	*index = (struct cfi_index){ 0 };
}

bool
cfi_index_read(struct cfi_index *index, const struct cfi_entry *entry,
	       struct cfi_fde *fde)
{
	if (!cfi_read_fde(entry->at & 1 ? &index->debug : &index->eh,
			  &index->cies, entry->at >> 1, fde))
		return false;
	fde->len = entry->len;
	return true;
}
