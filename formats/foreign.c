/* SPDX-License-Identifier: MIT */
/*
 * foreign.c - what a file is that is none of ours.
 */
#include "formats/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/base.h"
#include "formats/format.h"

#define PERF_SCRIPT "perf script -i FILE > OUT"

struct magic {
	const char *bytes;
	size_t len;
	const char *what;
};

#define MAGIC(bytes, what) { bytes, sizeof(bytes) - 1, what }

/* Files that begin in a way nothing else does. */
static const struct magic magics[] = {
	MAGIC("PERFILE2", "this is perf.data; make it text: " PERF_SCRIPT),
	MAGIC("2ELIFREP", "this is perf.data of another byte order; make it "
	      "text where it was made: " PERF_SCRIPT),
	MAGIC("\x1f\x8b", "this is gzip within gzip: gunzip FILE"),
	MAGIC("\x28\xb5\x2f\xfd", "this is compressed by zstd: zstd -d FILE"),
	MAGIC("\xfd" "7zXZ", "this is compressed by xz: xz -d FILE"),
	MAGIC("BZh91AY&SY", "this is compressed by bzip2: bzip2 -d FILE"),
	MAGIC("\x04\x22\x4d\x18", "this is compressed by lz4: lz4 -d FILE"),
	MAGIC("PK\3\4", "this is a zip archive: unzip FILE"),
	MAGIC("\x7f" "ELF", "this is a program or library, not a profile; run "
	      "it: flametop -- FILE"),
	MAGIC("#!", "this is a script, not a profile; run it: flametop -- "
	      "FILE"),
	MAGIC("FLR\0", "this is a Java flight recording; fold it: jfrconv "
	      "-o collapsed FILE OUT"),
	MAGIC("MOJ\3", "this is austin's binary output (MOJO); make it text: "
	      "mojo2austin FILE OUT"),
	MAGIC("JiTD", "this is a jitdump, which holds code and no samples; "
	      "give perf.data to: perf inject -j"),
	MAGIC("DTiJ", "this is a jitdump, which holds code and no samples; "
	      "give perf.data to: perf inject -j"),
	MAGIC("heap_v2/", "this is a heap profile of jemalloc; fold it: "
	      "jeprof --collapsed PROGRAM FILE"),
	MAGIC("\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", "this is a CPU profile of "
	      "gperftools; fold it: google-pprof --collapsed PROGRAM FILE"),
	MAGIC("\0\0\0\0\3\0\0\0", "this is a CPU profile of gperftools "
	      "(32 bits); fold it: google-pprof --collapsed PROGRAM FILE"),
	MAGIC("SIMPLEPERF", "this is a recording of simpleperf; fold it: "
	      "stackcollapse.py of simpleperf"),
	MAGIC("PeriodType:", "this is the raw text of go tool pprof; fold it: "
	      "stackcollapse-go.pl FILE"),
	MAGIC("# callgrind format", "this is a profile of callgrind; look at "
	      "it: callgrind_annotate FILE"),
	MAGIC("\x17\x08\x44tracing", "this is a recording of trace-cmd; make "
	      "it text: trace-cmd report FILE"),
	MAGIC("Ftrace!", "this is part of a recording of uftrace; fold it: "
	      "uftrace dump --flame-graph -d FOLDER"),
	MAGIC("%PDF-", "this is a PDF, not a profile"),
	MAGIC("\x89PNG", "this is a picture, not a profile"),
};

/* Words in the first part of a text of some outer form. */
static const struct magic json_words[] = {
	MAGIC("\"nodes\"", "this is a V8 .cpuprofile; open it in Chromium's "
	      "developer tools"),
	MAGIC("\"traceEvents\"", "this is a Chrome trace; fold it: "
	      "stackcollapse-chrome-tracing.py FILE"),
	MAGIC("", "this is JSON, not folded stacks"),
};

static const struct magic xml_words[] = {
	MAGIC("<svg", "this is an SVG picture; open the folded file that it "
	      "was drawn from"),
	MAGIC("<html", "this is a web page, not a profile"),
	MAGIC("<HTML", "this is a web page, not a profile"),
	MAGIC("<trace-query-result", "this is a trace of Instruments; fold "
	      "it: inferno-collapse-xctrace FILE"),
	MAGIC("", "this is XML, not folded stacks"),
};

