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

#define MAGIC "# flametop: v"
#define VERSION_1 "# flametop: v1"
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

/* "# key=value"; other comments are let pass. */
static void
read_line(struct slice line, struct profile *profile,
	  struct folded_header *header)
{
	const char *equals = memchr(line.at, '=', line.len);
	char key[KEY_MAX + 1];
	size_t len;
	char *value;

	if (line.len == sizeof(VERSION_1) - 1 &&
	    memcmp(line.at, VERSION_1, line.len) == 0)
		header->is_newer = false;
	if (line.len < 3 || line.at[1] != ' ' || !equals)
		return;
	len = (size_t)(equals - line.at) - 2;
	if (len == 0 || len > KEY_MAX)
		return;
	memcpy(key, line.at + 2, len);
	key[len] = '\0';
	if (strspn(key, KEY_CHARS) != len)
		return;
	value = header_value_read((struct slice){
		equals + 1, (size_t)(line.at + line.len - equals) - 1 });
	take_key(key, value, profile, header);
	free(value);
}

bool
folded_is_ours(const char *bytes, size_t len)
{
	return len >= sizeof(MAGIC) - 1 &&
	       memcmp(bytes, MAGIC, sizeof(MAGIC) - 1) == 0;
}

void
folded_read_header(const char *bytes, size_t len, struct profile *profile,
		   struct folded_header *header)
{
	const char *end = bytes + len, *next;
	struct slice line;

	*header = (struct folded_header){ 0 };
	if (!folded_is_ours(bytes, len))
		return;
	header->is_ours = true;
	header->is_newer = true;	/* until version 1 is seen */
	for (; bytes < end && *bytes == '#'; bytes = next) {
		next = memchr(bytes, '\n', (size_t)(end - bytes));
		next = next ? next + 1 : end;
		line = (struct slice){ bytes, (size_t)(next - bytes) };
		while (line.len && (unsigned char)line.at[line.len - 1] <= ' ')
			line.len--;
		read_line(line, profile, header);
	}
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

	writer_bytes(&line, "# ", 2);
	writer_bytes(&line, key, strlen(key));
	writer_u8(&line, '=');
	header_value_write(&line, value);
	writer_cstr(&line, "\n");
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
folded_write_header(FILE *out, struct profile *profile,
		    const struct folded_header *header,
		    const struct blocks *blocks)
{
	struct header_lines lines = { 0 };
	bool has_losses = add_losses(&lines, profile_losses(profile));
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
	fputs(VERSION_1 "\n", out);
	for (i = 0; i < lines.count; i++) {
		fputs(lines.lines[i], out);
		free(lines.lines[i]);
	}
	free(lines.lines);
}
