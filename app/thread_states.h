/* SPDX-License-Identifier: MIT */
/*
 * thread_states.h - what threads do now, for as long as somebody looks.
 *
 * A thread of our own reads it: /proc and the target's memory may keep the
 * reader waiting, and then the screen only shows what was. It has a turn a
 * second (app/thread_reader.h).
 */
#ifndef APP_THREAD_STATES_H
#define APP_THREAD_STATES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/targets.h"
#include "tui/threads.h"

struct thread_states;

/* Of TARGETS, which are opened once more. NULL where no thread can begin. */
struct thread_states *thread_states_new(const struct targets *targets);

/* What hangs goes on alone until it does no longer. */
void thread_states_free(struct thread_states *states);

/* Somebody looks: read on, for two seconds more. */
void thread_states_want(struct thread_states *states);

/*
 * What was read last into *OUT, whose array the caller frees; true if that is
 * newer than what OUT has, which is then freed.
 */
bool thread_states_take(struct thread_states *states, struct threads_now *out);

#endif
