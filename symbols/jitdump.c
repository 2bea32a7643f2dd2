/* SPDX-License-Identifier: MIT */
/*
 * jitdump.c - records, and the functions they load.
 */
#include "symbols/jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/lookup.h"
#include "core/reader.h"
#include "core/strings.h"
#include "symbols/radix.h"
#include "symbols/window.h"

#define MAGIC 0x4a695444u
#define MAGIC_OTHER 0x4454694au
#define HEADER_SIZE 40
#define PREFIX_SIZE 16
#define LOAD_SIZE 40		/* of its numbers */
#define BLOCK_MAX ((size_t)16 << 20)	/* bytes of one record of lines */
#define FILES_MAX ((size_t)64 << 20)	/* bytes of all file names */
#define ELF_HEADER 0x40
#define PENDING_MAX 4096	/* functions whose lines came before them */

enum { LOAD, MOVE, LINES, CLOSE, UNWINDING };

struct source_line {
	uint32_t offset;	/* in the function */
	uint32_t line;
	string_id file;
};

/* Lines FIRST to FIRST + COUNT belong to the next function at ADDR. */
struct pending {
	uint64_t addr;
	uint32_t first, count;
};

struct load {
	uint64_t start, size, index;
	uint32_t name;		/* ascends with the number of the load */
	uint32_t first, count;	/* of its lines */
};

/* A load, or the move of one, until it is applied in order of time. */
struct event {
	uint64_t time, start;
	uint32_t load;
};

struct jitdump {
	struct versions *versions;
	struct strings *files;
	struct load *loads;
	size_t nloads, loads_capacity;
	struct lookup by_index;	/* the newest load with an index */
	struct source_line *lines;
	size_t nlines, lines_capacity;
	struct pending *pending;
	size_t npending, pending_capacity;
	struct event *events;
	size_t nevents, events_capacity;
	size_t junk;
	bool is_full, is_broken;

	/* How far the file was read. */
	dev_t dev;
	ino_t inode;
	uint64_t time;		/* in its header */
	uint64_t offset;
};

bool
jitdump_is(const void *bytes, size_t len)
{
	struct reader r = reader_of(bytes, len);
	uint32_t magic = reader_u32(&r);

	return !r.failed && (magic == MAGIC || magic == MAGIC_OTHER);
}

static void
start_anew(struct jitdump *dump)
{
	versions_restart(dump->versions);
	strings_free(dump->files);
	dump->files = strings_new();
	strings_set_bound(dump->files, FILES_MAX);
	lookup_fini(&dump->by_index);
	dump->nloads = dump->nlines = dump->npending = dump->nevents = 0;
	dump->junk = 0;
	dump->is_full = dump->is_broken = false;
	dump->offset = 0;
}

struct jitdump *
jitdump_new(void)
{
	struct jitdump *dump = xcalloc(1, sizeof(*dump));

	dump->versions = versions_new();
	start_anew(dump);
	return dump;
}

void
jitdump_free(struct jitdump *dump)
{
	if (!dump)
		return;
	versions_free(dump->versions);
	strings_free(dump->files);
	lookup_fini(&dump->by_index);
	free(dump->loads);
	free(dump->lines);
	free(dump->pending);
	free(dump->events);
	free(dump);
}

/* --- records */

static bool
same_index(const void *owner, uint32_t id, const void *key)
{
	const struct jitdump *dump = owner;

	return dump->loads[id].index == *(const uint64_t *)key;
}

static void
add_event(struct jitdump *dump, uint64_t time, uint64_t start, uint32_t load)
{
	dump->events = grow(dump->events, dump->nevents,
			    &dump->events_capacity, sizeof(*dump->events));
	dump->events[dump->nevents++] = (struct event){ time, start, load };
}

/* The lines that came for LOAD, which nobody else gets any more. */
static void
take_pending(struct jitdump *dump, struct load *load)
{
	for (size_t i = dump->npending; i-- > 0;) {
		struct pending *p = &dump->pending[i];

		if (p->addr != load->start)
			continue;
		load->first = p->first;
		load->count = p->count;
		*p = dump->pending[--dump->npending];
		return;
	}
}

static bool
add_load(struct jitdump *dump, struct load *load, const char *name, size_t len,
	 uint64_t time)
{
	uint32_t id = (uint32_t)dump->nloads, hash, old;
	char *room = NULL;

	if (dump->nloads < JITDUMP_LOADS_MAX)
		room = versions_room(dump->versions, len, &load->name);
	if (!room) {
		dump->is_full = true;
		return true;
	}
	memcpy(room, name, len);
	take_pending(dump, load);
	dump->loads = grow(dump->loads, dump->nloads, &dump->loads_capacity,
			   sizeof(*load));
	dump->loads[dump->nloads++] = *load;
	hash = hash_words(load->index, 0);
	old = lookup_find(&dump->by_index, hash, same_index, dump,
			  &load->index);
	if (old == LOOKUP_NONE)
		lookup_add(&dump->by_index, hash, id);
	else
		lookup_replace(&dump->by_index, hash, old, id);
	add_event(dump, time, load->start, id);
	return true;
}

