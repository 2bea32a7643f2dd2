/* SPDX-License-Identifier: MIT */
/*
 * speedscope_write.c - a profile for speedscope, one of its profiles a thread.
 *
 * Stacks that read the same are one sample, whichever addresses they came
 * from; so they are merged in a tree keyed by the frames' texts, with the
 * threads below its root. A node's parent has a smaller number, so the tree
 * is written by going through its nodes in order.
 */
#include "formats/speedscope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/calltree.h"
#include "core/stack_funcs.h"
#include "core/strings.h"
#include "formats/frame_name.h"

#define EXPORTER "flametop"

struct output {
	FILE *file;
	struct profile *profile;
	struct names *names;
	enum kind kind;
	bool has_threads;
	int scale;		/* counts are 10^SCALE times what is written */

	struct strings *frames, *threads;
	struct calltree *tree;	/* its functions are ids in these two */
	struct stack_funcs funcs;
	func_id *path;
	size_t path_capacity;
	struct place *places;	/* by node */
};

/* Whose a node is: the one below the root, which has a list of its own. */
struct place {
	node_id thread, first, next;	/* NODE_NONE: no more */
};

/* --- stacks to the tree */

static string_id
text_of(struct output *out, func_id func)
{
	const char *suffix = frame_suffix(names_get(out->names, func)->kind);
	const char *name = names_text(out->names, func);
	string_id id;
	char *text;
	int len = asprintf(&text, "%s%s", *name ? name : "-", suffix);

	if (len < 0)
		return 0;
	id = strings_add(out->frames, text, (size_t)len);
	free(text);
	return id;
}

static string_id
thread_text(struct output *out, thread_id id)
{
	const struct thread *thread = profile_get_thread(out->profile, id);
	const char *name = profile_text(out->profile, thread->name);

	if (!out->has_threads || !*name)
		name = out->has_threads ? "-" : "all";
	return strings_add(out->threads, name, strlen(name));
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct output *out = ctx;
	size_t depth = 0, i;

	if (cell->kind != out->kind || !cell->weight)
		return;
	stack_funcs_read(&out->funcs, out->profile, out->names, cell->stack);
	out->path = grow(out->path, out->funcs.count, &out->path_capacity,
			 sizeof(*out->path));
	out->path[depth++] = thread_text(out, cell->thread);
	for (i = out->funcs.count; i-- > 0;)
		out->path[depth++] = text_of(out, out->funcs.at[i]);
	calltree_add(out->tree, out->path, depth, cell->weight);
}

static void
note_thread(void *ctx, const struct cell *cell)
{
	struct output *out = ctx;

	out->has_threads |= cell->thread && cell->weight &&
			    cell->kind == out->kind;
}

/* Lists are in the order of the nodes. */
static void
find_places(struct output *out)
{
	size_t count = calltree_count(out->tree), i;
	struct place *places = xcalloc(count, sizeof(*places));

	out->places = places;
	for (i = 1; i < count; i++) {
		node_id parent = calltree_parent(out->tree, (node_id)i);

		places[i].thread = parent ? places[parent].thread :
					    (node_id)i;
		places[i].first = NODE_NONE;
	}
	for (i = count; i-- > 1;) {
		struct place *thread = &places[places[i].thread];

		if (!calltree_self(out->tree, (node_id)i))
			continue;
		places[i].next = thread->first;
		thread->first = (node_id)i;
	}
}

/* --- JSON */

static void
put_string(struct output *out, const char *text)
{
	fputc('"', out->file);
	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;

		if (byte == '"' || byte == '\\')
			fprintf(out->file, "\\%c", byte);
		else if (byte < ' ')
			fprintf(out->file, "\\u%04x", byte);
		else
			fputc(byte, out->file);
	}
	fputc('"', out->file);
}

/* WEIGHT / 10^SCALE, exactly. */
static void
put_weight(struct output *out, uint64_t weight)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "%0*llu",
			   out->scale > 0 ? out->scale + 1 : 1,
			   (unsigned long long)weight);
	int whole = out->scale > 0 ? len - out->scale : len;

	fprintf(out->file, "%.*s", whole, text);
	if (out->scale > 0)
		fprintf(out->file, ".%s", text + whole);
	for (int i = out->scale; i < 0; i++)
		fputc('0', out->file);
}

static const char *
unit_of(const struct output *out)
{
	static const char *const units[] = {
		"nanoseconds", "microseconds", "milliseconds", "seconds",
		"bytes",
	};
	const char *unit = profile_get(out->profile, "unit");

	if (out->kind == KIND_BLOCKED || out->kind == KIND_RUNNABLE)
		return "microseconds";
	for (size_t i = 0; unit && i < ARRAY_LEN(units); i++)
		if (strcmp(unit, units[i]) == 0)
			return units[i];
	return "none";
}

