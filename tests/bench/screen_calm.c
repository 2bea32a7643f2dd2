/* SPDX-License-Identifier: MIT */
/*
 * screen_calm.c - how still is the picture of a target that does the same all
 * the time?
 *
 *	screen-calm FILE ...
 *
 * Each FILE (any format we read) becomes 400 random samples a second with a
 * fixed seed, drawn every half a second on 120x40 for two minutes; what is
 * counted is the last 90 s of it, per refresh: the share of frames whose left
 * edge moved, of these jumps of five cells or more that no relayout explains,
 * cells changed, and bytes that the terminal's writer sends to a pseudo
 * terminal with 256 colours. The same samples are laid out plainly beside it:
 * by size, each edge rounded. A run is a process of its own, since there is
 * one terminal in each.
 */
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "tests/bench/calm.h"
#include "tui/flame.h"
#include "tui/term.h"
#include "tui/tui_private.h"

#define WIDTH 120
#define HEIGHT 40
#define HZ 400
#define REFRESHES_A_SECOND 2
#define WARM_UP (30 * REFRESHES_A_SECOND)
#define REFRESHES (120 * REFRESHES_A_SECOND)
#define SECOND UINT64_C(1000000000)
#define JUMP 5

/* What one run does. */
struct way {
	bool is_plain;		/* by size, each edge rounded */
	bool is_whole;		/* with header, details and health line */
	uint64_t window_ns;	/* 0: all time */
};

struct figures {
	uint64_t refreshes, frames, moves, jumps, cells, bytes;
	size_t nodes;
};

/* The screen of one run. */
struct show {
	const struct way *way;
	struct target target;
	struct keymap *keymap;
	struct tui *tui;
	struct health health;
	struct canvas *canvas, *before;
	int *lefts;		/* by node: left edge + 1 in the layout before */
	size_t nlefts;
	struct figures figures;
};

static struct flame *
flame_of(struct show *show)
{
	return show->tui->states[FLAME];
}

static void
note_boxes(struct show *show, bool is_relaid, bool counts)
{
	const struct layout *layout = &flame_of(show)->layout;
	size_t nodes = calltree_count(picture_tree(show->target.picture));
	int *lefts = xcalloc(nodes, sizeof(*lefts));

	for (size_t i = 0; i < layout->count; i++) {
		const struct box *box = &layout->boxes[i];
		int old = box->node < show->nlefts ? show->lefts[box->node]
						   : 0;

		if (box->kind != BOX_FRAME)
			continue;
		lefts[box->node] = box->left + 1;
		if (!old || !counts)
			continue;
		show->figures.frames++;
		show->figures.moves += old != box->left + 1;
		show->figures.jumps += abs(old - box->left - 1) >= JUMP &&
				       !is_relaid;
	}
	free(show->lefts);
	show->lefts = lefts;
	show->nlefts = nodes;
}

static void
note_cells(struct show *show)
{
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			show->figures.cells += memcmp(
				canvas_at(show->canvas, x, y),
				canvas_at(show->before, x, y),
				sizeof(struct cell_char)) != 0;
}

static struct scene
scene_of(struct show *show, unsigned refresh)
{
	uint64_t now = SECOND + refresh * (SECOND / REFRESHES_A_SECOND);
	unsigned seconds = refresh / REFRESHES_A_SECOND;

	show->health.seconds = seconds;
	show->health.hz_got = HZ - 1 + refresh % 3 * 0.4;
	show->health.own_cpu = 0.8 + refresh % 4 * 0.1;
	show->health.losses.samples = profile_total(show->target.profile,
						    KIND_CPU);
	snprintf(show->health.clock, sizeof(show->health.clock),
		 "14:%02u:%02u", 2 + seconds / 60, seconds % 60);
	return (struct scene){
		.picture = show->target.picture, .names = show->target.names,
		.profile = show->target.profile, .health = &show->health,
		.search = tui_search(show->tui), .now_ns = now,
		.placed_node = NODE_NONE, .placed_func = FUNC_NONE,
	};
}

static void
draw(struct show *show, const struct scene *scene)
{
	struct rect all = { 0, 0, WIDTH, HEIGHT };
	struct canvas *canvas = show->before;

	show->before = show->canvas;
	show->canvas = canvas;
	if (show->way->is_whole) {
		tui_draw(show->tui, scene, canvas);
		return;
	}
	canvas_clear(canvas);
	view_flame.layout(flame_of(show), scene, WIDTH, HEIGHT);
	view_flame.draw(flame_of(show), scene, canvas, all);
}

