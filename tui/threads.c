/* SPDX-License-Identifier: MIT */
/*
 * threads.c - the thread picker.
 */
#include "tui/threads.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base.h"
#include "tui/text.h"

#define ALL_THREADS UINT64_MAX
#define REFRESH_NS UINT64_C(1000000000)
#define NAME_WIDTH 20
#define LIVE_WIDTH 16		/* the kernel keeps 15 characters */

struct threads {
	struct list *list;
	bool has_states;	/* rows tell what threads do now */
	uint64_t summed_ns, read_ns;
	bool was_summed;
};

struct sum {
	uint64_t *weights;	/* by thread_id */
	size_t count;
	uint64_t total;
	enum kind kind;
};

struct threads *
threads_new(const struct scene *scene)
{
	struct threads *threads = xcalloc(1, sizeof(*threads));
	char heading[120];

	threads->has_states = scene->threads_now != NULL;
	if (threads->has_states)
		snprintf(heading, sizeof(heading), "%-*s %8s %7s %7s %-8s %6s "
			 "%6s  %s", LIVE_WIDTH, "thread", "tid", "share",
			 "CPU", "state", "vol/s", "inv/s", "waits for");
	else
		snprintf(heading, sizeof(heading), "%-*s %8s %12s %7s",
			 NAME_WIDTH, "thread", "tid",
			 picture_filter(scene->picture)->kind == KIND_CPU ?
			 "samples" : "weight", "share");
	threads->list = list_new("threads", heading, true);
	return threads;
}

void
threads_free(struct threads *threads)
{
	if (!threads)
		return;
	list_free(threads->list);
	free(threads);
}

enum list_answer
threads_key(struct threads *threads, uint32_t key)
{
	return list_key(threads->list, key);
}

size_t
threads_chosen(const struct threads *threads, thread_id **ids)
{
	uint64_t *marked;
	size_t n = list_marked(threads->list, &marked);

	*ids = xcalloc(n, sizeof(**ids));
	for (size_t i = 0; i < n; i++) {
		if (marked[i] == ALL_THREADS)
			n = 0;
		else
			(*ids)[i] = (thread_id)marked[i];
	}
	if (n == 0) {
		free(*ids);
		*ids = NULL;
	}
	free(marked);
	return n;
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct sum *sum = ctx;

	if (cell->kind != sum->kind || cell->thread >= sum->count)
		return;
	sum->weights[cell->thread] += cell->weight;
	sum->total += cell->weight;
}

/* What a row says. */
struct line {
	const char *name, *tid, *note;
	uint64_t weight;
	const struct thread_now *now;	/* NULL: not known */
};

static const char *
number_text(char *out, size_t size, const char *format, double value)
{
	if (value < 0)
		snprintf(out, size, "n/a");
	else
		snprintf(out, size, format, value);
	return out;
}

static void
print_live_line(char *out, size_t size, const struct line *line,
		uint64_t total)
{
	static const struct thread_now unknown = { .cpu = -1, .voluntary = -1,
						   .involuntary = -1 };
	const struct thread_now *now = line->now ? line->now : &unknown;
	char name[LIVE_WIDTH * 4 + 1], share[16], cpu[16], own[16], other[16];

	label_fit(name, sizeof(name), line->name, LIVE_WIDTH, false);
	share_text(share, sizeof(share), line->weight, total);
	if (!*line->tid) {
		snprintf(out, size, "%s%*s %8s %7s", name,
			 LIVE_WIDTH - text_width(name), "", "", share);
		return;
	}
	snprintf(out, size, "%s%*s %8s %7s %7s %-8s %6s %6s  %s", name,
		 LIVE_WIDTH - text_width(name), "", line->tid, share,
		 number_text(cpu, sizeof(cpu), "%.1f %%", now->cpu),
		 *line->note ? "" : now->state,
		 number_text(own, sizeof(own), "%.0f", now->voluntary),
		 number_text(other, sizeof(other), "%.0f", now->involuntary),
		 *line->note ? "ended" : now->wait);
}

static void
print_line(char *out, size_t size, const struct line *line, uint64_t total)
{
	char name[NAME_WIDTH * 4 + 1], count[32], share[16];

	label_fit(name, sizeof(name), line->name, NAME_WIDTH, false);
	snprintf(out, size, "%s%*s %8s %12s %7s%s", name,
		 NAME_WIDTH - text_width(name), "", line->tid,
		 count_text(count, sizeof(count), line->weight),
		 share_text(share, sizeof(share), line->weight, total),
		 line->note);
}