static void
put_frames(struct output *out)
{
	size_t count = strings_count(out->frames), i;

	fputs("\"shared\":{\"frames\":[", out->file);
	for (i = 1; i < count; i++) {
		fputs(i > 1 ? ",\n{\"name\":" : "\n{\"name\":", out->file);
		put_string(out, strings_get(out->frames, (string_id)i));
		fputc('}', out->file);
	}
	fputs("\n]},\n", out->file);
}

/* The frames of NODE, root first; id 0 is "" and stands for none. */
static void
put_stack(struct output *out, node_id node)
{
	uint32_t depth = calltree_depth(out->tree, node), i = depth;

	for (; i-- > 1; node = calltree_parent(out->tree, node))
		out->path[i] = calltree_func(out->tree, node);
	fputc('[', out->file);
	for (i = 1; i < depth; i++)
		fprintf(out->file, i > 1 ? ",%u" : "%u", out->path[i] - 1);
	fputc(']', out->file);
}

/* One list over all nodes of THREAD with a count of their own. */
static void
put_list(struct output *out, const char *name, node_id thread, bool is_stack)
{
	const char *comma = "";
	node_id node = out->places[thread].first;

	fprintf(out->file, ",\n\"%s\":[", name);
	for (; node != NODE_NONE; node = out->places[node].next) {
		fputs(comma, out->file);
		comma = ",";
		if (is_stack)
			put_stack(out, node);
		else
			put_weight(out, calltree_self(out->tree, node));
	}
	fputc(']', out->file);
}

static void
put_profile(struct output *out, node_id thread)
{
	fputs("{\"type\":\"sampled\",\"name\":", out->file);
	put_string(out, strings_get(out->threads,
				    calltree_func(out->tree, thread)));
	fprintf(out->file, ",\"unit\":\"%s\",\"startValue\":0,\"endValue\":",
		unit_of(out));
	put_weight(out, calltree_total(out->tree, thread));
	put_list(out, "samples", thread, true);
	put_list(out, "weights", thread, false);
	fputc('}', out->file);
}

/* The threads, and which of them has the most; it is shown first. */
static void
put_profiles(struct output *out)
{
	size_t active = 0, count = 0;
	uint64_t most = 0;
	node_id thread;

	fputs("\"profiles\":[", out->file);
	for (thread = calltree_first(out->tree, 0); thread != NODE_NONE;
	     thread = calltree_next(out->tree, thread)) {
		fputs(count ? ",\n" : "\n", out->file);
		put_profile(out, thread);
		if (calltree_total(out->tree, thread) > most) {
			most = calltree_total(out->tree, thread);
			active = count;
		}
		count++;
	}
	fprintf(out->file, "\n],\n\"activeProfileIndex\":%zu", active);
}

struct header {
	struct output *out;
	const char *comma;
};

static void
put_header_line(void *ctx, const char *line)
{
	struct header *header = ctx;

	fputs(header->comma, header->out->file);
	put_string(header->out, line);
	header->comma = ",\n";
}

static void
put_header(struct output *out)
{
	struct folded_header what = { .kind = out->kind,
				      .has_threads = out->has_threads };
	struct header header = { .out = out, .comma = "" };

	fputs(",\n\"" SPEEDSCOPE_HEADER "\":[", out->file);
	folded_each_line(out->profile, out->names, &what, put_header_line,
			 &header);
	fputc(']', out->file);
}

static void
put_file(struct output *out, bool has_header)
{
	const char *comm = profile_get(out->profile, "comm");
	const char *version = profile_get(out->profile, "version");

	fputs("{\"$schema\":\"" SPEEDSCOPE_SCHEMA "\",\n", out->file);
	put_frames(out);
	put_profiles(out);
	fputs(",\n\"exporter\":\"" EXPORTER, out->file);
	fprintf(out->file, version ? "@%.40s\"" : "\"", version);
	if (comm && *comm) {
		fputs(",\n\"name\":", out->file);
		put_string(out, comm);
	}
	if (has_header)
		put_header(out);
	fputs("}\n", out->file);
}

bool
speedscope_write(FILE *file, struct profile *profile, struct names *names,
		 const struct write_options *options, struct error *err)
{
	const char *scale = profile_get(profile, "scale");
	struct output out = { .file = file, .profile = profile,
			      .names = names, .kind = options->kind };

	if (scale)
		out.scale = atoi(scale) % 20;
	out.frames = strings_new();
	out.threads = strings_new();
	out.tree = calltree_new();
	if (options->threads)
		profile_each(profile, 0, UINT64_MAX, note_thread, &out);
	profile_each(profile, 0, UINT64_MAX, add_cell, &out);
	find_places(&out);
	put_file(&out, options->header);
	calltree_free(out.tree);
	strings_free(out.frames);
	strings_free(out.threads);
	stack_funcs_fini(&out.funcs);
	free(out.path);
	free(out.places);
	if (fflush(file) != 0 || ferror(file))
		return fail(err, errno, "cannot write");
	return true;
}
