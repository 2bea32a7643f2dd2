/* SPDX-License-Identifier: MIT */
/*
 * pprof_write.c - a profile as pprof, as every receiver takes it.
 *
 * What Go's pprof, Parca and Pyroscope ask for differs; this suits all three:
 * ids in order, at least one mapping, no empty label, no sample of zero,
 * fields and samples in a fixed order, so that the same profile gives the
 * same bytes. Counts of samples come with the time that they stand for, when
 * the period is known; the counts are the default, for they are what was
 * measured. The header of our own files travels as comments, which pprof
 * prints with -comments.
 */
#include "formats/pprof.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "formats/pprof_out.h"

struct output {
	struct pprof_out tables;
	struct writer file;
	enum kind kind;
	bool has_threads;
	uint64_t period_ns;	/* of a sample; 0: counts only */

	struct cell *cells;
	size_t count, capacity;
	uint64_t *ids;		/* locations of one stack */
	size_t ids_capacity;
};

/* --- what is counted */

/* The number that KEY has, or 0. */
static double
number_of(const struct profile *profile, const char *key)
{
	const char *value = profile_get(profile, key);
	double number = value ? strtod(value, NULL) : 0;

	return number > 0 && number < 1e18 ? number : 0;
}

static const char *
text_of(const struct profile *profile, const char *key, const char *otherwise)
{
	const char *value = profile_get(profile, key);

	return value && *value ? value : otherwise;
}

static bool
counts_samples(const struct profile *profile)
{
	const char *unit = text_of(profile, "unit", "samples");

	return strcmp(unit, "samples") == 0 || strcmp(unit, "count") == 0;
}

static void
put_type(struct output *out, uint32_t field, const char *type,
	 const char *unit)
{
	struct writer part = { 0 };

	protobuf_put_number(&part, TYPE_TYPE,
			    pprof_out_text(&out->tables, type));
	protobuf_put_number(&part, TYPE_UNIT,
			    pprof_out_text(&out->tables, unit));
	protobuf_put_bytes(&out->file, field, part.bytes, part.len);
	writer_free(&part);
}

/* What the values are; returns the name of the first. */
static const char *
put_types(struct output *out)
{
	static const struct {
		const char *type, *unit;
	} kinds[KIND_COUNT] = {
		[KIND_BLOCKED] = { "blocked", "microseconds" },
		[KIND_RUNNABLE] = { "runnable", "microseconds" },
		[KIND_FAULT] = { "faults", "count" },
		[KIND_SWITCH] = { "switches", "count" },
	};
	const struct profile *profile = out->tables.profile;
	const char *type = text_of(profile, "event", "events");

	if (out->kind != KIND_CPU) {
		type = kinds[out->kind].type;
		put_type(out, PROFILE_TYPE, type, kinds[out->kind].unit);
		return type;
	}
	if (!counts_samples(profile)) {
		put_type(out, PROFILE_TYPE, type,
			 text_of(profile, "unit", ""));
		return type;
	}
	put_type(out, PROFILE_TYPE, "samples", "count");
	out->period_ns = (uint64_t)number_of(profile, "period");
	if (out->period_ns)
		put_type(out, PROFILE_TYPE, "cpu", "nanoseconds");
	return "samples";
}

/* --- samples */

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct output *out = ctx;

	if (cell->kind != out->kind || !cell->weight)
		return;
	out->cells = grow(out->cells, out->count, &out->capacity,
			  sizeof(*out->cells));
	out->cells[out->count] = *cell;
	if (!out->has_threads)
		out->cells[out->count].thread = 0;
	out->count++;
}

