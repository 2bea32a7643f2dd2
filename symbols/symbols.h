/* SPDX-License-Identifier: MIT */
/*
 * symbols.h - offsets of modules to names.
 *
 * Lives in the processes that parse, and reads what others control: it gets
 * descriptors, never paths, reads them into memory and never maps them. One
 * struct symbols holds all modules of a session.
 *
 * Order of sources: the table of Go's runtime, .symtab (the module's own, else
 * its debug file's, else that in .gnu_debugdata) with .dynsym, then the start
 * of the unwind entry (FDE) that covers the address: that symbol has the name
 * "". Which of several symbols at an address is taken is a fixed policy, see
 * symbols/symtab.h.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "core/names.h"
#include "core/reader.h"

struct symbols;

struct symbols *symbols_new(void);
void symbols_free(struct symbols *symbols);

/*
 * Indexes and debug sections of all files but the one that is asked for take
 * at most BYTES (SYMBOLS_BYTES_MAX at first): beyond it, those go that were
 * not asked for longest, and are read again when they are. And what all of
 * them take now.
 */
#define SYMBOLS_BYTES_MAX ((uint64_t)256 << 20)
void symbols_set_bound(struct symbols *symbols, uint64_t bytes);
uint64_t symbols_bytes(const struct symbols *symbols);

/* Where a separate debug file might be; the opener tries these. */
struct debug_hint {
	char build_id[41];	/* lower-case hex; "" if the file has none */
	char debuglink[256];	/* one path component; "" if none */
	bool is_wanted;		/* the module itself lacks .symtab or lines */
	/* Of generated code (symbols/versions.h): in, at least so much; out,
	   what it is now. */
	uint32_t version;
	/* The file that holds what several debug files share, as dwz makes
	   them: its path as they say it, "" if there is none. */
	char common[512];
	char common_id[41];	/* its build id */
};

/*
 * MODULE's code is in FD (taken: closed here even on failure): an ELF file
 * or vdso image, /proc/kallsyms for MODULE_KERNEL, a perf map or a jitdump for
 * MODULE_JIT. A second call for the same module replaces the first (a perf map
 * that grew, parsed from where it ended if it is the same file). A module may
 * have both; the jitdump, which has times and lines, is then asked first.
 * *HINT tells what else would help.
 */
bool symbols_open(struct symbols *symbols, uint32_t module,
		  enum module_kind kind, int fd, struct debug_hint *hint,
		  struct error *err);

/* Give back all that MODULE takes; it may be opened again. */
void symbols_close(struct symbols *symbols, uint32_t module);

/*
 * A separate debug file for MODULE; refused if its build id differs. *HINT
 * tells of the file that it needs itself. Then that one.
 */
bool symbols_add_debug(struct symbols *symbols, uint32_t module, int fd,
		       struct debug_hint *hint, struct error *err);
bool symbols_add_common(struct symbols *symbols, uint32_t module, int fd,
			struct error *err);

/*
 * Name N offsets of MODULE (measure of frame.offset). For each one that has a
 * name FN gets the symbol, demangled, without file and line; strings are
 * borrowed for the call. Offsets without a name are not called.
 */
typedef void (*symbol_fn)(void *ctx, uint64_t offset,
			  const struct symbol *symbol);
void symbols_resolve(struct symbols *symbols, uint32_t module,
		     const uint64_t *offsets, size_t n, symbol_fn fn,
		     void *ctx);

/*
 * Where in the source N offsets of MODULE are, with what was inlined there.
 * For each one that something is known of FN gets the functions that execute:
 * first the one that symbols_resolve() names, then the inlined ones, outermost
 * first. The first question reads the debug sections and may take seconds; if
 * they have to be unpacked for it and MAY_UNPACK is false, nothing is read and
 * the result is false.
 */
typedef void (*places_fn)(void *ctx, uint64_t offset,
			  const struct symbol_place *places, size_t n);
bool symbols_places(struct symbols *symbols, uint32_t module,
		    const uint64_t *offsets, size_t n, bool may_unpack,
		    places_fn fn, void *ctx);

/*
 * Append to OUT the table of MODULE's unwind rules (core/rows.h), compact or
 * IS_FULL: for PAGES pages of the file from page FIRST on (in ROWS_PAGE), or
 * for all that is code if PAGES is 0. A page on demand reads only the entries
 * that touch it; the first call for a module indexes all of them. From a
 * .debug_frame of the file that symbols_add_debug() brought, too. False, and
 * OUT is as it was: MODULE is no ELF file that can be read, or has no code on
 * these pages.
 */
bool symbols_rows(struct symbols *symbols, uint32_t module, uint64_t first,
		  uint64_t pages, bool is_full, struct writer *out);

/*
 * Had an eighth of MODULE's code no unwind entry when its rules were last asked
 * for, and is no .debug_frame here? Then a separate debug file may have one.
 */
bool symbols_lacks_rules(const struct symbols *symbols, uint32_t module);

/*
 * The file that MODULE was opened from, and the separate debug file that came
 * for it: for explain.c, which looks into both. NULL: none. Borrowed until the
 * module is opened again. And is OFFSET code of Go, for which the table of its
 * runtime goes first?
 */
struct elf;
bool symbols_is_go(struct symbols *symbols, uint32_t module, uint64_t offset);
const struct elf *symbols_file(const struct symbols *symbols, uint32_t module);
const struct elf *symbols_debug_file(const struct symbols *symbols,
				     uint32_t module);

/*
 * What went wrong with MODULE since it was opened (it changed on disk, its
 * debug sections are too large), one clause for the health view; or NULL.
 * Borrowed, valid until the next call.
 */
const char *symbols_trouble(const struct symbols *symbols, uint32_t module);

#endif
