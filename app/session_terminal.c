/* SPDX-License-Identifier: MIT */
/*
 * session_terminal.c - the mouse.
 */
#include "app/session_private.h"
#include "tui/term.h"

void
session_toggle_mouse(struct session *s)
{
	term_set_mouse(!term_has_mouse());
	tui_message(s->tui, false, term_has_mouse() ?
		    "the mouse is ours: click, wheel; Shift-drag selects text" :
		    "the mouse is the terminal's again");
}
