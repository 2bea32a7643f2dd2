/* SPDX-License-Identifier: MIT */
/*
 * go_module.h - what a Go program knows of its own layout.
 *
 * The runtime keeps one record of addresses for each module (struct
 * moduledata of src/runtime/symtab.go), in data that the loader relocates.
 * It begins with the address of the symbol table, and by that it is found.
 */
#ifndef SYMBOLS_GO_MODULE_H
#define SYMBOLS_GO_MODULE_H

#include "symbols/elf.h"

struct go_module {
	uint64_t text;		/* where code begins */
	uint64_t funcs;		/* what offsets of funcdata are relative to */
};

/*
 * The record of ELF whose symbol table lies at PCLNTAB, with names NAMES
 * bytes in. IS_OLD: of Go 1.18 or 1.19.
 */
bool go_module_find(const struct elf *elf, uint64_t pclntab, uint64_t names,
		    bool is_old, struct go_module *out);

#endif
