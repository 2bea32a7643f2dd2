/* SPDX-License-Identifier: MIT */
/*
 * threads.h - the thread picker: which threads the picture shows.
 *
 * Names, ids and weights come from the profile in the scene; they are summed
 * again at most once a second, because a profile may have many counts. In a
 * live scene a row also has what its thread does now.
 */
#ifndef TUI_THREADS_H
#define TUI_THREADS_H

#include "core/profile.h"
#include "tui/canvas.h"
#include "tui/list.h"
#include "tui/view.h"

/* What a thread does now. Plain value. */
struct thread_now {
	pid_t pid, tid;
	char state[12];		/* "running", "sleeping" ... */
	double cpu;		/* per cent of one; below 0: n/a, all three */
	double voluntary, involuntary;	/* switches a second */
	char wait[100];		/* what it waits for; cleaned; "" */
};

/* The same of those that were read so far, by tid. */
struct threads_now {
	struct thread_now *at;
	size_t count;
	uint64_t read_ns;	/* grows with each reading; 0: none yet */
};

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
