/* SPDX-License-Identifier: MIT */
/*
 * image.h - a whole profile as one block of bytes, for sealed memory.
 *
 * The symbols process parses files it does not trust and hands the result to
 * the app as a sealed memfd; this is what lies in it. The app checks every
 * number of it as if an enemy had written it.
 *
 *	header	magic "FTIMAGE1", u64 total bytes, u32 how many strings,
 *		modules, frames, stacks, threads, cells and attributes follow
 *	losses	the numbers of struct losses, u64 each
 *	rows	of each table in that order, without row 0, which is always
 *		the same; numbers are little-endian
 *
 *	string		u32 length, bytes
 *	module		u32 kind, u32 path, u64 dev, u64 inode, u64 mtime_ns
 *	frame		u32 module, u32 kind, u32 name, u64 offset
 *	stack		u32 parent, u32 frame
 *	thread		u32 pid, u32 tid, u64 start, u32 name, u32 ended
 *	cell		u32 stack, u32 thread, u32 kind, u64 weight
 *	attribute	key and value, as strings
 *
 * A row refers only to rows before it. It is no file format: both ends are
 * the same binary.
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
void image_write(struct profile *profile, struct writer *out);

/*
 * Read an image of LEN bytes into a new profile the caller frees, bounded by
 * PROFILE_BOUND_FILE. Every string is cleaned again. On failure *OUT is
 * untouched.
 */
bool image_read(const void *bytes, size_t len, struct profile **out,
		struct error *err);

#endif
