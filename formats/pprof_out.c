/* SPDX-License-Identifier: MIT */
/*
 * pprof_out.c - frames to mappings, functions and locations.
 */
#include "formats/pprof_out.h"

#include <stdlib.h>
#include <string.h>

#include "formats/frame_name.h"
#include "formats/pprof.h"

#define PROGRAM 1		/* its mapping is the first */
#define UNKNOWN "[unknown]"

struct mapping {
	string_id file;
	uint64_t limit;		/* addresses are less */
};

struct function {
	string_id name, file;
};

/* A frame, inlined into what another chain is; 0: into nothing. */
struct chain {
	frame_id frame;
	uint32_t host;
	uint64_t location;	/* its id, if a stack ends or goes on there */
};

static uint32_t
hash_mapping(const void *row)
{
	return hash_words(((const struct mapping *)row)->file, 0);
}

static bool
same_mapping(const void *a, const void *b)
{
	return ((const struct mapping *)a)->file ==
	       ((const struct mapping *)b)->file;
}

static uint32_t
hash_function(const void *row)
{
	const struct function *function = row;

	return hash_words(function->name, function->file);
}

static bool
same_function(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	return a->name == b->name && a->file == b->file;
}

static uint32_t
hash_chain(const void *row)
{
	const struct chain *chain = row;

	return hash_words(chain->frame, chain->host);
}

static bool
same_chain(const void *va, const void *vb)
{
	const struct chain *a = va, *b = vb;

	return a->frame == b->frame && a->host == b->host;
}

static const struct table_kind mapping_kind = {
	sizeof(struct mapping), hash_mapping, same_mapping,
};
static const struct table_kind function_kind = {
	sizeof(struct function), hash_function, same_function,
};
static const struct table_kind chain_kind = {
	sizeof(struct chain), hash_chain, same_chain,
};

string_id
pprof_out_text(struct pprof_out *out, const char *text)
{
	return strings_add(out->strings, text, strlen(text));
}

static uint32_t
mapping_of_file(struct pprof_out *out, const char *file)
{
	struct mapping mapping = { .file = pprof_out_text(out, file) };

	return table_add(&out->mappings, &mapping);
}

/* What the profile says its program is; some receivers want a mapping. */
static const char *
program_file(const struct profile *profile)
{
	const char *exe = profile_get(profile, "exe");
	const char *comm = profile_get(profile, "comm");

	for (size_t i = 1; i < profile_modules(profile); i++) {
		const struct module *module =
			profile_get_module(profile, (module_id)i);
		const char *path = profile_text(profile, module->path);

		if (module->kind == MODULE_PROGRAM && *path)
			return path;
	}
	return exe && *exe ? exe : comm && *comm ? comm : UNKNOWN;
}

void
pprof_out_init(struct pprof_out *out, struct profile *profile,
	       struct names *names)
{
	const char *build_id = profile_get(profile, "build-id");

	*out = (struct pprof_out){ .profile = profile, .names = names };
	out->strings = strings_new();
	table_init(&out->mappings, &mapping_kind);
	table_init(&out->functions, &function_kind);
	table_init(&out->chains, &chain_kind);
	mapping_of_file(out, program_file(profile));
	out->build_id = pprof_out_text(out, build_id ? build_id : "");
}

void
pprof_out_fini(struct pprof_out *out)
{
	table_fini(&out->mappings);
	table_fini(&out->functions);
	table_fini(&out->chains);
	strings_free(out->strings);
	free(out->used);
	free(out->path);
}

/* --- stacks */

static uint64_t
location_of(struct pprof_out *out, uint32_t row)
{
	struct chain *chain = table_at(&out->chains, row);

	if (!chain->location) {
		out->used = grow(out->used, out->nused, &out->used_capacity,
				 sizeof(*out->used));
		out->used[out->nused++] = row;
		chain->location = out->nused;
	}
	return chain->location;
}

/* FRAME is inside of the last chain of the path, or begins one of its own. */
static void
push_frame(struct pprof_out *out, frame_id id)
{
	const struct frame *frame = profile_get_frame(out->profile, id);
	struct chain chain = { .frame = id };

	if (frame->kind == FRAME_INLINED && out->depth)
		chain.host = out->path[--out->depth];
	out->path = grow(out->path, out->depth, &out->path_capacity,
			 sizeof(*out->path));
	out->path[out->depth++] = table_add(&out->chains, &chain);
}

size_t
pprof_out_stack(struct pprof_out *out, stack_id stack, uint64_t *ids)
{
	const struct profile *profile = out->profile;
	size_t depth = profile_get_stack(profile, stack)->depth, i;
	frame_id *frames = xcalloc(depth + 1, sizeof(*frames));

	for (i = depth; i-- > 0;) {
		frames[i] = profile_get_stack(profile, stack)->frame;
		stack = profile_get_stack(profile, stack)->parent;
	}
	out->depth = 0;
	for (i = 0; i < depth; i++)
		push_frame(out, frames[i]);
	free(frames);
	for (i = 0; i < out->depth; i++)
		ids[i] = location_of(out, out->path[out->depth - 1 - i]);
	return out->depth;
}

/* --- tables to fields */

/* Where FRAME is in its mapping; a JIT's has a version above. */
static uint64_t
address_of(const struct frame *frame, const struct module *module)
{
	return !frame->module		    ? 0 :
	       module->kind == MODULE_JIT ? frame->offset & FRAME_ADDRESS :
					      frame->offset;
}

