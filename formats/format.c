/* SPDX-License-Identifier: MIT */
/*
 * format.c - which format is it, and what is it else.
 */
#include "formats/format.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/bpftrace.h"
#include "formats/dtrace.h"
#include "formats/folded.h"
#include "formats/foreign.h"
#include "formats/legacy.h"
#include "formats/perf_script.h"
#include "formats/pprof.h"
#include "formats/speedscope.h"
#include "formats/utf16.h"

/* More than this is not inflated: a profile of a week is a tenth of it. */
#define INFLATED_MAX ((size_t)512 << 20)

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
};

/*
 * A format that BYTES look like; if IS_SURE, like nothing else. A thread of
 * ours may be called "@[" all the same.
 */
static const struct format *
find_format(const char *bytes, size_t len, bool is_sure)
{
	size_t i;

	if (folded_is_ours(bytes, len))
		return &format_folded;
	for (i = 0; i < ARRAY_LEN(formats); i++)
		if (formats[i]->is_sure == is_sure &&
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

static bool
read_with(const struct format *format, const char *bytes, size_t len,
	  const struct read_options *options, struct profile *profile,
	  struct read_report *report, struct error *err)
{
	struct lines lines = lines_of(bytes, len);

	if (format->read)
		return format->read(bytes, len, options, profile, report,
				    err);
	return format->read_lines(&lines, options, profile, report, err);
}

/* Text or binary, but neither compressed nor UTF-16 any more. */
static bool
read_plain(const char *bytes, size_t len, const struct read_options *options,
	   struct profile *profile, struct read_report *report,
	   struct error *err)
{
	/* Names in our own files may look like anything. */
	const struct format *format = folded_is_ours(bytes, len) ?
				      &format_folded :
				      find_format(bytes, len, true);
	const char *foreign = format ? NULL : foreign_name(bytes, len);

	if (!format && !foreign)
		format = find_format(bytes, len, false);
	if (format)
		return read_with(format, bytes, len, options, profile, report,
				 err);
	return fail(err, 0, "%s", foreign ? foreign :
		    len ? "this is no profile of a known format" FOLDED_ELSE :
		    "there is nothing in it");
}

static bool
read_text(const char *bytes, size_t len, const struct read_options *options,
	  struct profile *profile, struct read_report *report,
	  struct error *err)
{
	size_t text_len;
	char *text;
	bool ok;

	if (!utf16_sniff(bytes, len))
		return read_plain(bytes, len, options, profile, report, err);
	text = utf16_decode(bytes, len, &text_len);
	ok = read_plain(text, text_len, options, profile, report, err);
	free(text);
	return ok;
}

bool
format_read_as(const void *bytes, size_t len,
	       const struct read_options *options, struct profile *profile,
	       struct read_report *report, struct error *err)
{
	size_t inflated_len, trailing;
	char *inflated;
	bool ok;

	*report = (struct read_report){ 0 };
	if (len < 2 || memcmp(bytes, "\x1f\x8b", 2) != 0)
		return read_text(bytes, len, options, profile, report, err);
	if (!gzip_read(bytes, len, INFLATED_MAX, &inflated, &inflated_len,
		       &trailing, err))
		return false;
	ok = read_text(inflated, inflated_len, options, profile, report,
		       err);
	free(inflated);
	if (trailing)
		read_note(report, "%zu bytes behind the gzip data ignored",
			  trailing);
	return ok;
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
