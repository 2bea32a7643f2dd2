/* SPDX-License-Identifier: MIT */
/*
 * names.h - frames to functions, as far as names have come in.
 *
 * A function is what people compare and click: (module, start) once its
 * symbol is known. A frame whose symbol is not known yet stands for itself
 * under a name such as "libc.so.6+0x2724a". When the symbol comes, the
 * frame's stand-in becomes an alias of the function, and whoever kept its id
 * asks names_final() for what it is now. So a late name moves no cursor.
 *
 *	frame 7  libz+0x1203 -> func 7'   --+  symbol "inflate" arrives
 *	frame 9  libz+0x1288 -> func 9'   --+--> func 12 "inflate"
 *
 * Loaded files and the kernel's notes have frames with a name and no module;
 * their function is the name (and the frame's kind).
 */
#ifndef CORE_NAMES_H
#define CORE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile.h"

typedef uint32_t func_id;
#define FUNC_NONE UINT32_MAX

/* Texts are ids of names' own table, not of the profile's. */
struct func {
	string_id name;		/* as shown, demangled, cleaned: names_text() */
	module_id module;
	enum frame_kind kind;
	bool is_named;		/* false: NAME is module+offset */
};

/* What a symbol source said about one offset of a module. */
struct symbol {
	uint64_t start;		/* where the function begins, same measure as
				   frame.offset */
	const char *name;	/* demangled; borrowed for the call; "" when no
				   more than START is known: the function then
				   reads module+START */
};

/*
 * What a symbol source says about one of the functions that execute at an
 * offset: which it is, if it is an inlined one, and where in the source. Texts
 * are borrowed for the call.
 */
struct symbol_place {
	const char *name;
	const char *file;	/* "" and 0: not known */
	uint32_t line;
};

/* The same as it is kept. */
struct frame_place {
	func_id func;		/* FUNC_NONE: the frame's own, names_of() */
	string_id file;		/* names_string(); 0: unknown */
	uint32_t line;		/* 0: unknown */
};

struct names;

/* Names for the frames of PROFILE, which must outlive them. */
struct names *names_new(struct profile *profile);
void names_free(struct names *names);

/* The function of FRAME as it is known now; never FUNC_NONE. */
func_id names_of(struct names *names, frame_id frame);

/*
 * SYMBOL covers FRAME. The name is cleaned here. A second answer for the same
 * frame (a debug file found late) replaces the first; frames that have only a
 * name keep it.
 */
void names_set(struct names *names, frame_id frame,
	       const struct symbol *symbol);

/*
 * The N PLACES that execute at FRAME: the first is the frame's own function,
 * which only gets a place in the source; the others were inlined there, each
 * into the one before. An inlined function is the same one wherever it was
 * inlined in its module.
 */
void names_set_places(struct names *names, frame_id frame,
		      const struct symbol_place *places, size_t n);

/*
 * What is known about FRAME, outermost first; NULL and 0 when nothing. Valid
 * until the next names_set_places().
 */
const struct frame_place *names_places(const struct names *names,
				       frame_id frame, size_t *n);

/* What FUNC has become: itself unless a name has come since. */
func_id names_final(const struct names *names, func_id func);

/*
 * Valid until the next names_of(), names_set() or names_thread(); texts until
 * names_free(). Old ids are as good as final ones.
 */
const struct func *names_get(const struct names *names, func_id func);
const char *names_text(const struct names *names, func_id func);
const char *names_string(const struct names *names, string_id id);

/*
 * "libc.so.6": last part of the module's path; "[kernel]", "[jit]", "[vdso]";
 * "" without a module.
 */
const char *names_module(const struct names *names, func_id func);

/* The function that stands for a thread's NAME (an id of the profile's). */
func_id names_thread(struct names *names, string_id name);

/* The function that is its name and nothing more. */
func_id names_plain(struct names *names, enum frame_kind kind,
		    const char *text);

/*
 * The function that stands for all of MODULE (not 0); it bears the module's
 * name.
 */
func_id names_library(struct names *names, module_id module);

/* The same for FUNC's module, but FUNC_NONE if nobody has asked for it. */
func_id names_library_of(struct names *names, func_id func);

/* Grows whenever an id became an alias: trees must be remapped then. */
uint64_t names_generation(const struct names *names);

/*
 * Grows whenever a frame went from one named function to another, or got
 * inlined functions below it: no alias can say that, so trees must be summed
 * anew.
 */
uint64_t names_moves(const struct names *names);

/* Grows whenever a function that has been there got another name. */
uint64_t names_renames(const struct names *names);

size_t names_count(const struct names *names);

#endif
