/* SPDX-License-Identifier: MIT */
/*
 * style.c - the words of the styles.
 */
#include "tui/style.h"

const char *const style_words[STYLE_COUNT] = {
#define STYLE_WORD(id, name) [STYLE_##id] = name,
	STYLES(STYLE_WORD)
#undef STYLE_WORD
};
