/* SPDX-License-Identifier: MIT */
/*
 * window.c - a part of the file at a time.
 */
#include "symbols/window.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base.h"

#define WINDOW ((size_t)256 << 10)

static bool
fill(struct window *w, uint64_t at, size_t len)
{
	size_t want = len > WINDOW ? len : WINDOW;

	if (want > w->size - at)
		want = (size_t)(w->size - at);
	if (want > w->capacity) {
		w->bytes = xreallocarray(w->bytes, want, 1);
		w->capacity = want;
	}
	w->at = at;
	w->len = 0;
	while (w->len < want) {
		ssize_t got = pread(w->fd, w->bytes + w->len, want - w->len,
				    (off_t)(at + w->len));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		w->len += (size_t)got;
	}
	return w->len >= len;
}

struct reader
window_view(struct window *w, uint64_t at, size_t len)
{
	struct reader none = { .failed = true };

	if (at > w->size || len > w->size - at)
		return none;
	if ((at < w->at || at - w->at > w->len ||
	     len > w->len - (at - w->at)) && !fill(w, at, len))
		return none;
	return reader_of(w->bytes + (at - w->at), len);
}

void
window_fini(struct window *w)
{
	free(w->bytes);
	w->bytes = NULL;
	w->capacity = w->len = 0;
}
