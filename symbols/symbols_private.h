/* SPDX-License-Identifier: MIT */
/*
 * symbols_private.h - a module, as symbols.c opens it and symbols_answer.c
 * asks it.
 */
#ifndef SYMBOLS_SYMBOLS_PRIVATE_H
#define SYMBOLS_SYMBOLS_PRIVATE_H

#include "symbols/elf.h"
#include "symbols/symbols.h"

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

/* NULL: not open. */
struct code *symbols_code(const struct symbols *symbols, uint32_t module);

/* The file of CODE that has debug sections, or NULL. */
const struct elf *code_debug(const struct code *code);

static inline bool
code_is_generated(const struct code *code)
{
	return code->perfmap || code->jitdump;
}

/* Drop what answers were made of: the files have changed. */
void code_forget_answers(struct code *code);

#endif
