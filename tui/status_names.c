/* SPDX-License-Identifier: MIT */
/*
 * status_names.c - the first line about what is under the cursor: what it is.
 *
 *	memcpy            in 2 places  library libc.so.6  string/memcpy.c:31
 *
 * None of it changes while samples come, and where it is narrow all of it gets
 * shorter before anything goes.
 */
#include "tui/status.h"

#include <stdio.h>
#include <string.h>

#include "tui/text.h"

/* What is on the right; "" is not known. */
struct origin {
	char places[32], places_brief[24];
	const char *kind;
	bool is_plain;		/* a kind that its module tells, too */
	const char *module;
	char module_brief[128];
	const char *file;
	char line[16];		/* ":31" */
	bool is_ascii;
};

/* How it gives way, each step on top of those before. */
enum squeeze {
	WHOLE, NO_PLAIN_KIND, SHORT_MODULE, SHORT_PLACES, NO_MODULE, NO_KIND,
	NO_PLACES,
};

static const char *
module_kind_text(const struct scene *scene, string_id module)
{
	switch (profile_get_module(scene->profile, module)->kind) {
	case MODULE_PROGRAM:
		return "program";
	case MODULE_LIBRARY:
		return "library";
	case MODULE_VDSO:
		return "vdso";
	case MODULE_KERNEL:
		return "kernel";
	case MODULE_JIT:
		return "run-time code";
	case MODULE_NONE:
		break;
	}
	return "";
}

static const char *
kind_text(const struct scene *scene, const struct func *func, bool *is_plain)
{
	*is_plain = false;
	switch (func->kind) {
	case FRAME_KERNEL:
		return "kernel";
	case FRAME_INLINED:
		return "inlined";
	case FRAME_JIT:
		return "run-time code";
	case FRAME_THREAD:
		return "thread";
	case FRAME_NOTE:
		return "note";
	case FRAME_CODE:
		break;
	}
	*is_plain = true;
	return module_kind_text(scene, func->module);
}

/* "libstdc++" of "libstdc++.so.6.0.30", "ld-linux-x86-64" of its own. */
static void
shorten_module(const char *module, char *out, size_t size)
{
	const char *suffix = strstr(module, ".so");
	int len = suffix && suffix > module ? (int)(suffix - module) :
					      (int)strlen(module);

	snprintf(out, size, "%.*s", len, module);
}

static void
find_source(const struct scene *scene, const struct focus *focus,
	    struct origin *origin)
{
	bool is_placed = scene->place && scene->placed_node == focus->node &&
			 scene->placed_func == focus->func;

	origin->file = is_placed ? names_string(scene->names,
						scene->place->file) : "";
	if (origin->file[0] && scene->place->line)
		snprintf(origin->line, sizeof(origin->line), ":%u",
			 scene->place->line);
}

static struct origin
origin_of(const struct scene *scene, const struct focus *focus, bool is_ascii)
{
	struct origin origin = { .is_ascii = is_ascii };

	if (focus->places > 1) {
		snprintf(origin.places, sizeof(origin.places), "in %u places",
			 focus->places);
		snprintf(origin.places_brief, sizeof(origin.places_brief),
			 "%u places", focus->places);
	}
	origin.kind = kind_text(scene, names_get(scene->names, focus->func),
				&origin.is_plain);
	origin.module = names_module(scene->names, focus->func);
	shorten_module(origin.module, origin.module_brief,
		       sizeof(origin.module_brief));
	find_source(scene, focus, &origin);
	return origin;
}

/* All but the file, as far as STEP leaves it. */
static void
put_but_file(const struct origin *o, enum squeeze step, char *out, size_t size)
{
	const char *places = step < SHORT_PLACES ? o->places : o->places_brief;
	const char *module = step < SHORT_MODULE ? o->module : o->module_brief;
	const char *kind = o->is_plain && step >= NO_PLAIN_KIND ? "" : o->kind;

	if (step >= NO_PLACES)
		places = "";
	if (step >= NO_MODULE)
		module = "";
	if (step >= NO_KIND)
		kind = "";
	snprintf(out, size, "%s%s%s%s%.300s", places,
		 places[0] && (kind[0] || module[0]) ? "  " : "", kind,
		 kind[0] && module[0] ? " " : "", module);
}

/* Cells that FILE wants at least: those of its last name. */
static int
least_file(const struct origin *o)
{
	const char *last = strrchr(o->file, '/');

	return text_width(last ? last + 1 : o->file) + text_width(o->line);
}

static char *
origin_text(const struct origin *o, char *out, size_t size, int width)
{
	char file[512];
	int step = WHOLE, used, gap;

	for (;; step++) {
		put_but_file(o, step, out, size);
		used = text_width(out);
		gap = used && o->file[0] ? 2 : 0;
		if (step == NO_PLACES || used + gap + least_file(o) <= width)
			break;
	}
	path_fit(file, sizeof(file), o->file,
		 width - used - gap - text_width(o->line), o->is_ascii);
	if (file[0])
		snprintf(out + strlen(out), size - strlen(out), "%*s%s%s", gap,
			 "", file, o->line);
	return out;
}

static void
draw_func(const struct scene *scene, const struct focus *focus,
	  struct canvas *canvas, int y)
{
	bool is_ascii = canvas_is_ascii(canvas);
	struct origin origin = origin_of(scene, focus, is_ascii);
	const char *full = names_text(scene->names, focus->func);
	int width = canvas_width(canvas), half = width / 2;
	int wanted = text_width(full), right;
	char text[1024], name[4096], chain[48] = "";

	origin_text(&origin, text, sizeof(text),
		    width - (wanted < half ? wanted : half) - 2);
	right = text_width(text);
	label_fit(name, sizeof(name), full, width - right - (right ? 2 : 0),
		  is_ascii);
	canvas_text(canvas, 0, y, width, name, STYLE_TEXT, CELL_BOLD);
	if (focus->links > 1)
		snprintf(chain, sizeof(chain), "  the last of %u calls in a "
			 "row", focus->links);
	if (text_width(name) + text_width(chain) + 2 <= width - right)
		canvas_text(canvas, text_width(name), y, width, chain,
			    STYLE_DIM, 0);
	canvas_text(canvas, width - right, y, right, text, STYLE_DIM, 0);
}

void
status_names(const struct scene *scene, const struct focus *focus,
	     struct canvas *canvas, int y)
{
	int width = canvas_width(canvas);

	canvas_fill(canvas, (struct rect){ 0, y, width, 1 }, STYLE_TEXT, 0);
	if (focus->hidden)
		canvas_printf(canvas, 0, y, width, STYLE_TEXT,
			      "%u frame%s %s", focus->hidden,
			      focus->hidden == 1 ? "" : "s",
			      focus->is_marked ? "side by side" :
						 "too thin to draw");
	else if (focus->func != FUNC_NONE)
		draw_func(scene, focus, canvas, y);
	else if (focus->node == 0)
		canvas_text(canvas, 0, y, width, "all stacks", STYLE_TEXT,
			    CELL_BOLD);
}
