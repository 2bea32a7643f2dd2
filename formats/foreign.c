/* SPDX-License-Identifier: MIT */
/*
 * foreign.c - what a file is that is none of ours.
 */
#include "formats/foreign.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "core/base.h"
#include "formats/format.h"

#define PERF_SCRIPT "perf script -i FILE > OUT"
#define GO_RAW "go tool pprof -raw FILE | stackcollapse-go.pl"

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
find_word(const struct magic *words, size_t count, const char *text,
	  size_t len)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (memmem(text, len, words[i].bytes, words[i].len))
			return words[i].what;
	return NULL;
}

/* --- texts */

static const char *
skip_space(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	return at;
}

/* "{main};f 1" begins with a brace as well: look at what follows it. */
static bool
is_json(const char *at, const char *end)
{
	char open = at < end ? *at : '\0';

	if (open != '{' && open != '[')
		return false;
	at = skip_space(at + 1, end);
	if (at == end)
		return false;
	return *at == '"' || *at == '}' ||
	       (open == '[' && (*at == '{' || *at == '['));
}

static bool
starts_with(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - at) >= len && strncasecmp(at, word, len) == 0;
}

static bool
is_xml(const char *at, const char *end)
{
	return starts_with(at, end, "<?xml") || starts_with(at, end, "<svg") ||
	       starts_with(at, end, "<!doctype") ||
	       starts_with(at, end, "<html");
}

static const char *
skip_hex(const char *at, const char *end)
{
	if (end - at > 2 && at[0] == '0' && at[1] == 'x')
		at += 2;
	while (at < end && isxdigit((unsigned char)*at))
		at++;
	return at;
}

static bool
is_blank_at(const char *at, const char *end)
{
	return at < end && (*at == ' ' || *at == '\t');
}

/* START SIZE NAME, where no sane stack begins like START. */
static bool
is_map_entry(const char *at, const char *end)
{
	const char *size = skip_hex(at, end), *name;

	if (size - at < 7 || !is_blank_at(size, end))
		return false;
	name = skip_hex(size + 1, end);
	return name > size + 1 && is_blank_at(name, end) && name + 1 < end &&
	       !isdigit((unsigned char)name[1]);
}

/* START-END PERMISSIONS, as in /proc/PID/maps. */
static bool
is_mapping(const char *at, const char *end)
{
	const char *dash = skip_hex(at, end), *blank;

	if (dash - at < 4 || dash == end || *dash != '-')
		return false;
	blank = skip_hex(dash + 1, end);
	return blank - dash > 4 && end - blank > 4 && blank[0] == ' ' &&
	       strchr("r-", blank[1]) && strchr("w-", blank[2]) &&
	       strchr("x-", blank[3]) && strchr("ps", blank[4]);
}

static const struct {
	bool (*fits)(const char *at, const char *end);
	const char *what;
} line_kinds[] = {
	{ is_map_entry, "this is a perf map, which holds names and no "
	  "samples; it belongs at /tmp/perf-PID.map" },
	{ is_mapping, "this is a list of mappings, not a profile; look at the "
	  "process: flametop PID" },
};

/* What the first lines of a text say it is. */
static const char *
name_by_lines(const char *at, const char *end)
{
	const char *newline, *stop;
	size_t i;

	for (; at < end; at = newline + 1) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline)
			newline = end;
		stop = newline;
		while (stop > at && isspace((unsigned char)stop[-1]))
			stop--;
		for (i = 0; stop > at && i < ARRAY_LEN(line_kinds); i++)
			if (line_kinds[i].fits(at, stop))
				return line_kinds[i].what;
	}
	return NULL;
}

/* Every tenth byte is none that a text has. */
static bool
is_binary(const char *at, const char *end)
{
	size_t odd = 0, len = (size_t)(end - at);

	for (; at < end; at++)
		odd += (unsigned char)*at < '\t' || *at == 0x7f ||
		       (*at > '\r' && *at < 0x1b);
	return odd > len / 10;
}

const char *
foreign_name(const char *bytes, size_t len)
{
	size_t looked = len < FORMAT_LOOK ? len : FORMAT_LOOK, i;
	const char *end = bytes + looked, *at;

	for (i = 0; i < ARRAY_LEN(magics); i++)
		if (len >= magics[i].len &&
		    memcmp(bytes, magics[i].bytes, magics[i].len) == 0)
			return magics[i].what;
	if (is_binary(bytes, end))
		return "this is a binary file of a kind unknown here";
	at = skip_space(bytes, end);
	if (is_json(at, end))
		return find_word(json_words, ARRAY_LEN(json_words), at,
				 (size_t)(end - at));
	if (is_xml(at, end))
		return find_word(xml_words, ARRAY_LEN(xml_words), at,
				 (size_t)(end - at));
	return name_by_lines(bytes, end);
}
