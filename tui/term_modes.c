/* SPDX-License-Identifier: MIT */
/*
 * term_modes.c - what is said to the terminal beside the picture.
 */
#include "tui/term_modes.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tui/clip.h"

#define AT_ONCE 10		/* pictures; no answer will come later */

bool
tty_is_ready(int fd, short events)
{
	struct pollfd p = { .fd = fd, .events = events };

	return poll(&p, 1, 0) > 0 && (p.revents & events) &&
	       !(p.revents & (POLLERR | POLLHUP | POLLNVAL));
}

bool
tty_send(const char *bytes, size_t len)
{
	return tty_is_ready(STDOUT_FILENO, POLLOUT) &&
	       write(STDOUT_FILENO, bytes, len) == (ssize_t)len;
}

/* What is wanted of the mouse is done when the terminal takes bytes. */
static void
settle_mouse(struct term_modes *modes, bool is_on)
{
	/* clicks, and where a button is dragged to; SGR's way of telling */
	static const char on[] = "\033[?1002h\033[?1006h";
	static const char off[] = "\033[?1006l\033[?1002l";

	if (is_on != modes->has_mouse &&
	    tty_send(is_on ? on : off, sizeof(on) - 1))
		modes->has_mouse = is_on;
}

/* The question is DECRQM; terminals that may show it are not asked. */
void
term_modes_open(struct term_modes *modes, const char *name)
{
	static const char question[] = "\033[?2026$p";

	modes->has_mouse = false;
	modes->pace = (struct pace){ 0 };
	modes->shown = 0;
	modes->is_asked = clip_way(name, NULL, NULL) != CLIP_NONE &&
			  tty_send(question, sizeof(question) - 1);
}

/* Who leaves at once shall not find the answer typed into the shell. */
void
term_modes_close(struct term_modes *modes, struct term_keys *keys,
		 term_code_fn *next, void *ctx)
{
	struct pollfd in = { STDIN_FILENO, POLLIN, 0 };

	settle_mouse(modes, false);
	for (int i = 0; modes->is_asked && !keys->answer &&
	     modes->shown < AT_ONCE && i < 5; i++)
		if (poll(&in, 1, 20) > 0)
			term_keys_next(keys, next, ctx);
}

/* DECRQM's answers: 1 is set, 2 is reset; the others are no. */
bool
term_modes_begin(const struct term_modes *modes, const struct term_keys *keys)
{
	static const char begin[] = "\033[?2026h";

	return !modes->no_sync &&
	       (keys->answer == 1 + 1 || keys->answer == 1 + 2) &&
	       tty_send(begin, sizeof(begin) - 1);
}

void
term_modes_end(struct term_modes *modes, bool is_held, uint64_t now_ns)
{
	static const char end[] = "\033[?2026l";

	if (is_held && write(STDOUT_FILENO, end, sizeof(end) - 1) < 0)
		modes->no_sync = true;
	settle_mouse(modes, modes->wants_mouse);
	pace_sent(&modes->pace, now_ns);
	modes->shown++;
}

uint64_t
term_modes_distance(struct term_modes *modes, uint64_t now_ns)
{
	int queued = 0;

	/* pseudo terminals say nothing of their queue but that it is full */
	if (ioctl(STDOUT_FILENO, TIOCOUTQ, &queued) != 0)
		queued = 0;
	pace_look(&modes->pace, now_ns,
		  queued == 0 && tty_is_ready(STDOUT_FILENO, POLLOUT));
	return pace_distance(&modes->pace);
}

bool
term_modes_copy(const char *text)
{
	enum clip_way way = clip_way(getenv("TERM"), getenv("TMUX"),
				     getenv("STY"));
	size_t size;
	char *bytes = clip_sequence(text, strlen(text), way, &size);
	bool ok = bytes && tty_send(bytes, size);

	free(bytes);
	return ok;
}
