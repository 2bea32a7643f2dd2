/* SPDX-License-Identifier: MIT */
/*
 * symbols.c - modules, and which source answers for them.
 *
 * Opening a module reads its headers only. Its functions are sorted into an
 * index when the first offset is asked for, its unwind entries when the index
 * has no answer, its lines when a person looks.
 */
#include "symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rows.h"
#include "symbols/cfi.h"
#include "symbols/demangle.h"
#include "symbols/dwarf.h"
#include "symbols/elf.h"
#include "symbols/fde.h"
#include "symbols/go_rows.h"
#include "symbols/jitdump.h"
#include "symbols/kallsyms.h"
#include "symbols/minidebug.h"
#include "symbols/pclntab.h"
#include "symbols/perfmap.h"
#include "symbols/places.h"
#include "symbols/plt.h"
#include "symbols/symtab.h"

#define MODULES_MAX 1000000
#define PLACES_BYTES_MAX ((uint64_t)768 << 20)	/* of all modules but one */
#define NAME_MAX_LEN ((size_t)64 << 10)

struct code {
	struct elf *elf;		/* files and vdso */
	struct elf *debug;		/* its separate debug file, or NULL */
	struct elf *common;		/* what that shares with others */
	struct ranges *functions;	/* NULL until asked for */
	struct ranges *entries;		/* unwind entries, with FUNCTIONS */
	struct ranges *stubs;		/* PLT; NULL until asked for */
	struct places *places;
	bool has_tried_places;
	struct pclntab *go;		/* of a Go program, or NULL */
	bool has_tried_go;
	struct go_rows *go_rows;	/* with CFI, if there is Go code */
	struct cfi_file *cfi;		/* NULL until asked for */
	struct perfmap *perfmap;	/* JIT; then FUNCTIONS is unused */
	struct jitdump *jitdump;	/* JIT, or NULL */
	struct error trouble;		/* "" while all is well */
};

struct symbols {
	struct code **modules;		/* by id; NULL: not open */
	size_t nmodules;
};

struct symbols *
symbols_new(void)
{
	return xcalloc(1, sizeof(struct symbols));
}

static void
forget_rules(struct code *code)
{
	cfi_file_free(code->cfi);
	go_rows_free(code->go_rows);
	code->cfi = NULL;
	code->go_rows = NULL;
}

/* Drop what is made from the files of CODE. */
static void
forget_answers(struct code *code)
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

static void
code_free(struct code *code)
{
	if (!code)
		return;
	forget_answers(code);
	elf_free(code->elf);
	elf_free(code->debug);
	elf_free(code->common);
	perfmap_free(code->perfmap);
	jitdump_free(code->jitdump);
	free(code);
}

void
symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->nmodules; i++)
		code_free(symbols->modules[i]);
	free(symbols->modules);
	free(symbols);
}

static struct code *
code_of(const struct symbols *symbols, uint32_t module)
{
	return module < symbols->nmodules ? symbols->modules[module] : NULL;
}

/* Put CODE, which is taken, in the place of what was there. */
static void
set_code(struct symbols *symbols, uint32_t module, struct code *code)
{
	if (module >= symbols->nmodules) {
		size_t n = (size_t)module + 1;

		n += n / 2;
		symbols->modules = xreallocarray(symbols->modules, n,
						 sizeof(*symbols->modules));
		memset(symbols->modules + symbols->nmodules, 0,
		       (n - symbols->nmodules) * sizeof(*symbols->modules));
		symbols->nmodules = n;
	}
	if (symbols->modules[module] != code)
		code_free(symbols->modules[module]);
	symbols->modules[module] = code;
}

static bool
has_symtab(const struct elf *elf)
{
	return elf_find(elf, ".symtab");
}

/* The file of CODE that has debug sections, or NULL. */
static const struct elf *
debug_of(const struct code *code)
{
	if (code->elf && dwarf_exists(code->elf))
		return code->elf;
	return code->debug && dwarf_exists(code->debug) ? code->debug : NULL;
}

static void
print_id(const uint8_t *id, size_t len, char out[41])
{
	if (len > 20)
		return;
	for (size_t i = 0; i < len; i++)
		snprintf(out + 2 * i, 3, "%02x", id[i]);
}

