/* SPDX-License-Identifier: MIT */
/*
 * picker.c - processes by what they use now, in a list.
 */
#include "app/picker.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/screen.h"
#include "app/signals.h"
#include "sampler/clock.h"
#include "sampler/target.h"
#include "tui/list.h"
#include "tui/term.h"

#define FRESH_MS 1000		/* how often processes are listed anew */
#define FIRST_MS 200		/* for the first shares of CPU */

struct busy {
	struct process process;
	double cpu;		/* per cent of a core */
};

struct picker {
	struct process *before;
	size_t nbefore;
	uint64_t before_ns, due_ns;
	struct list *list;	/* NULL: not yet */
};

/* Both lists are in pid order. */
static uint64_t
ticks_before(const struct picker *picker, const struct process *process,
	     size_t *at)
{
	while (*at < picker->nbefore &&
	       picker->before[*at].pid < process->pid)
		++*at;
	if (*at < picker->nbefore &&
	    picker->before[*at].pid == process->pid &&
	    picker->before[*at].start == process->start)
		return picker->before[*at].cpu_ticks;
	return process->cpu_ticks;
}

static int
by_use(const void *a, const void *b)
{
	const struct busy *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? 1 : -1;
	if (x->process.cpu_ticks != y->process.cpu_ticks)
		return x->process.cpu_ticks < y->process.cpu_ticks ? 1 : -1;
	return x->process.pid < y->process.pid ? -1 : 1;
}

static void
set_rows(struct picker *picker, struct busy *busy, size_t count)
{
	struct list_row *rows = xcalloc(count, sizeof(*rows));

	qsort(busy, count, sizeof(*busy), by_use);
	for (size_t i = 0; i < count; i++) {
		const struct process *p = &busy[i].process;

		rows[i].id = (uint64_t)p->pid;
		snprintf(rows[i].text, sizeof(rows[i].text),
			 "%8d %6.1f  %-16s %.150s", (int)p->pid, busy[i].cpu,
			 p->comm, p->cmdline);
	}
	if (picker->list)
		list_set_rows(picker->list, rows, count);
	free(rows);
}

static void
refresh_list(struct picker *picker)
{
	struct process *now;
	size_t count = process_list(&now), at = 0;
	struct busy *busy = xcalloc(count, sizeof(*busy));
	uint64_t time = clock_now();
	double ticks = (double)(time - picker->before_ns) / 1e9 *
		       (double)sysconf(_SC_CLK_TCK);

	for (size_t i = 0; i < count; i++) {
		busy[i].process = now[i];
		busy[i].cpu = picker->before ? 100.0 *
			(double)(now[i].cpu_ticks -
				 ticks_before(picker, &now[i], &at)) / ticks :
			0;
	}
	set_rows(picker, busy, count);
	free(busy);
	picker->due_ns = time + FRESH_MS * 1000000ull;
	free(picker->before);
	picker->before = now;
	picker->nbefore = count;
	picker->before_ns = time;
}

static void
draw(struct picker *picker, struct screen *screen)
{
	struct rect all;

	if (screen_fit(screen))
		term_redraw();
	all = (struct rect){ 0, 0, canvas_width(screen->canvas),
			     canvas_height(screen->canvas) };
	canvas_clear(screen->canvas);
	list_draw(picker->list, screen->canvas, all);
	term_show(screen->canvas, clock_now());
}

static enum list_answer
run(struct picker *picker, struct screen *screen, int signals)
{
	enum list_answer answer = LIST_GOES_ON;

	while (answer == LIST_GOES_ON) {
		struct pollfd polls[] = {
			{ STDIN_FILENO, POLLIN, 0 }, { signals, POLLIN, 0 },
		};
		uint32_t key;
		int number = signals_next(signals);

		if (number && number != SIGCONT && number != SIGUSR1)
			return LIST_LEFT;

		if (clock_now() >= picker->due_ns)
			refresh_list(picker);
		draw(picker, screen);
		poll(polls, ARRAY_LEN(polls), 100);
		while (answer == LIST_GOES_ON && (key = term_key())) {
			if (key == KEYS_GONE || key == 3)
				return LIST_LEFT;
			answer = list_key(picker->list, key);
		}
	}
	return answer;
}

bool
picker_run(const struct options *options, const struct link *link,
	   const char *filter, pid_t *pid, struct error *err)
{
	struct picker picker = { 0 };
	struct screen screen;
	uint64_t id = 0;
	bool ok;

	err->text[0] = '\0';
	if (!screen_open(options, link->shared, &screen, err))
		return false;
	/* Nobody has used anything yet; only then does the list begin. */
	refresh_list(&picker);
	poll(NULL, 0, FIRST_MS);
	picker.list = list_new("Which process? Type to filter",
			       "     PID  CPU %  NAME             COMMAND",
			       false);
	refresh_list(&picker);
	for (; *filter; filter++)
		list_key(picker.list, (unsigned char)*filter);
	ok = run(&picker, &screen, link->signals) == LIST_CHOSEN &&
	     list_current(picker.list, &id);
	*pid = (pid_t)id;
	list_free(picker.list);
	free(picker.before);
	screen_close(&screen);
	return ok;
}
