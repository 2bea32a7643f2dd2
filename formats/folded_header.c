/* SPDX-License-Identifier: MIT */
/*
 * folded_header.c - "# key=value" lines before the stacks of our own files.
 */
#include "formats/folded.h"

#include <stdlib.h>
#include <string.h>

#include "core/blocks.h"
#include "core/reader.h"
#include "formats/header_value.h"

#define VERSION "flametop: v"	/* and a number: the first line */
#define VERSION_1 VERSION "1"
#define KEY_CHARS "abcdefghijklmnopqrstuvwxyz0123456789.-"
#define KEY_MAX 64

/* Names in the header, in the order of the enumerators. */
static const char *const kind_names[KIND_COUNT] = {
	[KIND_CPU] = "cpu",	      [KIND_BLOCKED] = "blocked",
	[KIND_RUNNABLE] = "runnable", [KIND_FAULT] = "fault",
	[KIND_SWITCH] = "switch",
};

static const struct {
	const char *key;
	size_t offset;		/* of an uint64_t in struct losses */
	bool is_rare;		/* not written when it is zero */
} loss_keys[] = {
	{ "samples", offsetof(struct losses, samples), false },
	{ "lost", offsetof(struct losses, lost), false },
	{ "cut", offsetof(struct losses, cut), false },
	{ "guessed", offsetof(struct losses, guessed), false },
	{ "unresolved", offsetof(struct losses, unresolved), false },
	{ "throttled", offsetof(struct losses, throttled), false },
	{ "late", offsetof(struct losses, late), false },
	{ "stitched", offsetof(struct losses, stitched), true },
	{ "deep", offsetof(struct losses, deep), true },
	{ "rules-late", offsetof(struct losses, rules_late), true },
};

static uint64_t *
loss_of(struct losses *losses, size_t i)
{
	return (uint64_t *)((char *)losses + loss_keys[i].offset);
}

/* --- reading */

static void
take_key(const char *key, const char *value, struct profile *profile,
	 struct folded_header *header)
{
	struct count count;
	size_t i;

	profile_set(profile, key, value);
	if (strcmp(key, "roots") == 0)
		header->has_threads = strcmp(value, "thread") == 0;
	if (strcmp(key, "kind") == 0)
		for (i = 0; i < KIND_COUNT; i++)
			if (strcmp(value, kind_names[i]) == 0)
				header->kind = (enum kind)i;
	if (!count_parse(value, strlen(value), &count))
		return;
	if (strcmp(key, "scale") == 0)
		header->scale = (int)count_scaled(&count, 0) % 100 *
				(count.is_negative ? -1 : 1);
	if (strcmp(key, "pid") == 0)
		header->pid = (pid_t)(count_scaled(&count, 0) & INT32_MAX);
	for (i = 0; i < ARRAY_LEN(loss_keys); i++)
		if (strcmp(key, loss_keys[i].key) == 0)
			*loss_of(profile_losses(profile), i) =
				count_scaled(&count, 0);
}

void
folded_read_line(struct slice line, struct profile *profile,
		 struct folded_header *header)
{
	char key[KEY_MAX + 1], *value;
	const char *equals;
	size_t len;

	while (line.len && (unsigned char)line.at[line.len - 1] <= ' ')
		line.len--;
	if (!header->is_ours && !slice_starts(line, VERSION))
		return;
	if (!header->is_ours)
		header->is_ours = header->is_newer = true;
	if (slice_is(line, VERSION_1))
		header->is_newer = false;
	equals = slice_find(line, "=");
	len = equals ? (size_t)(equals - line.at) : 0;
	if (len == 0 || len > KEY_MAX)
		return;
	memcpy(key, line.at, len);
	key[len] = '\0';
	if (strspn(key, KEY_CHARS) != len)
		return;
	value = header_value_read(slice_of(equals + 1, line.at + line.len));
	take_key(key, value, profile, header);
	free(value);
}

bool
folded_is_ours(const char *bytes, size_t len)
{
	return slice_starts((struct slice){ bytes, len }, "# " VERSION);
}

void
folded_read_header(const char *bytes, size_t len, struct profile *profile,
		   struct folded_header *header)
{
	struct lines lines = lines_of(bytes, len);
	struct slice line;

	*header = (struct folded_header){ 0 };
	if (!folded_is_ours(bytes, len))
		return;
	while (lines_next(&lines, &line) && slice_starts(line, "#"))
		if (take_word(&line, "# "))
			folded_read_line(line, profile, header);
}

/* --- writing */

/* Lines of the header, sorted before they are written. */
struct header_lines {
	char **lines;
	size_t count, capacity;
};

static void
add_line(void *ctx, const char *key, const char *value)
{
	struct header_lines *header = ctx;
	struct writer line = { 0 };

	writer_bytes(&line, key, strlen(key));
	writer_u8(&line, '=');
	header_value_write(&line, value);
	writer_u8(&line, '\0');
	header->lines = grow(header->lines, header->count, &header->capacity,
			     sizeof(*header->lines));
	header->lines[header->count++] = (char *)line.bytes;
}

static bool
is_loss_key(const char *key)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(loss_keys); i++)
		if (strcmp(key, loss_keys[i].key) == 0)
			return true;
	return false;
}

/* What the profile counted; nothing when it comes from a file without. */
static bool
add_losses(struct header_lines *lines, struct losses *losses)
{
	bool is_known = false;
	char number[24];
	size_t i;

	for (i = 0; i < ARRAY_LEN(loss_keys); i++)
		is_known |= *loss_of(losses, i) != 0;
	for (i = 0; is_known && i < ARRAY_LEN(loss_keys); i++) {
		if (loss_keys[i].is_rare && !*loss_of(losses, i))
			continue;
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)*loss_of(losses, i));
		add_line(lines, loss_keys[i].key, number);
	}
	return is_known;
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool
is_block_key(const char *key)
{
	return strncmp(key, BLOCKS_PREFIX, sizeof(BLOCKS_PREFIX) - 1) == 0;
}

void
folded_each_line(struct profile *profile, struct names *names,
		 const struct folded_header *header, folded_line_fn each,
		 void *ctx)
{
	struct header_lines lines = { 0 };
	bool has_losses = add_losses(&lines, profile_losses(profile));
	struct blocks *blocks = blocks_of(profile, names, header->kind);
	const char *key;
	size_t i;

	if (header->has_threads)
		add_line(&lines, "roots", "thread");
	if (header->kind != KIND_CPU)
		add_line(&lines, "kind", kind_names[header->kind]);
	if (blocks)
		blocks_each_key(blocks, add_line, &lines);
	for (i = 0; (key = profile_key(profile, i)); i++)
		if (strcmp(key, "roots") != 0 && strcmp(key, "kind") != 0 &&
		    !(has_losses && is_loss_key(key)) &&
		    !(blocks && is_block_key(key)))
			add_line(&lines, key, profile_get(profile, key));
	if (lines.count)
		qsort(lines.lines, lines.count, sizeof(*lines.lines),
		      compare_lines);
	each(ctx, VERSION_1);
	for (i = 0; i < lines.count; i++) {
		each(ctx, lines.lines[i]);
		free(lines.lines[i]);
	}
	free(lines.lines);
	blocks_free(blocks);
}
