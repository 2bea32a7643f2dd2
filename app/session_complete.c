/* SPDX-License-Identifier: MIT */
/*
 * session_complete.c - how what is typed could go on: paths, themes, settings.
 *
 * Folders are read by an opener of their own, since they may hang and the
 * other one is waited for; keys go on meanwhile.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/config.h"
#include "app/session_private.h"
#include "tui/offers.h"

#define NAMES_MAX 300

/* An answer that is being put together. */
struct names_list {
	const char *names[NAMES_MAX];
	size_t count;
	const char *start;
};

static void
add(struct names_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->names[i], name) == 0)
			return;
	if (list->count < NAMES_MAX &&
	    strncmp(name, list->start, strlen(list->start)) == 0)
		list->names[list->count++] = name;
}

/* All of LIST; KEEP bytes of what was typed stay before them. */
static void
offer_list(struct session *s, const struct names_list *list, size_t keep,
	   const char *why)
{
	struct completion *c = &s->completion;
	char common[256] = "";

	if (list->count)
		offers_common(list->names, list->count, common,
			      sizeof(common));
	tui_offer(s->tui, &(struct tui_offer){
		.kind = c->kind, .typed = c->typed, .keep = keep,
		.common = common, .names = list->names,
		.count = list->count, .total = list->count, .why = why });
}

/* Where what is to be completed begins in what is typed. */
static size_t
tail_of(const struct completion *c)
{
	const char *slash = strrchr(c->typed, '/');

	if (c->kind == OFFER_PATHS)
		return slash ? (size_t)(slash + 1 - c->typed) : 0;
	if (c->kind == OFFER_SETTINGS) {
		size_t word = strcspn(c->typed, " =");

		return word + strspn(c->typed + word, " =");
	}
	return 0;
}

static void
begin_listing(struct session *s, const char *path, const char *start)
{
	struct opener_job *job = xcalloc(1, sizeof(*job));

	if (!s->completion.opener)
		s->completion.opener = opener_new();
	job->kind = OPENER_FOLDER;
	snprintf(job->mapping.path, sizeof(job->mapping.path), "%s", path);
	snprintf(job->start, sizeof(job->start), "%s", start);
	opener_ask(s->completion.opener, job);
	free(job);
	s->completion.is_waiting = true;
}

static void
list_paths(struct session *s)
{
	struct completion *c = &s->completion;
	size_t tail = tail_of(c);
	char folder[PROMPT_MAX], path[PROMPT_MAX];

	if (strcmp(c->typed, "~") == 0) {
		struct names_list home = { .names = { "~/" }, .count = 1 };

		offer_list(s, &home, 0, "");
		return;
	}
	snprintf(folder, sizeof(folder), "%.*s", (int)tail, c->typed);
	begin_listing(s, tail ? session_from_home(folder, path, sizeof(path)) :
			 ".", c->typed + tail);
}

static void
list_themes(struct session *s)
{
	char path[4096];

	begin_listing(s, config_path("themes", path, sizeof(path)) ? path : "",
		      s->completion.typed + tail_of(&s->completion));
}

/* "theme" of "theme dusk": whether that is the whole word typed. */
static bool
sets(const struct completion *c, const char *word)
{
	size_t len = strlen(word);

	return strncmp(c->typed, word, len) == 0 &&
	       (c->typed[len] == ' ' || c->typed[len] == '=');
}

static void
list_settings(struct session *s)
{
	struct completion *c = &s->completion;
	size_t tail = tail_of(c);
	struct names_list list = { .start = c->typed + tail };
	const char *word;

	if (tail == 0 || !strpbrk(c->typed, " =")) {
		list.start = c->typed;
		for (size_t i = 0; (word = session_setting(i)); i++)
			add(&list, word);
		offer_list(s, &list, 0, "nothing of that name can be set");
	} else if (sets(c, "theme")) {
		list_themes(s);
	} else {
		add(&list, "on");
		add(&list, "off");
		offer_list(s, &list, tail, "it can be on or off");
	}
}

void
session_complete(struct session *s, const struct tui_request *request)
{
	struct completion *c = &s->completion;

	if (c->is_waiting)
		return;
	c->kind = request->offer;
	strcpy(c->typed, request->text);
	if (c->kind == OFFER_PATHS)
		list_paths(s);
	else if (c->kind == OFFER_THEMES)
		list_themes(s);
	else
		list_settings(s);
}

static void
offer_paths(struct session *s, const struct folder *folder)
{
	struct completion *c = &s->completion;

	tui_offer(s->tui, &(struct tui_offer){
		.kind = c->kind, .typed = c->typed, .keep = tail_of(c),
		.common = folder->common,
		.names = (const char *const *)folder->names,
		.count = folder->is_cut ? 0 : folder->count,
		.total = folder->total,
		.why = folder->is_cut ? "too many files here to complete" :
					"no file or folder begins so" });
}

/* Those built in and the user's own, without ".theme". */
static void
offer_themes(struct session *s, struct folder *folder)
{
	struct completion *c = &s->completion;
	size_t tail = tail_of(c);
	struct names_list list = { .start = c->typed + tail };
	const char *name;

	for (size_t i = 0; (name = theme_builtin_name(i)); i++)
		add(&list, name);
	for (size_t i = 0; folder && i < folder->count; i++) {
		char *suffix = strstr(folder->names[i], ".theme");

		if (suffix && suffix[6] == '\0') {
			*suffix = '\0';
			add(&list, folder->names[i]);
		}
	}
	offer_list(s, &list, tail, "no theme begins so");
}

void
session_take_completion(struct session *s)
{
	struct completion *c = &s->completion;
	struct opener_result result;

	if (!c->is_waiting || !opener_next(c->opener, &result))
		return;
	c->is_waiting = false;
	s->is_changed = s->wants_now = true;
	if (c->kind != OFFER_PATHS)
		offer_themes(s, result.folder);
	else if (result.folder)
		offer_paths(s, result.folder);
	else
		tui_offer(s->tui, &(struct tui_offer){
			.kind = c->kind, .typed = c->typed,
			.why = result.err.text });
	folder_free(result.folder);
}
