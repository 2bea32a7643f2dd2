/* SPDX-License-Identifier: MIT */
/*
 * session_threads.c - what threads do now, while their list is open.
 */
#include <stdlib.h>

#include "app/session_private.h"

void
session_look_at_threads(struct session *s)
{
	if (!s->tui || !tui_shows_threads(s->tui) || s->shown != &s->live ||
	    !s->recording->capture || s->recording->ended_ns)
		return;
	if (!s->states)
		s->states = thread_states_new(&s->recording->targets);
	if (!s->states)
		return;
	thread_states_want(s->states);
	if (thread_states_take(s->states, &s->threads_now))
		s->is_changed = true;
}

void
session_forget_threads(struct session *s)
{
	thread_states_free(s->states);
	free(s->threads_now.at);
	s->states = NULL;
	s->threads_now = (struct threads_now){ .at = NULL };
}
