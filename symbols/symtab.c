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
	RANK_UNSIZED = 4,	/* bits added to the above */
	RANK_LABEL = 8,
};

/* A symbol that may name code. */
struct candidate {
	uint64_t start;
	uint64_t end;		/* of its section, if it has no size */
	uint32_t name;
	uint32_t rank;
};

struct table {
	struct ranges *ranges;	/* has the names */
	struct candidate *all;
	size_t count, capacity;
	size_t known;		/* so many are sorted, one for each start */
	bool is_sparse;		/* only .dynsym: most functions are missing */
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
		rank |= RANK_UNSIZED;
	if (!is_function_type(ELF64_ST_TYPE(symbol->st_info)))
		rank |= RANK_LABEL;
	return rank;
}

/*
 * Does SYMBOL have the type and the place of code? Section indices that do
 * not fit (SHN_XINDEX) are in a table of their own; files with more than
 * 65,000 sections are objects that nothing runs.
 */
static bool
may_name_code(const struct elf *elf, const Elf64_Sym *symbol)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);
	const Elf64_Shdr *section;

	if (type != STT_NOTYPE && !is_function_type(type))
		return false;
	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= elf->nsections)
		return false;
	section = &elf->sections[symbol->st_shndx];
	return (section->sh_flags & SHF_EXECINSTR) &&
	       section->sh_size <= UINT64_MAX - section->sh_addr &&
	       symbol->st_value >= section->sh_addr &&
	       symbol->st_value - section->sh_addr < section->sh_size;
}

/* The name is still what the symbol says, see name_candidates(). */
static void
add(struct table *table, const struct elf *elf, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *section = &elf->sections[symbol->st_shndx];
	struct candidate new = {
		.start = symbol->st_value,
		.end = section->sh_addr + section->sh_size,
		.name = symbol->st_name,
		.rank = rank_of(symbol),
	};

	if (symbol->st_size && symbol->st_size < new.end - new.start)
		new.end = new.start + symbol->st_size;
	table->all = grow(table->all, table->count, &table->capacity,
			  sizeof(new));
	table->all[table->count++] = new;
}

/* Put the names of SYMBOLS, a table of ELF, into the text, to *AT. */
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
	if (!elf_read(elf, names->sh_offset, room, names->sh_size)) {
		memset(room, 0, names->sh_size);
		return fail(err, 0, "the names of symbols cannot be read");
	}
	return true;
}

/* The first table of TYPE, if it is one; NULL, and perhaps why. */
static const Elf64_Shdr *
find_table(const struct elf *elf, uint32_t type, struct error *err)
{
	for (size_t i = 0; i < elf->nsections; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if (s->sh_type != type || s->sh_entsize != sizeof(Elf64_Sym))
			continue;
		if (s->sh_size / sizeof(Elf64_Sym) <= SYMTAB_MAX)
			return s;
		fail(err, 0, "more than %zu symbols are too many", SYMTAB_MAX);
		return NULL;
	}
	return NULL;
}

