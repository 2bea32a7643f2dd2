/* SPDX-License-Identifier: MIT */
/*
 * rule_text.h - unwind rules as a person reads them.
 *
 *	CFA = rsp + 48, rbp at CFA-16, return address at CFA-8
 *
 * All text is ours: there is nothing of a file in it.
 */
#ifndef SYMBOLS_RULE_TEXT_H
#define SYMBOLS_RULE_TEXT_H

#include <stddef.h>

#include "core/rows.h"

/* Both write at most SIZE bytes with the NUL to OUT and return OUT. */
char *rule_text(const struct rule *rule, char *out, size_t size);

/* FULL is of ROWS, whose ops its programs are. */
char *rule_text_full(const struct rows *rows, const struct full_rule *full,
		     char *out, size_t size);

#endif
