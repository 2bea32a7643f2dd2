/* SPDX-License-Identifier: MIT */
/*
 * session.c - the loop.
 */
#include "app/session.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/say.h"
#include "app/session_private.h"
#include "app/signals.h"
#include "app/state.h"
#include "sampler/clock.h"
#include "tui/term.h"

#define TAKE_NS 100000000ull
#define KEYS_AT_ONCE 256
#define RECENT_SECONDS 5	/* as the table's heading says */
#define PROGRESS_NS 300000000ull
#define CALM_NS 1000000000ull		/* after the last key */
#define WAIT_MS 100

struct scene
session_scene(const struct session *s)
{
	struct scene scene = {
		.picture = s->shown->picture, .names = s->shown->names,
		.profile = s->shown->profile, .health = &s->health,
		.search = tui_search(s->tui), .now_ns = clock_now(),
		.key_ns = s->key_ns,
		.has_no_chains = s->has_no_chains,
		.shares = tui_shares(s->tui),
		.has_few_colours = term_has_few_colours(),
		.above = s->sides.above, .below = s->sides.below,
		.pivot = session_pivot_now(s),
		.threads_now = s->shown == &s->live && s->recording->capture ?
			       &s->threads_now : NULL,
	};

	session_show_place(s, &scene);
	return scene;
}

static void
file_health(const struct session *s, struct health *out)
{
	struct profile *profile = s->shown->profile;
	const char *seconds = profile_get(profile, "duration");
	const char *event = profile_get(profile, "event");

	*out = (struct health){
		.hz_wanted = -1, .hz_got = -1, .own_cpu = -1,
		.seconds = seconds ? strtod(seconds, NULL) : -1,
		.losses = *profile_losses(profile),
		.knows_losses = profile_get(profile, "lost") != NULL,
	};
	snprintf(out->target, sizeof(out->target), "%s", s->shown->title);
	snprintf(out->event, sizeof(out->event), "%s", event ? event : "");
}

static void
update_health(struct session *s)
{
	time_t now = time(NULL);
	struct tm tm;

	if (s->shown == &s->file) {
		file_health(s, &s->health);
		session_describe_diff(s, s->health.baseline,
				      sizeof(s->health.baseline));
		return;
	}
	s->health = (struct health){ 0 };
	recording_health(s->recording, &s->health);
	session_describe_diff(s, s->health.baseline,
			      sizeof(s->health.baseline));
	s->health.is_frozen = s->is_frozen;
	if (s->is_frozen)
		s->health.waiting = capture_waiting(s->recording->capture);
	localtime_r(&now, &tm);
	strftime(s->health.clock, sizeof(s->health.clock), "%H:%M:%S", &tm);
}

/* Late names merge nodes: views are carried over. */
static void
update_picture(struct session *s, struct shown *shown)
{
	size_t count;
	node_id *map;

	if (!shown->picture)
		return;
	map = picture_update(shown->picture, &count);
	if (map && shown == s->shown) {
		tui_remap(s->tui, map, count);
		s->places.asked_ns = 0;
	}
	free(map);
}

static void
take_samples(struct session *s)
{
	struct recording *r = s->recording;

	if (!r->capture ||
	    (r->samples && clock_now() - s->taken_ns < TAKE_NS))
		return;
	s->taken_ns = clock_now();
	s->is_changed = true;		/* the clock, if nothing else */
	if (s->is_frozen)
		return;
	if (!r->ended_ns && recording_is_over(r))
		recording_stop(r, session_note, s);
	else
		recording_take(r, session_note, s);
	update_picture(s, &s->live);
}

/*
 * Where nothing is on screen yet, how far the file has been read is; of a file
 * that is there at once it would but flicker.
 */
static void
show_progress(struct session *s)
{
	unsigned percent = client_load_percent(s->recording->client);

	if (percent == s->load_percent ||
	    clock_now() < s->load_began_ns + PROGRESS_NS)
		return;
	s->load_percent = percent;
	if (!s->shown)
		s->is_changed = s->wants_now = true;
}

static void
take_names(struct session *s)
{
	struct recording *r = s->recording;
	const char *problem;

	if (recording_turn(r)) {
		update_picture(s, &s->live);
		s->is_changed = true;
	}
	problem = client_problem(r->client, 0);
	if (problem && strcmp(problem, r->problem) != 0) {
		snprintf(r->problem, sizeof(r->problem), "%s", problem);
		tui_message(s->tui, true, "%s", r->problem);
	}
	if (s->is_loading) {
		show_progress(s);
		session_take_loaded(s);
	}
	session_poll_jvm(s);
	if (r->is_orphaned)
		session_rescue(s);
}

