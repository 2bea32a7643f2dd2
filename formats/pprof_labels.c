/* SPDX-License-Identifier: MIT */
/*
 * pprof_labels.c - a sample's labels as the thread it belongs to.
 *
 * What a label says of the thread makes it that thread. Samples without such
 * labels are told apart by all their labels that are texts (numbers are sizes
 * and the like):
 *
 *	thread_name=worker  thread_id=41	worker
 *	route=/pay  user=1			"route=/pay user=1"
 */
#include "formats/pprof.h"

#include <ctype.h>
#include <string.h>

#include "formats/frame_name.h"

/* Sets of labels that are told apart; a label of a request has no end. */
#define SETS_MAX 1000
#define OTHER_SETS "[other labels]"

/* Writers' names for the same things, as letters of a small alphabet. */
static const struct {
	const char *key;
	enum { IS_NAME = 1, IS_TID, IS_PID } what;
} thread_keys[] = {
	{ "thread", IS_NAME },	   { "threadname", IS_NAME },
	{ "threadid", IS_TID },	   { "tid", IS_TID },
	{ "processid", IS_PID },   { "pid", IS_PID },
};

struct label {
	struct slice key, text;
	uint64_t number;
};

struct found {
	struct slice name, tid_text;
	uint64_t tid, pid;
	bool has_thread;
};

static struct label
read_label(struct pprof *pprof, struct reader message)
{
	struct protobuf_field field;
	struct label label = { .key = { "", 0 }, .text = { "", 0 } };

	while (protobuf_next(&message, &field)) {
		if (field.number == LABEL_KEY)
			label.key = pprof_string(pprof, field.value);
		else if (field.number == LABEL_TEXT)
			label.text = pprof_string(pprof, field.value);
		else if (field.number == LABEL_NUMBER)
			label.number = field.value;
	}
	return label;
}

/* "Thread ID" and "thread_id" are the same key. */
static int
what_of(struct slice key)
{
	char plain[16];
	size_t len = 0, i;

	for (i = 0; i < key.len && len < sizeof(plain) - 1; i++)
		if (isalnum((unsigned char)key.at[i]))
			plain[len++] = (char)tolower((unsigned char)key.at[i]);
	plain[len] = '\0';
	for (i = 0; i < ARRAY_LEN(thread_keys); i++)
		if (strcmp(plain, thread_keys[i].key) == 0)
			return thread_keys[i].what;
	return 0;
}

/* The number that a label is, or 0. */
static uint64_t
number_of(const struct label *label)
{
	uint64_t number = label->number;

	if (label->text.len && !slice_number(label->text, &number))
		return 0;
	return number <= INT32_MAX ? number : 0;
}

static void
take_label(struct pprof_labels *labels, const struct label *label,
	   struct found *found)
{
	struct writer *text = &labels->text;

	switch (what_of(label->key)) {
	case IS_NAME:
		found->name = label->text;
		found->has_thread |= label->text.len > 0;
		return;
	case IS_TID:
		found->tid_text = label->text;
		found->tid = number_of(label);
		found->has_thread |= found->tid || label->text.len;
		return;
	case IS_PID:
		found->pid = number_of(label);
		return;
	}
	if (!label->text.len)
		return;
	if (text->len)
		writer_u8(text, ' ');
	writer_bytes(text, label->key.at, label->key.len);
	writer_u8(text, '=');
	writer_bytes(text, label->text.at, label->text.len);
}

static thread_id
thread_of(struct pprof_labels *labels, const struct found *found)
{
	struct profile *profile = labels->profile;
	struct slice name = found->name.len ? found->name : found->tid_text;
	char number[24];
	string_id text;
	thread_id id;

	labels->has_hidden |= labels->text.len > 0;
	if (!name.len) {
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)found->tid);
		name = slice_whole(number);
	}
	text = frame_text(profile, name);
	if (!found->pid || !found->tid)
		return profile_thread_named(profile, text);
	id = profile_thread(profile, (pid_t)found->pid, (pid_t)found->tid, 0);
	profile_name_thread(profile, id, text);
	return id;
}

/* All labels together, for the first so many that differ. */
static thread_id
set_of(struct pprof_labels *labels)
{
	struct profile *profile = labels->profile;
	struct slice set = { (const char *)labels->text.bytes,
			     labels->text.len };

	if (!labels->sets)
		labels->sets = strings_new();
	if (strings_add(labels->sets, set.at, set.len) > SETS_MAX) {
		labels->has_more = true;
		set = slice_whole(OTHER_SETS);
	}
	return profile_thread_named(profile, frame_text(profile, set));
}

thread_id
pprof_thread(struct pprof_labels *labels, struct reader sample)
{
	struct found found = { .name = { "", 0 }, .tid_text = { "", 0 } };
	struct protobuf_field field;
	struct label label;

	labels->text.len = 0;
	while (protobuf_next(&sample, &field)) {
		if (field.number != SAMPLE_LABEL)
			continue;
		label = read_label(labels->pprof, field.bytes);
		take_label(labels, &label, &found);
	}
	if (found.has_thread)
		return thread_of(labels, &found);
	return labels->text.len ? set_of(labels) : 0;
}

void
pprof_labels_fini(struct pprof_labels *labels)
{
	writer_free(&labels->text);
	strings_free(labels->sets);
}
