/* SPDX-License-Identifier: MIT */
/*
 * folded_lines.c - lines of stacks, cut into stack and counts.
 */
#include "formats/folded.h"

#include <string.h>

/*
 * austin's full mode writes "time,idle,memory", where others write thousands
 * so; its stacks begin with P and the process's number. The time is taken.
 */
static bool
parse_triple(struct slice stack, struct slice word, struct count *count)
{
	const char *comma, *second;
	struct count ignored;

	if (stack.len < 2 || stack.at[0] != 'P' || stack.at[1] < '0' ||
	    stack.at[1] > '9')
		return false;
	comma = memchr(word.at, ',', word.len);
	if (!comma)
		return false;
	second = memchr(comma + 1, ',',
			(size_t)(word.at + word.len - comma - 1));
	if (!second ||
	    !count_parse(comma + 1, (size_t)(second - comma - 1), &ignored) ||
	    !count_parse(second + 1, (size_t)(word.at + word.len - second - 1),
			 &ignored))
		return false;
	return count_parse(word.at, (size_t)(comma - word.at), count);
}

static bool
split_last(struct slice line, struct folded_line *out)
{
	struct slice word = take_last_word(&line);

	out->stack = line;
	if (count_parse(word.at, word.len, &out->count)) {
		out->is_extended = out->count.is_extended;
		return true;
	}
	out->is_extended = true;
	return parse_triple(line, word, &out->count);
}

static bool
split_first(struct slice line, struct folded_line *out)
{
	size_t len = 0, digits;

	while (len < line.len && !is_blank(line.at[len]))
		len++;
	digits = len && line.at[len - 1] == '%' ? len - 1 : len;
	if (len == line.len || !count_parse(line.at, digits, &out->count))
		return false;
	while (len < line.len && is_blank(line.at[len]))
		len++;
	out->stack = (struct slice){ line.at + len, line.len - len };
	out->is_extended = true;
	return true;
}

bool
folded_split(struct slice line, enum folded_layout layout,
	     struct folded_line *out)
{
	switch (layout) {
	case LAYOUT_COUNT_LAST:
	case LAYOUT_TWO_COUNTS:
		return split_last(line, out);
	case LAYOUT_COUNT_FIRST:
		return split_first(line, out);
	case LAYOUT_NO_COUNTS:
		out->stack = line;
		out->count = (struct count){ .digits = 1 };
		out->is_extended = true;
		return memchr(line.at, ';', line.len) != NULL;
	}
	return false;
}
