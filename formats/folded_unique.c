/* SPDX-License-Identifier: MIT */
/*
 * folded_unique.c - a table of texts, which a gigabyte goes through.
 *
 * HOT: once a line. Nearly all time would go to waiting for memory: for the
 * slot of the hash, the row it names, the text of that row. So lines are
 * taken some at a time, and each step asks for what the next one needs.
 */
#include "formats/folded_unique.h"

#include <stdlib.h>
#include <string.h>

#include "formats/folded.h"

#define BLOCK_SIZE ((size_t)1 << 20)
#define BATCH 16
#define COMMENTS_MAX 16384	/* bytes of them that are kept */

struct folded_block {
	struct folded_block *next;
	size_t used, size;
	char bytes[];
};

/* A line on its way into the table. */
struct pending {
	struct slice text;
	uint64_t line, count;
	struct count odd_count;
	uint32_t hash;
	bool has_count, is_odd, is_extended;
};

void
folded_unique_fini(struct folded_unique *unique)
{
	struct folded_block *next;

	for (; unique->blocks; unique->blocks = next) {
		next = unique->blocks->next;
		free(unique->blocks);
	}
	free(unique->texts);
	free(unique->odds);
	lookup_fini(&unique->lookup);
	writer_free(&unique->comments);
	*unique = (struct folded_unique){ .cuts = unique->cuts };
}

/* --- hashing */

