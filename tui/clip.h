/* SPDX-License-Identifier: MIT */
/*
 * clip.h - text for the clipboard of the terminal that the user sits at.
 *
 * OSC 52 ("ESC ] 52 ; c ; base64 BEL", xterm's control sequences) goes through
 * ssh, and no terminal says whether it took it. tmux takes it if set-clipboard
 * is on and passes on what is wrapped for it if allow-passthrough is; which,
 * nobody tells, so it gets both. GNU screen passes on what is in a DCS.
 */
#ifndef TUI_CLIP_H
#define TUI_CLIP_H

#include <stddef.h>

/* More would hold up keys on a slow line, and many terminals refuse it. */
#define CLIP_MAX 16384

enum clip_way { CLIP_NONE, CLIP_PLAIN, CLIP_TMUX, CLIP_SCREEN };

/*
 * What TERM and the variables of tmux and screen (NULL: not set) say.
 * CLIP_NONE: that terminal has no clipboard.
 */
enum clip_way clip_way(const char *term, const char *tmux, const char *sty);

/*
 * The bytes that put LEN bytes of TEXT there; *SIZE of them, the caller frees.
 * NULL when LEN is 0 or more than CLIP_MAX.
 */
char *clip_sequence(const char *text, size_t len, enum clip_way way,
		    size_t *size);

#endif
