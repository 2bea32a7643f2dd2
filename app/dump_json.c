/* SPDX-License-Identifier: MIT */
/*
 * dump_json.c - a dump for programs.
 *
 *	{ "threads": [ { "pid", "tid", "name", "state", "cpu_ticks",
 *	    "wait": { "call", "text", "address", "owner", "limit_s", "fds",
 *	              "subject", "child" },
 *	    "stack": [ { "function", "module", "file", "line", "inlined" } ],
 *	    "no_stack": why } ],
 *	  "addresses": [ { "address", "owner", "waiters": [ tid ] } ],
 *	  "deadlocks": [ [ tid ] ] }
 *
 * Stacks are leaf first, addresses strings of hexadecimal digits; what is not
 * known is left out.
 */
#include "app/dump_stacks.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

static void
set_text(json_t *object, const char *key, const char *text)
{
	if (*text)
		json_object_set_new(object, key, json_string(text));
}

static void
set_address(json_t *object, const char *key, uint64_t address)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, address);
	json_object_set_new(object, key, json_string(text));
}

static void
set_number(json_t *object, const char *key, long long value)
{
	if (value)
		json_object_set_new(object, key, json_integer(value));
}

static json_t *
fds_of(const struct wait *wait)
{
	json_t *fds = json_array();

	for (size_t i = 0; i < wait->nfds && i < WAIT_SET; i++)
		json_array_append_new(fds, json_integer(wait->fds[i]));
	return fds;
}

static json_t *
wait_of(const struct dump_row *row)
{
	const struct wait *wait = &row->thread->wait;
	json_t *object = json_object();

	set_text(object, "text", row->wait);
	if (wait->call)
		set_text(object, "call", wait->call->name);
	if (wait->address)
		set_address(object, "address", wait->address);
	set_number(object, "owner", wait->owner);
	set_number(object, "child", wait->child);
	if (wait->has_limit)
		json_object_set_new(object, "limit_s",
				    json_real((double)wait->limit_ns / 1e9));
	if (wait->nfds) {
		json_object_set_new(object, "fds", fds_of(wait));
		set_number(object, "fd_count", (long long)wait->nfds);
	}
	set_text(object, "subject", wait->subject);
	return object;
}

static void
add_line(void *ctx, const struct dump_line *line)
{
	json_t *object = json_object();

	set_text(object, "function", line->name);
	set_text(object, "module", line->module);
	set_text(object, "file", line->file);
	set_number(object, "line", line->line);
	if (line->is_inlined)
		json_object_set_new(object, "inlined", json_true());
	json_array_append_new(ctx, object);
}

static json_t *
thread_of(const struct dump_stacks *stacks, const struct dump_row *row)
{
	const struct dump_thread *thread = row->thread;
	json_t *object = json_object(), *stack = json_array();

	set_number(object, "pid", thread->pid);
	set_number(object, "tid", thread->tid);
	set_text(object, "name", thread->comm);
	set_text(object, "state",
		 thread->wait.line.place == PLACE_RUNNING ? "running" :
		 dump_state_text(thread->state));
	json_object_set_new(object, "cpu_ticks",
			    json_integer((json_int_t)thread->cpu_ticks));
	json_object_set_new(object, "wait", wait_of(row));
	if (row->stack)
		dump_each_line(stacks->profile, stacks->names, row->stack,
			       add_line, stack);
	else if (thread->no_stack)
		set_text(object, "no_stack", thread->no_stack);
	json_object_set_new(object, "stack", stack);
	return object;
}

static json_t *
addresses_of(const struct dump *dump)
{
	json_t *array = json_array();
	size_t n;
	struct dump_place *places = dump_places(dump, &n);

	for (size_t i = 0; i < n; i++) {
		json_t *object = json_object(), *waiters = json_array();

		set_address(object, "address", places[i].address);
		set_number(object, "owner", places[i].owner);
		for (size_t t = 0; t < dump->count; t++)
			if (dump->threads[t].wait.address == places[i].address)
				json_array_append_new(waiters, json_integer(
						dump->threads[t].tid));
		json_object_set_new(object, "waiters", waiters);
		json_array_append_new(array, object);
	}
	free(places);
	return array;
}

static json_t *
deadlocks_of(const struct dump *dump)
{
	json_t *array = json_array();

	for (unsigned i = 1; i <= dump->deadlocks; i++) {
		json_t *tids = json_array();

		for (size_t t = 0; t < dump->count; t++)
			if (dump->threads[t].deadlock == i)
				json_array_append_new(tids, json_integer(
						dump->threads[t].tid));
		json_array_append_new(array, tids);
	}
	return array;
}

bool
dump_print_json(FILE *out, const struct dump_stacks *stacks)
{
	json_t *root = json_object(), *threads = json_array();
	bool ok;

	for (size_t i = 0; i < stacks->count; i++)
		json_array_append_new(threads,
				      thread_of(stacks, &stacks->rows[i]));
	json_object_set_new(root, "threads", threads);
	json_object_set_new(root, "addresses", addresses_of(stacks->dump));
	json_object_set_new(root, "deadlocks", deadlocks_of(stacks->dump));
	ok = json_dumpf(root, out, JSON_INDENT(1)) == 0 || ferror(out);
	fputc('\n', out);
	json_decref(root);
	return ok;
}