static uint64_t
fold(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static uint64_t
word_at(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * Sixteen bytes a step, in two rows that do not wait for each other. Odd
 * constants of many bits, so that no word makes a product zero by itself.
 */
static uint32_t
hash_text(struct slice text)
{
	const uint64_t k1 = 0x9e3779b97f4a7c15, k2 = 0xd6e8feb86659fd93;
	uint64_t a = k1 ^ text.len, b = k2;
	char rest[32] = { 0 };
	const char *at = text.at;
	size_t len = text.len;

	for (; len > 32; at += 32, len -= 32) {
		a = fold(a ^ word_at(at), k1 ^ word_at(at + 8));
		b = fold(b ^ word_at(at + 16), k2 ^ word_at(at + 24));
	}
	/* The last bytes, some of them twice, where there are enough. */
	if (text.len >= 32)
		at = text.at + text.len - 32;
	else
		at = memcpy(rest, at, len);
	a = fold(a ^ word_at(at), k1 ^ word_at(at + 8));
	b = fold(b ^ word_at(at + 16), k2 ^ word_at(at + 24));
	a = fold(a ^ k2, b ^ k1);
	return (uint32_t)(a ^ a >> 32);
}

/* --- the table */

static char *
copy(struct folded_unique *unique, struct slice text)
{
	struct folded_block *block = unique->blocks;
	size_t size = text.len > BLOCK_SIZE ? text.len : BLOCK_SIZE;

	if (!block || block->size - block->used < text.len) {
		block = xreallocarray(NULL, 1, sizeof(*block) + size);
		*block = (struct folded_block){ unique->blocks, 0, size };
		unique->blocks = block;
	}
	memcpy(block->bytes + block->used, text.at, text.len);
	block->used += text.len;
	return block->bytes + block->used - text.len;
}

static bool
same_text(const void *owner, uint32_t id, const void *key)
{
	const struct folded_text *mine = &((const struct folded_text *)
					   owner)[id];
	const struct pending *wanted = key;

	return mine->len == wanted->text.len &&
	       mine->has_count == wanted->has_count &&
	       memcmp(mine->at, wanted->text.at, mine->len) == 0;
}

static struct folded_text *
text_of(struct folded_unique *unique, const struct pending *line)
{
	uint32_t id = lookup_find(&unique->lookup, line->hash, same_text,
				  unique->texts, line);
	struct folded_text *text;

	if (id != LOOKUP_NONE)
		return &unique->texts[id];
	unique->texts = grow(unique->texts, unique->ntexts, &unique->capacity,
			     sizeof(*unique->texts));
	text = &unique->texts[unique->ntexts];
	*text = (struct folded_text){
		.at = copy(unique, line->text),
		.len = (uint32_t)line->text.len,
		.hash = line->hash,
		.has_count = line->has_count,
		.line = line->line,
	};
	lookup_add(&unique->lookup, line->hash, (uint32_t)unique->ntexts++);
	return text;
}

static struct folded_odd *
odd_of(struct folded_unique *unique, struct folded_text *text)
{
	if (text->is_odd)
		return &unique->odds[text->odd];
	unique->odds = grow(unique->odds, unique->nodds, &unique->odd_capacity,
			    sizeof(*unique->odds));
	unique->odds[unique->nodds] = (struct folded_odd){ 0 };
	text->odd = unique->nodds++;
	text->is_odd = true;
	return &unique->odds[text->odd];
}

static void
add_line(struct folded_unique *unique, const struct pending *line)
{
	struct folded_text *text = text_of(unique, line);
	struct folded_odd *odd;

	text->times++;
	if (!line->is_odd && line->count <= UINT64_MAX - text->sum) {
		text->sum += line->count;
		return;
	}
	odd = odd_of(unique, text);
	if (line->is_odd)
		count_extend(&odd->range, &line->odd_count);
	else
		odd->range.sum = count_sum(odd->range.sum,
					   count_of_whole(line->count));
	odd->extended += line->is_extended;
}

/* --- lines */

/* A plain whole number at the end of LINE, a blank before it. */
static bool
take_whole(struct slice *line, uint64_t *count)
{
	const char *end = line->at + line->len, *at = end;
	uint64_t number = 0, unit = 1;

	/* 19 digits fit. */
	for (; at > line->at && at[-1] >= '0' && at[-1] <= '9'; at--) {
		if (end - at == 19)
			return false;
		number += unit * (uint64_t)(at[-1] - '0');
		unit *= 10;
	}
	if (at == end || (at > line->at && !is_blank(at[-1])))
		return false;
	*count = number;
	*line = without_trailing_blanks(slice_of(line->at, at));
	return true;
}

static void
read_line(const struct folded_unique *unique, struct slice line,
	  struct pending *out)
{
	struct folded_line parts;

	*out = (struct pending){ .text = line };
	if (!unique->cuts)
		return;
	out->has_count = take_whole(&out->text, &out->count);
	if (!out->has_count &&
	    folded_split(line, LAYOUT_COUNT_LAST, &parts)) {
		out->has_count = out->is_odd = true;
		out->text = parts.stack;
		out->odd_count = parts.count;
		out->is_extended = parts.is_extended;
	}
}

static void
add_batch(struct folded_unique *unique, const struct pending *lines,
	  size_t count)
{
	const struct lookup *lookup = &unique->lookup;
	size_t mask = lookup->capacity - 1, i;
	const struct folded_text *text;
	uint32_t id;

	for (i = 0; lookup->capacity && i < count; i++) {
		id = lookup->slots[lines[i].hash & mask].id_plus_one;
		if (id)
			__builtin_prefetch(&unique->texts[id - 1], 1);
	}
	for (i = 0; lookup->capacity && i < count; i++) {
		id = lookup->slots[lines[i].hash & mask].id_plus_one;
		if (!id)
			continue;
		text = &unique->texts[id - 1];
		__builtin_prefetch(text->at);
		__builtin_prefetch(text->at + 64);
		__builtin_prefetch(text->at + 128);
		__builtin_prefetch(text->at + 192);
		__builtin_prefetch(text->at + 256);
	}
	for (i = 0; i < count; i++)
		add_line(unique, &lines[i]);
}

static void
keep_comment(struct folded_unique *unique, struct slice line)
{
	if (unique->comments.len > COMMENTS_MAX || line.len > COMMENTS_MAX)
		return;
	writer_bytes(&unique->comments, line.at, line.len);
	writer_u8(&unique->comments, '\n');
}

void
folded_unique_add(struct folded_unique *unique, struct slice block)
{
	const char *at = block.at, *end = at + block.len, *newline;
	struct pending batch[BATCH], *next;
	struct slice line;
	size_t count = 0;

	for (; at < end; at = newline + (newline < end)) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline)
			newline = end;
		unique->lines++;
		line = slice_of(at, newline);
		if (line.len && line.at[line.len - 1] == '\r')
			line.len--;
		line = without_trailing_blanks(line);
		if (line.len && *line.at == '#')
			keep_comment(unique, line);
		if (!line.len || *line.at == '#')
			continue;
		next = &batch[count++];
		read_line(unique, line, next);
		next->line = unique->lines;
		next->hash = hash_text(next->text);
		if (unique->lookup.capacity)
			__builtin_prefetch(&unique->lookup.slots[
				next->hash & (unique->lookup.capacity - 1)]);
		if (count == BATCH) {
			add_batch(unique, batch, count);
			count = 0;
		}
	}
	add_batch(unique, batch, count);
}

static int
compare_texts(const void *a, const void *b)
{
	const struct folded_text *one = a, *two = b;
	size_t len = one->len < two->len ? one->len : two->len;
	int order = memcmp(one->at, two->at, len);

	if (order)
		return order;
	if (one->len != two->len)
		return one->len < two->len ? -1 : 1;
	return (one->has_count > two->has_count) -
	       (one->has_count < two->has_count);
}

void
folded_unique_sort(struct folded_unique *unique)
{
	lookup_fini(&unique->lookup);	/* of numbers that change now */
	if (unique->ntexts)
		qsort(unique->texts, unique->ntexts, sizeof(*unique->texts),
		      compare_texts);
}

unsigned __int128
folded_unique_sum(const struct folded_unique *unique,
		  const struct folded_text *text)
{
	unsigned __int128 sum = count_of_whole(text->sum);

	return text->is_odd ? count_sum(sum,
					unique->odds[text->odd].range.sum) :
			      sum;
}
