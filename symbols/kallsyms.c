/* SPDX-License-Identifier: MIT */
/*
 * kallsyms.c - lines of /proc/kallsyms to ranges.
 */
#include "symbols/kallsyms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/alias.h"
#include "symbols/hexline.h"

#define TEXT_MAX     ((size_t)128 << 20)
#define FUNCTION_MAX ((uint64_t)64 << 10)

struct kernel_symbol {
	uint64_t at;
	uint32_t name;
	uint32_t rank;		/* the lower is the better */
};

enum {
	RANK_GLOBAL,
	RANK_WEAK,
	RANK_LOCAL,
	RANK_DATA,		/* names nothing, ends a function */
};

struct table {
	struct ranges *ranges;
	struct kernel_symbol *all;
	size_t count, capacity;
	bool has_addresses;
};

static uint32_t
rank_of(char type)
{
	switch (type) {
	case 'T':
		return RANK_GLOBAL;
	case 'W':
	case 'w':
		return RANK_WEAK;
	case 't':
		return RANK_LOCAL;
	}
	return RANK_DATA;
}

/* "ADDRESS TYPE NAME[\t[MODULE]]"; anything else is skipped. */
static void
take_line(struct table *table, const char *line, const char *end)
{
	struct kernel_symbol new;
	const char *stop;

	if (!hexline_number(&line, end, &new.at) || end - line < 3 ||
	    line[1] != ' ')
		return;
	new.rank = rank_of(line[0]);
	line += 2;
	stop = line;
	while (stop < end && *stop != '\t' && *stop != ' ' && *stop)
		stop++;
	if (stop == line ||
	    !ranges_name(table->ranges, line, (size_t)(stop - line), &new.name))
		return;
	if (alias_is_marker(ranges_text(table->ranges, new.name)))
		new.rank = RANK_DATA;
	table->has_addresses |= new.at != 0;
	table->all = grow(table->all, table->count, &table->capacity,
			  sizeof(new));
	table->all[table->count++] = new;
}

static int
compare(const void *a, const void *b)
{
	const struct kernel_symbol *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

/* Sorted, the best of an address is among the first of it. */
static void
add_ranges(struct table *table)
{
	const struct kernel_symbol *all = table->all;
	struct ranges *ranges = table->ranges;

	for (size_t i = 0, next; i < table->count; i = next) {
		uint32_t best = all[i].name;
		uint64_t end = all[i].at + FUNCTION_MAX;

		for (next = i + 1;
		     next < table->count && all[next].at == all[i].at; next++)
			if (all[next].rank == all[i].rank &&
			    alias_is_better(ranges_text(ranges, all[next].name),
					    ranges_text(ranges, best)))
				best = all[next].name;
		if (next < table->count && all[next].at - all[i].at <
						   FUNCTION_MAX)
			end = all[next].at;
		if (all[i].rank != RANK_DATA)
			ranges_add(ranges, all[i].at, end, best);
	}
}

static char *
read_all(int fd, size_t *len, struct error *err)
{
	size_t size = 1 << 20;
	char *text = xreallocarray(NULL, size, 1);
	ssize_t got;

	*len = 0;
	for (;;) {
		got = read(fd, text + *len, size - *len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		*len += (size_t)got;
		if (*len > TEXT_MAX) {
			fail(err, 0, "the kernel's symbol list is too large");
			break;
		}
		if (*len == size)
			text = xreallocarray(text, size *= 2, 1);
	}
	if (!got)
		return text;
	if (got < 0)
		fail(err, errno, "cannot read the kernel's symbols");
	free(text);
	return NULL;
}

bool
kallsyms_read(int fd, struct ranges **out, struct error *err)
{
	struct table table = { .ranges = ranges_new() };
	size_t len;
	char *text = read_all(fd, &len, err);

	for (char *at = text, *end; text && at < text + len; at = end + 1) {
		end = memchr(at, '\n', (size_t)(text + len - at));
		if (!end)
			end = text + len;
		take_line(&table, at, end);
	}
	free(text);
	if (text && !table.count)
		fail(err, 0, "the kernel lists no symbols");
	else if (text && !table.has_addresses)
		fail(err, 0, "kernel functions have no names here: sudo "
			     "flametop, or CAP_SYSLOG (where "
			     "kernel.kptr_restrict is 2: sudo sysctl "
			     "kernel.kptr_restrict=1)");
	if (!table.has_addresses) {
		free(table.all);
		ranges_free(table.ranges);
		return false;
	}
	qsort(table.all, table.count, sizeof(*table.all), compare);
	add_ranges(&table);
	free(table.all);
	ranges_settle(table.ranges);
	*out = table.ranges;
	return true;
}
