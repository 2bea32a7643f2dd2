/* SPDX-License-Identifier: MIT */
/*
 * svg_profile.c - a profile as a graph coloured by kind of code.
 *
 * Frames that read the same are one, whichever addresses they came from. A
 * function's key is all that is shown of it, "library, inlined\tlibz.so\tcrc":
 * the tree is keyed by these, and siblings of one weight are in their order.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/hue.h"
#include "core/sanitise.h"
#include "core/stack_funcs.h"
#include "core/strings.h"
#include "formats/svg.h"
#include "formats/svg_private.h"

#define ALL "all"

struct stacks {
	struct profile *profile;
	struct names *names;
	const struct write_options *options;
	int scale;		/* counts are 10^SCALE times what is told */
	char unit[64];		/* clean */

	struct strings *keys;
	struct calltree *tree;	/* its functions are ids in these */
	string_id *key_of;	/* by function; 0: not asked yet */
	size_t nkeys, keys_capacity;
	struct stack_funcs funcs;
	func_id *path;
	size_t path_capacity;

	char figures[3 * SVG_COUNT_SIZE];	/* of svg_frame */
	char kind[300];
};

/* --- stacks to the tree */

static string_id
add_key(struct stacks *stacks, enum hue hue, const char *rest,
	const char *module, const char *name)
{
	string_id key = 0;
	char *text;
	int len = asprintf(&text, "%s%s\t%s\t%s", hue_words[hue], rest, module,
			   *name ? name : "-");

	if (len < 0)
		return 0;
	key = strings_add(stacks->keys, text, (size_t)len);
	free(text);
	return key;
}

static string_id
key_of(struct stacks *stacks, func_id id)
{
	while (stacks->nkeys <= id) {
		stacks->key_of = grow(stacks->key_of, stacks->nkeys,
				      &stacks->keys_capacity,
				      sizeof(*stacks->key_of));
		stacks->key_of[stacks->nkeys++] = 0;
	}
	if (!stacks->key_of[id]) {
		const struct func *func = names_get(stacks->names, id);
		bool is_inlined = func->kind == FRAME_INLINED;

		stacks->key_of[id] = add_key(
			stacks, hue_of(stacks->profile, func),
			is_inlined ? ", inlined" : "",
			names_module(stacks->names, id),
			names_text(stacks->names, id));
	}
	return stacks->key_of[id];
}

static string_id
thread_key(struct stacks *stacks, thread_id id)
{
	const struct thread *thread = profile_get_thread(stacks->profile, id);

	return add_key(stacks, HUE_THREAD, "", "",
		       profile_text(stacks->profile, thread->name));
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct stacks *stacks = ctx;
	size_t depth = 0;

	if (cell->kind != stacks->options->kind || !cell->weight)
		return;
	stack_funcs_read(&stacks->funcs, stacks->profile, stacks->names,
			 cell->stack);
	stacks->path = grow(stacks->path, stacks->funcs.count + 1,
			    &stacks->path_capacity, sizeof(*stacks->path));
	if (stacks->options->threads && cell->thread)
		stacks->path[depth++] = thread_key(stacks, cell->thread);
	for (size_t i = stacks->funcs.count; i-- > 0;)
		stacks->path[depth++] = key_of(stacks, stacks->funcs.at[i]);
	calltree_add(stacks->tree, stacks->path, depth, cell->weight);
}

/* --- frames */

static void
name_unit(struct stacks *stacks)
{
	static const char *const units[KIND_COUNT] = {
		[KIND_BLOCKED] = "microseconds",
		[KIND_RUNNABLE] = "microseconds",
		[KIND_FAULT] = "page faults", [KIND_SWITCH] = "switches",
	};
	const char *unit = units[stacks->options->kind];

	if (!unit)
		unit = profile_get(stacks->profile, "unit");
	if (!unit || !*unit)
		unit = "samples";
	sanitise_into(stacks->unit, sizeof(stacks->unit), unit, strlen(unit));
}

static const char *
key_text(const struct stacks *stacks, node_id node)
{
	return strings_get(stacks->keys, calltree_func(stacks->tree, node));
}

/* The parts of a key; no text in it has a TAB. */
static void
read_key(struct stacks *stacks, const char *key, struct svg_frame *frame)
{
	size_t kind = strcspn(key, "\t"), hue = strcspn(key, ",\t");
	const char *module = key + kind + 1;
	size_t len = strcspn(module, "\t");

	frame->name = module + len + 1;
	snprintf(frame->style, sizeof(frame->style), "%.*s-%u", (int)hue, key,
		 hue_shade(frame->name) + 1);
	snprintf(stacks->kind, sizeof(stacks->kind), "%.*s%s", (int)kind, key,
		 len ? ", " : "");
	kind = strlen(stacks->kind);
	sanitise_into(stacks->kind + kind, sizeof(stacks->kind) - kind, module,
		      len);
}

