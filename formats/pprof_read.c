/* SPDX-License-Identifier: MIT */
/*
 * pprof_read.c - the samples of a pprof file into a profile.
 */
#include "formats/pprof.h"

#include <stdlib.h>
#include <string.h>

#include "formats/frame_name.h"
#include "formats/stacks.h"

/*
 * What a stack of a thread sums to. A difference of profiles has negative
 * values too, which cancel out here as far as they can.
 */
struct sum {
	stack_id stack;
	thread_id thread;
	int64_t value;
};

/* A location of a sample's path, and what is true from the root to it. */
struct step {
	uint64_t row;
	stack_id stack;
	bool has_kept;		/* a location that is not dropped */
};

struct load {
	struct pprof *pprof;
	struct profile *profile;
	struct read_report *report;
	struct pprof_labels labels;
	struct folded_header header;	/* of files that we wrote */
	size_t type;			/* which value */

	struct table sums;
	uint64_t *path;			/* rows of one sample, leaf first */
	size_t depth, path_capacity;
	struct step *steps;		/* of the sample before, root first */
	size_t nsteps, step_capacity;
	uint64_t valueless;		/* samples */
};

static uint32_t
hash_sum(const void *row)
{
	const struct sum *sum = row;

	return hash_words(sum->stack, sum->thread);
}

static bool
same_sum(const void *va, const void *vb)
{
	const struct sum *a = va, *b = vb;

	return a->stack == b->stack && a->thread == b->thread;
}

static const struct table_kind sum_kind = {
	sizeof(struct sum), hash_sum, same_sum,
};

/* --- samples */

static bool
read_path(struct load *load, struct protobuf_field *field)
{
	struct table *locations = &load->pprof->locations;
	uint64_t id;

	while (protobuf_number(field, &id)) {
		load->path = grow(load->path, load->depth,
				  &load->path_capacity, sizeof(*load->path));
		load->path[load->depth] = pprof_row(locations, id);
		load->pprof->missing_locations += !load->path[load->depth];
		load->depth++;
	}
	return !field->bytes.failed;
}

/* Value number load->type, if FIELD has it; *FIRST counts those before. */
static bool
read_value(const struct load *load, struct protobuf_field *field,
	   size_t *first, int64_t *value)
{
	uint64_t number;

	for (; protobuf_number(field, &number); ++*first)
		if (*first == load->type)
			*value = (int64_t)number;
	return !field->bytes.failed;
}

static stack_id
push_location(struct load *load, stack_id stack,
	      const struct pprof_location *location)
{
	const frame_id *frames = load->pprof->frames + location->first;
	size_t i;

	for (i = 0; i < location->count; i++)
		stack = profile_push(load->profile, stack, frames[i]);
	return stack;
}

/* Forget the steps of the sample before that this one does not share. */
static struct step
keep_common_steps(struct load *load)
{
	size_t n = 0;

	while (n < load->nsteps && n < load->depth &&
	       load->steps[n].row == load->path[load->depth - 1 - n])
		n++;
	load->nsteps = n;
	return n ? load->steps[n - 1] : (struct step){ 0 };
}

static void
add_step(struct load *load, struct step step)
{
	load->steps = grow(load->steps, load->nsteps, &load->step_capacity,
			   sizeof(*load->steps));
	load->steps[load->nsteps++] = step;
}

/* From the root to the leaf, or to where drop_frames cuts. */
static stack_id
push_path(struct load *load)
{
	struct step step = keep_common_steps(load);
	size_t i;

	for (i = load->depth - load->nsteps; i-- > 0;) {
		struct pprof_location *location;

		step.row = load->path[i];
		location = table_at(&load->pprof->locations,
				    (uint32_t)step.row);
		pprof_find_frames(load->pprof, load->profile, location);
		if (step.has_kept && location->cut == CUT_HERE)
			break;
		step.stack = push_location(load, step.stack, location);
		if (step.has_kept && location->cut == CUT_BELOW)
			break;
		step.has_kept |= location->cut == CUT_NOTHING;
		add_step(load, step);
	}
	return step.stack;
}

static int64_t
sum_of(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? INT64_MIN + 1 : INT64_MAX;
	return sum;
}

