/* SPDX-License-Identifier: MIT */
/*
 * frame_name.c - names to frames, suffix to kind.
 */
#include "formats/frame_name.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

#define SUFFIX_LEN 4

const char *
frame_suffix(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_KERNEL:
		return "_[k]";
	case FRAME_INLINED:
		return "_[i]";
	case FRAME_JIT:
		return "_[j]";
	case FRAME_CODE:
	case FRAME_THREAD:
	case FRAME_NOTE:
		break;
	}
	return "";
}

static bool
is_plain(const char *at, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (at[i] < ' ' || at[i] > '~')
			return false;
	return len <= SANITISE_MAX;
}

string_id
frame_text(struct profile *profile, const char *at, size_t len)
{
	struct strings *strings = profile_strings(profile);
	string_id id;
	char *clean;

	if (is_plain(at, len))
		return strings_add(strings, at, len);
	clean = sanitise(at, len);
	id = strings_add(strings, clean, strlen(clean));
	free(clean);
	return id;
}

/* Take "_[k]" and its like off the name, as far as they mean a kind. */
static enum frame_kind
take_kind(const char *at, size_t *len, enum frame_kind otherwise)
{
	static const enum frame_kind kinds[] = { FRAME_KERNEL, FRAME_INLINED,
						 FRAME_JIT };
	size_t i;

	if (*len >= 2 && at[0] == '[' && at[*len - 1] == ']')
		return FRAME_NOTE;
	if (*len <= SUFFIX_LEN || at[*len - 1] != ']')
		return otherwise;
	for (i = 0; i < ARRAY_LEN(kinds); i++)
		if (memcmp(at + *len - SUFFIX_LEN, frame_suffix(kinds[i]),
			   SUFFIX_LEN) == 0) {
			*len -= SUFFIX_LEN;
			return kinds[i];
		}
	return otherwise;
}

static size_t
trimmed(const char *at, size_t len)
{
	while (len && at[len - 1] == ' ')
		len--;
	return len;
}

frame_id
frame_named(struct profile *profile, const char *at, size_t len,
	    enum frame_kind otherwise)
{
	struct frame frame = { 0 };

	/* Blanks at the end are none of the name, and not written either. */
	len = trimmed(at, len);
	frame.kind = take_kind(at, &len, otherwise);
	len = trimmed(at, len);
	frame.name = frame_text(profile, at, len);
	return profile_frame(profile, &frame);
}
