/* SPDX-License-Identifier: MIT */
/*
 * symtab.c - symbol tables to ranges.
 */
#include "symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/alias.h"

/* The classes of rule 1 and 2; the lower number is the better. */
enum {
	RANK_GLOBAL,
	RANK_WEAK,
	RANK_LOCAL,
	RANK_UNSIZED = 4,	/* added to the above */
	RANK_LABEL = 8,
};

/* A symbol that may name code. */
struct candidate {
	uint64_t start;
	uint64_t end;		/* START if it has no size */
	uint64_t limit;		/* end of its section */
	uint32_t name;
	uint32_t rank;
};

struct table {
	struct ranges *ranges;	/* has the names */
	struct candidate *all;
	size_t count, capacity;
};

static bool
is_function_type(unsigned type)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC;
}

static uint32_t
rank_of(const Elf64_Sym *symbol)
{
	uint32_t rank = RANK_GLOBAL;

	if (ELF64_ST_BIND(symbol->st_info) == STB_LOCAL)
		rank = RANK_LOCAL;
	else if (ELF64_ST_BIND(symbol->st_info) == STB_WEAK)
		rank = RANK_WEAK;
	if (!symbol->st_size)
		rank += RANK_UNSIZED;
	if (!is_function_type(ELF64_ST_TYPE(symbol->st_info)))
		rank += RANK_LABEL;
	return rank;
}

/*
 * The section SYMBOL lies in, if that holds code. Indices that do not fit
 * (SHN_XINDEX) are in a table of their own; such files, with more than 65,000
 * sections, are objects that nothing runs.
 */
static const Elf64_Shdr *
code_section(const struct elf *elf, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *section;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= elf->nsections)
		return NULL;
	section = &elf->sections[symbol->st_shndx];
	if (!(section->sh_flags & SHF_EXECINSTR) ||
	    section->sh_size > UINT64_MAX - section->sh_addr ||
	    symbol->st_value < section->sh_addr ||
	    symbol->st_value - section->sh_addr >= section->sh_size)
		return NULL;
	return section;
}

/* NAMES is where the names of SYMBOL's table begin in the ranges' text. */
static void
add(struct table *table, const struct elf *elf, const Elf64_Sym *symbol,
    uint32_t names)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	const Elf64_Shdr *section = code_section(elf, symbol);
	struct candidate new;
	const char *name;

	if (!section || (type != STT_NOTYPE && !is_function_type(type)))
		return;
	new.start = symbol->st_value;
	new.limit = section->sh_addr + section->sh_size;
	new.end = symbol->st_size < new.limit - new.start
			  ? new.start + symbol->st_size
			  : new.limit;
	new.name = names + symbol->st_name;
	new.rank = rank_of(symbol);
	name = ranges_text(table->ranges, new.name);
	if (!*name || alias_is_marker(name))
		return;
	table->all = grow(table->all, table->count, &table->capacity,
			  sizeof(new));
	table->all[table->count++] = new;
}

/* Put the names of SYMBOLS, a table of ELF, into the text. */
static bool
load_names(struct table *table, const struct elf *elf,
	   const Elf64_Shdr *symbols, uint32_t *at, struct error *err)
{
	const Elf64_Shdr *names;
	char *room;

	if (symbols->sh_link >= elf->nsections)
		return fail(err, 0, "a symbol table has no names");
	names = &elf->sections[symbols->sh_link];
	if (names->sh_type != SHT_STRTAB || !elf_is_readable(elf, names))
		return fail(err, 0, "the names of symbols are not readable");
	room = ranges_room(table->ranges, names->sh_size, at);
	if (!room)
		return fail(err, 0, "the names of symbols are too large");
	if (elf_read(elf, names->sh_offset, room, names->sh_size))
		return true;
	memset(room, 0, names->sh_size);
	return fail(err, 0, "the names of symbols cannot be read");
}

static void
load(struct table *table, const struct elf *elf, uint32_t type,
     struct error *err)
{
	const Elf64_Shdr *section = NULL;
	uint8_t *bytes;
	uint64_t names_len;
	uint32_t names;
	size_t n;

	for (size_t i = 0; i < elf->nsections && !section; i++)
		if (elf->sections[i].sh_type == type)
			section = &elf->sections[i];
	if (!section || section->sh_entsize != sizeof(Elf64_Sym))
		return;
	n = section->sh_size / sizeof(Elf64_Sym);
	if (n > SYMTAB_MAX) {
		fail(err, 0, "%zu symbols are too many", n);
		return;
	}
	if (!elf_load(elf, section, &bytes, err))
		return;
	if (load_names(table, elf, section, &names, err)) {
		names_len = elf->sections[section->sh_link].sh_size;
		for (size_t i = 1; i < n; i++) {
			Elf64_Sym symbol;

			memcpy(&symbol, bytes + i * sizeof(symbol),
			       sizeof(symbol));
			if (symbol.st_name < names_len)
				add(table, elf, &symbol, names);
		}
	}
	free(bytes);
}

static int
compare_starts(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Keep the best candidate of each start. */
static void
choose(struct table *table)
{
	size_t kept = 0;

	for (size_t i = 0; i < table->count; i++) {
		const struct candidate *new = &table->all[i];
		struct candidate *best = kept ? &table->all[kept - 1] : NULL;

		if (!best || best->start != new->start)
			table->all[kept++] = *new;
		else if (new->rank == best->rank &&
			 alias_is_better(
				 ranges_text(table->ranges, new->name),
				 ranges_text(table->ranges, best->name)))
			*best = *new;
	}
	table->count = kept;
}

/* Where a symbol without a size at START has to end at the latest. */
static uint64_t
bound(const struct ranges *entries, uint64_t start, uint64_t limit)
{
	uint64_t end = ranges_end(entries, start);
	uint64_t next = ranges_next(entries, start);

	if (end > next)
		end = next;
	return end < limit ? end : limit;
}

static void
cover(struct table *table, const struct ranges *entries)
{
	uint64_t covered = 0;	/* by sized symbols so far */

	for (size_t i = 0; i < table->count; i++) {
		const struct candidate *c = &table->all[i];
		uint64_t end = c->end;

		if (end > c->start) {
			covered = end > covered ? end : covered;
		} else if (c->start >= covered) {
			end = bound(entries, c->start, c->limit);
			if (i + 1 < table->count && c[1].start < end)
				end = c[1].start;
		}
		if (end > c->start)
			ranges_add(table->ranges, c->start, end, c->name);
	}
}

struct ranges *
symtab_ranges(const struct elf *elf, const struct elf *debug,
	      const struct ranges *entries, struct error *err)
{
	struct table table = { .ranges = ranges_new() };

	load(&table, elf, SHT_SYMTAB, err);
	if (!table.count && debug)
		load(&table, debug, SHT_SYMTAB, err);
	load(&table, elf, SHT_DYNSYM, err);
	qsort(table.all, table.count, sizeof(*table.all), compare_starts);
	choose(&table);
	cover(&table, entries);
	free(table.all);
	ranges_settle(table.ranges);
	return table.ranges;
}
