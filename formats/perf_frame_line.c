/* SPDX-License-Identifier: MIT */
/*
 * perf_frame_line.c - an address, a symbol, and the file it is in.
 */
#include "formats/perf_script.h"

#define HEX_MAX 16		/* digits of an address */

/*
 * Where the parenthesis group that ends TEXT begins: files may have nested
 * ones, "(/usr/lib/x.so (deleted))". Names of files with one parenthesis only
 * leave it open; the last one with a blank before it is taken then.
 */
static const char *
find_group(struct slice text)
{
	const char *at, *last = NULL;
	int depth = 0;

	if (!text.len || text.at[text.len - 1] != ')')
		return NULL;
	for (at = text.at + text.len; at > text.at;) {
		char byte = *--at;

		depth += (byte == ')') - (byte == '(');
		if (byte != '(' || (at > text.at && !is_blank(at[-1])))
			continue;
		if (!depth)
			return at;
		if (!last)
			last = at;
	}
	return last;
}

/* What follows the address: symbol and file, either of which may be absent. */
static void
read_symbol(struct slice text, struct perf_frame *frame)
{
	const char *group = find_group(text);

	frame->symbol = text;
	frame->dso = (struct slice){ 0 };
	frame->is_inlined = false;
	if (group) {
		frame->dso = slice_of(group + 1, text.at + text.len - 1);
		frame->symbol = slice_of(text.at, group);
	}
	if (slice_is(frame->dso, "inlined")) {
		frame->dso = (struct slice){ 0 };
		frame->is_inlined = true;
	}
	frame->symbol = without_offset(without_blanks(frame->symbol));
}

/* The address at the start of REST, which a blank follows. */
static bool
take_address(struct slice *rest, uint64_t *ip, size_t *digits)
{
	struct slice after = *rest;

	if (!take_hex(&after, ip))
		return false;
	*digits = rest->len - after.len;
	if (after.len && !is_blank(*after.at))
		return false;
	*rest = without_blanks(after);
	return *digits <= HEX_MAX + 2;
}

bool
perf_frame_read(struct slice line, struct perf_frame *frame)
{
	struct slice rest = without_blanks(line);
	size_t digits;

	if (!line.len || !is_blank(*line.at) ||
	    !take_address(&rest, &frame->ip, &digits))
		return false;
	read_symbol(rest, frame);
	return true;
}

bool
perf_frame_read_inline(struct slice rest, struct perf_frame *frame)
{
	size_t digits;
	uint64_t ip;
	bool has_frame;

	/* The address of the data may come before that of the code. */
	has_frame = take_address(&rest, &frame->ip, &digits) && rest.len;
	if (has_frame && take_address(&rest, &ip, &digits) && rest.len)
		frame->ip = ip;
	if (!has_frame || slice_find(rest, "=>"))
		return false;
	read_symbol(rest, frame);
	return frame->dso.len || frame->is_inlined;
}

bool
perf_frame_is_sure(struct slice line)
{
	struct slice rest = without_blanks(line);
	size_t digits;
	uint64_t ip;
	char last;

	if (!line.len || !is_blank(*line.at) ||
	    !take_address(&rest, &ip, &digits) || !rest.len)
		return false;
	last = rest.at[rest.len - 1];
	return last == ')' ? digits >= 4 :
	       digits >= 8 && (last < '0' || last > '9');
}