static int
compare_cells(const void *va, const void *vb)
{
	const struct cell *a = va, *b = vb;

	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Counts of one stack and thread, at whatever time, become one. */
static void
merge_cells(struct output *out)
{
	size_t kept = 0, i;

	if (out->count)
		qsort(out->cells, out->count, sizeof(*out->cells),
		      compare_cells);
	for (i = 0; i < out->count; i++) {
		struct cell *last = &out->cells[kept ? kept - 1 : 0];

		if (kept && compare_cells(last, &out->cells[i]) == 0)
			last->weight = add_saturating(last->weight,
						      out->cells[i].weight);
		else
			out->cells[kept++] = out->cells[i];
	}
	out->count = kept;
}

static void
put_label(struct writer *sample, string_id key, string_id text,
	  uint64_t number)
{
	struct writer label = { 0 };

	protobuf_put_number(&label, LABEL_KEY, key);
	protobuf_put_number(&label, LABEL_TEXT, text);
	protobuf_put_number(&label, LABEL_NUMBER, number);
	protobuf_put_bytes(sample, SAMPLE_LABEL, label.bytes, label.len);
	writer_free(&label);
}

static void
put_thread(struct output *out, struct writer *sample, thread_id id)
{
	struct pprof_out *tables = &out->tables;
	const struct thread *thread = profile_get_thread(tables->profile, id);
	const char *name = profile_text(tables->profile, thread->name);

	if (!id)
		return;
	put_label(sample, pprof_out_text(tables, PPROF_THREAD),
		  pprof_out_text(tables, *name ? name : "-"), 0);
	if (thread->pid <= 0 || thread->tid <= 0)
		return;
	put_label(sample, pprof_out_text(tables, "pid"), 0,
		  (uint64_t)thread->pid);
	put_label(sample, pprof_out_text(tables, "tid"), 0,
		  (uint64_t)thread->tid);
}

static uint64_t
limited(uint64_t value)
{
	return value < INT64_MAX ? value : INT64_MAX;
}

static void
put_sample(struct output *out, const struct cell *cell)
{
	const struct stack *stack =
		profile_get_stack(out->tables.profile, cell->stack);
	uint64_t values[2] = { limited(cell->weight) }, time;
	struct writer part = { 0 };
	size_t depth;

	if (__builtin_mul_overflow(cell->weight, out->period_ns, &time))
		time = INT64_MAX;
	values[1] = limited(time);
	out->ids = grow(out->ids, stack->depth, &out->ids_capacity,
			sizeof(*out->ids));
	depth = pprof_out_stack(&out->tables, cell->stack, out->ids);
	protobuf_put_numbers(&part, SAMPLE_LOCATION, out->ids, depth);
	protobuf_put_numbers(&part, SAMPLE_VALUE, values,
			     out->period_ns ? 2 : 1);
	put_thread(out, &part, cell->thread);
	protobuf_put_bytes(&out->file, PROFILE_SAMPLE, part.bytes, part.len);
	writer_free(&part);
}

/* --- what is known of the whole */

struct comments {
	struct pprof_out *tables;
	uint64_t *ids;
	size_t count, capacity;
};

static void
add_comment(void *ctx, const char *line)
{
	struct comments *comments = ctx;

	comments->ids = grow(comments->ids, comments->count,
			     &comments->capacity, sizeof(*comments->ids));
	comments->ids[comments->count++] = pprof_out_text(comments->tables,
							  line);
}

static void
put_header(struct output *out, struct profile *profile, struct names *names)
{
	struct folded_header header = { .kind = out->kind };
	struct comments comments = { .tables = &out->tables };

	folded_each_line(profile, names, &header, add_comment, &comments);
	protobuf_put_numbers(&out->file, PROFILE_COMMENT, comments.ids,
			     comments.count);
	free(comments.ids);
}

/* Nanoseconds since 1970 of "start", or 0. */
static uint64_t
start_ns(const struct profile *profile)
{
	const char *start = profile_get(profile, "start");
	struct tm tm = { 0 };
	time_t seconds;

	if (!start || !strptime(start, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return 0;
	seconds = timegm(&tm);
	return seconds > 0 && seconds < INT64_MAX / 1000000000 ?
	       (uint64_t)seconds * 1000000000 : 0;
}

static void
put_times(struct output *out, const struct profile *profile)
{
	double seconds = number_of(profile, "duration");

	protobuf_put_number(&out->file, PROFILE_TIME, start_ns(profile));
	if (seconds < 1e9)
		protobuf_put_number(&out->file, PROFILE_DURATION,
				    (uint64_t)(seconds * 1e9));
	if (!out->period_ns)
		return;
	put_type(out, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
	protobuf_put_number(&out->file, PROFILE_PERIOD, out->period_ns);
}

bool
pprof_write(FILE *file, struct profile *profile, struct names *names,
	    const struct write_options *options, struct error *err)
{
	struct output out = { .kind = options->kind,
			      .has_threads = options->threads };
	const char *first;
	size_t i;

	pprof_out_init(&out.tables, profile, names);
	profile_each(profile, 0, UINT64_MAX, add_cell, &out);
	merge_cells(&out);
	first = put_types(&out);
	for (i = 0; i < out.count; i++)
		put_sample(&out, &out.cells[i]);
	put_times(&out, profile);
	protobuf_put_number(&out.file, PROFILE_DEFAULT,
			    pprof_out_text(&out.tables, first));
	if (options->header)
		put_header(&out, profile, names);
	pprof_out_write(&out.tables, &out.file);
	fwrite(out.file.bytes, 1, out.file.len, file);
	pprof_out_fini(&out.tables);
	writer_free(&out.file);
	free(out.cells);
	free(out.ids);
	if (fflush(file) != 0 || ferror(file))
		return fail(err, errno, "cannot write");
	return true;
}
