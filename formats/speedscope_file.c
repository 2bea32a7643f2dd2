/* SPDX-License-Identifier: MIT */
/*
 * speedscope_file.c - where the parts of a speedscope file are.
 */
#include "formats/speedscope.h"

#include <stdlib.h>

/* The text of a value that should be one, else nothing. */
static struct slice
text_of(struct jscan *j)
{
	if (jscan_peek(j) == '"')
		return jscan_string(j);
	jscan_skip(j);
	return (struct slice){ "", 0 };
}

bool
speedscope_count(struct jscan *j, struct count *count)
{
	char first = jscan_peek(j);
	struct slice number;

	*count = (struct count){ 0 };
	if (first != '-' && (first < '0' || first > '9')) {
		jscan_skip(j);	/* null is what NaN is written as */
		return false;
	}
	number = jscan_number(j);
	if (!count_parse(number.at, number.len, count))
		j->failed = true;
	return !j->failed;
}

size_t
speedscope_index(struct jscan *j)
{
	struct count count;

	if (!speedscope_count(j, &count) || count.is_negative)
		return SIZE_MAX;
	return (size_t)count_scaled(&count, 0);
}

/* The value that comes, if it begins with OPEN, for later. */
static void
note_place(struct jscan *j, char open, struct jscan *place)
{
	if (jscan_peek(j) == open)
		*place = *j;
	jscan_skip(j);
}

static void
take_profile_member(struct jscan *j, struct slice key,
		    struct speedscope_profile *profile)
{
	if (slice_is(key, "name"))
		profile->name = text_of(j);
	else if (slice_is(key, "unit"))
		profile->unit = text_of(j);
	else if (slice_is(key, "type"))
		profile->is_evented = slice_is(text_of(j), "evented");
	else if (slice_is(key, "endValue"))
		speedscope_count(j, &profile->end);
	else if (slice_is(key, "samples"))
		note_place(j, '[', &profile->samples);
	else if (slice_is(key, "weights"))
		note_place(j, '[', &profile->weights);
	else if (slice_is(key, "events"))
		note_place(j, '[', &profile->events);
	else
		jscan_skip(j);
}

static void
take_profiles(struct jscan *j, struct speedscope *file)
{
	bool first = true, first_member;
	struct speedscope_profile *profile;
	struct slice key;

	if (jscan_peek(j) != '[') {
		jscan_skip(j);
		return;
	}
	jscan_begin(j, '[');
	while (jscan_item(j, &first)) {
		file->profiles = grow(file->profiles, file->nprofiles,
				      &file->capacity,
				      sizeof(*file->profiles));
		profile = &file->profiles[file->nprofiles++];
		*profile = (struct speedscope_profile){
			.name = { "", 0 }, .unit = { "", 0 } };
		jscan_begin(j, '{');
		first_member = true;
		while (jscan_member(j, &first_member, &key))
			take_profile_member(j, key, profile);
	}
}

static void
take_shared(struct jscan *j, struct speedscope *file)
{
	bool first = true;
	struct slice key;

	if (jscan_peek(j) != '{') {
		jscan_skip(j);
		return;
	}
	jscan_begin(j, '{');
	while (jscan_member(j, &first, &key)) {
		if (slice_is(key, "frames"))
			note_place(j, '[', &file->frames);
		else
			jscan_skip(j);
	}
}

static void
take_member(struct jscan *j, struct slice key, struct speedscope *file)
{
	if (slice_is(key, "shared"))
		take_shared(j, file);
	else if (slice_is(key, "profiles"))
		take_profiles(j, file);
	else if (slice_is(key, "name"))
		file->name = text_of(j);
	else if (slice_is(key, "activeProfileIndex"))
		file->active = speedscope_index(j);
	else if (slice_is(key, SPEEDSCOPE_HEADER))
		note_place(j, '[', &file->header);
	else
		jscan_skip(j);
}

bool
speedscope_open(const char *bytes, size_t len, struct speedscope *file,
		struct error *err)
{
	struct jscan j = jscan_of(bytes, len);
	bool first = true;
	struct slice key;

	*file = (struct speedscope){ .name = { "", 0 } };
	jscan_begin(&j, '{');
	while (jscan_member(&j, &first, &key))
		take_member(&j, key, file);
	if (j.failed)
		return fail(err, 0, "its JSON is damaged or cut short near "
			    "byte %zu", (size_t)(j.at - bytes));
	if (file->active >= file->nprofiles)
		file->active = 0;
	return true;
}

void
speedscope_fini(struct speedscope *file)
{
	free(file->profiles);
}

bool
speedscope_event(struct jscan *j, struct speedscope_event *event)
{
	bool first = true, has_type = false, has_time = false;
	struct slice key;

	*event = (struct speedscope_event){ .frame = SIZE_MAX };
	jscan_begin(j, '{');
	while (jscan_member(j, &first, &key)) {
		if (slice_is(key, "type")) {
			has_type = true;
			event->is_open = slice_is(text_of(j), "O");
		} else if (slice_is(key, "at")) {
			has_time = speedscope_count(j, &event->at);
		} else if (slice_is(key, "frame")) {
			event->frame = speedscope_index(j);
		} else {
			jscan_skip(j);
		}
	}
	return has_type && has_time && !j->failed;
}

bool
speedscope_sniff(const void *bytes, size_t len)
{
	struct jscan j = jscan_of(bytes, len);
	struct slice text = { bytes, len };

	if (jscan_peek(&j) != '{')
		return false;
	j.at++;
	if (jscan_peek(&j) != '"')
		return false;
	/* Before the profiles may be more than is looked at. */
	return slice_find(text, "\"" SPEEDSCOPE_SCHEMA "\"") ||
	       (slice_find(text, "\"profiles\"") &&
		(slice_find(text, "\"shared\"") ||
		 slice_find(text, "speedscope")));
}
