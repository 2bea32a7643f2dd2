/* SPDX-License-Identifier: MIT */
/*
 * frame_name.c - names to frames, suffix to kind.
 */
#include "formats/frame_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

#define SUFFIX_LEN 4
#define FILE_MAX 256		/* bytes of a file's name that are shown */

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
is_plain(struct slice text)
{
	size_t i;

	for (i = 0; i < text.len; i++)
		if (text.at[i] < ' ' || text.at[i] > '~')
			return false;
	return text.len <= SANITISE_MAX;
}

string_id
frame_text(struct profile *profile, struct slice text)
{
	struct strings *strings = profile_strings(profile);
	string_id id;
	char *clean;

	if (is_plain(text))
		return strings_add(strings, text.at, text.len);
	clean = sanitise(text.at, text.len);
	id = strings_add(strings, clean, strlen(clean));
	free(clean);
	return id;
}

/* Take "_[k]" and its like off NAME, as far as they mean a kind. */
static enum frame_kind
take_kind(struct slice *name, enum frame_kind otherwise)
{
	static const enum frame_kind kinds[] = { FRAME_KERNEL, FRAME_INLINED,
						 FRAME_JIT };
	size_t i;

	if (name->len >= 2 && name->at[0] == '[' &&
	    name->at[name->len - 1] == ']')
		return FRAME_NOTE;
	if (name->len <= SUFFIX_LEN || name->at[name->len - 1] != ']')
		return otherwise;
	for (i = 0; i < ARRAY_LEN(kinds); i++)
		if (slice_ends(*name, frame_suffix(kinds[i]))) {
			name->len -= SUFFIX_LEN;
			return kinds[i];
		}
	return otherwise;
}

static struct slice
trimmed(struct slice name)
{
	while (name.len && name.at[name.len - 1] == ' ')
		name.len--;
	return name;
}

frame_id
frame_named(struct profile *profile, struct slice name,
	    enum frame_kind otherwise)
{
	struct frame frame = { 0 };

	/* Blanks at the end are none of the name, and not written either. */
	name = trimmed(name);
	frame.kind = take_kind(&name, otherwise);
	frame.name = frame_text(profile, trimmed(name));
	return profile_frame(profile, &frame);
}

frame_id
frame_nameless(struct profile *profile, struct slice path, uint64_t offset,
	       uint64_t address, enum frame_kind kind)
{
	struct slice file = slice_file(path);
	char text[FILE_MAX + 32];

	if (file.len)
		snprintf(text, sizeof(text), "%.*s+%#llx",
			 file.len > FILE_MAX ? FILE_MAX : (int)file.len,
			 file.at, (unsigned long long)offset);
	else
		snprintf(text, sizeof(text), "%#llx",
			 (unsigned long long)address);
	return frame_named(profile, slice_whole(text), kind);
}
