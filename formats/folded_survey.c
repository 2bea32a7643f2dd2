/* SPDX-License-Identifier: MIT */
/*
 * folded_survey.c - which of the columns count.
 *
 * There is no grammar that all writers of folded stacks agree on, so all
 * lines are looked at before the first is read: only all together tell
 * whether "port 80 60" is a frame with a number in its name or a count before
 * and after.
 */
#include "formats/folded.h"

#include <string.h>

#include "formats/folded_unique.h"

static struct slice
slice_of_text(const struct folded_text *text)
{
	return (struct slice){ text->at, text->len };
}

/* --- one text under each layout */

/* Cut TEXT, which is a whole line. */
static bool
read_line(const struct folded_text *text, enum folded_layout layout,
	  struct folded_stack *out)
{
	struct folded_line parts;

	if (!folded_split(slice_of_text(text), layout, &parts))
		return false;
	out->stack = parts.stack;
	count_extend(&out->range, &parts.count);
	out->sum = count_times(count_size(&parts.count), text->times);
	out->extended = parts.is_extended ? text->times : 0;
	return true;
}

/* The same where counts may have been taken off already. */
static bool
read_last(const struct folded_unique *unique, const struct folded_text *text,
	  struct folded_stack *out)
{
	if (!text->has_count)
		return read_line(text, LAYOUT_COUNT_LAST, out);
	out->stack = slice_of_text(text);
	if (text->is_odd) {
		out->range = unique->odds[text->odd].range;
		out->extended = unique->odds[text->odd].extended;
	}
	out->sum = folded_unique_sum(unique, text);
	return true;
}

/* The column before the last is a count too. */
static bool
read_two(const struct folded_unique *unique, const struct folded_text *text,
	 struct folded_stack *out)
{
	struct count before;
	struct slice word;

	if (!read_last(unique, text, out))
		return false;
	word = take_last_word(&out->stack);
	if (!out->stack.len || !count_parse(word.at, word.len, &before) ||
	    before.is_extended)
		return false;
	out->before = count_times(count_size(&before), text->times);
	return true;
}

bool
folded_read_text(const struct folded_unique *unique,
		 const struct folded_text *text, enum folded_layout layout,
		 struct folded_stack *out)
{
	bool fits = false;

	*out = (struct folded_stack){ 0 };
	switch (layout) {
	case LAYOUT_COUNT_LAST:
		fits = read_last(unique, text, out);
		break;
	case LAYOUT_TWO_COUNTS:
		fits = read_two(unique, text, out);
		break;
	case LAYOUT_COUNT_FIRST:
	case LAYOUT_NO_COUNTS:
		fits = read_line(text, layout, out);
		break;
	}
	out->range.sum = out->sum;
	return fits;
}

/* --- all of them */

/* Lines of each shape, and sums under each reading. */
struct tally {
	uint64_t lines, last, first, plain;
	uint64_t indented;	/* of none: perf report's own lines */
	uint64_t bare;		/* of LAST: counts without a stack */
	bool is_not_two;	/* one of LAST has no second count */
	uint64_t nested, padded; /* texts with ';'; with "; " only */
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
add_range(struct count_range *range, const struct count_range *more)
{
	range->sum = count_sum(range->sum, more->sum);
	range->negatives += more->negatives;
	if (more->decimals > range->decimals)
		range->decimals = more->decimals;
}

static void
tally_text(struct tally *tally, const struct folded_unique *unique,
	   const struct folded_text *text)
{
	struct folded_stack parts;
	struct slice line = slice_of_text(text);

	tally->lines += text->times;
	if (folded_read_text(unique, text, LAYOUT_COUNT_LAST, &parts)) {
		tally->last += text->times;
		tally->bare += parts.stack.len ? 0 : text->times;
		add_range(&tally->last_range, &parts.range);
		tally_padding(tally, parts.stack);
		/* All or none: the first line without decides. */
		if (tally->is_not_two)
			return;
		tally->is_not_two = !folded_read_text(
			unique, text, LAYOUT_TWO_COUNTS, &parts);
		tally->before_range.sum = count_sum(tally->before_range.sum,
						    parts.before);
	} else if (folded_read_text(unique, text, LAYOUT_COUNT_FIRST,
				    &parts)) {
		tally->first += text->times;
		add_range(&tally->first_range, &parts.range);
	} else if (memchr(line.at, ';', line.len)) {
		tally->plain += text->times;
		tally_padding(tally, line);
	} else {
		tally->indented += is_blank(line.at[0]) ? text->times : 0;
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
		if (!is_ours && tally->last && !tally->is_not_two)
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
repeats_chains(const struct folded_unique *unique)
{
	static const char title[] = "# Children ";

	return unique->comments.len &&
	       memmem(unique->comments.bytes, unique->comments.len, title,
		      sizeof(title) - 1);
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
folded_look(const struct folded_unique *unique, bool is_ours,
	    struct folded_survey *survey, struct error *err)
{
	struct tally tally = { 0 };
	size_t i;

	for (i = 0; i < unique->ntexts; i++)
		tally_text(&tally, unique, &unique->texts[i]);
	*survey = (struct folded_survey){ 0 };
	choose(&tally, is_ours, survey);
	if (survey->layout == LAYOUT_COUNT_FIRST && repeats_chains(unique))
		return fail(err, 0, "perf report counted each sample in all "
			    "its callers: run it with --no-children");
	return is_ours || judge(&tally, survey->layout, err);
}
