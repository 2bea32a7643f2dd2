/* SPDX-License-Identifier: MIT */
/*
 * keys_fuzz.c - any keys, sizes, new samples and late names, in any order.
 *
 * Plays the session's part: what the screen asks for is done to the picture.
 * Nothing may crash, and every canvas must be whole.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/fake_scene.h"
#include "tui/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* Input bytes that are no key; each takes two more. */
enum { RESIZE = 0xf0, SPECIAL, SAMPLE, LATE_NAME, TIME };

struct play {
	struct fake fake;
	struct canvas *canvas;
	struct filter filter;
	uint64_t now_ns;
};

static struct scene
scene_now(struct play *play)
{
	struct scene scene = fake_scene(&play->fake);

	scene.now_ns = play->now_ns;
	scene.has_few_colours = play->now_ns & 1;
	return scene;
}

static void
check(const struct canvas *canvas)
{
	for (int y = 0; y < canvas_height(canvas); y++)
		for (int x = 0; x < canvas_width(canvas); x++) {
			const struct cell_char *c = canvas_at(canvas, x, y);

			if (c->style >= STYLE_COUNT)
				abort();
			if (c->base == 0 &&
			    (x == 0 || char_width(canvas_at(canvas, x - 1,
							    y)->base) != 2))
				abort();
		}
}

static void
set_filter(struct play *play)
{
	size_t count;
	node_id *map = picture_set_filter(play->fake.picture, &play->filter,
					  &count);

	if (map)
		tui_remap(play->fake.tui, map, count);
	free(map);
}

static void
answer(struct play *play)
{
	struct tui_request request = tui_request(play->fake.tui);
	struct filter *filter = &play->filter;

	switch (request.action) {
	case ACTION_THREADS:
		free((void *)filter->threads);
		filter->threads = request.threads;
		filter->nthreads = request.nthreads;
		set_filter(play);
		return;
	case ACTION_KERNEL:
		filter->hide_kernel = !filter->hide_kernel;
		set_filter(play);
		break;
	case ACTION_THREAD_ROWS:
		filter->thread_rows = !filter->thread_rows;
		set_filter(play);
		break;
	case ACTION_FREEZE:
		play->fake.health.is_frozen = !play->fake.health.is_frozen;
		break;
	case ACTION_SAVE:
		if (!request.text[0])
			tui_ask_save(play->fake.tui, "server-20260101.folded");
		break;
	default:
		break;
	}
	free(request.threads);
}

/* A nameless frame, one of a few, gets a name: nodes may merge. */
static void
name_late(struct play *play, uint8_t which, uint8_t name)
{
	static const char *const names[] = { "main", "late", "mark", "世" };
	size_t frames = profile_frames(play->fake.profile);
	struct symbol symbol = { .start = name, .name = names[name % 4] };

	if (frames > 1)
		names_set(play->fake.names,
			  (frame_id)(1 + which % (frames - 1)), &symbol);
}

static void
add_sample(struct play *play, uint8_t path, uint8_t weight)
{
	static const char *const names[] = { "main", "a", "世界", "^read",
					     "std::f<int>(x)", "b" };
	char text[64] = "main";

	for (int i = 0; i < 4; i++) {
		strcat(text, ";");
		strcat(text, names[(path >> 2 * i) % ARRAY_LEN(names)]);
	}
	fake_add(&play->fake, text, 1 + weight % 5, weight);
}

static void
press(struct play *play, uint32_t key)
{
	struct scene scene = scene_now(play);

	tui_key(play->fake.tui, &scene, key);
	answer(play);
}

static void
step(struct play *play, const uint8_t *op)
{
	struct scene scene;

	switch (op[0]) {
	case RESIZE:
		canvas_resize(play->canvas, op[1], op[2] % 80);
		break;
	case SPECIAL:
		press(play, KEYS_SPECIAL + op[1] % 20);
		break;
	case SAMPLE:
		add_sample(play, op[1], op[2]);
		break;
	case LATE_NAME:
		name_late(play, op[1], op[2]);
		break;
	case TIME:
		play->now_ns += (uint64_t)op[1] << 24 | (op[2] & 1);
		break;
	}
	scene = scene_now(play);
	tui_draw(play->fake.tui, &scene, play->canvas);
	check(play->canvas);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct play play = { .filter = { .kind = KIND_CPU } };

	fake_open(&play.fake);
	if (len & 2)
		fake_fill(&play.fake);
	play.canvas = canvas_new(80, 24, len & 1);
	len = len < 400 ? len : 400;
	for (size_t i = 0; i < len; i++) {
		uint8_t op[3] = { bytes[i] };

		if (op[0] < RESIZE) {
			press(&play, op[0]);
			continue;
		}
		op[1] = i + 1 < len ? bytes[i + 1] : 0;
		op[2] = i + 2 < len ? bytes[i + 2] : 0;
		step(&play, op);
		i += 2;
	}
	step(&play, (const uint8_t[]){ TIME, 1, 0 });
	canvas_free(play.canvas);
	fake_close(&play.fake);
	free((void *)play.filter.threads);
	return 0;
}
