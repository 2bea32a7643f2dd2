/* SPDX-License-Identifier: MIT */
/*
 * elf.c - headers, sections and segments of ELF files.
 */
#include "symbols/elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECTIONS_MAX	(1u << 17)
#define SEGMENTS_MAX	4096u
#define NAMES_MAX	((size_t)64 << 20)
#define PAGE_MASK	((uint64_t)4095)

bool
elf_read(const struct elf *elf, uint64_t offset, void *buf, size_t len)
{
	char *at = buf;

	if (offset > INT64_MAX || len > INT64_MAX - offset)
		return false;
	while (len) {
		ssize_t got = pread(elf->fd, at, len, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		offset += (size_t)got;
		len -= (size_t)got;
	}
	return true;
}

bool
elf_holds(const struct elf *elf, uint64_t offset, uint64_t len)
{
	uint64_t size = (uint64_t)elf->stat.st_size;

	return offset <= size && len <= size - offset;
}

static bool
read_header(struct elf *elf, struct error *err)
{
	Elf64_Ehdr *h = &elf->header;

	if (fstat(elf->fd, &elf->stat))
		return fail(err, errno, "cannot look at the file");
	if (!S_ISREG(elf->stat.st_mode))
		return fail(err, 0, "not a regular file");
	if (!elf_read(elf, 0, h, EI_NIDENT) ||
	    memcmp(h->e_ident, ELFMAG, SELFMAG))
		return fail(err, 0, "not an ELF file");
	if (h->e_ident[EI_CLASS] != ELFCLASS64)
		return fail(err, 0, "a 32-bit ELF file, which is not read");
	if (h->e_ident[EI_DATA] != ELFDATA2LSB)
		return fail(err, 0, "a big-endian ELF file, which is not read");
	if (!elf_read(elf, 0, h, sizeof(*h)))
		return fail(err, 0, "ELF header is cut short");
	return true;
}

static bool
read_segments(struct elf *elf, struct error *err)
{
	const Elf64_Ehdr *h = &elf->header;
	size_t n = h->e_phoff ? h->e_phnum : 0, len;

	if (!n)
		return true;
	if (n > SEGMENTS_MAX)
		return fail(err, 0, "%zu ELF segments are too many", n);
	len = n * sizeof(Elf64_Phdr);
	if (h->e_phentsize != sizeof(Elf64_Phdr) ||
	    !elf_holds(elf, h->e_phoff, len))
		return fail(err, 0, "ELF program headers are broken");
	elf->segments = xcalloc(n, sizeof(Elf64_Phdr));
	if (!elf_read(elf, h->e_phoff, elf->segments, len))
		return fail(err, 0, "ELF program headers are cut short");
	elf->nsegments = n;
	return true;
}

/* Counts that do not fit the header are in the first section. */
static bool
count_sections(struct elf *elf, size_t *count, size_t *names)
{
	const Elf64_Ehdr *h = &elf->header;
	Elf64_Shdr first;

	*count = h->e_shnum;
	*names = h->e_shstrndx;
	if (*count && *names != SHN_XINDEX)
		return true;
	if (!elf_read(elf, h->e_shoff, &first, sizeof(first)))
		return false;
	if (!*count)
		*count = first.sh_size;
	if (*names == SHN_XINDEX)
		*names = first.sh_link;
	return true;
}

static bool
read_sections(struct elf *elf, struct error *err)
{
	const Elf64_Ehdr *h = &elf->header;
	const Elf64_Shdr *strings;
	size_t n, names, len;
	struct error ignored;

	if (!h->e_shoff)
		return true;
	if (h->e_shentsize != sizeof(Elf64_Shdr) ||
	    !count_sections(elf, &n, &names))
		return fail(err, 0, "ELF section headers are broken");
	if (n > SECTIONS_MAX)
		return fail(err, 0, "%zu ELF sections are too many", n);
	len = n * sizeof(Elf64_Shdr);
	if (!elf_holds(elf, h->e_shoff, len))
		return fail(err, 0, "ELF section headers are cut short");
	elf->sections = xcalloc(n, sizeof(Elf64_Shdr));
	if (!elf_read(elf, h->e_shoff, elf->sections, len))
		return fail(err, 0, "ELF section headers are cut short");
	elf->nsections = n;
	if (names >= n)
		return true;
	strings = &elf->sections[names];
	if (strings->sh_type == SHT_STRTAB && strings->sh_size <= NAMES_MAX &&
	    elf_load(elf, strings, (uint8_t **)&elf->section_names, &ignored))
		elf->section_names_len = strings->sh_size;
	return true;
}

bool
elf_open(int fd, struct elf **out, struct error *err)
{
	struct elf *elf = xcalloc(1, sizeof(*elf));

	elf->fd = fd;
	if (!read_header(elf, err) || !read_segments(elf, err) ||
	    !read_sections(elf, err)) {
		elf_free(elf);
		return false;
	}
	elf_find_links(elf);
	*out = elf;
	return true;
}

void
elf_free(struct elf *elf)
{
	if (!elf)
		return;
	close(elf->fd);
	free(elf->sections);
	free(elf->section_names);
	free(elf->segments);
	free(elf);
}

/* Not the change time: that of a file moves when it is unlinked. */
bool
elf_is_unchanged(const struct elf *elf)
{
	struct stat now;

	return !fstat(elf->fd, &now) && now.st_size == elf->stat.st_size &&
	       now.st_mtim.tv_sec == elf->stat.st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == elf->stat.st_mtim.tv_nsec;
}

const char *
elf_section_name(const struct elf *elf, const Elf64_Shdr *section)
{
	return section->sh_name < elf->section_names_len
		       ? elf->section_names + section->sh_name
		       : "";
}

const Elf64_Shdr *
elf_find(const struct elf *elf, const char *name)
{
	for (size_t i = 0; i < elf->nsections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (s->sh_type != SHT_NULL && s->sh_type != SHT_NOBITS &&
		    !strcmp(elf_section_name(elf, s), name))
			return s;
	}
	return NULL;
}

bool
elf_is_readable(const struct elf *elf, const Elf64_Shdr *section)
{
	return section->sh_type != SHT_NOBITS &&
	       section->sh_size <= ELF_SECTION_MAX &&
	       elf_holds(elf, section->sh_offset, section->sh_size);
}

/*
 * One byte more than the section has, and that is a NUL: text that somebody
 * forgot to end then ends here. Not xcalloc(): what a file asks for must not
 * end the program.
 */
bool
elf_load(const struct elf *elf, const Elf64_Shdr *section, uint8_t **bytes,
	 struct error *err)
{
	size_t len = section->sh_size;
	const char *name = elf_section_name(elf, section);
	uint8_t *new;

	if (len > ELF_SECTION_MAX)
		return fail(err, 0, "section %.32s is too large (%zu MiB)",
			    name, len >> 20);
	if (!elf_is_readable(elf, section))
		return fail(err, 0, "section %.32s is not inside the file",
			    name);
	new = malloc(len + 1);
	if (!new)
		return fail(err, ENOMEM, "cannot read section %.32s", name);
	if (!elf_read(elf, section->sh_offset, new, len)) {
		free(new);
		return fail(err, 0, "section %.32s cannot be read", name);
	}
	new[len] = '\0';
	*bytes = new;
	return true;
}

static bool
is_code(const Elf64_Phdr *segment)
{
	return segment->p_type == PT_LOAD && (segment->p_flags & PF_X);
}

static bool
holds(const Elf64_Phdr *segment, uint64_t offset)
{
	return offset >= segment->p_offset &&
	       offset - segment->p_offset < segment->p_filesz;
}

/* The same for the whole pages that the kernel maps. */
static bool
pages_hold(const Elf64_Phdr *segment, uint64_t offset)
{
	uint64_t end = segment->p_offset + segment->p_filesz;

	return end > segment->p_offset &&
	       offset >= (segment->p_offset & ~PAGE_MASK) &&
	       (offset & ~PAGE_MASK) <= ((end - 1) & ~PAGE_MASK);
}

/*
 * Linkers that do not pad let two segments share a page of the file, and then
 * each has bytes of the other around it. The segment that truly holds the
 * offset goes first. p_align does not matter: the kernel rounds to pages,
 * whatever it says.
 */
bool
elf_vaddr_of(const struct elf *elf, uint64_t offset, uint64_t *vaddr)
{
	const Elf64_Phdr *found = NULL;

	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (!is_code(p) || !pages_hold(p, offset))
			continue;
		if (!found || holds(p, offset))
			found = p;
		if (holds(p, offset))
			break;
	}
	if (!found)
		return false;
	*vaddr = offset - found->p_offset + found->p_vaddr;
	return true;
}

bool
elf_offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *p = &elf->segments[i];

		if (p->p_type != PT_LOAD || vaddr < p->p_vaddr ||
		    vaddr - p->p_vaddr >= p->p_filesz)
			continue;
		*offset = vaddr - p->p_vaddr + p->p_offset;
		return true;
	}
	return false;
}