static void
refresh(struct show *show, unsigned i)
{
	struct flame *flame = flame_of(show);
	uint64_t time = SECOND + i * (SECOND / REFRESHES_A_SECOND);
	bool is_relaid, counts = i >= WARM_UP;
	struct scene scene;

	target_run(&show->target, time, HZ / REFRESHES_A_SECOND);
	scene = scene_of(show, i);
	flame->wants_fresh = show->way->is_plain;
	is_relaid = flame->layout.wrong >= flame->layout.patience;
	draw(show, &scene);
	note_boxes(show, is_relaid, counts);
	if (counts) {
		note_cells(show);
		show->figures.refreshes++;
	}
	while (!term_show(show->canvas, scene.now_ns))
		usleep(200);
}

static void
open_show(struct show *show, const struct urn *urn)
{
	struct theme theme;
	struct error err;
	const char *text;
	size_t len, count;

	target_open(&show->target, urn, 88172645463325252ull);
	free(picture_set_filter(show->target.picture, &(struct filter){
		.kind = KIND_CPU, .window_ns = show->way->window_ns },
		&count));
	show->keymap = keymap_new();
	show->tui = tui_new(show->keymap);
	show->canvas = canvas_new(WIDTH, HEIGHT, false);
	show->before = canvas_new(WIDTH, HEIGHT, false);
	show->health = (struct health){
		.target = "server 4242", .event = "cpu-clock",
		.hz_wanted = HZ, .threads_seen = 8, .threads_total = 8,
		.is_live = true, .knows_losses = true,
	};
	text = theme_builtin("default", &len);
	if (!term_open(TERM_256, &err) ||
	    !theme_parse(text, len, "default", &theme, &err))
		_exit(1);
	term_set_theme(&theme);
}

/* In the child: marks the end of the warm-up, then tells what was seen. */
static void
run(const struct urn *urn, const struct way *way, int out, int in)
{
	struct show *show = xcalloc(1, sizeof(*show));
	char mark = 'm';

	show->way = way;
	open_show(show, urn);
	for (unsigned i = 0; i < REFRESHES; i++) {
		if (i == WARM_UP && (write(out, &mark, 1) != 1 ||
				     read(in, &mark, 1) != 1))
			_exit(1);
		refresh(show, i);
	}
	show->figures.nodes = calltree_count(picture_tree(
		show->target.picture));
	if (write(out, &mark, 1) != 1 || read(in, &mark, 1) != 1 ||
	    write(out, &show->figures, sizeof(show->figures)) !=
	    (ssize_t)sizeof(show->figures))
		_exit(1);
	_exit(0);
}

/* Bytes that came within WAIT_MS of each other. */
static uint64_t
drain(int terminal, int wait_ms)
{
	struct pollfd fd = { .fd = terminal, .events = POLLIN };
	uint64_t bytes = 0;
	char buffer[65536];
	ssize_t n;

	while (poll(&fd, 1, wait_ms) > 0 &&
	       (n = read(terminal, buffer, sizeof(buffer))) > 0)
		bytes += (uint64_t)n;
	return bytes;
}

/* Reads the terminal until the child has a mark; false: it has ended. */
static bool
follow(int terminal, int child, uint64_t *bytes)
{
	struct pollfd fds[2] = { { .fd = child, .events = POLLIN },
				 { .fd = terminal, .events = POLLIN } };
	char mark;

	while (poll(fds, 2, -1) > 0) {
		if (fds[1].revents & POLLIN)
			*bytes += drain(terminal, 0);
		if (fds[0].revents && read(child, &mark, 1) == 1) {
			*bytes += drain(terminal, 50);
			return true;
		}
		if (fds[0].revents)
			return false;
	}
	return false;
}

static bool
measure(const struct urn *urn, const struct way *way,
	struct figures *figures)
{
	struct winsize size = { .ws_row = HEIGHT, .ws_col = WIDTH };
	int from[2], to[2], terminal, status;
	uint64_t bytes = 0;
	pid_t pid;
	bool ok;

	if (pipe(from) || pipe(to))
		return false;
	pid = forkpty(&terminal, NULL, NULL, &size);
	if (pid == 0)
		run(urn, way, from[1], to[0]);
	close(from[1]);
	close(to[0]);
	ok = follow(terminal, from[0], &bytes);
	bytes = 0;
	ok = ok && write(to[1], "m", 1) == 1 &&
	     follow(terminal, from[0], &bytes) && write(to[1], "m", 1) == 1 &&
	     read(from[0], figures, sizeof(*figures)) ==
	     (ssize_t)sizeof(*figures);
	figures->bytes = bytes;
	close(from[0]);
	close(to[1]);
	ok = waitpid(pid, &status, 0) == pid && status == 0 && ok;
	close(terminal);	/* not before: it would hang up on the child */
	return ok;
}

