/* SPDX-License-Identifier: MIT */
/*
 * fake_scene.h - a small profile and all that a view draws from.
 *
 * For tests and the fuzzer; included by one .c each, so all of it is static.
 */
#ifndef TESTS_UNIT_FAKE_SCENE_H
#define TESTS_UNIT_FAKE_SCENE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/tui.h"

struct fake {
	struct profile *profile;
	struct names *names;
	struct picture *picture;
	struct health health;
	struct keymap *keymap;
	struct tui *tui;
	const struct frame_place *place;	/* of PLACED_FUNC */
	func_id placed_func;
	const struct threads_now *threads_now;
};

static inline void
fake_open(struct fake *fake)
{
	memset(fake, 0, sizeof(*fake));
	fake->profile = profile_new();
	fake->names = names_new(fake->profile);
	fake->picture = picture_new(fake->profile, fake->names);
	fake->keymap = keymap_new();
	fake->tui = tui_new(fake->keymap);
	fake->health = (struct health){
		.target = "busy 4242", .event = "cpu-clock",
		.hz_wanted = 99, .hz_got = 98.4, .own_cpu = 0.8,
		.threads_seen = 3, .threads_total = 3, .seconds = 12,
		.clock = "14:02:11", .is_live = true, .knows_losses = true,
	};
}

static inline void
fake_close(struct fake *fake)
{
	tui_free(fake->tui);
	keymap_free(fake->keymap);
	picture_free(fake->picture);
	names_free(fake->names);
	profile_free(fake->profile);
}

static inline string_id
fake_text(struct fake *fake, const char *text)
{
	return strings_add(profile_strings(fake->profile), text, strlen(text));
}

/* Count PATH ("main;parse;^read", '^' for kernel) on thread TID, "worker". */
static inline void
fake_add(struct fake *fake, const char *path, pid_t tid, uint64_t weight)
{
	char *copy = xstrdup(path), *rest = copy, *name;
	struct cell cell = { .kind = KIND_CPU, .weight = weight };

	while ((name = strsep(&rest, ";"))) {
		struct frame frame = { .kind = *name == '^' ? FRAME_KERNEL :
							      FRAME_CODE };

		frame.name = fake_text(fake, name + (*name == '^'));
		cell.stack = profile_push(fake->profile, cell.stack,
					  profile_frame(fake->profile,
							&frame));
	}
	cell.thread = profile_thread(fake->profile, 4242, tid, 1);
	profile_name_thread(fake->profile, cell.thread,
			    fake_text(fake, "worker"));
	profile_add(fake->profile, 0, &cell);
	picture_note(fake->picture, &cell);
	fake->health.losses.samples += weight;
	free(copy);
}

/* Take in what was added, as the session does before each call. */
static inline struct scene
fake_scene(struct fake *fake)
{
	size_t count;
	node_id *map = picture_update(fake->picture, &count);

	if (map)
		tui_remap(fake->tui, map, count);
	free(map);
	return (struct scene){
		.picture = fake->picture, .names = fake->names,
		.profile = fake->profile, .health = &fake->health,
		.search = tui_search(fake->tui), .now_ns = 5000000000,
		.shares = tui_shares(fake->tui),
		.place = fake->place, .placed_node = NODE_NONE,
		.placed_func = fake->placed_func,
		.threads_now = fake->threads_now,
	};
}

/* Sixteen stacks below two mains; 1,000 samples. */
static inline void
fake_fill(struct fake *fake)
{
	static const struct {
		const char *path;
		pid_t tid;
		uint64_t weight;
	} stacks[] = {
		{ "main;serve;parse_request;read_line", 1, 120 },
		{ "main;serve;parse_request;^sys_read;^copy_to_user", 1, 80 },
		{ "main;serve;parse_request", 1, 40 },
		{ "main;serve;std::map<int, Foo>::find(int const&)", 2, 150 },
		{ "main;serve;std::map<int, Foo>::find(int const&);memcmp",
		  2, 60 },
		{ "main;serve;reply;format;memcpy", 2, 110 },
		{ "main;serve;reply;^sys_write;^tcp_sendmsg", 1, 190 },
		{ "main;serve;reply", 1, 30 },
		{ "main;idle;^sys_poll", 1, 20 },
		{ "main;idle;世界", 1, 15 },
		{ "thread_start;gc;mark;mark;mark", 3, 90 },
		{ "thread_start;gc;sweep", 3, 60 },
		{ "thread_start;gc;a", 3, 1 },
		{ "thread_start;gc;b", 3, 1 },
		{ "thread_start;gc;c", 3, 1 },
		{ "thread_start;libc.so.6+0x1234", 3, 32 },
	};

	for (size_t i = 0; i < ARRAY_LEN(stacks); i++)
		fake_add(fake, stacks[i].path, stacks[i].tid,
			 stacks[i].weight);
}

#endif
