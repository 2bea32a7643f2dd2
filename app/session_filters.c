/* SPDX-License-Identifier: MIT */
/*
 * session_filters.c - what is left out of the picture, and how it comes back.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config.h"
#include "app/session_private.h"
#include "core/pattern.h"
#include "core/strings.h"
#include "tui/builtin.h"

#define SECOND UINT64_C(1000000000)

bool
session_apply_filter(struct session *s)
{
	const struct filter *before = picture_filter(s->shown->picture);
	struct filter now = *filters_now(&s->shown->filters);
	bool is_turned = before->shape != now.shape;
	struct picture_choice choice = { .filter = &now,
					 .drawn = s->pin.drawn };
	struct scene scene = session_scene(s);
	struct work *work = session_work(s, s->sides.above ? 3 : 1);
	struct picture_change *change;
	node_id *map;
	size_t count;

	if (s->pin.is_on && s->pin.of == s->shown) {
		now.since_ns = s->pin.since_ns;
		choice.baseline = s->pin.baseline;
	}
	if (is_turned)
		tui_before_turn(s->tui, &scene);
	change = picture_begin(s->shown->picture, &choice, work);
	if (change && !session_filter_sides(s, &choice, work)) {
		picture_cancel(change);
		change = NULL;
	}
	if (!change) {		/* it was stopped */
		if (is_turned)
			tui_after_turn(s->tui, NULL);
		return false;
	}
	map = picture_finish(change, &count);
	picture_swap(s->shown->picture, s->pin.is_swapped);
	session_match_sides(s);
	if (is_turned)
		tui_after_turn(s->tui, &scene);
	else if (map)
		tui_remap(s->tui, map, count);
	free(map);
	s->places.asked_ns = 0;
	return true;
}

static void
set(struct session *s, const struct filter *filter)
{
	filters_set(&s->shown->filters, filter);
	session_apply_filter(s);
}

static void
toggle_kernel(struct session *s)
{
	struct filter filter = *filters_now(&s->shown->filters);

	filter.hide_kernel = !filter.hide_kernel;
	set(s, &filter);
}

static void
toggle_inlined(struct session *s)
{
	struct filter filter = *filters_now(&s->shown->filters);

	filter.hide_inlined = !filter.hide_inlined;
	set(s, &filter);
	if (s->shown == &s->live && s->options->inlined == INLINE_OFF)
		tui_message(s->tui, true, "nothing is known of inlined "
			    "functions with --inline off");
}

static void
toggle_thread_rows(struct session *s)
{
	struct filter filter = *filters_now(&s->shown->filters);

	filter.thread_rows = !filter.thread_rows;
	set(s, &filter);
}

static void
toggle_inverted(struct session *s)
{
	struct filter filter = *filters_now(&s->shown->filters);
	bool was = filter.shape == SHAPE_INVERTED;

	filter.shape = was ? SHAPE_CALLEES : SHAPE_INVERTED;
	set(s, &filter);
	tui_message(s->tui, false, was ? "callers above what they call" :
		    "what was executed above its callers");
}

/* The next of the usual ones, or TEXT per cent. */
static void
set_cut(struct session *s, const char *text)
{
	static const unsigned usual[] = { 0, 5, 10, 50 };
	struct filter filter = *filters_now(&s->shown->filters);
	char *end = NULL;
	double percent = strtod(text, &end);
	size_t i = 0;

	if (*text && (end == text || end[strspn(end, " %")] ||
		      !(percent >= 0 && percent <= 50))) {
		tui_message(s->tui, true, "a cut is from 0 to 50 per cent");
		return;
	}
	while (i < ARRAY_LEN(usual) && usual[i] <= filter.cut)
		i++;
	filter.cut = *text ? (unsigned)lround(percent * 10) :
			     usual[i % ARRAY_LEN(usual)];
	set(s, &filter);
}

static void
next_window(struct session *s)
{
	static const unsigned seconds[] = { 0, 30, 5, 1 };
	struct filter filter = *filters_now(&s->shown->filters);
	size_t i = 0;

	if (s->shown != &s->live) {
		tui_message(s->tui, true, "a file does not say when its "
			    "samples were taken");
		return;
	}
	while (i < ARRAY_LEN(seconds) &&
	       seconds[i] * SECOND != filter.window_ns)
		i++;
	filter.window_ns = seconds[(i + 1) % ARRAY_LEN(seconds)] * SECOND;
	set(s, &filter);
}