/* The mapping of FRAME, which gets room for it. */
static uint32_t
mapping_of(struct pprof_out *out, const struct frame *frame)
{
	const struct module *module =
		profile_get_module(out->profile, frame->module);
	uint64_t address = address_of(frame, module);
	struct mapping *mapping;
	uint32_t row = PROGRAM;

	if (frame->kind == FRAME_KERNEL || module->kind == MODULE_KERNEL)
		row = mapping_of_file(out, PPROF_KERNEL);
	else if (frame->kind == FRAME_JIT || module->kind == MODULE_JIT)
		row = mapping_of_file(out, PPROF_JIT);
	else if (frame->module && module->kind != MODULE_PROGRAM)
		row = mapping_of_file(out, profile_text(out->profile,
							module->path));
	mapping = table_at(&out->mappings, row);
	if (address >= mapping->limit && address < UINT64_MAX)
		mapping->limit = address + 1;
	return row;
}

static void
put_line(struct pprof_out *out, struct writer *location, const char *name,
	 string_id file, uint32_t number)
{
	struct function function = {
		.name = pprof_out_text(out, *name ? name : UNKNOWN),
		.file = pprof_out_text(out, names_string(out->names, file)),
	};
	struct writer line = { 0 };

	protobuf_put_number(&line, LINE_FUNCTION,
			    table_add(&out->functions, &function));
	protobuf_put_number(&line, LINE_LINE, number);
	protobuf_put_bytes(location, LOCATION_LINE, line.bytes, line.len);
	writer_free(&line);
}

/* Of FRAME, the innermost first. */
static void
put_lines(struct pprof_out *out, struct writer *location, frame_id frame,
	  bool has_host)
{
	func_id func = names_of(out->names, frame);
	const struct func *own = names_get(out->names, func);
	const struct frame_place *places;
	char *name;
	size_t n;

	places = names_places(out->names, frame, &n);
	for (size_t i = n; i > 1; i--)
		put_line(out, location,
			 names_text(out->names, places[i - 1].func),
			 places[i - 1].file, places[i - 1].line);
	/* Inlined, but nobody knows where: only the name can tell. */
	if (asprintf(&name, "%s%s", names_text(out->names, func),
		     own->kind == FRAME_INLINED && !has_host ?
		     frame_suffix(FRAME_INLINED) : "") < 0)
		return;
	put_line(out, location, name, n ? places[0].file : 0,
		 n ? places[0].line : 0);
	free(name);
}

static void
put_location(struct pprof_out *out, struct writer *file, uint64_t id,
	     uint32_t row)
{
	const struct chain *chain;
	const struct frame *frame;
	struct writer part = { 0 }, lines = { 0 };

	do {
		chain = table_at(&out->chains, row);
		frame = profile_get_frame(out->profile, chain->frame);
		put_lines(out, &lines, chain->frame, chain->host != 0);
		row = chain->host;
	} while (row);
	protobuf_put_number(&part, LOCATION_ID, id);
	protobuf_put_number(&part, LOCATION_MAPPING, mapping_of(out, frame));
	protobuf_put_number(&part, LOCATION_ADDRESS, address_of(
		frame, profile_get_module(out->profile, frame->module)));
	writer_bytes(&part, lines.bytes, lines.len);
	protobuf_put_bytes(file, PROFILE_LOCATION, part.bytes, part.len);
	writer_free(&part);
	writer_free(&lines);
}

/* Addresses are places in the file, so each begins at 0. */
static void
put_mapping(const struct pprof_out *out, struct writer *file, uint32_t row)
{
	const struct mapping *mapping = table_at(&out->mappings, row);
	struct writer part = { 0 };

	protobuf_put_number(&part, MAPPING_ID, row);
	protobuf_put_number(&part, MAPPING_LIMIT, mapping->limit);
	protobuf_put_number(&part, MAPPING_FILE, mapping->file);
	if (row == PROGRAM)
		protobuf_put_number(&part, MAPPING_BUILD_ID, out->build_id);
	for (uint32_t has = MAPPING_HAS_FUNCTIONS; has <= MAPPING_HAS_INLINES;
	     has++)
		protobuf_put_number(&part, has, 1);
	protobuf_put_bytes(file, PROFILE_MAPPING, part.bytes, part.len);
	writer_free(&part);
}

static void
put_function(const struct pprof_out *out, struct writer *file, uint32_t row)
{
	const struct function *function = table_at(&out->functions, row);
	struct writer part = { 0 };

	protobuf_put_number(&part, FUNCTION_ID, row);
	protobuf_put_number(&part, FUNCTION_NAME, function->name);
	protobuf_put_number(&part, FUNCTION_SYSTEM_NAME, function->name);
	protobuf_put_number(&part, FUNCTION_FILE, function->file);
	protobuf_put_bytes(file, PROFILE_FUNCTION, part.bytes, part.len);
	writer_free(&part);
}

void
pprof_out_write(struct pprof_out *out, struct writer *file)
{
	struct writer locations = { 0 };
	size_t i;

	for (i = 0; i < out->nused; i++)
		put_location(out, &locations, i + 1, out->used[i]);
	for (i = 1; i < out->mappings.count; i++)
		put_mapping(out, file, (uint32_t)i);
	writer_bytes(file, locations.bytes, locations.len);
	writer_free(&locations);
	for (i = 1; i < out->functions.count; i++)
		put_function(out, file, (uint32_t)i);
	for (i = 0; i < strings_count(out->strings); i++) {
		const char *text = strings_get(out->strings, (string_id)i);

		protobuf_put_bytes(file, PROFILE_STRING, text, strlen(text));
	}
}
