/* SPDX-License-Identifier: MIT */
/*
 * symbols_answer.c - what is asked of a module, and which source answers.
 *
 * Its functions are sorted into an index when the first offset is asked for,
 * its unwind entries when the index has no answer, its lines when a person
 * looks.
 */
#include "symbols/symbols_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/rows.h"
#include "symbols/cfi.h"
#include "symbols/demangle.h"
#include "symbols/dwarf.h"
#include "symbols/fde.h"
#include "symbols/go_rows.h"
#include "symbols/jitdump.h"
#include "symbols/minidebug.h"
#include "symbols/pclntab.h"
#include "symbols/perfmap.h"
#include "symbols/places.h"
#include "symbols/plt.h"
#include "symbols/symtab.h"

#define NAME_MAX_LEN ((size_t)64 << 10)

static void
forget_rules(struct code *code)
{
	cfi_file_free(code->cfi);
	go_rows_free(code->go_rows);
	code->cfi = NULL;
	code->go_rows = NULL;
}

void
code_forget_answers(struct code *code)
{
	ranges_free(code->functions);
	ranges_free(code->entries);
	ranges_free(code->stubs);
	places_free(code->places);
	forget_rules(code);
	pclntab_free(code->go);
	code->functions = code->entries = code->stubs = NULL;
	code->places = NULL;
	code->go = NULL;
	code->has_tried_places = code->has_tried_go = false;
}

static bool
has_symtab(const struct elf *elf)
{
	return elf_find(elf, ".symtab");
}

/* Nothing of a file that changes under the reader can be believed. */
static void
drop_if_changed(struct code *code)
{
	if (elf_is_unchanged(code->elf) &&
	    (!code->debug || elf_is_unchanged(code->debug)))
		return;
	code_forget_answers(code);
	code->functions = ranges_new();
	code->entries = ranges_new();
	code->has_tried_places = code->has_tried_go = true;
	fail(&code->trouble, 0, "the file has changed on disk");
}

static void
open_go(struct code *code)
{
	if (code->has_tried_go)
		return;
	code->has_tried_go = true;
	pclntab_open(code->elf, &code->go, &code->trouble);
}

static void
index_functions(struct code *code)
{
	const struct elf *debug = code->debug;
	struct elf *inner = NULL;

	if (code->functions || !code->elf)
		return;
	open_go(code);
	if (!has_symtab(code->elf) && !(debug && has_symtab(debug)) &&
	    minidebug_exists(code->elf) &&
	    minidebug_open(code->elf, &inner, &code->trouble))
		debug = inner;
	code->entries = fde_ranges(code->elf);
	code->functions = symtab_ranges(code->elf, debug, code->entries,
					&code->trouble);
	elf_free(inner);
	drop_if_changed(code);
}

/* What the linker's name is to a reader: no version, no mangling. */
static void
tell(const struct symbol *raw, uint64_t offset, bool is_versioned,
     symbol_fn fn, void *ctx)
{
	struct symbol symbol = *raw;
	char *plain = xstrndup(raw->name, NAME_MAX_LEN);
	char *version = is_versioned && *plain ? strchr(plain + 1, '@') : NULL;
	char *demangled;

	if (version && strcmp(version, "@plt"))
		*version = '\0';
	if (is_versioned)
		go_unescape(plain);
	demangled = demangle(plain);
	symbol.name = demangled ? demangled : plain;
	fn(ctx, offset, &symbol);
	free(demangled);
	free(plain);
}

/*
 * The name at VADDR of an ELF file, "" or NULL, and where it begins. Go's own
 * table is the only one that knows where Go code ends.
 */
static const char *
find_in_file(struct code *code, uint64_t vaddr, uint64_t *start)
{
	struct go_func func;
	const char *name;

	if (code->go && pclntab_find(code->go, vaddr, &func)) {
		*start = func.start;
		return func.name;
	}
	name = ranges_find(code->functions, vaddr, start);
	if (!name && plt_covers(code->elf, vaddr)) {
		if (!code->stubs)
			code->stubs = plt_ranges(code->elf, code->functions);
		name = ranges_find(code->stubs, vaddr, start);
	}
	return name ? name : ranges_find(code->entries, vaddr, start);
}

static bool
find_generated(struct code *code, uint64_t offset, struct symbol *symbol)
{
	uint32_t name;

	if (code->jitdump)
		symbol->name = versions_find(jitdump_versions(code->jitdump),
					     offset, &symbol->start, &name);
	if (!symbol->name && code->perfmap)
		symbol->name = versions_find(perfmap_versions(code->perfmap),
					     offset, &symbol->start, &name);
	return symbol->name;
}

static bool
find(struct code *code, uint64_t offset, struct symbol *symbol)
{
	uint64_t at = offset, start;

	if (code_is_generated(code))
		return find_generated(code, offset, symbol);
	if (code->elf && !elf_vaddr_of(code->elf, offset, &at))
		return false;
	if (code->elf)
		symbol->name = find_in_file(code, at, &start);
	else
		symbol->name = ranges_find(code->functions, at, &start);
	if (!symbol->name || at - start > offset)
		return false;
	symbol->start = offset - (at - start);
	return true;
}

/* What can be had again from the files of CODE. */
static uint64_t
answers_bytes(const struct code *code)
{
	const struct ranges *all[] = {
		code->functions, code->entries, code->stubs
	};
	uint64_t sum = code->places ? places_bytes(code->places) : 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		sum += all[i] ? ranges_bytes(all[i]) : 0;
	return code->elf ? sum : 0;
}

uint64_t
symbols_bytes(const struct symbols *symbols)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < symbols->nmodules; i++)
		if (symbols->modules[i])
			sum += answers_bytes(symbols->modules[i]);
	return sum;
}

