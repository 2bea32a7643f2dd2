/* SPDX-License-Identifier: MIT */
/*
 * image.h - a whole profile as one block of bytes, for sealed memory.
 *
 * The symbols process parses files it does not trust and hands the result to
 * the app as a sealed memfd; this is what lies in it. The app checks every
 * number of it as if an enemy had written it.
 *
 *	header	magic "FTIMAGE1", u32 count of each table, u64 total bytes
 *	strings	u32 length, bytes, for each; then modules, frames, stacks,
 *		threads, cells, keys as little-endian rows in the order of
 *		struct definitions in core/profile.h
 *
 * It is no file format: both ends are the same binary.
 */
#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base.h"
#include "core/profile.h"
#include "core/reader.h"

#define IMAGE_MAX ((size_t)1 << 30)	/* bytes; more is refused */

/* Append PROFILE to OUT. Its cells are summed over time. */
void image_write(const struct profile *profile, struct writer *out);

/*
 * Read an image of LEN bytes into a new profile the caller frees. Every
 * string is cleaned again. On failure *OUT is untouched.
 */
bool image_read(const void *bytes, size_t len, struct profile **out,
		struct error *err);

#endif
