/* SPDX-License-Identifier: MIT */
/*
 * cfi_fake.h - unwind sections and ELF files written byte by byte.
 */
#ifndef TESTS_UNIT_CFI_FAKE_H
#define TESTS_UNIT_CFI_FAKE_H

#include <dwarf.h>
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/reader.h"

/* DW_CFA_advance_loc and its like have their operand inside. */
#define ADVANCE(n) (DW_CFA_advance_loc | (n))
#define OFFSET(reg) (DW_CFA_offset | (reg))
#define RESTORE(reg) (DW_CFA_restore | (reg))

/* Instructions as a string of bytes: BYTES(DW_CFA_nop, ...). */
#define BYTES(...)                                                          \
	(const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){         \
						  __VA_ARGS__ })

/* Fill in the length of the record that begins at AT, padded to 4 bytes. */
static inline void
end_record(struct writer *w, size_t at)
{
	uint32_t len;

	while (w->len % 4)
		writer_u8(w, DW_CFA_nop);
	len = (uint32_t)(w->len - at - 4);
	memcpy(w->bytes + at, &len, sizeof(len));
}

/*
 * A CIE with LETTERS and the LEN bytes of their DATA; code factor 1, data
 * factor -8. Returns where it is. ID is 0 in .eh_frame.
 */
static inline size_t
add_cie(struct writer *w, uint32_t id, const char *letters,
	const uint8_t *data, size_t data_len, const uint8_t *instructions,
	size_t len)
{
	size_t at = w->len;

	writer_u32(w, 0);
	writer_u32(w, id);
	writer_u8(w, 1);
	writer_cstr(w, letters);
	writer_u8(w, 1);
	writer_u8(w, 0x78);
	writer_u8(w, 16);
	if (*letters == 'z')
		writer_u8(w, (uint8_t)data_len);
	writer_bytes(w, data, data_len);
	writer_bytes(w, instructions, len);
	end_record(w, at);
	return at;
}

/* What gcc writes: CFA = rsp + 8, the return address below it. */
static inline size_t
add_usual_cie(struct writer *w)
{
	return add_cie(w, 0, "zR", BYTES(0x1b),
		       BYTES(DW_CFA_def_cfa, 7, 8, OFFSET(16), 1));
}

/*
 * An FDE of [START, START + SIZE) with addresses as add_usual_cie() has them;
 * the section will be at VADDR.
 */
static inline size_t
add_fde(struct writer *w, size_t cie, uint64_t vaddr, uint64_t start,
	uint32_t size, const uint8_t *instructions, size_t len)
{
	size_t at = w->len;

	writer_u32(w, 0);
	writer_u32(w, (uint32_t)(w->len - cie));
	writer_u32(w, (uint32_t)(start - (vaddr + w->len)));
	writer_u32(w, size);
	writer_u8(w, 0);
	writer_bytes(w, instructions, len);
	end_record(w, at);
	return at;
}

/* One of .debug_frame: its CIE by offset, addresses as they are. */
static inline void
add_debug_fde(struct writer *w, size_t cie, uint64_t start, uint64_t size,
	      const uint8_t *instructions, size_t len)
{
	size_t at = w->len;

	writer_u32(w, 0);
	writer_u32(w, (uint32_t)cie);
	writer_u64(w, start);
	writer_u64(w, size);
	writer_bytes(w, instructions, len);
	end_record(w, at);
}

struct fake_segment {
	uint64_t offset, vaddr, size;
	uint32_t type, flags;
};

struct fake_section {
	const char *name;
	const struct writer *bytes;
	uint64_t vaddr;
	uint64_t flags;
};

#define FAKE_TEXT 0x1000	/* offset of the code, as large as it is */

/*
 * An ELF file: LEN bytes of code at FAKE_TEXT, then sections wherever they
 * fit. Opened, and borrowed by whoever reads it until elf_free().
 */
static inline int
fake_file(const struct fake_segment *segments, size_t nsegments,
	  const uint8_t *text, size_t len,
	  const struct fake_section *sections, size_t nsections)
{
	Elf64_Shdr headers[16] = { { .sh_type = SHT_NULL } };
	struct writer names = { 0 }, w = { 0 };
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = EM_X86_64,
		.e_phoff = sizeof(header), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = (Elf64_Half)nsegments,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = (Elf64_Half)(nsections + 2),
		.e_shstrndx = (Elf64_Half)(nsections + 1),
	};
	int fd = memfd_create("elf", MFD_CLOEXEC);

	writer_bytes(&w, &header, sizeof(header));
	for (size_t i = 0; i < nsegments; i++) {
		const Elf64_Phdr p = {
			.p_type = segments[i].type,
			.p_flags = segments[i].flags,
			.p_offset = segments[i].offset,
			.p_vaddr = segments[i].vaddr,
			.p_filesz = segments[i].size,
			.p_memsz = segments[i].size,
		};

		writer_bytes(&w, &p, sizeof(p));
	}
	while (w.len < FAKE_TEXT)
		writer_u8(&w, 0);
	writer_bytes(&w, text, len);
	writer_u8(&names, 0);
	for (size_t i = 0; i < nsections; i++) {
		headers[i + 1] = (Elf64_Shdr){
			.sh_type = SHT_PROGBITS,
			.sh_name = (Elf64_Word)names.len,
			.sh_flags = sections[i].flags,
			.sh_addr = sections[i].vaddr,
			.sh_offset = w.len,
			.sh_size = sections[i].bytes->len,
		};
		writer_cstr(&names, sections[i].name);
		writer_bytes(&w, sections[i].bytes->bytes,
			     sections[i].bytes->len);
	}
	headers[nsections + 1] = (Elf64_Shdr){
		.sh_type = SHT_STRTAB, .sh_offset = w.len,
		.sh_size = names.len,
	};
	writer_bytes(&w, names.bytes, names.len);
	header.e_shoff = w.len;
	writer_bytes(&w, headers, (nsections + 2) * sizeof(headers[0]));
	memcpy(w.bytes, &header, sizeof(header));
	if (write(fd, w.bytes, w.len) != (ssize_t)w.len)
		fd = -1;
	writer_free(&w);
	writer_free(&names);
	return fd;
}

#endif