static void
describe(const struct svg_graph *graph, node_id node, struct svg_frame *frame)
{
	struct stacks *stacks = (struct stacks *)graph->of;
	uint64_t all = graph->totals[0], total = graph->totals[node];
	uint64_t own = calltree_self(stacks->tree, node);
	char count[SVG_COUNT_SIZE];

	frame->figures = stacks->figures;
	frame->kind = stacks->kind;
	snprintf(stacks->figures, sizeof(stacks->figures),
		 "%s %s, %.2f %% of all, %.2f %% its own",
		 svg_count(count, total, stacks->scale), stacks->unit,
		 svg_share(total, all), svg_share(own, all));
	if (node) {
		read_key(stacks, key_text(stacks, node), frame);
		return;
	}
	frame->name = ALL;
	snprintf(frame->style, sizeof(frame->style), "root");
	stacks->kind[0] = '\0';
}

static int
order(const struct svg_graph *graph, node_id a, node_id b)
{
	const struct stacks *stacks = graph->of;

	return strcmp(key_text(stacks, a), key_text(stacks, b));
}

/* --- the whole */

/* BEFORE, KEY's value and AFTER, if there is one and it may be told. */
static void
tell(FILE *out, const struct stacks *stacks, const char *before,
     const char *key, const char *after)
{
	const char *value = profile_get(stacks->profile, key);

	if (stacks->options->header && value && *value)
		fprintf(out, "%s%s%s%s", ftell(out) > 0 ? ", " : "", before,
			value, after);
}

static char *
title_of(const struct stacks *stacks)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tell(out, stacks, "", "comm", "");
	tell(out, stacks, "process ", "pid", "");
	tell(out, stacks, "on ", "host", "");
	if (ftell(out) == 0)
		fputs("Flame graph", out);
	fclose(out);
	return text;
}

/* What was counted, when, and what is known not to have been seen. */
static char *
about(const struct stacks *stacks)
{
	char count[SVG_COUNT_SIZE], *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	fprintf(out, "%s %s",
		svg_count(count, calltree_total(stacks->tree, 0),
			  stacks->scale), stacks->unit);
	tell(out, stacks, "", "start", "");
	tell(out, stacks, "", "duration", " s");
	tell(out, stacks, "", "event", "");
	tell(out, stacks, "lost ", "lost", "");
	tell(out, stacks, "cut ", "cut", "");
	tell(out, stacks, "unnamed ", "unresolved", "");
	fclose(out);
	return text;
}

static bool
put(struct stacks *stacks, FILE *file, struct error *err)
{
	static const char *const legend[] = {
		"program-1", "program", "library-1", "library",
		"kernel-1", "kernel", "jit-1", "run-time code",
		"thread-1", "thread", "unknown-1", "unknown", NULL,
	};
	size_t count = calltree_count(stacks->tree);
	uint64_t *totals = xcalloc(count, sizeof(*totals));
	char *title = title_of(stacks), *more = about(stacks);
	struct svg_graph graph = {
		.tree = stacks->tree, .totals = totals, .of = stacks,
		.describe = describe, .order = order, .title = title,
		.about = more, .legend = legend,
	};
	bool ok;

	for (size_t i = 0; i < count; i++)
		totals[i] = calltree_total(stacks->tree, (node_id)i);
	ok = svg_put(file, &graph, err);
	free(totals);
	free(title);
	free(more);
	return ok;
}

bool
svg_write(FILE *file, struct profile *profile, struct names *names,
	  const struct write_options *options, struct error *err)
{
	const char *scale = profile_get(profile, "scale");
	struct stacks stacks = { .profile = profile, .names = names,
				 .options = options };
	bool ok;

	if (scale)
		stacks.scale = atoi(scale) % 20;
	name_unit(&stacks);
	stacks.keys = strings_new();
	stacks.tree = calltree_new();
	profile_each(profile, 0, UINT64_MAX, add_cell, &stacks);
	ok = put(&stacks, file, err);
	calltree_free(stacks.tree);
	strings_free(stacks.keys);
	stack_funcs_fini(&stacks.funcs);
	free(stacks.key_of);
	free(stacks.path);
	return ok;
}
