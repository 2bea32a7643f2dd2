/* SPDX-License-Identifier: MIT */
/*
 * names.c - functions, the frames that lie in them, and who became whom.
 *
 * A function without a name yet is a stand-in. It turns into the function it
 * stands for when that has no other id, so that most late names change no id
 * at all; else it becomes an alias. A function with a name never does, so
 * chains of aliases are short: stand-in, nameless function, function.
 */
#include "core/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"
#include "core/table.h"

#define TEXT_BOUND ((size_t)64 << 20)

struct function {
	struct func func;
	func_id alias;		/* what it has become; itself: nothing else */
	bool is_known;		/* has a row among the identities */
};

/* What makes a function the same; FUNC is its id and no part of that. */
struct identity {
	module_id module;
	enum frame_kind kind;
	string_id name;		/* where START does not tell: no module, or
				   several functions inlined at one place */
	func_id func;
	uint64_t start;
};

/* The part of PLACES that is about a frame. */
struct extent {
	uint32_t first, count;
};

struct names {
	struct profile *profile;
	struct strings *strings;
	struct function *functions;
	size_t count, capacity;
	struct table identities;
	func_id *of_frame;	/* FUNC_NONE: not asked for yet */
	size_t frames, frames_capacity;
	struct frame_place *places;	/* of known frames, one after another */
	size_t nplaces, places_capacity;
	struct extent *extents;	/* by frame */
	size_t nextents, extents_capacity;
	uint64_t generation, moves, renames;
	bool has_libraries;
};

static uint32_t
hash_identity(const void *row)
{
	const struct identity *identity = row;

	return hash_words(identity->start ^ (uint64_t)identity->kind << 60,
			  (uint64_t)identity->module << 32 | identity->name);
}

static bool
same_identity(const void *a, const void *b)
{
	const struct identity *one = a, *two = b;

	return one->start == two->start && one->module == two->module &&
	       one->kind == two->kind && one->name == two->name;
}

static const struct table_kind identity_rows = {
	sizeof(struct identity), hash_identity, same_identity
};

struct names *
names_new(struct profile *profile)
{
	struct names *names = xcalloc(1, sizeof(*names));

	names->profile = profile;
	names->strings = strings_new();
	strings_set_bound(names->strings, TEXT_BOUND);
	table_init(&names->identities, &identity_rows);
	/* Row 0 must not be taken for a function. */
	((struct identity *)table_at(&names->identities, 0))->start =
		UINT64_MAX;
	return names;
}

void
names_free(struct names *names)
{
	if (!names)
		return;
	table_fini(&names->identities);
	strings_free(names->strings);
	free(names->functions);
	free(names->of_frame);
	free(names->places);
	free(names->extents);
	free(names);
}

static string_id
text_id(struct names *names, const char *text)
{
	return strings_add(names->strings, text, strlen(text));
}

static string_id
clean_id(struct names *names, const char *text)
{
	char *clean = sanitise(text, strlen(text));
	string_id id = text_id(names, clean);

	free(clean);
	return id;
}

static const char *
module_name(const struct names *names, module_id id)
{
	const struct module *module = profile_get_module(names->profile, id);
	const char *path = profile_text(names->profile, module->path);
	const char *slash = strrchr(path, '/');

	if (!id)
		return "";
	if (module->kind == MODULE_KERNEL)
		return "[kernel]";
	if (module->kind == MODULE_JIT)
		return "[jit]";
	if (module->kind == MODULE_VDSO)
		return "[vdso]";
	if (slash && slash[1])
		return slash + 1;
	return *path ? path : "[unknown]";
}

/* "libc.so.6+0x2724a" */
static string_id
place_id(struct names *names, module_id module, uint64_t offset)
{
	const char *file = module_name(names, module);
	size_t size = strlen(file) + sizeof("+0x0123456789abcdef");
	char *text = xcalloc(size, 1);
	string_id id;

	if (profile_get_module(names->profile, module)->kind == MODULE_JIT)
		offset &= FRAME_ADDRESS;
	snprintf(text, size, "%s+0x%" PRIx64, file, offset);
	id = text_id(names, text);
	free(text);
	return id;
}

