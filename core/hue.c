/* SPDX-License-Identifier: MIT */
/*
 * hue.c - kinds of frames and modules to hues, names to shades.
 */
#include "core/hue.h"

#include <stddef.h>

const char *const hue_words[HUES] = {
	[HUE_PROGRAM] = "program", [HUE_LIBRARY] = "library",
	[HUE_KERNEL] = "kernel", [HUE_JIT] = "jit", [HUE_THREAD] = "thread",
	[HUE_UNKNOWN] = "unknown",
};

enum hue
hue_of(const struct profile *profile, const struct func *func)
{
	switch (func->kind) {
	case FRAME_KERNEL:
		return HUE_KERNEL;
	case FRAME_JIT:
		return HUE_JIT;
	case FRAME_THREAD:
		return HUE_THREAD;
	case FRAME_NOTE:
		return HUE_UNKNOWN;
	default:
		break;
	}
	if (!func->is_named)
		return HUE_UNKNOWN;
	switch (profile_get_module(profile, func->module)->kind) {
	case MODULE_KERNEL:
		return HUE_KERNEL;
	case MODULE_JIT:
		return HUE_JIT;
	case MODULE_LIBRARY:
	case MODULE_VDSO:
		return HUE_LIBRARY;
	default:
		return HUE_PROGRAM;
	}
}

unsigned
hue_shade(const char *name)
{
	uint32_t hash = 2166136261u;	/* FNV-1a */

	for (size_t i = 0; i < 256 && name[i]; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	return (hash ^ hash >> 16) & (HUE_SHADES - 1);
}
