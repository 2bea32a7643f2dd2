/* SPDX-License-Identifier: MIT */
/*
 * alias.h - which of several names of one address a person wants to read.
 */
#ifndef SYMBOLS_ALIAS_H
#define SYMBOLS_ALIAS_H

#include <stdbool.h>

/*
 * Is A the better name? Fewer leading underscores, then shorter, then first
 * in the alphabet; "@VERSION" does not count, nor does what comes after 256
 * bytes.
 */
bool alias_is_better(const char *a, const char *b);

/*
 * Does NAME mark a place for tools and never a function? Local labels of
 * assemblers (.L1, $x), section bounds of Go and OCaml.
 */
bool alias_is_marker(const char *name);

#endif
