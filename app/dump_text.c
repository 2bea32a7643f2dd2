/* SPDX-License-Identifier: MIT */
/*
 * dump_text.c - a dump for people: deadlocks, then stacks, then locks.
 *
 * Threads that have the same stack are told together.
 */
#include "app/dump_stacks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define NAMES_MAX 8		/* threads of a group that are named */
#define WAITS_MAX 4		/* different waits of one that are told */

/* ROWS are neighbours in what sort_rows() makes. */
struct group {
	const struct dump_row **rows;
	size_t count;
	bool is_running;
};

/* --- deadlocks */

static void
print_deadlock(FILE *out, const struct dump *dump, unsigned deadlock)
{
	size_t n = 0;

	for (size_t i = 0; i < dump->count; i++)
		n += dump->threads[i].deadlock == deadlock;
	fprintf(out, n == 1 ? "DEADLOCK: a thread waits for itself\n" :
			      "DEADLOCK: %zu threads wait for each other\n", n);
	for (size_t i = 0; i < dump->count; i++) {
		const struct dump_thread *thread = &dump->threads[i];
		const struct dump_thread *owner;

		if (thread->deadlock != deadlock)
			continue;
		owner = dump_find(dump, thread->wait.owner);
		fprintf(out, "  %s %d waits for the lock at %#" PRIx64
			", which %s %d holds\n", thread->comm,
			(int)thread->tid, thread->wait.address, owner->comm,
			(int)owner->tid);
	}
	fputs("\n", out);
}

/* --- groups */

static bool
is_running(const struct dump_row *row)
{
	return row->thread->wait.line.place == PLACE_RUNNING;
}

/* Neighbours: one state, one call, one stack. */
static int
compare_kinds(const struct dump_row *x, const struct dump_row *y)
{
	const struct wait *v = &x->thread->wait, *w = &y->thread->wait;

	if (x->thread->pid != y->thread->pid)
		return x->thread->pid < y->thread->pid ? -1 : 1;
	if (is_running(x) != is_running(y))
		return is_running(x) ? -1 : 1;
	if (v->line.number != w->line.number)
		return v->line.number < w->line.number ? -1 : 1;
	return strcmp(x->text, y->text);
}

static int
compare_rows(const void *a, const void *b)
{
	const struct dump_row *x = *(const struct dump_row *const *)a;
	const struct dump_row *y = *(const struct dump_row *const *)b;
	int order = compare_kinds(x, y);

	return order ? order : (x->thread->tid > y->thread->tid) -
			       (x->thread->tid < y->thread->tid);
}

/* Who runs first, the main thread's group, then in the order of ids. */
static int
compare_groups(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	pid_t left = x->rows[0]->thread->tid, right = y->rows[0]->thread->tid;

	if (x->is_running != y->is_running)
		return x->is_running ? -1 : 1;
	return (left > right) - (left < right);
}

static size_t
make_groups(const struct dump_row **sorted, size_t count, struct group *groups)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		if (i && !compare_kinds(sorted[i - 1], sorted[i])) {
			groups[n - 1].count++;
			continue;
		}
		groups[n++] = (struct group){ &sorted[i], 1,
					      is_running(sorted[i]) };
	}
	qsort(groups, n, sizeof(*groups), compare_groups);
	return n;
}

static bool
is_told(const struct group *group, size_t i)
{
	for (size_t j = 0; j < i; j++)
		if (!strcmp(group->rows[j]->wait, group->rows[i]->wait))
			return true;
	return false;
}

/* Each wait of a group once, with how many have it. */
static void
print_waits(FILE *out, const struct group *group)
{
	size_t told = 0, left = group->count;

	for (size_t i = 0; i < group->count && told < WAITS_MAX; i++) {
		size_t n = 0;

		if (is_told(group, i))
			continue;
		for (size_t j = i; j < group->count; j++)
			n += !strcmp(group->rows[i]->wait,
				     group->rows[j]->wait);
		fprintf(out, "  %zu: %s\n", n, group->rows[i]->wait);
		told++;
		left -= n;
	}
	if (left)
		fprintf(out, "  %zu: others\n", left);
}