static bool
is_place(uint64_t start, uint64_t size)
{
	return size && start < (uint64_t)1 << VERSION_SHIFT &&
	       size <= ((uint64_t)1 << VERSION_SHIFT) - start;
}

static bool
read_load(struct jitdump *dump, struct window *w, uint64_t at, uint32_t len,
	  uint64_t time)
{
	size_t most = LOAD_SIZE + JITDUMP_NAME_MAX;
	struct reader r = window_view(w, at, len < most ? len : most);
	struct load load = { 0 };
	size_t name_len;

	reader_bytes(&r, 16);		/* pid, tid, vma */
	load.start = reader_u64(&r);
	load.size = reader_u64(&r);
	load.index = reader_u64(&r);
	if (r.failed || !is_place(load.start, load.size))
		return false;
	name_len = strnlen((const char *)r.at, reader_left(&r));
	return name_len && add_load(dump, &load, (const char *)r.at, name_len,
				    time);
}

static bool
read_move(struct jitdump *dump, struct window *w, uint64_t at, uint32_t len,
	  uint64_t time)
{
	struct reader r = window_view(w, at, len < 48 ? len : 48);
	uint64_t start, size, index;
	uint32_t load;

	reader_bytes(&r, 24);		/* pid, tid, vma, old address */
	start = reader_u64(&r);
	size = reader_u64(&r);
	index = reader_u64(&r);
	if (r.failed || !is_place(start, size))
		return false;
	load = lookup_find(&dump->by_index, hash_words(index, 0), same_index,
			   dump, &index);
	if (load == LOOKUP_NONE || dump->loads[load].size != size)
		return false;
	add_event(dump, time, start, load);
	return true;
}

/*
 * perf makes an ELF file of each function, and its addresses are meant for
 * the place where code begins in there. Some writers count so, some do not.
 */
static void
undo_bias(struct source_line *lines, uint32_t count)
{
	if (lines[0].offset != ELF_HEADER)
		return;
	for (uint32_t i = 0; i < count; i++)
		if (lines[i].offset < ELF_HEADER)
			return;
	for (uint32_t i = 0; i < count; i++)
		lines[i].offset -= ELF_HEADER;
}

static bool
add_line(struct jitdump *dump, struct reader *r, uint64_t start,
	 string_id *file)
{
	uint64_t addr = reader_u64(r);
	uint32_t line = reader_u32(r);
	const char *name;

	reader_u32(r);			/* discriminator */
	name = reader_cstr(r);
	if (r->failed || dump->nlines == JITDUMP_LINES_MAX)
		return false;
	/* This one means the file of the entry before. */
	if (strcmp(name, "\xff"))
		*file = strings_add(dump->files, name, strlen(name));
	/* An entry before the function is where its first line begins. */
	addr = addr < start ? 0 : addr - start;
	if (addr > UINT32_MAX)
		return true;
	dump->lines = grow(dump->lines, dump->nlines, &dump->lines_capacity,
			   sizeof(*dump->lines));
	dump->lines[dump->nlines++] = (struct source_line){
		(uint32_t)addr, line, *file,
	};
	return true;
}

static bool
read_lines(struct jitdump *dump, struct window *w, uint64_t at, uint32_t len)
{
	struct reader r = window_view(w, at, len <= BLOCK_MAX ? len : SIZE_MAX);
	struct pending p = { .addr = reader_u64(&r),
			     .first = (uint32_t)dump->nlines };
	uint64_t count = reader_u64(&r);
	string_id file = 0;

	while (count-- && add_line(dump, &r, p.addr, &file))
		;
	p.count = (uint32_t)dump->nlines - p.first;
	if (!p.count)
		return false;
	undo_bias(dump->lines + p.first, p.count);
	if (dump->npending == PENDING_MAX)
		dump->npending = 0;
	dump->pending = grow(dump->pending, dump->npending,
			     &dump->pending_capacity, sizeof(p));
	dump->pending[dump->npending++] = p;
	return true;
}

