/* SPDX-License-Identifier: MIT */
/*
 * explain_symbols.c - candidates as the tables have them, and who won.
 */
#include "symbols/explain_symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "symbols/alias.h"
#include "symbols/demangle.h"

#define SHOWN 16

struct shown {
	const char *table;
	uint64_t start, size;
	unsigned type, bind;
	char *raw, *name;	/* owned; NAME as it would be told */
	bool is_winner;
};

struct search {
	uint64_t vaddr, nearest;	/* start of the last without a size */
	struct shown all[SHOWN];
	size_t count, left_out;
};

static void
shown_free(struct shown *s)
{
	free(s->raw);
	free(s->name);
}

/* The same changes as symbols_resolve() makes. */
static char *
told_name(const char *raw)
{
	char *plain = xstrndup(raw, 4096), *demangled, *clean;
	char *version = *plain ? strchr(plain + 1, '@') : NULL;

	if (version && strcmp(version, "@plt"))
		*version = '\0';
	demangled = demangle(plain);
	clean = sanitise(demangled ? demangled : plain,
			 strlen(demangled ? demangled : plain));
	free(demangled);
	free(plain);
	return clean;
}

static bool
is_in(const Elf64_Sym *symbol, uint64_t vaddr)
{
	unsigned type = ELF64_ST_TYPE(symbol->st_info);

	return (type == STT_NOTYPE || type == STT_FUNC ||
		type == STT_GNU_IFUNC) && symbol->st_shndx != SHN_UNDEF &&
	       symbol->st_shndx < SHN_LORESERVE && symbol->st_value <= vaddr &&
	       (!symbol->st_size || vaddr - symbol->st_value < symbol->st_size);
}

/* Those without a size that begin before START are of no interest. */
static void
drop_farther(struct search *s, uint64_t start)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].size || s->all[i].start >= start)
			s->all[kept++] = s->all[i];
		else
			shown_free(&s->all[i]);
	s->count = kept;
}

static void
add(struct search *s, const char *table, const Elf64_Sym *symbol,
    const char *raw)
{
	if (!symbol->st_size) {
		if (symbol->st_value < s->nearest)
			return;
		s->nearest = symbol->st_value;
		drop_farther(s, s->nearest);
	}
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].start == symbol->st_value &&
		    !strcmp(s->all[i].raw, raw))
			return;
	if (s->count == SHOWN) {
		s->left_out++;
		return;
	}
	s->all[s->count++] = (struct shown){
		.table = table, .start = symbol->st_value,
		.size = symbol->st_size,
		.type = ELF64_ST_TYPE(symbol->st_info),
		.bind = ELF64_ST_BIND(symbol->st_info),
		.raw = xstrndup(raw, 4096), .name = told_name(raw),
	};
}

static void
look_through(struct search *s, const char *table, const struct elf *elf,
	     const Elf64_Shdr *section)
{
	const Elf64_Shdr *strings = &elf->sections[section->sh_link];
	uint8_t *symbols, *names;
	struct error err;

	if (!elf_load(elf, section, &symbols, &err))
		return;
	if (!elf_load(elf, strings, &names, &err)) {
		free(symbols);
		return;
	}
	for (size_t i = 1; i < section->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym symbol;
		size_t room;

		memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
		if (!is_in(&symbol, s->vaddr) ||
		    symbol.st_name >= strings->sh_size)
			continue;
		room = strings->sh_size - symbol.st_name;
		if (names[symbol.st_name] &&
		    memchr(names + symbol.st_name, 0, room))
			add(s, table, &symbol,
			    (const char *)names + symbol.st_name);
	}
	free(symbols);
	free(names);
}

/* False if ELF has no table of TYPE. */
static bool
search_table(struct search *s, const char *table, const struct elf *elf,
	     uint32_t type)
{
	for (size_t i = 0; elf && i < elf->nsections; i++) {
		const Elf64_Shdr *section = &elf->sections[i];

		if (section->sh_type != type ||
		    section->sh_entsize != sizeof(Elf64_Sym) ||
		    section->sh_link >= elf->nsections)
			continue;
		look_through(s, table, elf, section);
		return true;
	}
	return false;
}