static func_id
push_function(struct names *names, const struct func *func)
{
	func_id id = (func_id)names->count;

	names->functions = grow(names->functions, names->count,
				&names->capacity, sizeof(*names->functions));
	names->functions[names->count++] =
		(struct function){ .func = *func, .alias = id };
	return id;
}

func_id
names_plain(struct names *names, enum frame_kind kind, const char *text)
{
	struct identity identity = { .kind = kind };
	struct func func = { .kind = kind, .is_named = true };
	uint32_t row;

	identity.name = func.name = text_id(names, text);
	row = table_find(&names->identities, &identity);
	if (row != LOOKUP_NONE)
		return ((struct identity *)table_at(&names->identities,
						    row))->func;
	identity.func = push_function(names, &func);
	table_add(&names->identities, &identity);
	return identity.func;
}

static func_id
stand_in(struct names *names, frame_id id)
{
	const struct frame *frame = profile_get_frame(names->profile, id);
	const char *text = profile_text(names->profile, frame->name);
	struct func func = { .module = frame->module, .kind = frame->kind };

	if (!frame->module)
		return names_plain(names, frame->kind,
				   *text ? text : "[unknown]");
	func.name = place_id(names, frame->module, frame->offset);
	return push_function(names, &func);
}

/* Where the function of FRAME is kept. */
static func_id *
place_of(struct names *names, frame_id frame)
{
	while (names->frames <= frame) {
		names->of_frame = grow(names->of_frame, names->frames,
				       &names->frames_capacity,
				       sizeof(*names->of_frame));
		names->of_frame[names->frames++] = FUNC_NONE;
	}
	return &names->of_frame[frame];
}

func_id
names_of(struct names *names, frame_id frame)
{
	func_id *place = place_of(names, frame);

	*place = *place == FUNC_NONE ? stand_in(names, frame)
				     : names_final(names, *place);
	return *place;
}

/* The function of IDENTITY; OLD takes that part if nobody has it. */
static func_id
function_at(struct names *names, struct identity *identity, func_id old)
{
	uint32_t row = table_find(&names->identities, identity);
	struct func func = { .module = identity->module,
			     .kind = identity->kind };

	if (row != LOOKUP_NONE)
		return names_final(names, ((struct identity *)table_at(
			&names->identities, row))->func);
	if (old != FUNC_NONE && !names->functions[old].is_known)
		identity->func = old;
	else
		identity->func = push_function(names, &func);
	table_add(&names->identities, identity);
	names->functions[identity->func].is_known = true;
	return identity->func;
}

/* A name beats none, and a new one beats the old one. */
static void
describe(struct names *names, func_id id, const struct symbol *symbol)
{
	struct func *func = &names->functions[id].func;
	string_id old = func->name;

	if (symbol->name && *symbol->name) {
		func->name = clean_id(names, symbol->name);
		func->is_named = true;
	} else if (!func->is_named) {
		func->name = place_id(names, func->module, symbol->start);
	}
	names->renames += func->name != old;
}

void
names_set(struct names *names, frame_id frame, const struct symbol *symbol)
{
	const struct frame *row = profile_get_frame(names->profile, frame);
	struct identity identity = { .module = row->module, .kind = row->kind,
				     .start = symbol->start };
	func_id *place = place_of(names, frame), old, new;

	if (!row->module)
		return;
	if (row->kind == FRAME_INLINED && symbol->name)
		identity.name = clean_id(names, symbol->name);
	old = *place == FUNC_NONE ? FUNC_NONE : names_final(names, *place);
	new = function_at(names, &identity, old);
	describe(names, new, symbol);
	*place = new;
	if (old == FUNC_NONE || old == new)
		return;
	if (names->functions[old].func.is_named) {
		names->moves++;
	} else {
		names->functions[old].alias = new;
		names->generation++;
	}
}

/* The function called NAME that is inlined in places of MODULE. */
static func_id
inlined_function(struct names *names, module_id module, const char *name)
{
	struct identity identity = { .module = module, .kind = FRAME_INLINED,
				     .name = clean_id(names, name) };
	func_id id = function_at(names, &identity, FUNC_NONE);
	struct func *func = &names->functions[id].func;

	func->name = identity.name;
	func->is_named = true;
	return id;
}