static void
take_signals(struct session *s)
{
	int number;

	while ((number = signals_next(s->recording->link->signals))) {
		switch (number) {
		case SIGHUP:
			session_rescue(s);
			break;
		case SIGTSTP:
			session_suspend(s);
			break;
		case SIGCONT:
			if (s->has_terminal) {
				screen_leave(&s->screen);
				s->has_terminal = false;
			}
			break;
		case SIGUSR1:
			break;
		default:
			s->has_quit = true;
		}
	}
}

/* While the first file is being read there is only the way out. */
static void
take_key_early(struct session *s, uint32_t key)
{
	enum action action = keymap_action(s->screen.keymap, key);

	if (action == ACTION_QUIT)
		s->has_quit = true;
	else if (action == ACTION_SUSPEND)
		session_suspend(s);
}

static void
send_key(struct session *s, const struct scene *scene, uint32_t key)
{
	struct mouse mouse = term_mouse();

	if (key == KEYS_MOUSE)
		tui_mouse(s->tui, scene, &mouse);
	else
		tui_key(s->tui, scene, key);
}

static void
take_keys(struct session *s)
{
	for (int i = 0; i < KEYS_AT_ONCE && s->has_terminal; i++) {
		uint32_t key = session_key(s);
		struct tui_request request;
		struct scene scene;

		if (key == KEY_NONE_PRESSED)
			return;
		if (key == KEYS_GONE) {
			session_rescue(s);
			return;
		}
		s->key_ns = clock_now();
		s->is_changed = s->wants_now = true;
		if (s->shown) {
			scene = session_scene(s);
			send_key(s, &scene, key);
			request = tui_request(s->tui);
			session_act(s, &request);
		} else {
			take_key_early(s, key);
		}
		if (s->has_quit)
			return;
	}
}

/* After ^Z and fg. In the background (bg) the terminal is another's. */
static void
take_terminal_back(struct session *s)
{
	struct error err;

	session_end_edit(s);
	if (s->has_terminal || s->is_editing ||
	    tcgetpgrp(STDIN_FILENO) != getpgrp())
		return;
	if (!screen_return(&s->screen, &err)) {
		session_rescue(s);
		return;
	}
	s->has_terminal = s->is_changed = s->wants_now = true;
	term_redraw();
}

static void
draw_early(struct session *s)
{
	struct canvas *canvas = s->screen.canvas;
	char percent[16] = "";

	if (s->load_percent)
		snprintf(percent, sizeof(percent), ": %u %%", s->load_percent);
	canvas_clear(canvas);
	canvas_printf(canvas, 0, 0, canvas_width(canvas), STYLE_TEXT,
		      "reading %s%s", s->loading, percent);
	if (term_show(canvas, clock_now()))
		s->is_changed = s->wants_now = false;
}

/* Is a picture to wait for names? With the first ones it waits no more. */
static bool
is_too_early(struct session *s)
{
	const struct recording *r = s->recording;
	bool may_draw;

	if (!r->capture || s->first.is_over)
		return false;
	may_draw = first_may_draw(&s->first, clock_now(), r->samples > 0,
				  client_lacks_names(r->client));
	s->wants_now |= s->first.is_over;
	return s->shown == &s->live && !may_draw;
}

static void
draw(struct session *s)
{
	struct scene scene;
	uint64_t distance;
	bool is_early;

	if (!s->has_terminal)
		return;
	if (screen_fit(&s->screen))
		s->is_changed = s->wants_now = true;
	/* What views hold still while keys come is due when they stop. */
	if (s->drawn_ns < s->key_ns + CALM_NS &&
	    clock_now() >= s->key_ns + CALM_NS)
		s->is_changed = true;
	distance = term_distance(clock_now());
	is_early = is_too_early(s);
	if (!s->is_changed ||
	    (!s->wants_now && (is_early ||
			       clock_now() - s->drawn_ns < distance)))
		return;
	if (!s->shown) {
		draw_early(s);
		return;
	}
	update_health(s);
	scene = session_scene(s);
	canvas_clear(s->screen.canvas);
	tui_draw(s->tui, &scene, s->screen.canvas);
	s->drawn_ns = clock_now();
	if (term_show(s->screen.canvas, s->drawn_ns))
		s->is_changed = s->wants_now = false;
	session_ask_places(s);
}

