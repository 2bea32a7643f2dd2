/* SPDX-License-Identifier: MIT */
/*
 * session_edit.c - the source of the function under the cursor, in an editor.
 *
 * The supervisor starts it. Until it says that the editor has ended the
 * terminal is the editor's; sampling goes on.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/editor.h"
#include "app/session_private.h"

#define SOURCE_MAX (64u << 20)

/* The place in the source under the cursor; NULL: none is known. */
static const struct frame_place *
place_here(const struct session *s)
{
	struct scene scene = session_scene(s);
	struct focus focus = tui_focus(s->tui, &scene);

	if (!scene.place || !scene.place->file ||
	    scene.placed_func != focus.func || focus.hidden)
		return NULL;
	return scene.place;
}

/* Compilers may have been given a path that is relative: to here, maybe. */
static bool
find_source(const struct session *s, const char *file, char *path,
	    size_t size, struct error *err)
{
	size_t used = 0;
	int fd;

	if (file[0] != '/') {
		if (!getcwd(path, size - 1))
			return fail(err, 0, "no source here: %.150s", file);
		used = strlen(path);
		path[used++] = '/';
	}
	if (used + strlen(file) >= size)
		return fail(err, 0, "no source here: %.150s", file);
	strcpy(path + used, file);
	fd = opener_open_now(s->files, path, SOURCE_MAX, err);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

void
session_edit(struct session *s)
{
	const struct frame_place *place = place_here(s);
	struct control message = { .type = CONTROL_EDIT };
	struct error err = { 0 };

	if (!place) {
		tui_message(s->tui, false, "no line of the source is known "
			    "here");
		return;
	}
	message.value = (int)place->line;
	if (!editor_is_permitted(&err) ||
	    !find_source(s, names_string(s->shown->names, place->file),
			 message.text, sizeof(message.text), &err)) {
		tui_message(s->tui, true, "%s", err.text);
		return;
	}
	screen_leave(&s->screen);
	s->has_terminal = false;
	s->is_editing = control_send(s->recording->link->control, &message,
				     -1);
}

void
session_end_edit(struct session *s)
{
	struct recording *r = s->recording;
	int status = r->editor_status;

	if (!r->editor_has_ended)
		return;
	r->editor_has_ended = s->is_editing = false;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		tui_message(s->tui, true, "there is no editor: set VISUAL or "
			    "EDITOR");
	else if (!WIFEXITED(status) || WEXITSTATUS(status))
		tui_message(s->tui, true, "the editor has failed");
}