/* --- threads */

/* Those whose name fits PATTERN, into a list that the caller frees. */
static size_t
threads_of(struct session *s, struct pattern *pattern, thread_id **out)
{
	size_t all = profile_threads(s->shown->profile), n = 0;

	*out = xcalloc(all + 1, sizeof(**out));
	for (size_t i = 0; i < all; i++) {
		const struct thread *t = profile_get_thread(s->shown->profile,
							    (thread_id)i);
		const char *name = profile_text(s->shown->profile, t->name);

		if (pattern_match(pattern, name) == PATTERN_YES)
			(*out)[n++] = (thread_id)i;
	}
	return n;
}

static void
choose_threads(struct session *s, const struct tui_request *request)
{
	struct filter filter = *filters_now(&s->shown->filters);
	struct pattern *pattern;
	thread_id *named = NULL;
	struct error err;

	filter.threads = request->threads;
	filter.nthreads = request->nthreads;
	if (*request->text) {
		if (!pattern_open(request->text, &pattern, &err)) {
			tui_message(s->tui, true, "%s", err.text);
			return;
		}
		filter.nthreads = threads_of(s, pattern, &named);
		filter.threads = named;
		pattern_free(pattern);
		if (!filter.nthreads)
			tui_message(s->tui, true, "no thread has such a name");
	}
	if (!*request->text || filter.nthreads)
		set(s, &filter);
	free(named);
}

/* --- transforms */

static void
tell_left(struct session *s)
{
	const struct filter *now = picture_filter(s->shown->picture);
	char keys[64];

	if (picture_total(s->shown->picture) > 0 ||
	    profile_total(s->shown->profile, now->kind) == 0)
		return;
	keymap_keys(s->screen.keymap, ACTION_UNDO, keys, sizeof(keys));
	tui_message(s->tui, true, "nothing is left; %s brings it back",
		    *keys ? keys : ":undo");
}

/* One more, or without it if it is there already. */
static void
toggle(struct session *s, const struct transform *transform)
{
	struct filters *filters = &s->shown->filters;

	if (!filters_remove(filters, transform) &&
	    !filters_add(filters, transform)) {
		tui_message(s->tui, true, "no more than %d at once",
			    TRANSFORMS_MAX);
		return;
	}
	session_apply_filter(s);
	tell_left(s);
}

/* About what the cursor is on, or its module. */
static bool
subject_of_cursor(struct session *s, enum transform_kind kind,
		  struct subject *about)
{
	struct scene scene = session_scene(s);
	struct focus focus = tui_focus(s->tui, &scene);
	const struct func *func;

	if (focus.func == FUNC_NONE || focus.hidden)
		return false;
	func = names_get(s->shown->names, focus.func);
	*about = (struct subject){ .kind = SUBJECT_FUNC, .func = focus.func };
	if (kind == TRANSFORM_LIBRARY && func->module)
		*about = (struct subject){ .kind = SUBJECT_MODULE,
					   .module = func->module };
	return kind != TRANSFORM_LIBRARY || func->module;
}

/* "!" in front turns it round; for LIBRARY names of modules are meant. */
static bool
subject_of_text(const char *text, struct subject *about, struct error *err)
{
	*about = (struct subject){ .kind = SUBJECT_PATTERN };
	if (*text == '!') {
		about->is_inverse = true;
		text++;
	}
	return pattern_open(text, &about->pattern, err);
}

static void
transform(struct session *s, enum transform_kind kind, const char *text)
{
	struct transform transform = { .kind = kind };
	struct error err;

	if (*text) {
		if (!subject_of_text(text, &transform.about, &err)) {
			tui_message(s->tui, true, "%s", err.text);
			return;
		}
	} else if (!subject_of_cursor(s, kind, &transform.about)) {
		tui_message(s->tui, false, kind == TRANSFORM_LIBRARY ?
			    "it is not known what file this is from" :
			    "no function under the cursor");
		return;
	}
	toggle(s, &transform);
	pattern_free(transform.about.pattern);
}

static void
fold_recursion(struct session *s)
{
	toggle(s, &(struct transform){ .kind = TRANSFORM_RECURSION,
				       .about.kind = SUBJECT_ALL });
}

static const char *
builtin_noise(void)
{
	for (const struct builtin *b = builtin_files; b->kind; b++)
		if (strcmp(b->kind, "noise") == 0)
			return b->text;
	return "";
}

