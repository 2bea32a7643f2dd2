/* SPDX-License-Identifier: MIT */
/*
 * tui_mouse.c - what the mouse does.
 *
 * A click puts the cursor where it is; on what the cursor is on already it is
 * Enter. So a double click is Enter, too, wherever the cursor was before: but
 * if its first half has been Enter, its second half is nothing. Dragged along a
 * row of the graph it marks frames, and zooms to them when it is released.
 */
#include "tui/tui_private.h"

#define DOUBLE_NS 400000000ull
#define WHEEL_ROWS 3

static void
turn_wheel(struct tui *tui, const struct scene *scene, bool is_up)
{
	for (int i = 0; i < WHEEL_ROWS; i++)
		if (tui->mode == MODE_VIEW)
			tui_act(tui, scene, is_up ? ACTION_UP : ACTION_DOWN);
		else
			tui_key(tui, scene, is_up ? KEYS_UP : KEYS_DOWN);
}

/* Is it the second half of a double click? */
static bool
is_second(const struct tui *tui, const struct scene *scene,
	  const struct mouse *mouse)
{
	return tui->click_ns && scene->now_ns - tui->click_ns < DOUBLE_NS &&
	       tui->click_x == mouse->x && tui->click_y == mouse->y;
}

static void
click(struct tui *tui, const struct scene *scene, const struct mouse *mouse)
{
	const struct view_ops *view = tui_views[tui->view];
	int x = mouse->x - tui->area.x, y = mouse->y - tui->area.y;
	bool was_enter = is_second(tui, scene, mouse) && tui->click_is_enter;

	tui->click_ns = scene->now_ns;
	tui->click_x = mouse->x;
	tui->click_y = mouse->y;
	tui->click_is_enter = tui->has_dragged = false;
	if (was_enter || !view->click || x < 0 || y < 0 ||
	    x >= tui->area.width || y >= tui->area.height)
		return;
	tui->click_is_enter = view->click(tui->states[tui->view], scene, x, y);
	if (tui->click_is_enter)
		tui_act(tui, scene, ACTION_ZOOM);
}

/* From where it clicked; what that marks is zoomed to when it ends. */
static void
drag(struct tui *tui, const struct scene *scene, const struct mouse *mouse)
{
	const struct view_ops *view = tui_views[tui->view];
	int x = mouse->x - tui->area.x;

	if (mouse->kind == MOUSE_DRAG && view->drag && !tui->click_is_enter) {
		tui->has_dragged = view->drag(tui->states[tui->view], scene, x);
	} else if (mouse->kind == MOUSE_RELEASE && tui->has_dragged) {
		tui->has_dragged = false;
		tui_act(tui, scene, ACTION_ZOOM);
	}
}

void
tui_mouse(struct tui *tui, const struct scene *scene,
	  const struct mouse *mouse)
{
	if (tui->mode >= MODE_SEARCH)
		return;
	if (mouse->kind == MOUSE_DRAG || mouse->kind == MOUSE_RELEASE) {
		if (tui->mode == MODE_VIEW)
			drag(tui, scene, mouse);
		return;
	}
	tui->message[0] = '\0';
	if (mouse->kind != MOUSE_CLICK)
		turn_wheel(tui, scene, mouse->kind == MOUSE_WHEEL_UP);
	else if (tui->mode == MODE_VIEW)
		click(tui, scene, mouse);
}