/*
 * CODE is asked for. The answers of many modules would fill the memory: those
 * go that were not asked for longest, and are made again when they are.
 */
static void
make_room(struct symbols *symbols, struct code *code)
{
	struct code *oldest = code;
	uint64_t sum;

	code->asked = ++symbols->requests;
	do {
		if (oldest != code)
			code_forget_answers(oldest);
		oldest = code;
		sum = 0;
		for (size_t i = 0; i < symbols->nmodules; i++) {
			struct code *other = symbols->modules[i];
			uint64_t bytes = other && other != code ?
					 answers_bytes(other) : 0;

			sum += bytes;
			if (bytes && other->asked < oldest->asked)
				oldest = other;
		}
	} while (sum > symbols->bytes_max);
}

void
symbols_resolve(struct symbols *symbols, uint32_t module,
		const uint64_t *offsets, size_t n, symbol_fn fn, void *ctx)
{
	struct code *code = symbols_code(symbols, module);

	if (!code)
		return;
	make_room(symbols, code);
	index_functions(code);
	if (!code->functions && !code_is_generated(code))
		return;
	for (size_t i = 0; i < n; i++) {
		struct symbol symbol = { 0 };

		if (find(code, offsets[i], &symbol))
			tell(&symbol, offsets[i], code->elf, fn, ctx);
	}
}

static void
open_places(struct code *code)
{
	const struct elf *from = code_debug(code);

	code->has_tried_places = true;
	if (from)
		places_open(from, code->common, &code->places, &code->trouble);
	drop_if_changed(code);
}

static size_t
find_go_places(const struct pclntab *go, uint64_t vaddr,
	       struct symbol_place *out)
{
	struct go_inline all[GO_INLINES_MAX];
	size_t n = pclntab_inlines(go, vaddr, all, GO_INLINES_MAX);

	for (size_t i = 0; i < n; i++)
		out[n - 1 - i] = (struct symbol_place){
			all[i].name, all[i].file ? all[i].file : "",
			all[i].line };
	return n;
}

/* Go's own table goes first: it knows more of Go code than DWARF does. */
static size_t
find_places(struct code *code, uint64_t offset,
	    struct symbol_place out[PLACES_DEPTH_MAX])
{
	uint64_t vaddr;
	size_t n = 0;

	out[0] = (struct symbol_place){ "", "", 0 };
	if (code->jitdump)
		return jitdump_line(code->jitdump, offset, &out[0].file,
				    &out[0].line);
	if (!elf_vaddr_of(code->elf, offset, &vaddr))
		return 0;
	if (code->go)
		n = find_go_places(code->go, vaddr, out);
	if (n)
		return n;
	if (!code->has_tried_places)
		open_places(code);
	return code->places ? places_find(code->places, vaddr, out) : 0;
}

bool
symbols_places(struct symbols *symbols, uint32_t module,
	       const uint64_t *offsets, size_t n, bool may_unpack,
	       places_fn fn, void *ctx)
{
	struct code *code = symbols_code(symbols, module);
	struct symbol_place places[PLACES_DEPTH_MAX];
	size_t depth;

	if (!code || (!code->elf && !code->jitdump))
		return true;
	if (code->elf)
		open_go(code);
	if (!code->go && !code->has_tried_places && !may_unpack &&
	    code_debug(code) && dwarf_is_packed(code_debug(code)))
		return false;
	make_room(symbols, code);
	for (size_t i = 0; i < n; i++) {
		depth = find_places(code, offsets[i], places);
		if (depth)
			fn(ctx, offsets[i], places, depth);
	}
	return true;
}

/* Go code is looked for first: its rules are better than its entries. */
static bool
open_rules(struct code *code)
{
	struct cfi_counts counts = { 0 };

	if (!code->cfi) {
		open_go(code);
		if (code->go)
			code->go_rows = go_rows_new(code->go, code->elf);
		cfi_file_open(code->elf, code->debug, code->go_rows,
			      &code->cfi, &code->trouble);
	}
	drop_if_changed(code);
	if (code->cfi)
		cfi_file_counts(code->cfi, &counts);
	code->lacks_rules = !counts.has_debug &&
			    counts.covered < counts.code - counts.code / 8;
	return code->cfi;
}

bool
symbols_lacks_rules(const struct symbols *symbols, uint32_t module)
{
	const struct code *code = symbols_code(symbols, module);

	return code && code->lacks_rules;
}

/*
 * The index is kept for the next page. Whoever has all pages asks for no
 * other, so then it goes: it is as large as the sections are. So does Go's
 * table, if no names were asked for.
 */
bool
symbols_rows(struct symbols *symbols, uint32_t module, uint64_t first,
	     uint64_t pages, bool is_full, struct writer *out)
{
	struct code *code = symbols_code(symbols, module);
	bool is_whole = !pages;
	uint32_t from, n;

	if (!code || !code->elf || pages > ROWS_PAGES_MAX || !open_rules(code))
		return false;
	cfi_file_pages(code->cfi, &from, &n);
	if (is_whole) {
		first = from;
		pages = n;
	}
	if (first >= (uint64_t)from + n || first + pages <= from)
		return false;
	cfi_file_build(code->cfi, (uint32_t)first, (uint32_t)pages, is_full,
		       out);
	if (is_whole && code->functions)
		forget_rules(code);
	else if (is_whole)
		code_forget_answers(code);
	return true;
}

bool
symbols_is_go(struct symbols *symbols, uint32_t module, uint64_t offset)
{
	struct code *code = symbols_code(symbols, module);
	struct go_func func;
	uint64_t vaddr;

	if (!code || !code->elf || !elf_vaddr_of(code->elf, offset, &vaddr))
		return false;
	open_go(code);
	return code->go && pclntab_find(code->go, vaddr, &func);
}
