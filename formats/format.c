/* SPDX-License-Identifier: MIT */
/*
 * format.c - which format is it, and what is it else.
 */
#include "formats/format.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bpftrace.h"
#include "formats/dtrace.h"
#include "formats/folded.h"
#include "formats/foreign.h"
#include "formats/goroutines.h"
#include "formats/legacy.h"
#include "formats/perf_script.h"
#include "formats/pprof.h"
#include "formats/speedscope.h"
#include "formats/svg.h"
#include "formats/utf16.h"

/* More than this is not inflated; text is read as it comes. */
#define INFLATED_MAX ((uint64_t)2 << 30)

/* What is no text is read from memory, up to this. */
#define WHOLE_MAX ((size_t)1 << 30)

/* How much of a file is there when its format is asked for. */
#define WINDOW ((size_t)128 << 10)

const struct format format_folded = {
	.name = "folded",
	.suffix = ".folded",
	.sniff = folded_sniff,
	.read_lines = folded_read,
	.write = folded_write,
};

const struct format format_perf_script = {
	.name = "perf script",
	.sniff = perf_script_sniff,
	.read_lines = perf_script_read,
};

const struct format format_pprof = {
	.name = "pprof",
	.suffix = ".pb",
	.is_sure = true,
	.sniff = pprof_sniff,
	.read = pprof_read,
	.write = pprof_write,
};

const struct format format_speedscope = {
	.name = "speedscope",
	.suffix = ".json",
	.is_sure = true,
	.sniff = speedscope_sniff,
	.read = speedscope_read,
	.write = speedscope_write,
};

const struct format format_bpftrace = {
	.name = "bpftrace",
	.sniff = bpftrace_sniff,
	.read_lines = bpftrace_read,
};

const struct format format_dtrace = {
	.name = "DTrace",
	.sniff = dtrace_sniff,
	.read_lines = dtrace_read,
};

const struct format format_legacy = {
	.name = "pprof's old text",
	.is_sure = true,
	.sniff = legacy_sniff,
	.read_lines = legacy_read,
};

const struct format format_goroutines = {
	.name = "stacks of goroutines",
	.is_sure = true,
	.sniff = goroutines_sniff,
	.read_lines = goroutines_read,
};

const struct format format_svg = {
	.name = "SVG",
	.suffix = ".svg",
	.write = svg_write,
};

/*
 * In the order of asking: bpftrace may print frames as perf does, and folded
 * stacks can look like anything.
 */
static const struct format *const formats[] = {
	&format_pprof,
	&format_speedscope,
	&format_legacy,
	&format_goroutines,
	&format_bpftrace,
	&format_perf_script,
	&format_dtrace,
	&format_folded,
	&format_svg,
};

struct lines
format_look(const void *bytes, size_t len)
{
	return lines_of(bytes, len < FORMAT_LOOK ? len : FORMAT_LOOK);
}

/* A format that BYTES look like; if IS_SURE, like nothing else. */
static const struct format *
find_format(const char *bytes, size_t len, bool is_sure)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(formats); i++)
		if (formats[i]->sniff && formats[i]->is_sure == is_sure &&
		    formats[i]->sniff(bytes, len))
			return formats[i];
	return NULL;
}

void
read_note(struct read_report *report, const char *fmt, ...)
{
	size_t len = strlen(report->note);
	va_list args;

	if (len && len + 2 < sizeof(report->note)) {
		memcpy(report->note + len, "; ", 3);
		len += 2;
	}
	va_start(args, fmt);
	vsnprintf(report->note + len, sizeof(report->note) - len, fmt, args);
	va_end(args);
}

void
read_note_count(struct read_report *report, uint64_t count, const char *what)
{
	if (count)
		read_note(report, "%llu %s", (unsigned long long)count, what);
}

bool
read_type_is_wanted(const char *wanted, struct slice type, struct slice unit,
		    size_t number)
{
	struct slice all = slice_whole(wanted);
	const char *slash = strrchr(wanted, '/');
	uint64_t n;

	return slice_is_like(type, all) ||
	       (slash && slice_is_like(type, slice_of(wanted, slash)) &&
		slice_is_like(unit, slice_whole(slash + 1))) ||
	       (slice_number(all, &n) && n == number + 1);
}

/*
 * The format of a file that begins with LEN bytes; NULL with ERR, which names
 * what it is instead.
 */
static const struct format *
recognise(const char *bytes, size_t len, struct error *err)
{
	/* Names in our own files may look like anything: a thread, "@[". */
	const struct format *format = folded_is_ours(bytes, len) ?
				      &format_folded :
				      find_format(bytes, len, true);
	const char *foreign = format ? NULL : foreign_name(bytes, len);

	if (!format && !foreign)
		format = find_format(bytes, len, false);
	if (!format)
		fail(err, 0, "%s", foreign ? foreign :
		     len ? "this is no profile of a known format" FOLDED_ELSE :
		     "there is nothing in it");
	return format;
}

