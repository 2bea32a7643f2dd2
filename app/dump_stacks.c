/* SPDX-License-Identifier: MIT */
/*
 * dump_stacks.c - the threads of a dump with their stacks in words.
 */
#include "app/dump_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* --- a stack in words */

static void
each_place(struct names *names, frame_id frame, dump_line_fn fn, void *ctx)
{
	struct dump_line line = { .file = "" };
	size_t n;
	const struct frame_place *places = names_places(names, frame, &n);
	func_id func = names_of(names, frame);

	/* The frame's own function is the outermost of those inlined there. */
	for (size_t i = n; i-- > 1;) {
		line.name = names_text(names, places[i].func);
		line.module = names_module(names, func);
		line.file = names_string(names, places[i].file);
		line.line = places[i].line;
		line.is_inlined = true;
		fn(ctx, &line);
	}
	line.name = names_text(names, func);
	line.module = names_module(names, func);
	line.file = n ? names_string(names, places[0].file) : "";
	line.line = n ? places[0].line : 0;
	line.is_inlined = false;
	fn(ctx, &line);
}

void
dump_each_line(const struct profile *profile, struct names *names,
	       stack_id stack, dump_line_fn fn, void *ctx)
{
	while (stack) {
		const struct stack *at = profile_get_stack(profile, stack);

		stack = at->parent;
		each_place(names, at->frame, fn, ctx);
	}
}

static void
print_line(void *ctx, const struct dump_line *line)
{
	const char *slash = strrchr(line->file, '/');

	fprintf(ctx, "    %s", line->name);
	if (line->line)
		fprintf(ctx, "  %s:%u", slash ? slash + 1 : line->file,
			(unsigned)line->line);
	else if (*line->module)
		fprintf(ctx, "  (%s)", line->module);
	fputs(line->is_inlined ? "  [inlined]\n" : "\n", ctx);
}

static char *
stack_text(const struct profile *profile, struct names *names, stack_id stack)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	if (!memory)
		return xstrdup("");
	dump_each_line(profile, names, stack, print_line, memory);
	fclose(memory);
	return text;
}

/* --- rows */

struct found_stack {
	pid_t tid;
	stack_id stack;
};

static int
by_tid(const void *a, const void *b)
{
	const struct found_stack *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct found_stack *
sort_cells(const struct profile *profile, const struct cell *cells, size_t n)
{
	struct found_stack *found = xcalloc(n + 1, sizeof(*found));

	for (size_t i = 0; i < n; i++)
		found[i] = (struct found_stack){
			profile_get_thread(profile, cells[i].thread)->tid,
			cells[i].stack,
		};
	qsort(found, n, sizeof(*found), by_tid);
	return found;
}

void
dump_stacks_init(struct dump_stacks *stacks, const struct dump *dump,
		 const struct profile *profile, struct names *names,
		 const struct cell *cells, size_t n)
{
	struct found_stack *sorted = sort_cells(profile, cells, n);

	*stacks = (struct dump_stacks){
		.dump = dump, .profile = profile, .names = names,
		.rows = xcalloc(dump->count + 1, sizeof(*stacks->rows)),
		.count = dump->count,
	};
	for (size_t i = 0; i < dump->count; i++) {
		struct dump_row *row = &stacks->rows[i];
		struct found_stack key = { .tid = dump->threads[i].tid };
		const struct found_stack *found =
			bsearch(&key, sorted, n, sizeof(*sorted), by_tid);

		row->thread = &dump->threads[i];
		row->stack = found ? found->stack : 0;
		row->text = stack_text(profile, names, row->stack);
		wait_text(&row->thread->wait, row->thread->state, row->wait,
			  sizeof(row->wait));
	}
	free(sorted);
}

void
dump_stacks_fini(struct dump_stacks *stacks)
{
	for (size_t i = 0; i < stacks->count; i++)
		free(stacks->rows[i].text);
	free(stacks->rows);
}

const char *
dump_state_text(char state)
{
	switch (state) {
	case 'R':
		return "running";
	case 'S':
		return "sleeping";
	case 'D':
		return "uninterruptible";
	case 'T':
		return "stopped";
	case 't':
		return "traced";
	case 'I':
		return "idle";
	}
	return "ended";
}

/* --- addresses that are waited at */

static int
by_address(const void *a, const void *b)
{
	const struct dump_place *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static int
by_waiters(const void *a, const void *b)
{
	const struct dump_place *x = a, *y = b;

	if (x->waiters != y->waiters)
		return x->waiters < y->waiters ? 1 : -1;
	return by_address(a, b);
}

struct dump_place *
dump_places(const struct dump *dump, size_t *n)
{
	struct dump_place *places = xcalloc(dump->count + 1, sizeof(*places));
	size_t all = 0, kept = 0;

	for (size_t i = 0; i < dump->count; i++)
		if (dump->threads[i].wait.address)
			places[all++] = (struct dump_place){
				dump->threads[i].wait.address,
				dump->threads[i].wait.owner, 1,
			};
	qsort(places, all, sizeof(*places), by_address);
	for (size_t i = 0; i < all; i++) {
		if (kept && places[kept - 1].address == places[i].address) {
			places[kept - 1].waiters++;
			if (!places[kept - 1].owner)
				places[kept - 1].owner = places[i].owner;
		} else {
			places[kept++] = places[i];
		}
	}
	qsort(places, kept, sizeof(*places), by_waiters);
	*n = kept;
	return places;
}
