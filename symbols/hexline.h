/* SPDX-License-Identifier: MIT */
/*
 * hexline.h - hexadecimal fields of text that others write.
 */
#ifndef SYMBOLS_HEXLINE_H
#define SYMBOLS_HEXLINE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Read a number of at most 16 hexadecimal digits, with or without "0x", and
 * the one blank or tab that has to follow it. *AT moves behind that. False if
 * there is none before END.
 */
bool hexline_number(const char **at, const char *end, uint64_t *value);

#endif
