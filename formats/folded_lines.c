/* SPDX-License-Identifier: MIT */
/*
 * folded_lines.c - lines of stacks, and which of their columns count.
 *
 * There is no grammar that all writers of folded stacks agree on, so the file
 * is looked through once before it is read: only all lines together tell
 * whether "port 80 60" is a frame with a number in its name or a count before
 * and after.
 */
#include "formats/folded.h"

#include <string.h>

bool
folded_next(struct folded_lines *lines, struct slice *line)
{
	const char *newline;

	while (lines->at < lines->end) {
		line->at = lines->at;
		newline = memchr(lines->at, '\n',
				 (size_t)(lines->end - lines->at));
		if (!newline)
			newline = lines->end;
		line->len = (size_t)(newline - line->at);
		lines->at = newline + (newline < lines->end);
		lines->number++;
		if (line->len && line->at[line->len - 1] == '\r')
			line->len--;
		*line = without_trailing_blanks(*line);
		if (line->len && line->at[0] != '#')
			return true;
	}
	return false;
}

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

/* The column before the last is a count too. */
static bool
split_two(struct slice line, struct folded_line *out)
{
	struct slice word;

	if (!split_last(line, out))
		return false;
	word = take_last_word(&out->stack);
	return out->stack.len &&
	       count_parse(word.at, word.len, &out->before) &&
	       !out->before.is_extended;
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
		return split_last(line, out);
	case LAYOUT_TWO_COUNTS:
		return split_two(line, out);
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

/* Lines of each shape, and sums under each reading. */
struct tally {
	uint64_t lines, last, first, plain;
	uint64_t indented;	/* of none: perf report's own lines */
	uint64_t two;		/* of LAST: two counts */
	uint64_t bare;		/* of LAST: counts without a stack */
	uint64_t nested, padded; /* lines with ';'; with "; " only */
	struct count_range last_range, before_range, first_range;
};

static void
tally_padding(struct tally *tally, struct slice stack)
{
	const char *end = stack.at + stack.len, *semicolon;

	/* One line without settles it: then do not look any further. */
	if (tally->padded < tally->nested)
		return;
	semicolon = memchr(stack.at, ';', stack.len);
	if (!semicolon)
		return;
	tally->nested++;
	while (semicolon && semicolon + 1 < end && semicolon[1] == ' ')
		semicolon = memchr(semicolon + 1, ';',
				   (size_t)(end - semicolon - 1));
	tally->padded += !semicolon;
}

static void
tally_line(struct tally *tally, struct slice line)
{
	struct folded_line parts;

	tally->lines++;
	if (split_last(line, &parts)) {
		tally->last++;
		tally->bare += !parts.stack.len;
		count_extend(&tally->last_range, &parts.count);
		tally_padding(tally, parts.stack);
		/* All or none: the first line without decides. */
		if (tally->two + 1 == tally->last && split_two(line, &parts)) {
			tally->two++;
			count_extend(&tally->before_range, &parts.before);
		}
	} else if (split_first(line, &parts)) {
		tally->first++;
		count_extend(&tally->first_range, &parts.count);
	} else if (memchr(line.at, ';', line.len)) {
		tally->plain++;
		tally_padding(tally, line);
	} else {
		tally->indented += is_blank(line.at[0]);
	}
}

static void
choose(const struct tally *tally, bool is_ours, struct folded_survey *survey)
{
	struct count one = { .digits = 1 };

	survey->has_padding = !is_ours && tally->nested &&
			      tally->padded == tally->nested;
	survey->range = tally->last_range;
	survey->before = tally->before_range;
	if (is_ours || (tally->last && tally->last >= tally->first)) {
		survey->layout = LAYOUT_COUNT_LAST;
		if (!is_ours && tally->two && tally->two == tally->last)
			survey->layout = LAYOUT_TWO_COUNTS;
	} else if (tally->first) {
		survey->layout = LAYOUT_COUNT_FIRST;
		survey->range = tally->first_range;
	} else {
		survey->layout = LAYOUT_NO_COUNTS;
		count_extend(&survey->range, &one);
	}
}

/*
 * With its children option, perf report prints a chain once for each function
 * in it: what is read from that is no share of anything.
 */
static bool
repeats_chains(const char *bytes, size_t len)
{
	static const char title[] = "\n# Children ";

	return memmem(bytes, len, title, sizeof(title) - 1) != NULL;
}

/*
 * Prose and code have a number or a semicolon at times: is this more? Tables
 * of names and numbers have no semicolons.
 */
static bool
judge(const struct tally *tally, enum folded_layout layout, struct error *err)
{
	uint64_t fitting = tally->last, lines = tally->lines;
	uint64_t percent = tally->nested ? 50 : 90;

	if (layout == LAYOUT_COUNT_FIRST) {
		fitting = tally->first;
		lines -= tally->indented;
		percent = 90;
	} else if (layout == LAYOUT_NO_COUNTS) {
		fitting = tally->plain;
		percent = 75;
	} else if (tally->bare == fitting && lines > fitting) {
		return fail(err, 0, "its counts stand alone, as dtrace's do, "
			    "but it has no stacks of that");
	}
	if (!lines)
		return fail(err, 0, "there is no stack in it");
	if (fitting * 100 < lines * percent || !fitting)
		return fail(err, 0, "this is no profile: %llu of its %llu "
			    "lines are stacks (root;caller;leaf COUNT)"
			    FOLDED_ELSE, (unsigned long long)fitting,
			    (unsigned long long)lines);
	return true;
}

bool
folded_look(const char *bytes, size_t len, bool is_ours,
	    struct folded_survey *survey, struct error *err)
{
	struct folded_lines lines = { bytes, bytes + len, 0 };
	struct tally tally = { 0 };
	struct slice line;

	while (folded_next(&lines, &line))
		tally_line(&tally, line);
	*survey = (struct folded_survey){ 0 };
	choose(&tally, is_ours, survey);
	if (survey->layout == LAYOUT_COUNT_FIRST && repeats_chains(bytes, len))
		return fail(err, 0, "perf report counted each sample in all "
			    "its callers: run it with --no-children");
	return is_ours || judge(&tally, survey->layout, err);
}
