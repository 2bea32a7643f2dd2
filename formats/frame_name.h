/* SPDX-License-Identifier: MIT */
/*
 * frame_name.h - frames of a file that tells their names and no more.
 *
 * What kind of frame it is stands at the end of its name, as FlameGraph's
 * scripts write it and others copied:
 *
 *	vfs_read_[k]	kernel		Foo.bar_[j]	JIT
 *	push_back_[i]	inlined		[cut]		a note, no code
 */
#ifndef FORMATS_FRAME_NAME_H
#define FORMATS_FRAME_NAME_H

#include "core/profile.h"
#include "formats/lines.h"

/* "_[k]" and its like for KIND, or "". */
const char *frame_suffix(enum frame_kind kind);

/* Foreign bytes as a text of PROFILE, cleaned. */
string_id frame_text(struct profile *profile, struct slice text);

/*
 * The frame called NAME. A suffix is cut off and says its kind; without one
 * it is of kind OTHERWISE.
 */
frame_id frame_named(struct profile *profile, struct slice name,
		     enum frame_kind otherwise);

/*
 * Code without a name: "libc.so.6+0x2724a", which is OFFSET in the file at
 * PATH, or "0x7f3a10", its ADDRESS, if PATH names no file.
 */
frame_id frame_nameless(struct profile *profile, struct slice path,
			uint64_t offset, uint64_t address,
			enum frame_kind kind);

#endif
