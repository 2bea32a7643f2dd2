/* SPDX-License-Identifier: MIT */
/*
 * foreign.h - what a file is that is none of ours.
 *
 * People mix up the files that profilers leave behind. Told "no stacks
 * found" they are stuck; told "this is perf.data" and the command that folds
 * it they are done.
 */
#ifndef FORMATS_FOREIGN_H
#define FORMATS_FOREIGN_H

#include <stddef.h>

/*
 * What LEN bytes are, as a clause with the command that helps, or NULL if
 * they are nothing known. Static text.
 */
const char *foreign_name(const char *bytes, size_t len);

#endif
