/* SPDX-License-Identifier: MIT */
/*
 * symbols.c - modules and their files.
 *
 * Opening a module reads its headers only; all else waits until it is asked
 * for (symbols_answer.c).
 */
#include "symbols/symbols_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/dwarf.h"
#include "symbols/jitdump.h"
#include "symbols/kallsyms.h"
#include "symbols/perfmap.h"
#include "symbols/places.h"

#define MODULES_MAX 1000000

struct symbols *
symbols_new(void)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));

	symbols->bytes_max = SYMBOLS_BYTES_MAX;
	return symbols;
}

void
symbols_set_bound(struct symbols *symbols, uint64_t bytes)
{
	symbols->bytes_max = bytes;
}

static void
code_free(struct code *code)
{
	if (!code)
		return;
	code_forget_answers(code);
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

struct code *
symbols_code(const struct symbols *symbols, uint32_t module)
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

void
symbols_close(struct symbols *symbols, uint32_t module)
{
	if (symbols_code(symbols, module))
		set_code(symbols, module, NULL);
}

const struct elf *
code_debug(const struct code *code)
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
	hint->is_wanted = !elf_find(elf, ".symtab") || !dwarf_exists(elf);
	memcpy(hint->debuglink, elf->debuglink, sizeof(hint->debuglink));
	print_id(elf->build_id, elf->build_id_len, hint->build_id);
	print_id(elf->common_id, elf->common_id_len, hint->common_id);
	if (strlen(elf->common) < sizeof(hint->common))
		memcpy(hint->common, elf->common, strlen(elf->common) + 1);
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
	struct code *code = symbols_code(symbols, module);
	uint32_t version = kind == MODULE_JIT ? hint->version : 0;
	bool ok;

	memset(hint, 0, sizeof(*hint));
	if (module >= MODULES_MAX) {
		close(fd);
		return fail(err, 0, "too many modules");
	}
	if (kind != MODULE_JIT || !code || !code_is_generated(code))
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
	struct code *code = symbols_code(symbols, module);
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
	code_forget_answers(code);
	return true;
}

bool
symbols_add_common(struct symbols *symbols, uint32_t module, int fd,
		   struct error *err)
{
	struct code *code = symbols_code(symbols, module);
	struct elf *common;

	if (!code || !code_debug(code)) {
		close(fd);
		return fail(err, 0, "no such module");
	}
	if (!elf_open(fd, &common, err))
		return false;
	if (!elf_accepts_common(code_debug(code), common, err)) {
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

const struct elf *
symbols_file(const struct symbols *symbols, uint32_t module)
{
	struct code *code = symbols_code(symbols, module);

	return code ? code->elf : NULL;
}

const struct elf *
symbols_debug_file(const struct symbols *symbols, uint32_t module)
{
	struct code *code = symbols_code(symbols, module);

	return code ? code->debug : NULL;
}

const char *
symbols_trouble(const struct symbols *symbols, uint32_t module)
{
	struct code *code = symbols_code(symbols, module);

	return code && code->trouble.text[0] ? code->trouble.text : NULL;
}