static const char *
find_word(const struct magic *words, size_t count, struct slice text)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (memmem(text.at, text.len, words[i].bytes, words[i].len))
			return words[i].what;
	return NULL;
}

/* --- texts */

static struct slice
without_space(struct slice text)
{
	while (text.len && isspace((unsigned char)*text.at)) {
		text.at++;
		text.len--;
	}
	return text;
}

/* "{main};f 1" begins with a brace as well: look at what follows it. */
static bool
is_json(struct slice text)
{
	bool is_list = slice_starts(text, "[");

	if (!is_list && !slice_starts(text, "{"))
		return false;
	text = without_space(slice_of(text.at + 1, text.at + text.len));
	return slice_starts(text, "\"") || slice_starts(text, "}") ||
	       (is_list && (slice_starts(text, "{") ||
			    slice_starts(text, "[")));
}

static bool
is_xml(struct slice text)
{
	static const char *const words[] = { "<?xml", "<svg", "<!doctype",
					     "<html" };
	size_t i;

	for (i = 0; i < ARRAY_LEN(words); i++) {
		struct slice word = slice_whole(words[i]);

		if (text.len >= word.len &&
		    slice_is_like((struct slice){ text.at, word.len }, word))
			return true;
	}
	return false;
}

/* How many bytes a number takes off the start of LINE. */
static size_t
take_digits(struct slice *line)
{
	size_t had = line->len;
	uint64_t number;

	return take_hex(line, &number) ? had - line->len : 0;
}

static bool
take_blank(struct slice *line)
{
	return take_word(line, " ") || take_word(line, "\t");
}

/* START SIZE NAME, where no sane stack begins like START. */
static bool
is_map_entry(struct slice line)
{
	return take_digits(&line) >= 7 && take_blank(&line) &&
	       take_digits(&line) > 0 && take_blank(&line) && line.len &&
	       !isdigit((unsigned char)*line.at);
}

/* START-END PERMISSIONS, as in /proc/PID/maps. */
static bool
is_mapping(struct slice line)
{
	return take_digits(&line) >= 4 && take_word(&line, "-") &&
	       take_digits(&line) >= 4 && take_word(&line, " ") &&
	       line.len >= 4 && is_among(line.at[0], "r-") &&
	       is_among(line.at[1], "w-") && is_among(line.at[2], "x-") &&
	       is_among(line.at[3], "ps");
}

static const struct {
	bool (*fits)(struct slice line);
	const char *what;
} line_kinds[] = {
	{ is_map_entry, "this is a perf map, which holds names and no "
	  "samples; it belongs at /tmp/perf-PID.map" },
	{ is_mapping, "this is a list of mappings, not a profile; look at the "
	  "process: flametop PID" },
};

/* What the first lines of a text say it is. */
static const char *
name_by_lines(struct lines lines)
{
	struct slice line;
	size_t i;

	while (lines_next(&lines, &line)) {
		line = without_trailing_blanks(line);
		for (i = 0; i < ARRAY_LEN(line_kinds); i++)
			if (line_kinds[i].fits(line))
				return line_kinds[i].what;
	}
	return NULL;
}

/* Every tenth byte is none that a text has. */
static bool
is_binary(struct slice text)
{
	size_t odd = 0, i;

	for (i = 0; i < text.len; i++)
		odd += (unsigned char)text.at[i] < '\t' ||
		       text.at[i] == 0x7f ||
		       (text.at[i] > '\r' && text.at[i] < 0x1b);
	return odd > text.len / 10;
}

const char *
foreign_name(const char *bytes, size_t len)
{
	struct lines lines = format_look(bytes, len);
	struct slice text = slice_of(lines.at, lines.end);
	size_t i;

	for (i = 0; i < ARRAY_LEN(magics); i++)
		if (len >= magics[i].len &&
		    memcmp(bytes, magics[i].bytes, magics[i].len) == 0)
			return magics[i].what;
	if (is_binary(text))
		return "this is a binary file of a kind unknown here";
	text = without_space(text);
	if (is_json(text))
		return find_word(json_words, ARRAY_LEN(json_words), text);
	if (is_xml(text))
		return find_word(xml_words, ARRAY_LEN(xml_words), text);
	return name_by_lines(lines);
}
