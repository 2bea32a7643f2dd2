/* SPDX-License-Identifier: MIT */
/*
 * explain.c - the sources of a name and of a rule, asked one by one.
 */
#include "symbols/explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rows.h"
#include "core/sanitise.h"
#include "symbols/elf.h"
#include "symbols/explain_symbols.h"
#include "symbols/fde.h"
#include "symbols/rule_text.h"

struct question {
	struct symbols *symbols;
	uint32_t module;
	const struct elf *elf, *debug;	/* NULL: none */
	uint64_t offset, vaddr;		/* equal without ELF */
	struct writer *out;
	char *name;			/* cleaned; "": an entry without a name;
					   NULL: nothing */
	uint64_t start;			/* of it, as OFFSET */
	bool has_line;
};

void
explain_line(struct writer *out, const char *word, const char *format, ...)
{
	char text[1024], clean[1024], line[1200];
	va_list args;
	int len;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Also what a file's trouble is called, which may quote the file. */
	sanitise_into(clean, sizeof(clean), text, strlen(text));
	len = snprintf(line, sizeof(line), "%-9s %s\n", word, clean);
	if (out->len + (size_t)len <= EXPLAIN_MAX)
		writer_bytes(out, line, (size_t)len);
}

/* --- where it is */

static bool
offset_of(const struct elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *s = &elf->segments[i];

		if (s->p_type == PT_LOAD && vaddr >= s->p_vaddr &&
		    vaddr - s->p_vaddr < s->p_filesz) {
			*offset = vaddr - s->p_vaddr + s->p_offset;
			return true;
		}
	}
	return false;
}

static bool
is_executable(const struct elf *elf, uint64_t vaddr)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		const Elf64_Phdr *s = &elf->segments[i];

		if (s->p_type == PT_LOAD && (s->p_flags & PF_X) &&
		    vaddr >= s->p_vaddr && vaddr - s->p_vaddr < s->p_filesz)
			return true;
	}
	return false;
}

/* False if there is no such byte. */
static bool
locate(struct question *q, uint64_t at, bool is_vaddr)
{
	char id[2 * ELF_BUILD_ID_MAX + 1] = "none";

	q->offset = q->vaddr = at;
	if (!q->elf)
		return true;
	if (is_vaddr ? !offset_of(q->elf, at, &q->offset) :
		       !elf_vaddr_of(q->elf, at, &q->vaddr)) {
		explain_line(q->out, "file", "%s %#llx is in no segment of it",
			     is_vaddr ? "virtual address" : "offset",
			     (unsigned long long)at);
		return false;
	}
	for (size_t i = 0; i < q->elf->build_id_len; i++)
		snprintf(id + 2 * i, 3, "%02x", q->elf->build_id[i]);
	explain_line(q->out, "file", "offset %#llx, virtual address %#llx, "
		     "build id %s%s", (unsigned long long)q->offset,
		     (unsigned long long)q->vaddr, id,
		     is_executable(q->elf, q->vaddr) ? "" :
		     ", no code is here");
	return true;
}

/* --- its name */

static void
keep_name(void *ctx, uint64_t offset, const struct symbol *symbol)
{
	struct question *q = ctx;

	(void)offset;
	q->name = sanitise(symbol->name, strlen(symbol->name));
	q->start = symbol->start;
}

static void
tell_name(struct question *q)
{
	uint64_t start;
	char why[256];

	symbols_resolve(q->symbols, q->module, &q->offset, 1, keep_name, q);
	start = q->start + (q->vaddr - q->offset);
	if (!q->elf && q->name)
		explain_line(q->out, "name", "%.700s, from %#llx on", q->name,
			     (unsigned long long)start);
	else if (!q->elf)
		explain_line(q->out, "name", "none: no entry covers it");
	if (!q->elf)
		return;
	explain_symbols(q->elf, q->debug, q->vaddr,
			&(struct explain_answer){ q->name, start }, q->out,
			why, sizeof(why));
	if (symbols_is_go(q->symbols, q->module, q->offset))
		snprintf(why, sizeof(why), "from %#llx on, by the table of "
			 "Go's runtime, which goes first",
			 (unsigned long long)start);
	explain_line(q->out, "name", "%.700s%s: %s", q->name && *q->name ?
		     q->name : "none", q->name ? "" : " at all", why);
}

/* --- source */

