/* SPDX-License-Identifier: MIT */
/*
 * session_terminal.c - the mouse, and what is copied from the screen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_private.h"
#include "app/state.h"
#include "core/reader.h"
#include "formats/frame_name.h"
#include "tui/term.h"

void
session_set_mouse(struct session *s, bool is_on)
{
	term_set_mouse(is_on);
	tui_message(s->tui, false, term_has_mouse() ?
		    "the mouse is ours: click, wheel; Shift-drag selects text" :
		    "the mouse is the terminal's again");
}

static void
put(struct writer *out, const char *text)
{
	writer_bytes(out, text, strlen(text));
}

/* One frame as folded files have it. */
static void
put_frame(struct writer *out, const struct session *s, func_id func)
{
	const struct names *names = s->shown->names;

	if (out->len)
		put(out, ";");
	for (const char *c = names_text(names, func); *c; c++)
		writer_u8(out, *c == ';' ? ':' : (uint8_t)*c);
	put(out, frame_suffix(names_get(names, func)->kind));
}

/*
 * The frames from the outermost to NODE, and the samples through it. Where
 * the tree begins with the leaf, so does the way down to NODE.
 */
static void
put_stack(struct writer *out, const struct session *s, node_id node)
{
	const struct picture *picture = s->shown->picture;
	const struct calltree *tree = picture_tree(picture);
	struct weights weights = picture_weights(picture);
	enum shape shape = picture_filter(picture)->shape;
	bool is_upwards = shape == SHAPE_INVERTED || shape == SHAPE_ABOVE;
	uint32_t depth = calltree_depth(tree, node);
	char count[32];

	for (uint32_t i = 1; i <= depth; i++) {
		uint32_t wanted = is_upwards ? depth + 1 - i : i;
		node_id at = node;

		while (calltree_depth(tree, at) > wanted)
			at = calltree_parent(tree, at);
		if (calltree_func(tree, at) != FUNC_NONE)
			put_frame(out, s, calltree_func(tree, at));
	}
	snprintf(count, sizeof(count), " %llu",
		 (unsigned long long)weights_total(&weights, node));
	put(out, count);
}

/* Into a file of our own, for terminals that cannot be asked. */
static void
copy_to_file(struct session *s, const char *text, const char *why)
{
	struct error err;
	char path[4000];

	if (state_text(text, path, sizeof(path), &err))
		tui_message(s->tui, false, "%s%s", why, path);
	else
		tui_message(s->tui, true, "not copied: %s", err.text);
}

/* Nobody tells whether it came to the clipboard; so again makes a file. */
static void
copy(struct session *s, const char *what, const char *text)
{
	if (s->copied && strcmp(s->copied, text) == 0) {
		copy_to_file(s, text, "copied to ");
	} else if (term_copy(text)) {
		free(s->copied);
		s->copied = xstrdup(text);
		tui_message(s->tui, false, "%s sent to the terminal's clipboard "
			    "(OSC 52); once more puts it into a file", what);
	} else {
		copy_to_file(s, text, "no way to this terminal's clipboard; "
				      "copied to ");
	}
}

void
session_copy(struct session *s, bool is_stack)
{
	struct scene scene = session_scene(s);
	struct focus focus = tui_focus(s->tui, &scene);
	struct writer out = { 0 };

	if (focus.func == FUNC_NONE || focus.hidden) {
		tui_message(s->tui, false, "no function under the cursor");
		return;
	}
	if (is_stack && focus.node == NODE_NONE) {
		tui_message(s->tui, false, "a row is no stack: copy one in the "
			    "flame view");
		return;
	}
	if (is_stack)
		put_stack(&out, s, focus.node);
	else
		put(&out, names_text(s->shown->names, focus.func));
	writer_u8(&out, '\0');
	copy(s, is_stack ? "stack" : "name", (const char *)out.bytes);
	writer_free(&out);
}
