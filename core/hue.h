/* SPDX-License-Identifier: MIT */
/*
 * hue.h - what kind of code a function is, and which of its shades it has.
 *
 * A frame's hue is the kind of code and its shade comes from the name, so that
 * a function looks the same on every run, on the screen and in a file.
 */
#ifndef CORE_HUE_H
#define CORE_HUE_H

#include "core/names.h"
#include "core/profile.h"

enum hue {
	HUE_PROGRAM, HUE_LIBRARY, HUE_KERNEL, HUE_JIT, HUE_THREAD,
	HUE_UNKNOWN,		/* no name, or a note of ours */
	HUES
};

/* "program": the styles of themes are that, a dash and the shade from 1. */
extern const char *const hue_words[HUES];

/* FUNC is of a frame of PROFILE. */
enum hue hue_of(const struct profile *profile, const struct func *func);

#define HUE_SHADES 4

/* From 0; by NAME alone. */
unsigned hue_shade(const char *name);

#endif