/* The record at the present offset; false if there is none that is whole. */
static bool
read_record(struct jitdump *dump, struct window *w)
{
	struct reader r = window_view(w, dump->offset, PREFIX_SIZE);
	uint32_t id = reader_u32(&r), size = reader_u32(&r), len;
	uint64_t time = reader_u64(&r), at = dump->offset + PREFIX_SIZE;
	bool is_good = true;

	if (r.failed)
		return false;
	dump->is_broken = size < PREFIX_SIZE;
	if (dump->is_broken || size > w->size - dump->offset)
		return false;
	len = size - PREFIX_SIZE;
	if (id == LOAD)
		is_good = read_load(dump, w, at, len, time);
	else if (id == MOVE)
		is_good = read_move(dump, w, at, len, time);
	else if (id == LINES)
		is_good = read_lines(dump, w, at, len);
	dump->junk += !is_good;
	dump->offset += size;
	return true;
}

/* --- the file */

static bool
read_header(struct jitdump *dump, struct window *w, const struct stat *now,
	    struct error *err)
{
	struct reader r = window_view(w, 0, HEADER_SIZE);
	uint32_t magic = reader_u32(&r), version = reader_u32(&r);
	uint32_t size = reader_u32(&r);
	uint64_t time;

	reader_bytes(&r, 12);		/* machine, padding, pid */
	time = reader_u64(&r);
	if (r.failed)
		return fail(err, 0, "the jitdump is cut short");
	if (magic == MAGIC_OTHER)
		return fail(err, 0, "the jitdump has the other byte order");
	if (magic != MAGIC || version != 1 || size < HEADER_SIZE)
		return fail(err, 0, "no jitdump that is known (version %u)",
			    version);
	if (now->st_dev != dump->dev || now->st_ino != dump->inode ||
	    time != dump->time || w->size < dump->offset) {
		start_anew(dump);
		dump->dev = now->st_dev;
		dump->inode = now->st_ino;
		dump->time = time;
	}
	if (!dump->offset)
		dump->offset = size;
	return true;
}

/* Make the new loads and moves visible, the earliest first. */
static void
settle(struct jitdump *dump)
{
	size_t n = dump->nevents;
	struct radix_key *keys = xreallocarray(NULL, n + 1, sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		keys[i] = (struct radix_key){ dump->events[i].time,
					      (uint32_t)i };
	radix_sort(keys, n);
	for (size_t i = 0; i < n; i++) {
		const struct event *event = &dump->events[keys[i].index];
		const struct load *load = &dump->loads[event->load];

		versions_add(dump->versions, event->start,
			     event->start + load->size, load->name);
	}
	free(keys);
	dump->nevents = 0;
	versions_settle(dump->versions);
}

bool
jitdump_read(struct jitdump *dump, int fd, struct error *err)
{
	struct window w = { .fd = fd };
	struct stat now;

	if (fstat(fd, &now))
		return fail(err, errno, "cannot look at the jitdump");
	if (!S_ISREG(now.st_mode))
		return fail(err, 0, "the jitdump is not a regular file");
	w.size = (uint64_t)now.st_size;
	if (!read_header(dump, &w, &now, err)) {
		window_fini(&w);
		return false;
	}
	while (!dump->is_full && read_record(dump, &w))
		;
	window_fini(&w);
	settle(dump);
	if (dump->is_full)
		return fail(err, 0, "the jitdump is too large: names after "
				    "%zu functions are missing", dump->nloads);
	if (dump->is_broken)
		return fail(err, 0, "the jitdump is damaged after %zu "
				    "functions", dump->nloads);
	return true;
}

/* --- answers */

struct versions *
jitdump_versions(const struct jitdump *dump)
{
	return dump->versions;
}

/* The load whose name is at NAME; a moved one keeps its own. */
static const struct load *
load_named(const struct jitdump *dump, uint32_t name)
{
	size_t low = 0, high = dump->nloads;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dump->loads[middle].name < name)
			low = middle + 1;
		else
			high = middle;
	}
	return low < dump->nloads && dump->loads[low].name == name
		       ? &dump->loads[low] : NULL;
}

bool
jitdump_line(struct jitdump *dump, uint64_t offset, const char **file,
	     uint32_t *line)
{
	const uint64_t mask = ((uint64_t)1 << VERSION_SHIFT) - 1;
	const struct source_line *best = NULL;
	const struct load *load;
	uint64_t start, at;
	uint32_t name;

	if (!versions_find(dump->versions, offset, &start, &name))
		return false;
	load = load_named(dump, name);
	if (!load)
		return false;
	at = (offset & mask) - (start & mask);
	for (uint32_t i = 0; i < load->count; i++) {
		const struct source_line *l = &dump->lines[load->first + i];

		if (l->offset <= at && (!best || l->offset >= best->offset))
			best = l;
	}
	if (!best || !best->file)
		return false;
	*file = strings_get(dump->files, best->file);
	*line = best->line;
	return true;
}

size_t
jitdump_loads(const struct jitdump *dump)
{
	return dump->nloads;
}

size_t
jitdump_junk(const struct jitdump *dump)
{
	return dump->junk;
}
