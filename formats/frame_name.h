/* SPDX-License-Identifier: MIT */
/*
 * frame_name.h - frames of a file that gives them a name and no more.
 *
 * What kind of frame it is stands at the end of its name, as FlameGraph's
 * scripts write it and others copied:
 *
 *	vfs_read_[k]	kernel		Foo.bar_[j]	JIT
 *	push_back_[i]	inlined		[cut]		a note, no code
 */
#ifndef FORMATS_FRAME_NAME_H
#define FORMATS_FRAME_NAME_H

#include <stddef.h>

#include "core/profile.h"

/* "_[k]" and its like for KIND, or "". */
const char *frame_suffix(enum frame_kind kind);

/* LEN foreign bytes as a text of PROFILE, cleaned. */
string_id frame_text(struct profile *profile, const char *at, size_t len);

/*
 * The frame of that name. A suffix is cut off and says its kind; without one
 * it is of kind OTHERWISE.
 */
frame_id frame_named(struct profile *profile, const char *at, size_t len,
		     enum frame_kind otherwise);

#endif
