/* SPDX-License-Identifier: MIT */
/*
 * plt.c - stub to GOT cell to relocation to symbol to name.
 */
#include "symbols/plt.h"

#include <stdlib.h>
#include <string.h>

#define STUBS_MAX	((size_t)1 << 20)
#define RELOCATIONS_MAX ((uint64_t)64 << 20)
#define NAME_BYTES	4096
#define STUB_SIZE	16

struct plt {
	const struct elf *elf;
	const struct ranges *functions;
	const Elf64_Shdr *symbols, *names;
	Elf64_Rela *cells;		/* sorted by r_offset */
	size_t ncells, capacity;
	struct ranges *ranges;
};

static bool
is_stubs(const struct elf *elf, const Elf64_Shdr *section)
{
	return (section->sh_flags & SHF_EXECINSTR) &&
	       !strncmp(elf_section_name(elf, section), ".plt", 4) &&
	       elf->header.e_machine == EM_X86_64;
}

bool
plt_covers(const struct elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nsections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (vaddr >= s->sh_addr && vaddr - s->sh_addr < s->sh_size &&
		    is_stubs(elf, s))
			return true;
	}
	return false;
}

static bool
names_a_cell(const Elf64_Rela *relocation)
{
	switch (ELF64_R_TYPE(relocation->r_info)) {
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_IRELATIVE:
		return true;
	}
	return false;
}

static void
load_cells(struct plt *plt, const char *name)
{
	const Elf64_Shdr *section = elf_find(plt->elf, name);
	uint8_t *bytes;

	if (!section || section->sh_size > RELOCATIONS_MAX ||
	    !elf_load(plt->elf, section, &bytes, NULL))
		return;
	for (size_t i = 0; i < section->sh_size / sizeof(Elf64_Rela); i++) {
		Elf64_Rela new;

		memcpy(&new, bytes + i * sizeof(new), sizeof(new));
		if (!names_a_cell(&new))
			continue;
		plt->cells = grow(plt->cells, plt->ncells, &plt->capacity,
				  sizeof(new));
		plt->cells[plt->ncells++] = new;
	}
	free(bytes);
}

static int
compare_cells(const void *a, const void *b)
{
	const Elf64_Rela *x = a, *y = b;

	return (x->r_offset > y->r_offset) - (x->r_offset < y->r_offset);
}

/* The GOT cell that the stub at VADDR jumps through: jmp *REL(%rip). */
static bool
cell_of(const uint8_t stub[STUB_SIZE], size_t len, uint64_t vaddr,
	uint64_t *cell)
{
	for (size_t i = 0; i + 6 <= len; i++) {
		int32_t distance;

		if (stub[i] != 0xff || stub[i + 1] != 0x25)
			continue;
		memcpy(&distance, stub + i + 2, sizeof(distance));
		*cell = vaddr + i + 6 + (uint64_t)(int64_t)distance;
		return true;
	}
	return false;
}

/* The name of dynamic symbol INDEX into NAME, which ends in a NUL. */
static bool
read_name(const struct plt *plt, uint64_t index, char name[NAME_BYTES])
{
	uint64_t left, at = index * sizeof(Elf64_Sym);
	Elf64_Sym symbol;

	if (!plt->names || at >= plt->symbols->sh_size ||
	    !elf_read(plt->elf, plt->symbols->sh_offset + at, &symbol,
		      sizeof(symbol)) ||
	    symbol.st_name >= plt->names->sh_size)
		return false;
	left = plt->names->sh_size - symbol.st_name;
	if (left >= NAME_BYTES)
		left = NAME_BYTES - 1;
	if (!elf_read(plt->elf, plt->names->sh_offset + symbol.st_name, name,
		      left))
		return false;
	name[left] = '\0';
	return *name;
}

static void
add_stub(struct plt *plt, uint64_t start, uint64_t end, uint64_t cell)
{
	char name[NAME_BYTES + 4];
	const Elf64_Rela *found;
	uint64_t resolver;
	uint32_t at;

	found = bsearch(&(Elf64_Rela){ .r_offset = cell }, plt->cells,
			plt->ncells, sizeof(*plt->cells), compare_cells);
	if (!found)
		return;
	if (ELF64_R_TYPE(found->r_info) == R_X86_64_IRELATIVE) {
		const char *text = ranges_find(
			plt->functions, (uint64_t)found->r_addend, &resolver);

		if (!text || !*text)
			return;
		strncpy(name, text, NAME_BYTES - 1);
		name[NAME_BYTES - 1] = '\0';
	} else if (!read_name(plt, ELF64_R_SYM(found->r_info), name)) {
		return;
	}
	name[strcspn(name, "@")] = '\0';
	strcat(name, "@plt");
	if (ranges_name(plt->ranges, name, strlen(name), &at))
		ranges_add(plt->ranges, start, end, at);
}

static void
add_section(struct plt *plt, const Elf64_Shdr *section)
{
	size_t step = section->sh_entsize == 8 ? 8 : STUB_SIZE;
	uint8_t *bytes;

	if (section->sh_size > STUBS_MAX * STUB_SIZE ||
	    !elf_load(plt->elf, section, &bytes, NULL))
		return;
	for (size_t i = 0; i + step <= section->sh_size; i += step) {
		uint64_t vaddr = section->sh_addr + i, cell;

		if (cell_of(bytes + i, step, vaddr, &cell))
			add_stub(plt, vaddr, vaddr + step, cell);
	}
	free(bytes);
}

struct ranges *
plt_ranges(const struct elf *elf, const struct ranges *functions)
{
	struct plt plt = {
		.elf = elf,
		.functions = functions,
		.symbols = elf_find(elf, ".dynsym"),
		.ranges = ranges_new(),
	};

	if (plt.symbols && plt.symbols->sh_link < elf->nsections)
		plt.names = &elf->sections[plt.symbols->sh_link];
	load_cells(&plt, ".rela.plt");
	load_cells(&plt, ".rela.dyn");
	if (plt.ncells)
		qsort(plt.cells, plt.ncells, sizeof(*plt.cells),
		      compare_cells);
	for (size_t i = 0; i < elf->nsections && plt.ncells; i++)
		if (is_stubs(elf, &elf->sections[i]))
			add_section(&plt, &elf->sections[i]);
	free(plt.cells);
	if (elf_is_unchanged(elf))
		ranges_settle(plt.ranges);
	return plt.ranges;
}