static struct extent *
extent_of(struct names *names, frame_id frame)
{
	while (names->nextents <= frame) {
		names->extents = grow(names->extents, names->nextents,
				      &names->extents_capacity,
				      sizeof(*names->extents));
		names->extents[names->nextents++] = (struct extent){ 0, 0 };
	}
	return &names->extents[frame];
}

/* Did the functions inlined at a frame become others? */
static bool
are_moved(const struct frame_place *old, size_t nold,
	  const struct frame_place *new, size_t n)
{
	size_t inlined_before = nold ? nold - 1 : 0;

	if (inlined_before != n - 1)
		return true;
	for (size_t i = 1; i < n; i++)
		if (old[i].func != new[i].func)
			return true;
	return false;
}

void
names_set_places(struct names *names, frame_id frame,
		 const struct symbol_place *places, size_t n)
{
	module_id module = profile_get_frame(names->profile, frame)->module;
	struct extent *extent = extent_of(names, frame), old = *extent;
	size_t first = names->nplaces;

	if (!n || n > UINT32_MAX - first)
		return;
	for (size_t i = 0; i < n; i++) {
		struct frame_place new = { FUNC_NONE, 0, places[i].line };

		if (i)
			new.func = inlined_function(names, module,
						    places[i].name);
		if (places[i].file && *places[i].file)
			new.file = clean_id(names, places[i].file);
		names->places = grow(names->places, names->nplaces,
				     &names->places_capacity, sizeof(new));
		names->places[names->nplaces++] = new;
	}
	*extent = (struct extent){ (uint32_t)first, (uint32_t)n };
	if (are_moved(names->places + old.first, old.count,
		      names->places + first, n))
		names->moves++;
}

const struct frame_place *
names_places(const struct names *names, frame_id frame, size_t *n)
{
	*n = 0;
	if (frame >= names->nextents || !names->extents[frame].count)
		return NULL;
	*n = names->extents[frame].count;
	return names->places + names->extents[frame].first;
}

func_id
names_final(const struct names *names, func_id func)
{
	while (names->functions[func].alias != func)
		func = names->functions[func].alias;
	return func;
}

const struct func *
names_get(const struct names *names, func_id func)
{
	return &names->functions[names_final(names, func)].func;
}

const char *
names_text(const struct names *names, func_id func)
{
	return strings_get(names->strings, names_get(names, func)->name);
}

const char *
names_string(const struct names *names, string_id id)
{
	return strings_get(names->strings, id);
}

const char *
names_module(const struct names *names, func_id func)
{
	return module_name(names, names_get(names, func)->module);
}

func_id
names_thread(struct names *names, string_id name)
{
	const char *text = profile_text(names->profile, name);

	return names_plain(names, FRAME_THREAD, *text ? text : "[unnamed]");
}

static enum frame_kind
library_kind(enum module_kind kind)
{
	return kind == MODULE_KERNEL ? FRAME_KERNEL :
	       kind == MODULE_JIT ? FRAME_JIT : FRAME_CODE;
}

static struct identity
library(const struct names *names, module_id module)
{
	return (struct identity){
		.module = module, .start = UINT64_MAX,
		.kind = library_kind(profile_get_module(names->profile,
							module)->kind),
	};
}

func_id
names_library(struct names *names, module_id module)
{
	struct identity identity = library(names, module);
	func_id id = function_at(names, &identity, FUNC_NONE);
	struct func *func = &names->functions[id].func;

	if (!func->is_named)
		func->name = text_id(names, module_name(names, module));
	func->is_named = names->has_libraries = true;
	return id;
}

func_id
names_library_of(struct names *names, func_id func)
{
	module_id module = names_get(names, func)->module;
	struct identity identity;
	uint32_t row;

	if (!module || !names->has_libraries)
		return FUNC_NONE;
	identity = library(names, module);
	row = table_find(&names->identities, &identity);
	return row == LOOKUP_NONE ? FUNC_NONE :
	       ((struct identity *)table_at(&names->identities, row))->func;
}

uint64_t
names_generation(const struct names *names)
{
	return names->generation;
}

uint64_t
names_moves(const struct names *names)
{
	return names->moves;
}

uint64_t
names_renames(const struct names *names)
{
	return names->renames;
}

size_t
names_count(const struct names *names)
{
	return names->count;
}