static void
add_sum(struct load *load, stack_id stack, thread_id thread, int64_t value)
{
	struct sum key = { .stack = stack, .thread = thread };
	size_t had = load->sums.count;
	struct sum *sum;

	if (!stack && !thread)
		key.stack = profile_push(load->profile, 0, frame_named(
			load->profile, slice_whole(STACKS_NO_STACK),
			FRAME_NOTE));
	sum = table_at(&load->sums, table_add(&load->sums, &key));
	load->report->duplicates += load->sums.count == had;
	sum->value = sum_of(sum->value, value);
}

static bool
read_sample(struct load *load, struct reader sample)
{
	struct reader fields = sample;
	struct protobuf_field field;
	size_t values = 0;
	int64_t value = 0;
	bool has_labels = false;

	load->depth = 0;
	while (protobuf_next(&fields, &field)) {
		if (field.number == SAMPLE_LOCATION &&
		    !read_path(load, &field))
			return false;
		if (field.number == SAMPLE_VALUE &&
		    !read_value(load, &field, &values, &value))
			return false;
		has_labels |= field.number == SAMPLE_LABEL;
	}
	load->valueless += values <= load->type;
	if (value)
		add_sum(load, push_path(load), has_labels ?
			pprof_thread(&load->labels, sample) : 0, value);
	return !fields.failed;
}

static bool
read_samples(struct load *load, const void *bytes, size_t len,
	     struct error *err)
{
	struct reader message = reader_of(bytes, len);
	struct protobuf_field field;

	while (protobuf_next(&message, &field)) {
		if (field.number != PROFILE_SAMPLE ||
		    field.type != PROTOBUF_BYTES)
			continue;
		load->report->lines++;
		if (!read_sample(load, field.bytes))
			return fail(err, 0, "sample %llu is damaged",
				    (unsigned long long)load->report->lines);
	}
	return true;
}

/* Everything that was added up, as counts of the profile. */
static void
add_cells(struct load *load)
{
	uint64_t negatives = 0;
	size_t i;

	for (i = 1; i < load->sums.count; i++) {
		const struct sum *sum = table_at(&load->sums, (uint32_t)i);
		struct cell cell = { .stack = sum->stack,
				     .thread = sum->thread,
				     .kind = load->header.kind };

		negatives += sum->value < 0;
		cell.weight = (uint64_t)(sum->value < 0 ? -sum->value :
							  sum->value);
		if (cell.weight)
			profile_add(load->profile, 0, &cell);
	}
	read_note_count(load->report, negatives, READ_NEGATIVES);
}

/* --- what was wrong */

static void
note_faults(struct load *load)
{
	struct read_report *report = load->report;
	struct pprof *pprof = load->pprof;

	read_note_count(report, load->valueless,
			"samples have no such count");
	read_note_count(report, pprof->missing_locations,
			"frames are not in the file");
	read_note_count(report, pprof->missing_functions,
			"functions are not in the file");
	read_note_count(report, pprof->missing_strings,
			"texts are not in the file");
	read_note_count(report, pprof->doubles, "ids are given twice");
	if (pprof->strings[0].len)
		read_note(report, "its first text is not empty");
	if (load->labels.has_hidden)
		read_note(report, "labels beside those of threads are "
			  "not shown");
	if (load->labels.has_more)
		read_note(report, "too many labels: the rest is "
			  "[other labels]");
}

bool
pprof_read(const void *bytes, size_t len, const struct read_options *options,
	   struct profile *profile, struct read_report *report,
	   struct error *err)
{
	struct pprof pprof;
	struct load load = { .pprof = &pprof, .profile = profile,
			     .report = report };
	bool ok = pprof_open(bytes, len, &pprof, err);

	load.labels = (struct pprof_labels){ .pprof = &pprof,
					     .profile = profile };
	table_init(&load.sums, &sum_kind);
	ok = ok && pprof_choose_type(&pprof, options->type, &load.type, report,
				     err);
	if (ok) {
		pprof_read_header(&pprof, load.type, profile, &load.header);
		pprof_prune(&pprof, profile, report);
		ok = read_samples(&load, bytes, len, err);
	}
	if (ok) {
		add_cells(&load);
		note_faults(&load);
	}
	table_fini(&load.sums);
	pprof_labels_fini(&load.labels);
	pprof_fini(&pprof);
	free(load.path);
	free(load.steps);
	return ok;
}