static void
fill_hint(const struct elf *elf, struct debug_hint *hint)
{
	memset(hint, 0, sizeof(*hint));
	hint->is_wanted = !has_symtab(elf) || !dwarf_exists(elf);
	memcpy(hint->debuglink, elf->debuglink, sizeof(hint->debuglink));
	print_id(elf->build_id, elf->build_id_len, hint->build_id);
	print_id(elf->common_id, elf->common_id_len, hint->common_id);
	if (strlen(elf->common) < sizeof(hint->common))
		memcpy(hint->common, elf->common, strlen(elf->common) + 1);
}

static bool
has_jit(const struct code *code)
{
	return code->perfmap || code->jitdump;
}

/* Either source may make a new version, which is one for both. */
static uint32_t
version_of(const struct code *code, uint32_t at_least)
{
	uint32_t now = at_least < VERSION_MAX ? at_least : VERSION_MAX;

	for (int pass = 0; pass < 2; pass++) {
		struct versions *all[] = {
			code->perfmap ? perfmap_versions(code->perfmap) : NULL,
			code->jitdump ? jitdump_versions(code->jitdump) : NULL,
		};

		for (size_t i = 0; i < ARRAY_LEN(all); i++) {
			if (!all[i])
				continue;
			versions_raise(all[i], now);
			now = versions_now(all[i]);
		}
	}
	return now;
}

/*
 * Either file is read on from where it ended; what is wrong with its end does
 * not unname what came before.
 */
static bool
open_jit(struct code *code, int fd, struct error *err)
{
	uint8_t magic[4];
	bool ok;

	if (pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	    jitdump_is(magic, sizeof(magic))) {
		if (!code->jitdump)
			code->jitdump = jitdump_new();
		ok = jitdump_read(code->jitdump, fd, &code->trouble);
	} else {
		if (!code->perfmap)
			code->perfmap = perfmap_new();
		ok = perfmap_read(code->perfmap, fd, &code->trouble);
	}
	close(fd);
	if (ok)
		code->trouble.text[0] = '\0';
	else if (!(code->perfmap && perfmap_entries(code->perfmap)) &&
		 !(code->jitdump && jitdump_loads(code->jitdump)))
		return fail(err, 0, "%s", code->trouble.text);
	return true;
}

static bool
open_kernel(struct code *code, int fd, struct error *err)
{
	bool ok = kallsyms_read(fd, &code->functions, err);

	close(fd);
	return ok;
}

bool
symbols_open(struct symbols *symbols, uint32_t module, enum module_kind kind,
	     int fd, struct debug_hint *hint, struct error *err)
{
	struct code *code = code_of(symbols, module);
	uint32_t version = kind == MODULE_JIT ? hint->version : 0;
	bool ok;

	memset(hint, 0, sizeof(*hint));
	if (module >= MODULES_MAX) {
		close(fd);
		return fail(err, 0, "too many modules");
	}
	if (kind != MODULE_JIT || !code || !has_jit(code))
		code = xcalloc(1, sizeof(*code));
	if (kind == MODULE_JIT)
		ok = open_jit(code, fd, err);
	else if (kind == MODULE_KERNEL)
		ok = open_kernel(code, fd, err);
	else
		ok = elf_open(fd, &code->elf, err);
	if (ok && code->elf)
		fill_hint(code->elf, hint);
	hint->version = version_of(code, version);
	set_code(symbols, module, code);
	return ok;
}

bool
symbols_add_debug(struct symbols *symbols, uint32_t module, int fd,
		  struct debug_hint *hint, struct error *err)
{
	struct code *code = code_of(symbols, module);
	struct elf *debug;

	if (!code || !code->elf) {
		close(fd);
		return fail(err, 0, "no such module");
	}
	if (!elf_open(fd, &debug, err))
		return false;
	if (!elf_accepts_debug(code->elf, debug, err)) {
		elf_free(debug);
		return false;
	}
	elf_free(code->debug);
	elf_free(code->common);
	code->debug = debug;
	code->common = NULL;
	fill_hint(debug, hint);
	forget_answers(code);
	return true;
}