static int
wait_ms(const struct session *s)
{
	uint64_t due = first_due_ns(&s->first), now = clock_now();

	return due > now && due < now + WAIT_MS * 1000000 ?
	       (int)((due - now) / 1000000) + 1 : WAIT_MS;
}

static void
wait_for_work(struct session *s)
{
	const struct recording *r = s->recording;
	bool awaits_first = r->capture && !r->samples && !s->is_frozen;
	struct pollfd polls[RECORDING_POLLS + 4];

	recording_polls(r, polls);
	polls[RECORDING_POLLS] = (struct pollfd){
		r->link->signals, POLLIN, 0 };
	polls[RECORDING_POLLS + 1] = (struct pollfd){
		s->has_terminal ? STDIN_FILENO : -1, POLLIN, 0 };
	polls[RECORDING_POLLS + 2] = (struct pollfd){
		s->completion.opener ? opener_fd(s->completion.opener) : -1,
		POLLIN, 0 };
	polls[RECORDING_POLLS + 3] = (struct pollfd){
		awaits_first ? capture_fd(r->capture) : -1, POLLIN, 0 };
	poll(polls, ARRAY_LEN(polls), wait_ms(s));
}

static void
show_live(struct session *s)
{
	struct recording *r = s->recording;

	s->live.profile = r->profile;
	s->live.names = r->names;
	s->live.picture = picture_new(r->profile, r->names);
	picture_recent(s->live.picture, RECENT_SECONDS);
	s->shown = &s->live;
}

/* Once in a user's life, with the keys that are in force. */
static void
greet(struct session *s)
{
	static const struct {
		enum action action;
		const char *word;
	} first[] = {
		{ ACTION_ZOOM, "zooms" },	{ ACTION_SEARCH, "searches" },
		{ ACTION_MENU, "lists everything" },
		{ ACTION_HELP, "tells the keys" },
	};
	char text[200] = "arrows move";
	size_t used = strlen(text);

	for (size_t i = 0; i < ARRAY_LEN(first); i++) {
		char keys[64];

		keymap_keys(s->screen.keymap, first[i].action, keys,
			    sizeof(keys));
		keys[strcspn(keys, " ")] = '\0';
		if (*keys && used < sizeof(text))
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used,
						 ", %s %s", keys,
						 first[i].word);
	}
	tui_message(s->tui, false, "%s", text);
}

static bool
open_session(struct session *s, struct error *err)
{
	struct recording *r = s->recording;

	if (!screen_open(s->options, r->link->shared, &s->screen, err))
		return false;
	s->has_terminal = true;
	s->files = opener_new();
	s->tui = tui_new(s->screen.keymap);
	state_recall(s->files, tui_commands(s->tui), tui_searches(s->tui));
	if (*s->screen.warning)
		tui_message(s->tui, true, "%s", s->screen.warning);
	else if (state_is_first_time())
		greet(s);
	s->first.began_ns = clock_now();
	if (r->capture)
		show_live(s);
	else
		session_open_file(s, s->options->file);
	return true;
}

static void
close_session(struct session *s)
{
	if (s->has_terminal)
		screen_leave(&s->screen);
	screen_close(&s->screen);
	state_keep(s->files, tui_commands(s->tui), tui_searches(s->tui));
	tui_free(s->tui);
	opener_free(s->files);
	opener_free(s->completion.opener);
	session_unpin(s, NULL);
	session_drop_sides(s);
	session_forget_threads(s);
	free(s->places.goal);
	free(s->copied);
	filters_fini(&s->live.filters);
	picture_free(s->live.picture);
	session_close_shown(&s->file);
	if (*s->farewell)
		say("%s", s->farewell);
}

int
session_run(struct recording *recording)
{
	struct session s = {
		.options = recording->options, .recording = recording,
		.has_no_chains =
			recording->options->has[OPTION_NO_CHAINS],
	};
	struct error err;

	if (!open_session(&s, &err)) {
		say("%s", err.text);
		return STATUS_FAILED;
	}
	while (!s.has_quit) {
		wait_for_work(&s);
		take_signals(&s);
		take_samples(&s);
		take_names(&s);
		session_update_sides(&s);
		session_look_at_threads(&s);
		session_go_on_saving(&s);
		session_take_completion(&s);
		take_terminal_back(&s);
		take_keys(&s);
		draw(&s);
	}
	close_session(&s);
	return s.status;
}
