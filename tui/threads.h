/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the thread picker: which threads the picture shows.
 *
 * Names, ids and weights come from the profile in the scene; they are summed
 * again at most once a second, because a profile may have many counts.
 */
#ifndef TUI_THREADS_H
#define TUI_THREADS_H

#include "core/profile.h"
#include "tui/canvas.h"
#include "tui/list.h"
#include "tui/view.h"

struct threads;

struct threads *threads_new(const struct scene *scene);
void threads_free(struct threads *threads);

enum list_answer threads_key(struct threads *threads, uint32_t key);

/*
 * What was chosen: so many ids, which the caller frees; 0 and NULL for all
 * threads.
 */
size_t threads_chosen(const struct threads *threads, thread_id **ids);

void threads_draw(struct threads *threads, const struct scene *scene,
		  struct canvas *canvas, struct rect area);

#endif