/* The line of the instruction, then whose code it is, from the inside out. */
static void
tell_places(void *ctx, uint64_t offset, const struct symbol_place *places,
	    size_t n)
{
	struct question *q = ctx;
	char *file = sanitise(places[n - 1].file, strlen(places[n - 1].file));

	(void)offset;
	q->has_line = true;
	explain_line(q->out, "line", "%.900s:%u", file,
		     (unsigned)places[n - 1].line);
	free(file);
	for (size_t i = n; i-- > 1;) {
		const struct symbol_place *caller = &places[i - 1];
		char *name = sanitise(places[i].name, strlen(places[i].name));

		file = sanitise(caller->file, strlen(caller->file));
		explain_line(q->out, "inlined", "%.500s, called at %.400s:%u",
			     name, file, (unsigned)caller->line);
		free(name);
		free(file);
	}
}

static void
tell_line(struct question *q)
{
	symbols_places(q->symbols, q->module, &q->offset, 1, true, tell_places,
		       q);
	if (!q->has_line)
		explain_line(q->out, "line", "not known");
}

/* --- its rule */

/* The entry of .eh_frame that covers it. */
static bool
tell_entry(const struct question *q)
{
	struct ranges *entries = fde_ranges(q->elf);
	uint64_t start;
	bool has = ranges_find(entries, q->vaddr, &start);

	if (has)
		explain_line(q->out, "entry", ".eh_frame %#llx-%#llx",
			     (unsigned long long)start,
			     (unsigned long long)ranges_end(entries,
							    q->vaddr));
	else
		explain_line(q->out, "entry", "none in .eh_frame");
	ranges_free(entries);
	return has;
}

static const char *
rule_source(const struct question *q, const struct rule *rule, bool has_entry)
{
	if (symbols_is_go(q->symbols, q->module, q->offset))
		return "the table of Go's runtime (pcsp)";
	if (has_entry)
		return ".eh_frame";
	if (rule->kind == RULE_NONE || rule->kind == RULE_FP)
		return "nowhere: there are no rules for it";
	if (rule->kind == RULE_PLT || rule->kind == RULE_SIGNAL)
		return "its bytes, which leave no other choice";
	if (elf_find(q->elf, ".debug_frame") ||
	    (q->debug && elf_find(q->debug, ".debug_frame")))
		return ".debug_frame";
	return "what holds before it";
}

/* A table of the one page, to be freed as BYTES of *IMAGE. */
static bool
open_page(const struct question *q, bool is_full, struct writer *image,
	  struct rows *rows)
{
	uint64_t page = q->offset >> ROWS_PAGE_LOG;

	return symbols_rows(q->symbols, q->module, page, 1, is_full, image) &&
	       rows_open(image->bytes, image->len, rows) &&
	       rows_has(rows, q->offset);
}

static void
tell_rules(const struct question *q, bool has_entry)
{
	struct writer compact = { 0 }, full = { 0 };
	const struct full_rule *full_rule = NULL;
	const struct rule *rule = NULL;
	struct rows rows;
	char text[900];

	if (open_page(q, false, &compact, &rows))
		rule = rows_rule(&rows, q->offset);
	if (rule) {
		explain_line(q->out, "rule", "%s",
			     rule_text(rule, text, sizeof(text)));
		if (open_page(q, true, &full, &rows))
			full_rule = rows_full_at(&rows, q->offset);
	}
	if (full_rule)
		explain_line(q->out, "in full", "%s",
			     rule_text_full(&rows, full_rule, text,
					    sizeof(text)));
	if (rule)
		explain_line(q->out, "from", "%s",
			     rule_source(q, rule, has_entry));
	else
		explain_line(q->out, "rule", "none: there are no tables for "
			     "this place");
	writer_free(&compact);
	writer_free(&full);
}

void
explain_code(struct symbols *symbols, uint32_t module, uint64_t at,
	     bool is_vaddr, struct writer *out)
{
	struct question q = {
		.symbols = symbols, .module = module, .out = out,
		.elf = symbols_file(symbols, module),
		.debug = symbols_debug_file(symbols, module),
	};
	const char *trouble;

	if (!locate(&q, at, is_vaddr))
		return;
	tell_name(&q);
	if (q.elf) {
		tell_line(&q);
		tell_rules(&q, tell_entry(&q));
	} else {
		explain_line(out, "rule", "none here: frame pointers, or the "
			     "kernel's own unwinder");
	}
	trouble = symbols_trouble(symbols, module);
	if (trouble)
		explain_line(out, "trouble", "%.900s", trouble);
	free(q.name);
}
