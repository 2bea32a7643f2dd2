/* SPDX-License-Identifier: MIT */
/*
 * report_json.c - a profile for programs.
 *
 *	{ "flametop": 1,
 *	  "header": { KEY: VALUE ... },		as snapshots have it, texts
 *	  "unit": "samples", "total": N,
 *	  "lost": N, "cut": N, "unnamed": N, "guessed": N,
 *	  "functions": [ { "name", "module", "self": N, "total": N } ],
 *	  "paths": [ { "stack": [ name ... ], "self": N } ] }
 *
 * Functions are all there are, by self, then total, then name; paths the
 * hundred heaviest, each from the outermost frame to the leaf. N counts in
 * UNIT. The same profile gives the same bytes; a member that is added later
 * leaves "flametop" as it is, one that changes its meaning does not.
 */
#include "app/report.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "app/report_sums.h"
#include "core/blocks.h"

#define VERSION 1
#define PATHS 100

static void
set_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key, json_integer((json_int_t)count));
}

static json_t *
header_of(const struct profile *profile)
{
	json_t *header = json_object();
	const char *key;

	for (size_t i = 0; (key = profile_key(profile, i)); i++)
		if (strncmp(key, BLOCKS_PREFIX, strlen(BLOCKS_PREFIX)) != 0)
			json_object_set_new(header, key, json_string(
				profile_get(profile, key)));
	return header;
}

static json_t *
functions_of(const struct picture *picture, const struct names *names)
{
	json_t *array = json_array();
	size_t count;
	struct report_row *rows = report_rows(picture, names, false, &count);

	for (size_t i = 0; i < count; i++) {
		const char *module = names_module(names, rows[i].row.func);
		json_t *one = json_object();

		json_object_set_new(one, "name", json_string(rows[i].name));
		if (*module)
			json_object_set_new(one, "module",
					    json_string(module));
		set_count(one, "self", rows[i].row.self);
		set_count(one, "total", rows[i].row.total);
		json_array_append_new(array, one);
	}
	free(rows);
	return array;
}

static json_t *
stack_of(const struct calltree *tree, const struct names *names, node_id leaf)
{
	json_t *array = json_array();
	size_t count;
	node_id *nodes = report_path_nodes(tree, leaf, &count);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, json_string(names_text(names,
					calltree_func(tree, nodes[i]))));
	free(nodes);
	return array;
}

static json_t *
paths_of(const struct picture *picture, const struct names *names)
{
	const struct calltree *tree = picture_tree(picture);
	struct report_path best[PATHS];
	size_t count = report_paths(tree, best, PATHS);
	json_t *array = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *one = json_object();

		json_object_set_new(one, "stack",
				    stack_of(tree, names, best[i].leaf));
		set_count(one, "self", best[i].self);
		json_array_append_new(array, one);
	}
	return array;
}

bool
report_json(FILE *out, struct profile *profile, struct names *names,
	    bool hides_inlined, struct error *err)
{
	struct picture *picture = report_picture(profile, names,
						 hides_inlined);
	const struct losses *losses = profile_losses(profile);
	json_t *all = json_object();
	bool ok;

	json_object_set_new(all, "flametop", json_integer(VERSION));
	json_object_set_new(all, "header", header_of(profile));
	json_object_set_new(all, "unit", json_string(report_unit(profile)));
	set_count(all, "total", picture_total(picture));
	set_count(all, "lost", losses->lost);
	set_count(all, "cut", losses->cut);
	set_count(all, "unnamed", losses->unresolved);
	set_count(all, "guessed", losses->guessed);
	json_object_set_new(all, "functions", functions_of(picture, names));
	json_object_set_new(all, "paths", paths_of(picture, names));
	ok = json_dumpf(all, out, JSON_INDENT(1)) == 0 || ferror(out);
	fputc('\n', out);
	if (!ok)
		fail(err, ENOMEM, "the report");
	json_decref(all);
	picture_free(picture);
	return ok;
}
