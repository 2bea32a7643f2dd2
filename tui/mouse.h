/* SPDX-License-Identifier: MIT */
/*
 * mouse.h - what the mouse did, in cells of the screen.
 */
#ifndef TUI_MOUSE_H
#define TUI_MOUSE_H

enum mouse_kind { MOUSE_CLICK, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL_UP,
		  MOUSE_WHEEL_DOWN };

struct mouse {
	enum mouse_kind kind;	/* a click is the left button going down; it
				   drags until it is released */
	int x, y;		/* from 0; may lie outside of a screen that
				   has just become smaller */
};

#endif
