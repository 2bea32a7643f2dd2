/* SPDX-License-Identifier: MIT */
/*
 * pprof_header.c - which counts of a pprof file, and what it says of itself.
 */
#include "formats/pprof.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/sanitise.h"

/* --- which values */

static bool
is_wanted(struct pprof *pprof, size_t i, const char *wanted)
{
	const struct pprof_type *type = &pprof->types[i];

	return read_type_is_wanted(wanted, pprof_string(pprof, type->type),
				   pprof_string(pprof, type->unit), i);
}

/* "samples/count cpu/nanoseconds", clean. */
static char *
list_types(struct pprof *pprof)
{
	struct writer list = { 0 };
	char *clean;
	size_t i;

	for (i = 0; i < pprof->ntypes; i++) {
		struct slice type = pprof_string(pprof, pprof->types[i].type);
		struct slice unit = pprof_string(pprof, pprof->types[i].unit);

		if (i)
			writer_u8(&list, ' ');
		writer_bytes(&list, type.at, type.len);
		writer_u8(&list, '/');
		writer_bytes(&list, unit.at, unit.len);
	}
	clean = sanitise((char *)list.bytes, list.len);
	writer_free(&list);
	return clean;
}

static bool
refuse_type(struct pprof *pprof, const char *wanted, struct error *err)
{
	char *types = list_types(pprof), shown[64];

	fail(err, 0, "it has no counts called \"%s\"; --type takes one of: "
	     "%.150s", sanitise_into(shown, sizeof(shown), wanted,
				     strlen(wanted)), types);
	free(types);
	return false;
}

bool
pprof_choose_type(struct pprof *pprof, const char *wanted, size_t *chosen,
		  struct read_report *report, struct error *err)
{
	struct slice usual = pprof_string(pprof, pprof->default_type);
	size_t i;

	if (!pprof->ntypes) {
		read_note(report, "it does not say what its counts are");
		return true;
	}
	*chosen = pprof->ntypes - 1;
	for (i = 0; i < pprof->ntypes; i++) {
		struct slice type = pprof_string(pprof, pprof->types[i].type);

		if (*wanted ? is_wanted(pprof, i, wanted) :
			      usual.len && slice_is_like(type, usual)) {
			*chosen = i;
			return true;
		}
	}
	return !*wanted || refuse_type(pprof, wanted, err);
}

/* --- what is known of the whole */

static void
set_text(struct profile *profile, const char *key, struct slice value)
{
	char *clean = sanitise(value.at, value.len);

	if (*clean)
		profile_set(profile, key, clean);
	free(clean);
}

static void
set_time(struct profile *profile, int64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / 1000000000);
	char text[32];
	struct tm tm;

	if (time_ns <= 0 || !gmtime_r(&seconds, &tm))
		return;
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	profile_set(profile, "start", text);
}

static void
set_number(struct profile *profile, const char *key, const char *format,
	   double value)
{
	char text[64];

	if (value <= 0)
		return;
	snprintf(text, sizeof(text), format, value);
	profile_set(profile, key, text);
}

static void
describe(struct pprof *pprof, size_t type, struct profile *profile)
{
	struct slice unit = pprof_string(pprof, pprof->period_type.unit);
	char *types;

	if (type < pprof->ntypes) {
		const struct pprof_type *row = &pprof->types[type];

		types = list_types(pprof);
		profile_set(profile, "types", types);
		free(types);
		set_text(profile, "event", pprof_string(pprof, row->type));
		set_text(profile, "unit", pprof_string(pprof, row->unit));
	}
	set_time(profile, pprof->time_ns);
	set_number(profile, "duration", "%.3f",
		   (double)pprof->duration_ns / 1e9);
	if (slice_is_like(unit, slice_whole("nanoseconds")))
		set_number(profile, "period", "%.0f", (double)pprof->period);
	if (pprof->ncomments)
		set_text(profile, "comment",
			 pprof_string(pprof, pprof->comments[0]));
}

/* Our own files carry the header of a folded one as comments. */
void
pprof_read_header(struct pprof *pprof, size_t type, struct profile *profile,
		  struct folded_header *header)
{
	size_t i;

	*header = (struct folded_header){ 0 };
	for (i = 0; i < pprof->ncomments && (!i || header->is_ours); i++)
		folded_read_line(pprof_string(pprof, pprof->comments[i]),
				 profile, header);
	if (!header->is_ours)
		describe(pprof, type, profile);
}