/* All of what is left in memory, if that is not too much. */
static bool
fill(struct lines *lines, struct error *err)
{
	return lines_fill(lines, WHOLE_MAX + 1) <= WHOLE_MAX ||
	       fail(err, 0, "it is larger than %zu MiB, and no text",
		    WHOLE_MAX >> 20);
}

/* Text or binary, but neither compressed nor UTF-16 any more. */
static bool
read_plain(struct lines *lines, const struct read_options *options,
	   struct profile *profile, struct read_report *report,
	   struct error *err)
{
	size_t len = lines_fill(lines, WINDOW);
	const struct format *format;

	if (lines->has_failed)
		return false;
	format = recognise(lines->at, len, err);
	if (!format)
		return false;
	if (format->read_lines)
		return format->read_lines(lines, options, profile, report,
					  err);
	return fill(lines, err) &&
	       format->read(lines->at, (size_t)(lines->end - lines->at),
			    options, profile, report, err);
}

static bool
read_utf16(struct lines *lines, const struct read_options *options,
	   struct profile *profile, struct read_report *report,
	   struct error *err)
{
	struct lines decoded;
	size_t len;
	char *text;
	bool ok;

	if (!fill(lines, err))
		return false;
	text = utf16_decode(lines->at, (size_t)(lines->end - lines->at), &len);
	decoded = lines_of(text, len);
	ok = read_plain(&decoded, options, profile, report, err);
	free(text);
	return ok;
}

/* What LINES give, a failure of theirs before any other. */
static bool
read_text(struct lines *lines, const struct read_options *options,
	  struct profile *profile, struct read_report *report,
	  struct error *err)
{
	size_t len = lines_fill(lines, 2);
	bool ok;

	ok = utf16_sniff(lines->at, len) ?
	     read_utf16(lines, options, profile, report, err) :
	     read_plain(lines, options, profile, report, err);
	if (lines->has_failed && err)
		*err = lines->err;
	return ok && !lines->has_failed;
}

static bool
read_gzip(struct lines *packed, const struct read_options *options,
	  struct profile *profile, struct read_report *report,
	  struct error *err)
{
	struct gzip gzip;
	struct source source = { gzip_read_some, &gzip };
	struct lines lines = { .source = &source };
	uint64_t trailing;
	bool ok;

	if (!gzip_open(&gzip, packed, INFLATED_MAX, err))
		return false;
	ok = read_text(&lines, options, profile, report, err);
	trailing = gzip_trailing(&gzip);
	if (ok && trailing)
		read_note(report, "%llu bytes behind the gzip data ignored",
			  (unsigned long long)trailing);
	gzip_close(&gzip);
	lines_fini(&lines);
	return ok;
}

/*
 * Of a file in which something was not understood, something must count: what
 * is left of no line at all is no profile without samples.
 */
static bool
counts_anything(const struct profile *profile,
		const struct read_report *report, struct error *err)
{
	int kind;

	for (kind = 0; kind < KIND_COUNT; kind++)
		if (profile_total(profile, kind))
			return true;
	return !report->ignored ||
	       fail(err, 0, "no line of it counts anything; %" PRIu64 " were "
		    "not understood, the first is line %" PRIu64,
		    report->ignored, report->first_ignored[0]);
}

static bool
read_any(struct lines *lines, const struct read_options *options,
	 struct profile *profile, struct read_report *report,
	 struct error *err)
{
	size_t len = lines_fill(lines, 2);
	bool ok;

	*report = (struct read_report){ 0 };
	ok = len >= 2 && memcmp(lines->at, "\x1f\x8b", 2) == 0 ?
	     read_gzip(lines, options, profile, report, err) :
	     read_text(lines, options, profile, report, err);
	lines_fini(lines);
	if (ok && profile_is_saturated(profile))
		read_note(report, "counts are larger than 64 bits hold: shares "
			  "are wrong");
	return ok && counts_anything(profile, report, err);
}

bool
format_read_from(const struct source *source,
		 const struct read_options *options, struct profile *profile,
		 struct read_report *report, struct error *err)
{
	struct lines lines = { .source = source };

	return read_any(&lines, options, profile, report, err);
}

bool
format_read_as(const void *bytes, size_t len,
	       const struct read_options *options, struct profile *profile,
	       struct read_report *report, struct error *err)
{
	struct lines lines = lines_of(bytes, len);

	return read_any(&lines, options, profile, report, err);
}

bool
format_read(const void *bytes, size_t len, struct profile *profile,
	    struct read_report *report, struct error *err)
{
	static const struct read_options any = { "" };

	return format_read_as(bytes, len, &any, profile, report, err);
}

const struct format *
format_by_suffix(const char *path, bool *is_gzip)
{
	size_t len = strlen(path), suffix, i;

	*is_gzip = len > 3 && strcmp(path + len - 3, ".gz") == 0;
	len -= *is_gzip ? 3 : 0;
	for (i = 0; i < ARRAY_LEN(formats); i++) {
		if (!formats[i]->write)
			continue;
		suffix = strlen(formats[i]->suffix);
		if (len > suffix && memcmp(path + len - suffix,
					   formats[i]->suffix, suffix) == 0)
			return formats[i];
	}
	return NULL;
}