bool
symbols_add_common(struct symbols *symbols, uint32_t module, int fd,
		   struct error *err)
{
	struct code *code = code_of(symbols, module);
	struct elf *common;

	if (!code || !debug_of(code)) {
		close(fd);
		return fail(err, 0, "no such module");
	}
	if (!elf_open(fd, &common, err))
		return false;
	if (!elf_accepts_common(debug_of(code), common, err)) {
		elf_free(common);
		return false;
	}
	elf_free(code->common);
	code->common = common;
	places_free(code->places);
	code->places = NULL;
	code->has_tried_places = false;
	return true;
}

/* Nothing of a file that changes under the reader can be believed. */
static void
drop_if_changed(struct code *code)
{
	if (elf_is_unchanged(code->elf) &&
	    (!code->debug || elf_is_unchanged(code->debug)))
		return;
	forget_answers(code);
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

	if (has_jit(code))
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

void
symbols_resolve(struct symbols *symbols, uint32_t module,
		const uint64_t *offsets, size_t n, symbol_fn fn, void *ctx)
{
	struct code *code = code_of(symbols, module);

	if (!code)
		return;
	index_functions(code);
	if (!code->functions && !has_jit(code))
		return;
	for (size_t i = 0; i < n; i++) {
		struct symbol symbol = { 0 };

		if (find(code, offsets[i], &symbol))
			tell(&symbol, offsets[i], code->elf, fn, ctx);
	}
}

/* Debug sections of many modules would fill the memory: CODE's may stay. */
static void
make_room(struct symbols *symbols, const struct code *code)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < symbols->nmodules; i++) {
		struct code *other = symbols->modules[i];

		if (!other || other == code || !other->places)
			continue;
		sum += places_bytes(other->places);
		if (sum <= PLACES_BYTES_MAX)
			continue;
		places_free(other->places);
		other->places = NULL;
		other->has_tried_places = false;
	}
}

static void
open_places(struct code *code)
{
	const struct elf *from = debug_of(code);

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
	struct code *code = code_of(symbols, module);
	struct symbol_place places[PLACES_DEPTH_MAX];
	size_t depth;

	if (!code || (!code->elf && !code->jitdump))
		return true;
	if (code->elf)
		open_go(code);
	if (!code->go && !code->has_tried_places && !may_unpack &&
	    debug_of(code) && dwarf_is_packed(debug_of(code)))
		return false;
	if (!code->places)
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
	if (!code->cfi) {
		open_go(code);
		if (code->go)
			code->go_rows = go_rows_new(code->go, code->elf);
		cfi_file_open(code->elf, code->debug, code->go_rows,
			      &code->cfi, &code->trouble);
	}
	drop_if_changed(code);
	return code->cfi;
}

/*
 * The index is kept for the next page. Whoever has all pages asks for no
 * other, so then it goes: it is as large as the sections are.
 */
bool
symbols_rows(struct symbols *symbols, uint32_t module, uint64_t first,
	     uint64_t pages, bool is_full, struct writer *out)
{
	struct code *code = code_of(symbols, module);
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
	if (is_whole)
		forget_rules(code);
	return true;
}

bool
symbols_is_go(struct symbols *symbols, uint32_t module, uint64_t offset)
{
	struct code *code = code_of(symbols, module);
	struct go_func func;
	uint64_t vaddr;

	if (!code || !code->elf || !elf_vaddr_of(code->elf, offset, &vaddr))
		return false;
	open_go(code);
	return code->go && pclntab_find(code->go, vaddr, &func);
}

const struct elf *
symbols_file(const struct symbols *symbols, uint32_t module)
{
	struct code *code = code_of(symbols, module);

	return code ? code->elf : NULL;
}

const struct elf *
symbols_debug_file(const struct symbols *symbols, uint32_t module)
{
	struct code *code = code_of(symbols, module);

	return code ? code->debug : NULL;
}

const char *
symbols_trouble(const struct symbols *symbols, uint32_t module)
{
	struct code *code = code_of(symbols, module);

	return code && code->trouble.text[0] ? code->trouble.text : NULL;
}