/* By start; a byte at a time, least significant first, is linear. */
static void
sort(struct candidate *all, size_t n)
{
	struct candidate *from = all, *to = xreallocarray(NULL, n, sizeof(*to));
	struct candidate *room = to, *swap;

	for (unsigned shift = 0; n && shift < 64; shift += 8) {
		size_t place[256] = { 0 }, sum = 0;

		for (size_t i = 0; i < n; i++)
			place[from[i].start >> shift & 255]++;
		if (place[from[0].start >> shift & 255] == n)
			continue;
		for (size_t i = 0; i < 256; i++) {
			size_t count = place[i];

			place[i] = sum;
			sum += count;
		}
		for (size_t i = 0; i < n; i++)
			to[place[from[i].start >> shift & 255]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != all)
		memcpy(all, from, n * sizeof(*all));
	free(room);
}

/* Of the candidates behind the known ones, drop those whose start is known. */
static void
drop_known(struct table *table)
{
	struct candidate *all = table->all;
	size_t kept = table->known, at = 0;

	sort(all + table->known, table->count - table->known);
	for (size_t i = table->known; i < table->count; i++) {
		while (at < table->known && all[at].start < all[i].start)
			at++;
		if (at == table->known || all[at].start != all[i].start)
			all[kept++] = all[i];
	}
	table->count = kept;
}

/* Turn offsets in the names of LEN bytes at NAMES into offsets in the text. */
static void
name_candidates(struct table *table, uint32_t names, uint64_t len)
{
	size_t kept = table->known;

	for (size_t i = table->known; i < table->count; i++) {
		struct candidate new = table->all[i];
		const char *text;

		if (new.name >= len)
			continue;
		new.name += names;
		text = ranges_text(table->ranges, new.name);
		if (*text && !alias_is_marker(text))
			table->all[kept++] = new;
	}
	table->count = kept;
}

/*
 * Add the symbols of a table where no other has one yet: .dynsym mostly
 * repeats .symtab, and then its names need not even be read.
 */
static void
load(struct table *table, const struct elf *elf, uint32_t type,
     struct error *err)
{
	const Elf64_Shdr *section = find_table(elf, type, err);
	uint8_t *bytes;
	uint32_t names;

	if (!section || !elf_load(elf, section, &bytes, err))
		return;
	for (size_t i = 1; i < section->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;

		memcpy(&symbol, bytes + i * sizeof(symbol), sizeof(symbol));
		if (may_name_code(elf, &symbol))
			add(table, elf, &symbol);
	}
	free(bytes);
	if (table->known)
		drop_known(table);
	if (table->count > table->known &&
	    load_names(table, elf, section, &names, err))
		name_candidates(table, names,
				elf->sections[section->sh_link].sh_size);
	else
		table->count = table->known;
}

static bool
is_better(const struct ranges *names, const struct candidate *a,
	  const struct candidate *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return alias_is_better(ranges_text(names, a->name),
			       ranges_text(names, b->name));
}

/* Sort, and keep the best candidate of each start. */
static void
choose(struct table *table)
{
	size_t kept = 0;

	sort(table->all, table->count);
	for (size_t i = 0; i < table->count; i++) {
		const struct candidate *new = &table->all[i];
		struct candidate *best = kept ? &table->all[kept - 1] : NULL;

		if (!best || best->start != new->start)
			table->all[kept++] = *new;
		else if (is_better(table->ranges, new, best))
			*best = *new;
	}
	table->count = table->known = kept;
}

/*
 * Where candidate I, which has no size, has to end at the latest. When most
 * symbols are missing the next one may be far behind: then only an unwind
 * entry can tell.
 */
static uint64_t
bound(const struct table *table, const struct ranges *entries, size_t i)
{
	const struct candidate *c = &table->all[i];
	uint64_t end = ranges_end(entries, c->start), next;

	if (table->is_sparse && end == UINT64_MAX)
		return c->start;
	next = ranges_next(entries, c->start);
	if (end > next)
		end = next;
	if (i + 1 < table->count && end > c[1].start)
		end = c[1].start;
	return end < c->end ? end : c->end;
}

static void
cover(struct table *table, const struct ranges *entries)
{
	uint64_t covered = 0;	/* by sized symbols so far */

	for (size_t i = 0; i < table->count; i++) {
		const struct candidate *c = &table->all[i];
		uint64_t end = c->end;

		if (c->rank & RANK_UNSIZED)
			end = c->start < covered ? c->start
						 : bound(table, entries, i);
		else if (end > covered)
			covered = end;
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
	choose(&table);
	table.is_sparse = !table.count;
	load(&table, elf, SHT_DYNSYM, err);
	if (table.count > table.known)
		choose(&table);
	cover(&table, entries);
	free(table.all);
	ranges_settle(table.ranges);
	return table.ranges;
}