static void
print_members(FILE *out, const struct group *group)
{
	fputs("  ", out);
	for (size_t i = 0; i < group->count && i < NAMES_MAX; i++)
		fprintf(out, "%s%s %d", i ? ", " : "",
			group->rows[i]->thread->comm,
			(int)group->rows[i]->thread->tid);
	if (group->count > NAMES_MAX)
		fprintf(out, " and %zu more", group->count - NAMES_MAX);
	fputs("\n", out);
}

static bool
is_one_wait(const struct group *group)
{
	for (size_t i = 1; i < group->count; i++)
		if (strcmp(group->rows[0]->wait, group->rows[i]->wait) != 0)
			return false;
	return true;
}

/* "sleeping: futex at 0x...", and "running" only once. */
static void
print_state(FILE *out, const struct dump_row *row, bool with_wait)
{
	const char *state = is_running(row) ? "running" :
			    dump_state_text(row->thread->state);

	fputs(state, out);
	if (with_wait && strcmp(state, row->wait) != 0)
		fprintf(out, ": %s", row->wait);
	fputs("\n", out);
}

static void
print_group(FILE *out, const struct group *group)
{
	const struct dump_row *first = group->rows[0];
	bool is_one = is_one_wait(group);

	if (group->count == 1)
		fprintf(out, "%s %d, ", first->thread->comm,
			(int)first->thread->tid);
	else
		fprintf(out, "%zu threads: ", group->count);
	print_state(out, first, is_one);
	if (!is_one)
		print_waits(out, group);
	if (group->count > 1)
		print_members(out, group);
	if (first->thread->no_stack && !first->stack)
		fprintf(out, "    [no stack: %s]\n", first->thread->no_stack);
	fprintf(out, "%s\n", first->text);
}

/* --- locks */

static void
print_waiters(FILE *out, const struct dump *dump, uint64_t address)
{
	size_t n = 0;

	for (size_t i = 0; i < dump->count; i++) {
		const struct dump_thread *thread = &dump->threads[i];

		if (thread->wait.address != address)
			continue;
		if (n < NAMES_MAX)
			fprintf(out, "%s%s %d", n ? ", " : "    ",
				thread->comm, (int)thread->tid);
		n++;
	}
	if (n > NAMES_MAX)
		fprintf(out, " and %zu more", n - NAMES_MAX);
	fputs("\n", out);
}

/* Several at one address, or one where the owner is known. */
static void
print_places(FILE *out, const struct dump *dump)
{
	size_t n, told = 0;
	struct dump_place *places = dump_places(dump, &n);

	for (size_t i = 0; i < n; i++) {
		const struct dump_thread *owner =
			dump_find(dump, places[i].owner);

		if (places[i].waiters == 1 && !places[i].owner)
			continue;
		if (!told++)
			fputs("Locks and futexes\n", out);
		fprintf(out, "  %#" PRIx64, places[i].address);
		if (owner)
			fprintf(out, ", held by %s %d", owner->comm,
				(int)owner->tid);
		fprintf(out, ": %zu thread%s\n", places[i].waiters,
			places[i].waiters == 1 ? "" : "s");
		print_waiters(out, dump, places[i].address);
	}
	free(places);
}

void
dump_print(FILE *out, const struct dump_stacks *stacks)
{
	const struct dump_row **sorted = xcalloc(stacks->count + 1,
						 sizeof(*sorted));
	struct group *groups = xcalloc(stacks->count + 1, sizeof(*groups));
	size_t n;

	for (unsigned i = 1; i <= stacks->dump->deadlocks; i++)
		print_deadlock(out, stacks->dump, i);
	for (size_t i = 0; i < stacks->count; i++)
		sorted[i] = &stacks->rows[i];
	qsort(sorted, stacks->count, sizeof(*sorted), compare_rows);
	n = make_groups(sorted, stacks->count, groups);
	for (size_t i = 0; i < n; i++)
		print_group(out, &groups[i]);
	print_places(out, stacks->dump);
	free(groups);
	free(sorted);
}
