/* SPDX-License-Identifier: MIT */
/*
 * blocks_keys.c - blocks as the keys of a file's header, and back.
 *
 * What is read was written by anybody: rows that do not fit are left out, and
 * numbers stop at 2^53, so that their sums are exact in a double.
 */
#include "core/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/reader.h"

#define SECONDS_KEY BLOCKS_PREFIX "seconds"
#define SAMPLES_KEY BLOCKS_PREFIX "samples"
#define NUMBER_MAX (UINT64_C(1) << 53)
#define SECONDS_MAX (1u << 30)

/* --- writing */

/* "12,,,3" */
static void
add_series(struct writer *out, const uint64_t *series, size_t count)
{
	char number[24];

	for (size_t i = 0; i < count; i++) {
		int len = snprintf(number, sizeof(number), "%s%.0llu",
				   i ? "," : "",
				   (unsigned long long)series[i]);

		writer_bytes(out, number, (size_t)len);
	}
}

static void
write_row(const struct blocks *blocks, size_t i, key_fn fn, void *ctx)
{
	const struct block_row *row = &blocks->rows[i];
	size_t size = blocks->count * sizeof(*row->total);
	struct writer value = { 0 };
	char key[32];

	add_series(&value, row->total, blocks->count);
	writer_u8(&value, ';');
	if (memcmp(row->total, row->self, size) == 0)
		writer_u8(&value, '=');
	else
		add_series(&value, row->self, blocks->count);
	writer_u8(&value, ';');
	writer_cstr(&value, row->name);
	snprintf(key, sizeof(key), BLOCKS_PREFIX "%03zu", i);
	fn(ctx, key, (const char *)value.bytes);
	writer_free(&value);
}

void
blocks_each_key(const struct blocks *blocks, key_fn fn, void *ctx)
{
	struct writer samples = { 0 };
	char seconds[24];

	for (size_t i = 0; i < blocks->nrows; i++)
		write_row(blocks, i, fn, ctx);
	add_series(&samples, blocks->samples, blocks->count);
	writer_u8(&samples, '\0');
	fn(ctx, SAMPLES_KEY, (const char *)samples.bytes);
	writer_free(&samples);
	snprintf(seconds, sizeof(seconds), "%u", blocks->seconds);
	fn(ctx, SECONDS_KEY, seconds);
}

/* --- reading */

static size_t
commas_in(const char *text, const char *end)
{
	size_t count = 0;

	for (; text < end; text++)
		count += *text == ',';
	return count;
}

/* One number or nothing, which is 0; where it ends, or NULL. */
static const char *
read_number(const char *at, const char *end, uint64_t *out)
{
	uint64_t value = 0;

	for (; at < end && *at != ','; at++) {
		if (*at < '0' || *at > '9')
			return NULL;
		value = value * 10 + (uint64_t)(*at - '0');
		if (value > NUMBER_MAX)
			return NULL;
	}
	*out = value;
	return at;
}

/* COUNT numbers from AT to END; all of them, or false. */
static bool
read_series(const char *at, const char *end, uint64_t *series, size_t count)
{
	if (commas_in(at, end) != count - 1)
		return false;
	for (size_t i = 0; i < count; i++) {
		at = read_number(at, end, &series[i]);
		if (!at)
			return false;
		at++;			/* the comma */
	}
	return true;
}

/* No function has more than all have, nor more itself than with callees. */
static bool
is_sound(const struct blocks *blocks, const struct block_row *row)
{
	for (size_t i = 0; i < blocks->count; i++)
		if (row->self[i] > row->total[i] ||
		    row->total[i] > blocks->samples[i])
			return false;
	return true;
}

static bool
read_row(const struct blocks *blocks, const char *value,
	 struct block_row *row)
{
	const char *self = strchr(value, ';');
	const char *name = self ? strchr(self + 1, ';') : NULL;

	if (!name || !read_series(value, self, row->total, blocks->count))
		return false;
	self++;
	if (name - self == 1 && *self == '=')
		memcpy(row->self, row->total,
		       blocks->count * sizeof(*row->self));
	else if (!read_series(self, name, row->self, blocks->count))
		return false;
	if (!is_sound(blocks, row))
		return false;
	row->name = xstrdup(name + 1);
	return true;
}

/* The rows there are; what does not fit is not one of them. */
static void
read_rows(struct blocks *blocks, const struct profile *profile)
{
	size_t room = blocks->nrows, kept = 0;
	char key[32];

	for (size_t i = 0; i < room; i++) {
		const char *value;

		snprintf(key, sizeof(key), BLOCKS_PREFIX "%03zu", i);
		value = profile_get(profile, key);
		if (value && read_row(blocks, value, &blocks->rows[kept]))
			kept++;
	}
	for (size_t i = kept; i < room; i++) {
		free(blocks->rows[i].total);
		free(blocks->rows[i].self);
	}
	blocks->nrows = kept;
}

static size_t
count_rows(const struct profile *profile)
{
	char key[32];
	size_t i;

	for (i = 0; i < BLOCK_ROWS_MAX; i++) {
		snprintf(key, sizeof(key), BLOCKS_PREFIX "%03zu", i);
		if (!profile_get(profile, key))
			break;
	}
	return i;
}

struct blocks *
blocks_read(const struct profile *profile)
{
	const char *samples = profile_get(profile, SAMPLES_KEY);
	const char *width = profile_get(profile, SECONDS_KEY), *end;
	struct blocks *blocks;
	uint64_t seconds = 0;
	size_t count;

	if (!samples || !width)
		return NULL;
	end = samples + strlen(samples);
	count = commas_in(samples, end) + 1;
	if (!read_number(width, width + strlen(width), &seconds) ||
	    strchr(width, ',') || !seconds || seconds > SECONDS_MAX ||
	    seconds & (seconds - 1) || count < 2 || count > BLOCKS_MAX)
		return NULL;
	blocks = blocks_new((unsigned)seconds, count, count_rows(profile));
	if (!read_series(samples, end, blocks->samples, count)) {
		blocks_free(blocks);
		return NULL;
	}
	read_rows(blocks, profile);
	return blocks;
}