static void
print(const struct threads *threads, struct list_row *row,
      const struct line *line, uint64_t total)
{
	if (threads->has_states)
		print_live_line(row->text, sizeof(row->text), line, total);
	else
		print_line(row->text, sizeof(row->text), line, total);
}

static int
by_tid(const void *key, const void *row)
{
	const struct thread *thread = key;
	const struct thread_now *now = row;

	return (thread->tid > now->tid) - (thread->tid < now->tid);
}

static const struct thread_now *
state_of(const struct scene *scene, const struct thread *thread)
{
	const struct threads_now *now = scene->threads_now;
	const struct thread_now *found =
		now && now->count ? bsearch(thread, now->at, now->count,
					    sizeof(*now->at), by_tid) : NULL;

	return found && found->pid == thread->pid ? found : NULL;
}

static void
print_thread(const struct threads *threads, struct list_row *row,
	     const struct scene *scene, const struct sum *sum)
{
	thread_id id = (thread_id)row->id;
	const struct thread *t = profile_get_thread(scene->profile, id);
	char tid[16] = "n/a";
	struct line line = { .name = profile_text(scene->profile, t->name),
			     .tid = tid, .note = t->ended ? "  ended" : "",
			     .weight = sum->weights[id],
			     .now = state_of(scene, t) };

	if (t->tid > 0)
		snprintf(tid, sizeof(tid), "%d", (int)t->tid);
	if (line.name[0] == '\0')
		line.name = "(no name)";
	print(threads, row, &line, sum->total);
}

/* The heaviest first; of equals the one seen first. */
static int
by_weight(const void *a, const void *b, void *weights)
{
	const uint64_t *weight = weights;
	uint64_t left = ((const struct list_row *)a)->id;
	uint64_t right = ((const struct list_row *)b)->id;

	if (weight[left] != weight[right])
		return weight[left] < weight[right] ? 1 : -1;
	return left < right ? -1 : left > right;
}

static bool
is_chosen(const struct filter *filter, thread_id id)
{
	for (size_t i = 0; i < filter->nthreads; i++)
		if (filter->threads[i] == id)
			return true;
	return false;
}

static void
set_rows(struct threads *threads, const struct scene *scene,
	 const struct sum *sum)
{
	const struct filter *filter = picture_filter(scene->picture);
	struct list_row *rows = xcalloc(sum->count + 1, sizeof(*rows));
	struct line all = { .name = "all threads", .tid = "", .note = "",
			    .weight = sum->total };
	size_t n = 1;

	rows[0].id = ALL_THREADS;
	print(threads, &rows[0], &all, sum->total);
	for (size_t id = 0; id < sum->count; id++) {
		if (id == 0 && sum->weights[id] == 0)
			continue;	/* nothing without a thread */
		rows[n].id = id;
		rows[n].is_marked = is_chosen(filter, (thread_id)id);
		n++;
	}
	qsort_r(rows + 1, n - 1, sizeof(*rows), by_weight, sum->weights);
	for (size_t i = 1; i < n; i++)
		print_thread(threads, &rows[i], scene, sum);
	list_set_rows(threads->list, rows, n);
	free(rows);
}

static void
sum_up(struct threads *threads, const struct scene *scene)
{
	struct sum sum = { .count = profile_threads(scene->profile),
			   .kind = picture_filter(scene->picture)->kind };

	sum.weights = xcalloc(sum.count, sizeof(*sum.weights));
	profile_each(scene->profile, 0, UINT64_MAX, add_cell, &sum);
	set_rows(threads, scene, &sum);
	free(sum.weights);
	threads->summed_ns = scene->now_ns;
	threads->was_summed = true;
}

void
threads_draw(struct threads *threads, const struct scene *scene,
	     struct canvas *canvas, struct rect area)
{
	const struct threads_now *now = scene->threads_now;
	bool is_new = now && now->read_ns != threads->read_ns;

	if (!threads->was_summed || is_new ||
	    scene->now_ns - threads->summed_ns >= REFRESH_NS)
		sum_up(threads, scene);
	if (is_new)
		threads->read_ns = now->read_ns;
	list_draw(threads->list, canvas, area);
}