/* --- telling */

/* Of one file; what is told in the end is the median over files. */
struct result {
	double moves, bytes;		/* the plain layout's to ours */
	double graph_bytes, whole_bytes;
	uint64_t jumps;
};

static double
each(uint64_t sum, const struct figures *f)
{
	return f->refreshes ? (double)sum / (double)f->refreshes : 0;
}

static double
share(const struct figures *f)
{
	return f->frames ? 100.0 * (double)f->moves / (double)f->frames : 0;
}

static void
tell(const char *what, const struct figures *f)
{
	printf("  %-22s %6.2f %% of %4.0f frames moved, %3llu jumps, "
	       "%6.1f cells, %6.0f bytes\n", what, share(f),
	       each(f->frames, f), (unsigned long long)f->jumps,
	       each(f->cells, f), each(f->bytes, f));
}

static bool
hold(const struct urn *urn, uint64_t window_ns, struct result *result)
{
	const struct way ways[] = {
		{ .is_plain = true, .window_ns = window_ns },
		{ .window_ns = window_ns },
		{ .is_whole = true, .window_ns = window_ns },
	};
	struct figures f[3];

	for (size_t i = 0; i < ARRAY_LEN(ways); i++)
		if (!measure(urn, &ways[i], &f[i]))
			return false;
	printf(" %s, %zu nodes:\n", window_ns ? "5 s window" : "all time",
	       f[1].nodes);
	tell("plain layout", &f[0]);
	tell("graph", &f[1]);
	tell("with header and health", &f[2]);
	*result = (struct result){
		.moves = share(&f[1]) > 0 ? share(&f[0]) / share(&f[1]) : 999,
		.bytes = (double)f[0].bytes / (double)f[1].bytes,
		.graph_bytes = each(f[1].bytes, &f[1]),
		.whole_bytes = each(f[2].bytes, &f[2]),
		.jumps = f[1].jumps + f[2].jumps,
	};
	return true;
}

static int
compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median over COUNT results of the double at OFFSET. */
static double
median(const struct result *results, size_t count, size_t offset)
{
	double *values = xcalloc(count, sizeof(*values)), middle;

	for (size_t i = 0; i < count; i++)
		memcpy(&values[i], (const char *)&results[i] + offset,
		       sizeof(*values));
	qsort(values, count, sizeof(*values), compare);
	middle = values[count / 2];
	free(values);
	return middle;
}

/* Medians of all files beside their bars; is one missed? */
static bool
judge(const struct result *results, size_t count)
{
	double moves = median(results, count, offsetof(struct result, moves));
	double bytes = median(results, count, offsetof(struct result, bytes));
	double graph = median(results, count,
			      offsetof(struct result, graph_bytes));
	double whole = median(results, count,
			      offsetof(struct result, whole_bytes));
	uint64_t jumps = 0;

	for (size_t i = 0; i < count; i++)
		jumps += results[i].jumps;
	printf("calm: medians of all time: the plain layout has %.1f times the "
	       "moves (bar 5) and %.1f times the bytes (bar 4); ours sends "
	       "%.0f bytes a refresh (bar 600), %.0f with header and health "
	       "line (bar 900); %llu jumps without a cause (bar 0)\n",
	       moves, bytes, graph, whole, (unsigned long long)jumps);
	return moves >= 5 && bytes >= 4 && graph < 600 && whole < 900 &&
	       jumps == 0;
}

int
main(int argc, char **argv)
{
	size_t count = argc > 1 ? (size_t)argc - 1 : 1;
	struct result *results = xcalloc(count, sizeof(*results)), window;
	struct error err;
	bool is_calm;

	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	for (int i = 1; i < argc; i++) {
		struct urn urn;

		if (!urn_read(&urn, argv[i], &err)) {
			fprintf(stderr, "screen-calm: %s\n", err.text);
			return 1;
		}
		printf("%s\n", strrchr(argv[i], '/') ?
			       strrchr(argv[i], '/') + 1 : argv[i]);
		fflush(stdout);
		if (!hold(&urn, 0, &results[i - 1]) ||
		    !hold(&urn, 5 * SECOND, &window))
			return 1;
		urn_free(&urn);
	}
	is_calm = judge(results, count);
	free(results);
	return !is_calm;
}
