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
	bool lacks_rules;		/* much of it had no entry */
	struct perfmap *perfmap;	/* JIT; then FUNCTIONS is unused */
	struct jitdump *jitdump;	/* JIT, or NULL */
	struct error trouble;		/* "" while all is well */
	uint64_t asked;			/* when it was last, in requests */
};

struct symbols {
	struct code **modules;		/* by id; NULL: not open */
	size_t nmodules;
	uint64_t requests;		/* so far */
	uint64_t bytes_max;		/* of all modules but one */
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

/* Drop what answers are made of; it can be read again. */
void code_forget_answers(struct code *code);

#endif
