/* SPDX-License-Identifier: MIT */
/*
 * dwarf_fuzz.c - any bytes as debug sections.
 *
 * Each section is a length of two bytes and so many bytes; they become an ELF
 * file, so that nothing is spent on its headers. Nothing may crash, hang or
 * take memory without bound, and asking twice gives the same places.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/reader.h"
#include "symbols/places.h"

#define ADDRESSES 64

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static const char *const names[] = {
	".debug_info", ".debug_abbrev", ".debug_line", ".debug_str",
	".debug_line_str", ".debug_ranges", ".debug_rnglists", ".debug_addr",
	".debug_str_offsets",
};
#define SECTIONS ARRAY_LEN(names)

static void
write_names(struct writer *w, Elf64_Shdr table[SECTIONS + 2])
{
	Elf64_Shdr *own = &table[SECTIONS + 1];

	own->sh_type = SHT_STRTAB;
	own->sh_offset = w->len;
	writer_u8(w, 0);
	for (size_t i = 0; i < SECTIONS; i++) {
		table[i + 1].sh_name = (uint32_t)(w->len - own->sh_offset);
		writer_cstr(w, names[i]);
	}
	own->sh_size = w->len - own->sh_offset;
}

static int
file_of(const uint8_t *bytes, size_t len)
{
	Elf64_Shdr table[SECTIONS + 2] = { 0 };
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB },
		.e_shentsize = sizeof(*table), .e_shnum = SECTIONS + 2,
		.e_shstrndx = SECTIONS + 1,
	};
	struct reader r = reader_of(bytes, len);
	struct writer w = { 0 };
	int fd = memfd_create("dwarf", MFD_CLOEXEC);

	writer_bytes(&w, &header, sizeof(header));
	for (size_t i = 1; i <= SECTIONS; i++) {
		size_t size = reader_u16(&r);
		const void *from;

		if (size > reader_left(&r))
			size = reader_left(&r);
		from = reader_bytes(&r, size);
		table[i].sh_type = SHT_PROGBITS;
		table[i].sh_offset = w.len;
		table[i].sh_size = size;
		if (from)
			writer_bytes(&w, from, size);
	}
	write_names(&w, table);
	header.e_shoff = w.len;
	memcpy(w.bytes, &header, sizeof(header));
	writer_bytes(&w, table, sizeof(table));
	if (fd < 0 || write(fd, w.bytes, w.len) != (ssize_t)w.len)
		abort();
	writer_free(&w);
	return fd;
}

static uint64_t
ask(struct places *places)
{
	struct symbol_place at[PLACES_DEPTH_MAX];
	uint64_t sum = 0;

	for (uint64_t i = 0; i < ADDRESSES; i++) {
		size_t n = places_find(places, 0x1100 + i * 5, at);

		if (n > PLACES_DEPTH_MAX)
			abort();
		while (n-- > 0)
			sum = sum * 31 + strlen(at[n].name) +
			      strlen(at[n].file) * 7 + at[n].line;
	}
	return sum;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct places *places;
	struct elf *elf, *common;
	struct error err;

	if (!elf_open(file_of(bytes, len), &elf, &err) ||
	    !elf_open(file_of(bytes, len), &common, &err))
		abort();
	if (places_open(elf, common, &places, &err)) {
		if (ask(places) != ask(places))
			abort();
		places_free(places);
	}
	elf_free(elf);
	elf_free(common);
	return 0;
}
