/* SPDX-License-Identifier: MIT */
/*
 * elf.h - an ELF file as checked numbers and bytes on demand.
 *
 * The file belongs to somebody else and may lie, shrink or be rewritten at
 * any time: it is read with pread(2) into memory, never mapped, and every
 * offset and length is checked against what is there. Only headers are read
 * at first; a section when it is asked for.
 *
 * 64-bit little-endian files are read, whatever the machine.
 *
 * Three ways to say where a byte of code is: offset in the file (what a
 * profile stores), virtual address (what symbols, unwind tables and DWARF
 * say), and address in the process (nobody here knows it). PT_LOAD segments
 * translate the first two.
 */
#ifndef SYMBOLS_ELF_H
#define SYMBOLS_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "core/base.h"

/* Most bytes read of one section. */
#define ELF_SECTION_MAX ((size_t)512 << 20)

#define ELF_BUILD_ID_MAX 64

struct elf {
	int fd;			/* owned */
	struct stat stat;	/* as it was when opened */
	Elf64_Ehdr header;
	Elf64_Shdr *sections;	/* NSECTIONS; owned */
	size_t nsections;
	char *section_names;	/* NUL at the end; owned */
	size_t section_names_len;
	Elf64_Phdr *segments;	/* NSEGMENTS of all types; owned */
	size_t nsegments;
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_len;	/* 0: has none */
	char debuglink[256];	/* one path component; "" if none */
	uint32_t debuglink_crc;
	char common[4096];	/* path of the file that holds what several
				   debug files share (dwz); "" if none */
	uint8_t common_id[ELF_BUILD_ID_MAX];
	size_t common_id_len;
};

/*
 * Read the headers of FD (taken: closed here even on failure). On success
 * *OUT is new and freed with elf_free().
 */
bool elf_open(int fd, struct elf **out, struct error *err);
void elf_free(struct elf *elf);

/* Is the file still the one that was opened? Asked after reading. */
bool elf_is_unchanged(const struct elf *elf);

/* All LEN bytes at OFFSET into BUF, or false. */
bool elf_read(const struct elf *elf, uint64_t offset, void *buf, size_t len);

/* "" for a name outside the table. */
const char *elf_section_name(const struct elf *elf, const Elf64_Shdr *section);

/* The first section NAME that has bytes in the file, or NULL. */
const Elf64_Shdr *elf_find(const struct elf *elf, const char *name);

/* Does SECTION have all its bytes in the file, and not too many? */
bool elf_is_readable(const struct elf *elf, const Elf64_Shdr *section);

/* The bytes of SECTION, which the caller frees. */
bool elf_load(const struct elf *elf, const Elf64_Shdr *section,
	      uint8_t **bytes, struct error *err);

/* Code at OFFSET of the file to its virtual address. */
bool elf_vaddr_of(const struct elf *elf, uint64_t offset, uint64_t *vaddr);

/* The byte at VADDR, code or data, to its offset in the file. */
bool elf_offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset);

/* Do LEN bytes at OFFSET lie in the file? */
bool elf_holds(const struct elf *elf, uint64_t offset, uint64_t len);

/* Fill in build id and names of other files (elf_links.c). */
void elf_find_links(struct elf *elf);

/* Equal build ids; without any, the debuglink of ELF has DEBUG's CRC. */
bool elf_accepts_debug(const struct elf *elf, const struct elf *debug,
		       struct error *err);

/* Is COMMON the file that ELF shares entries with? */
bool elf_accepts_common(const struct elf *elf, const struct elf *common,
			struct error *err);

#endif