/* Lines of regular expressions as one, "(?#noise)(?:a)|(?:b)". */
static char *
noise_pattern(const char *text)
{
	size_t room = 2 * strlen(text) + 32, used;
	char *out = xcalloc(1, room), *copy = xstrdup(text), *save = NULL;

	used = (size_t)snprintf(out, room, "(?#noise)");
	for (char *line = strtok_r(copy, "\r\n", &save); line;
	     line = strtok_r(NULL, "\r\n", &save))
		if (*line != '#' && line[strspn(line, " \t")])
			used += (size_t)snprintf(out + used, room - used,
						 "%s(?:%s)", out[used - 1] ==
						 ')' && used > 9 ? "|" : "",
						 line);
	free(copy);
	return used > 9 ? out : (free(out), NULL);
}

static void
toggle_noise(struct session *s)
{
	size_t len;
	char *text = config_file(s->files, "noise", &len);
	char *all = noise_pattern(text ? text : builtin_noise());

	if (all)
		transform(s, TRANSFORM_MERGE, all);
	else
		tui_message(s->tui, true, "the list of noise is empty");
	free(all);
	free(text);
}

static void
step(struct session *s, bool is_back)
{
	struct filters *filters = &s->shown->filters;

	if (is_back ? filters_undo(filters) : filters_redo(filters))
		session_apply_filter(s);
	else
		tui_message(s->tui, false, is_back ? "nothing to undo" :
			    "nothing was undone");
}

static void
peel_diff(struct session *s)
{
	if (picture_drawn(s->shown->picture) != DRAWN_NOW)
		session_set_drawn(s, DRAWN_NOW);
	else
		session_toggle_diff(s);
}

/* The chips from right to left. */
static void
peel(struct session *s)
{
	struct filter filter = *filters_now(&s->shown->filters);

	if (filter.ntransforms)
		filter.ntransforms--;
	else if (filter.cut)
		filter.cut = 0;
	else if (filter.hide_inlined)
		filter.hide_inlined = false;
	else if (filter.hide_kernel)
		filter.hide_kernel = false;
	else if (filter.nthreads)
		filter.nthreads = 0;
	else if (filter.shape != SHAPE_CALLEES)
		filter.shape = SHAPE_CALLEES;
	else if (filter.window_ns)
		filter.window_ns = 0;
	else {
		peel_diff(s);
		return;
	}
	set(s, &filter);
}

static bool
act(struct session *s, const struct tui_request *request)
{
	switch (request->action) {
	case ACTION_KERNEL:
		toggle_kernel(s);
		break;
	case ACTION_INLINED:
		toggle_inlined(s);
		break;
	case ACTION_THREADS:
		choose_threads(s, request);
		break;
	case ACTION_THREAD_ROWS:
		toggle_thread_rows(s);
		break;
	case ACTION_INVERT:
		toggle_inverted(s);
		break;
	case ACTION_WINDOW:
		next_window(s);
		break;
	case ACTION_FOCUS:
	case ACTION_FILTER:
		transform(s, TRANSFORM_FOCUS, request->text);
		break;
	case ACTION_EXCLUDE:
		transform(s, TRANSFORM_EXCLUDE, request->text);
		break;
	case ACTION_MERGE:
		transform(s, TRANSFORM_MERGE, request->text);
		break;
	case ACTION_LIBRARY:
		transform(s, TRANSFORM_LIBRARY, request->text);
		break;
	case ACTION_SHOW_FROM:
		transform(s, TRANSFORM_FROM, request->text);
		break;
	case ACTION_RECURSION:
		fold_recursion(s);
		break;
	case ACTION_CUT:
		set_cut(s, request->text);
		break;
	case ACTION_NOISE:
		toggle_noise(s);
		break;
	case ACTION_PEEL:
		peel(s);
		break;
	case ACTION_UNDO:
	case ACTION_REDO:
		step(s, request->action == ACTION_UNDO);
		break;
	default:
		return false;
	}
	return true;
}

bool
session_filter(struct session *s, const struct tui_request *request)
{
	struct filters *filters = &s->shown->filters;
	struct filters before = filters_copy(filters), after;
	bool is_filter = act(s, request);

	if (is_filter && session_is_stopped(s)) {
		after = *filters;
		*filters = before;
		before = after;
	}
	filters_fini(&before);
	return is_filter;
}
