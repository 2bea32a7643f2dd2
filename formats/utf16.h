/* SPDX-License-Identifier: MIT */
/*
 * utf16.h - text that came through a shell which writes UTF-16.
 */
#ifndef FORMATS_UTF16_H
#define FORMATS_UTF16_H

#include <stdbool.h>
#include <stddef.h>

/* Does it begin with a byte order mark of UTF-16? */
bool utf16_sniff(const char *bytes, size_t len);

/*
 * The same text as UTF-8 without the mark, *OUT_LEN bytes the caller frees.
 * Halves of pairs that stand alone become U+FFFD, an odd last byte is lost.
 */
char *utf16_decode(const char *bytes, size_t len, size_t *out_len);

#endif
