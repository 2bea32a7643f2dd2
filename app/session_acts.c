/* SPDX-License-Identifier: MIT */
/*
 * session_acts.c - what a key asks of the session.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/save.h"
#include "app/session_private.h"
#include "core/sanitise.h"
#include "sampler/clock.h"
#include "tui/term.h"

static void
freeze(struct session *s)
{
	if (s->shown != &s->live)
		tui_message(s->tui, false, "a file stands still by itself");
	else
		s->is_frozen = !s->is_frozen;
}

static void
ask_or_save(struct session *s, const char *path)
{
	char name[160];

	if (!*path) {
		if (s->shown == &s->live)
			recording_describe(s->recording);
		session_save_name(s, name, sizeof(name));
		tui_ask_save(s->tui, name);
	} else if (strcmp(path, "-") == 0) {
		tui_message(s->tui, true, "the screen is on standard output: "
			    "give a file name");
	} else {
		session_begin_save(s, path);
	}
}

void
session_suspend(struct session *s)
{
	struct error err;

	if (s->has_terminal)
		screen_leave(&s->screen);
	s->has_terminal = false;
	if (!recording_suspend(s->recording, &err))
		tui_message(s->tui, true, "%s", err.text);
}

void
session_rescue(struct session *s)
{
	struct recording *r = s->recording;
	const char *why = getppid() == r->link->supervisor_pid ? "hung up" :
			  "flametop's first process has ended";
	struct error err = { 0 };
	char path[4000];

	if (s->has_quit)
		return;
	s->has_quit = true;
	if (!r->capture)
		return;
	recording_stop(r, NULL, NULL);
	recording_settle(r, 200);
	recording_describe(r);
	if (save_rescue(r->profile, r->names, path, sizeof(path), &err))
		snprintf(s->farewell, sizeof(s->farewell),
			 "%s; saved: %s", why, path);
	else
		snprintf(s->farewell, sizeof(s->farewell),
			 "%s; not saved: %s", why, err.text);
}

static void
ask_jvm(struct session *s)
{
	pid_t pid = s->shown == &s->live ? jvm_find(s->live.profile) : 0;
	struct error err;

	if (!pid)
		tui_message(s->tui, true, "no Java VM has been seen here");
	else if (!jvm_ask(&s->jvm, pid, &err))
		tui_message(s->tui, true, "%s", err.text);
	else
		tui_message(s->tui, false, "jcmd %d Compiler.perfmap ...",
			    (int)pid);
}

void
session_poll_jvm(struct session *s)
{
	struct error err;
	bool ok;

	if (!jvm_has_answered(&s->jvm, &ok, &err))
		return;
	if (ok)
		tui_message(s->tui, false, "the Java VM has written its "
			    "names; what it compiles later needs the key "
			    "again");
	else
		tui_message(s->tui, true, "%s", err.text);
	s->is_changed = true;
}

/* There is no shell between us and the keys. */
const char *
session_from_home(const char *path, char *out, size_t size)
{
	const char *home = getenv("HOME");
	int len;

	if (path[0] != '~' || path[1] != '/' || !home)
		return path;
	len = snprintf(out, size, "%s%s", home, path + 1);
	return len > 0 && (size_t)len < size ? out : path;
}

/* TEXT: "" is now, a number so many seconds ago, all else a file. */
static void
pin(struct session *s, const char *text)
{
	double seconds = 0;
	char path[4096], *end;

	if (*text)
		seconds = strtod(text, &end);
	if (*text && (*end && strcmp(end, "s") != 0))
		session_pin_file(s, session_from_home(text, path,
						      sizeof(path)));
	else if (seconds >= 0 && seconds < 1e6)
		session_pin(s, seconds);
	else
		tui_message(s->tui, true, "a baseline is a file, or so many "
			    "seconds ago");
}

/* What is kept, opened or sent elsewhere. */
static bool
act_on_files(struct session *s, const struct tui_request *request)
{
	char path[4096];

	switch (request->action) {
	case ACTION_SAVE:
		ask_or_save(s, session_from_home(request->text, path,
						 sizeof(path)));
		break;
	case ACTION_OPEN:
		session_open_file(s, session_from_home(request->text, path,
						       sizeof(path)));
		break;
	case ACTION_EDIT:
		session_edit(s);
		break;
	case ACTION_COPY_NAME:
	case ACTION_COPY_STACK:
		session_copy(s, request->action == ACTION_COPY_STACK);
		break;
	default:
		return false;
	}
	return true;
}

/* What the picture is of. */
static bool
act_on_picture(struct session *s, const struct tui_request *request)
{
	switch (request->action) {
	case ACTION_FREEZE:
		freeze(s);
		break;
	case ACTION_VIEW_SANDWICH:
		session_pivot(s, request->func);
		break;
	case ACTION_BACK:
		session_pivot_back(s);
		break;
	case ACTION_JVM_NAMES:
		ask_jvm(s);
		break;
	case ACTION_BASELINE:
		pin(s, request->text);
		break;
	case ACTION_DIFF:
		session_toggle_diff(s);
		break;
	case ACTION_WIDTHS:
		session_next_drawn(s);
		break;
	case ACTION_SWAP:
		session_swap_sides(s);
		break;
	default:
		return false;
	}
	return true;
}

/* The program itself, and its terminal. */
static void
act_on_program(struct session *s, const struct tui_request *request)
{
	switch (request->action) {
	case ACTION_QUIT:
		s->has_quit = true;
		break;
	case ACTION_SUSPEND:
		session_suspend(s);
		break;
	case ACTION_MOUSE:
		session_set_mouse(s, !term_has_mouse());
		break;
	case ACTION_COMMAND:
		session_command(s, request->text);
		break;
	case ACTION_REDRAW:
		term_redraw();
		break;
	default:
		break;
	}
}

void
session_act(struct session *s, struct tui_request *request)
{
	session_begin_work(s, request->action);
	if (request->offer)
		session_complete(s, request);
	else if (!session_filter(s, request) && !act_on_files(s, request) &&
		 !act_on_picture(s, request))
		act_on_program(s, request);
	if (session_is_stopped(s))
		tui_message(s->tui, false, STOPPED);
	free(request->threads);
}
