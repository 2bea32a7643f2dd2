/* SPDX-License-Identifier: MIT */
/*
 * pclntab_private.h - the table, as pclntab.c reads it and pclntab_lines.c
 * asks it.
 */
#ifndef SYMBOLS_PCLNTAB_PRIVATE_H
#define SYMBOLS_PCLNTAB_PRIVATE_H

#include "symbols/pclntab.h"

enum version { GO_1_2, GO_1_16, GO_1_18, GO_1_20 };

struct pclntab {
	const struct elf *elf;	/* or NULL */
	uint8_t *bytes;
	size_t len;
	enum version version;
	uint64_t text;		/* what starts are relative to */
	uint64_t inlines;	/* what trees are relative to; 0: not known */
	uint8_t quantum;
	size_t count;		/* of functions */
	/* Where each part begins. */
	size_t names, units, files, values, functions;
};

/* 0 outside of the table. */
uint32_t pclntab_u32(const struct pclntab *tab, uint64_t at);

/* "" outside of the table, and for text without an end. */
const char *pclntab_text(const struct pclntab *tab, uint64_t at);

/* What the table of values at TABLE has for VADDR, in FUNC. */
bool pclntab_value(const struct pclntab *tab, const struct go_func *func,
		   uint32_t table, uint64_t vaddr, int32_t *value);

#endif