static void
tell(const struct shown *s, struct writer *out)
{
	static const char *const binds[] = { "local", "global", "weak" };

	explain_line(out, "symbol", "%s %#llx-%#llx %s %s %.600s%s", s->table,
		     (unsigned long long)s->start,
		     (unsigned long long)(s->start + s->size),
		     s->bind < ARRAY_LEN(binds) ? binds[s->bind] : "other",
		     s->type == STT_NOTYPE ? "label" :
		     s->type == STT_GNU_IFUNC ? "ifunc" : "function", s->name,
		     alias_is_marker(s->raw) ? " (a mark for tools)" :
		     s->size ? "" : " (no size)");
}

/* What decides between the winner W and O, in the order of symtab.h. */
static const char *
reason(const struct shown *w, const struct shown *o)
{
	if (!w->size && o->start < w->start)
		return "without a size it covers what is left up to the next "
		       "symbol";
	if (alias_is_marker(o->raw))
		return "marks for tools are never taken";
	if (o->start > w->start)
		return "what has a size covers the labels in it";
	if (o->start < w->start)
		return "it lies inside of the other, or begins behind it";
	if ((w->type == STT_NOTYPE) != (o->type == STT_NOTYPE) ||
	    !w->size != !o->size)
		return "functions with a size go first, then those without, "
		       "then labels";
	if (w->bind != o->bind)
		return "global symbols go before weak and local ones";
	return "fewer leading underscores, then shorter, then first in the "
	       "alphabet";
}

static const struct shown *
find_winner(struct search *s, const struct explain_answer *answer)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].start == answer->start &&
		    !strcmp(s->all[i].name, answer->name)) {
			s->all[i].is_winner = true;
			return &s->all[i];
		}
	return NULL;
}

static void
say_why(struct search *s, const struct explain_answer *answer, char *why,
	size_t size)
{
	const struct shown *winner, *other = NULL;
	size_t len = answer->name ? strlen(answer->name) : 0;

	if (!answer->name) {
		snprintf(why, size, "neither a symbol nor an unwind entry "
			 "covers it");
		return;
	}
	if (!len) {
		snprintf(why, size, "no symbol covers it and no neighbour is "
			 "stretched; the unwind entry from %#llx on stands "
			 "for the function", (unsigned long long)answer->start);
		return;
	}
	winner = find_winner(s, answer);
	for (size_t i = 0; winner && i < s->count && !other; i++)
		if (!s->all[i].is_winner)
			other = &s->all[i];
	if (len > 4 && !strcmp(answer->name + len - 4, "@plt"))
		snprintf(why, size, "a stub of the PLT, named by the "
			 "relocation of the cell that it jumps through");
	else if (!winner)
		snprintf(why, size, "from %#llx on, by another table than "
			 "these", (unsigned long long)answer->start);
	else if (!other)
		snprintf(why, size, "the only symbol that covers it%s",
			 winner->size ? "" : ", which has no size: up to the "
			 "next one");
	else
		snprintf(why, size, "%s", reason(winner, other));
}

void
explain_symbols(const struct elf *elf, const struct elf *debug,
		uint64_t vaddr, const struct explain_answer *answer,
		struct writer *out, char *why, size_t size)
{
	struct search s = { .vaddr = vaddr };
	uint64_t first = 0;	/* of the innermost that has a size */

	if (!search_table(&s, ".symtab", elf, SHT_SYMTAB) &&
	    !search_table(&s, "debug file's .symtab", debug, SHT_SYMTAB))
		explain_line(out, "symbol", "there is no .symtab");
	search_table(&s, ".dynsym", elf, SHT_DYNSYM);
	for (size_t i = 0; i < s.count; i++)
		if (s.all[i].size && s.all[i].start > first)
			first = s.all[i].start;
	drop_farther(&s, first);
	for (size_t i = 0; i < s.count; i++)
		tell(&s.all[i], out);
	if (s.left_out)
		explain_line(out, "symbol", "and %zu more", s.left_out);
	if (!s.count)
		explain_line(out, "symbol", "none that covers it");
	say_why(&s, answer, why, size);
	for (size_t i = 0; i < s.count; i++)
		shown_free(&s.all[i]);
}
