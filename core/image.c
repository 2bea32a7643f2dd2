/* SPDX-License-Identifier: MIT */
/*
 * image.c - writes a profile row by row, and reads it as a stranger's.
 *
 * Reading interns every row anew, so rows that turn out equal (a string that
 * cleaning changed) become one. The ids of the image are translated on the
 * way; an id that is not yet translated is an error.
 */
#include "core/image.h"

#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"

static const char magic[] = "FTIMAGE1";
#define MAGIC_LEN (sizeof(magic) - 1)
#define TOTAL_AT MAGIC_LEN	/* where the total stands */

enum { STRINGS, MODULES, FRAMES, STACKS, THREADS, CELLS, ATTRIBUTES, TABLES };

/* Least bytes of one row, so that no count can ask for absurd memory. */
static const uint32_t row_size[TABLES] = { 4, 32, 20, 8, 24, 20, 8 };

/* --- write */

struct cells {
	struct writer *out;
	uint32_t count;
};

static void
write_text(struct writer *out, const char *text)
{
	uint32_t len = (uint32_t)strlen(text);

	writer_u32(out, len);
	writer_bytes(out, text, len);
}

static void
write_module(struct writer *out, const struct module *module)
{
	writer_u32(out, module->kind);
	writer_u32(out, module->path);
	writer_u64(out, module->dev);
	writer_u64(out, module->inode);
	writer_u64(out, module->mtime_ns);
}

static void
write_frame(struct writer *out, const struct frame *frame)
{
	writer_u32(out, frame->module);
	writer_u32(out, frame->kind);
	writer_u32(out, frame->name);
	writer_u64(out, frame->offset);
}

static void
write_thread(struct writer *out, const struct thread *thread)
{
	writer_u32(out, (uint32_t)thread->pid);
	writer_u32(out, (uint32_t)thread->tid);
	writer_u64(out, thread->start);
	writer_u32(out, thread->name);
	writer_u32(out, thread->ended);
}

static void
write_cell(void *ctx, const struct cell *cell)
{
	struct cells *cells = ctx;

	writer_u32(cells->out, cell->stack);
	writer_u32(cells->out, cell->thread);
	writer_u32(cells->out, cell->kind);
	writer_u64(cells->out, cell->weight);
	cells->count++;
}

static void
add_to_sum(void *ctx, const struct cell *cell)
{
	profile_add(ctx, 0, cell);
}

static uint32_t
write_cells(struct writer *out, const struct profile *profile)
{
	struct profile *sum = profile_new();
	struct cells cells = { .out = out };

	profile_set_bound(sum, PROFILE_BOUND_FILE);
	profile_each(profile, 0, UINT64_MAX, add_to_sum, sum);
	profile_each(sum, 0, UINT64_MAX, write_cell, &cells);
	profile_free(sum);
	return cells.count;
}

static uint32_t
write_attributes(struct writer *out, const struct profile *profile)
{
	const char *key;
	uint32_t i;

	for (i = 0; (key = profile_key(profile, i)); i++) {
		write_text(out, key);
		write_text(out, profile_get(profile, key));
	}
	return i;
}

static void
write_rows(struct writer *out, struct profile *profile)
{
	for (uint32_t i = 1; i < strings_count(profile_strings(profile)); i++)
		write_text(out, profile_text(profile, i));
	for (uint32_t i = 1; i < profile_modules(profile); i++)
		write_module(out, profile_get_module(profile, i));
	for (uint32_t i = 1; i < profile_frames(profile); i++)
		write_frame(out, profile_get_frame(profile, i));
	for (uint32_t i = 1; i < profile_stacks(profile); i++) {
		writer_u32(out, profile_get_stack(profile, i)->parent);
		writer_u32(out, profile_get_stack(profile, i)->frame);
	}
	for (uint32_t i = 1; i < profile_threads(profile); i++)
		write_thread(out, profile_get_thread(profile, i));
}

/* Write VALUE over the SIZE bytes at AT, which stood open. */
static void
fill_in(struct writer *out, size_t at, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++)
		out->bytes[at + i] = (uint8_t)(value >> (8 * i));
}

void
image_write(struct profile *profile, struct writer *out)
{
	const struct losses *losses = profile_losses(profile);
	size_t start = out->len, counts;

	writer_bytes(out, magic, MAGIC_LEN);
	writer_u64(out, 0);
	counts = out->len;
	writer_u32(out,
		(uint32_t)strings_count(profile_strings(profile)) - 1);
	writer_u32(out, (uint32_t)profile_modules(profile) - 1);
	writer_u32(out, (uint32_t)profile_frames(profile) - 1);
	writer_u32(out, (uint32_t)profile_stacks(profile) - 1);
	writer_u32(out, (uint32_t)profile_threads(profile) - 1);
	writer_u32(out, 0);
	writer_u32(out, 0);
	writer_u64(out, losses->samples);
	writer_u64(out, losses->lost);
	writer_u64(out, losses->cut);
	writer_u64(out, losses->guessed);
	writer_u64(out, losses->stitched);
	writer_u64(out, losses->deep);
	writer_u64(out, losses->rules_late);
	writer_u64(out, losses->unresolved);
	writer_u64(out, losses->throttled);
	writer_u64(out, losses->late);
	write_rows(out, profile);
	fill_in(out, counts + CELLS * 4, write_cells(out, profile), 4);
	fill_in(out, counts + ATTRIBUTES * 4, write_attributes(out, profile),
		4);
	fill_in(out, start + TOTAL_AT, out->len - start, 8);
}

/* --- read */

/* From ids of the image to ids of the profile, for one table. */
struct ids {
	uint32_t *to;
	uint32_t known;		/* rows before this one are translated */
};

struct image {
	struct reader r;
	struct profile *profile;
	uint32_t count[TABLES];
	struct ids ids[CELLS];	/* of the tables before the cells */
};

/* An id of TABLE, translated; one that is not known yet fails. */
static uint32_t
read_id(struct image *image, int table)
{
	uint32_t id = reader_u32(&image->r);

	if (id >= image->ids[table].known) {
		image->r.failed = true;
		return 0;
	}
	return image->ids[table].to[id];
}

/* A number below END. */
static uint32_t
read_below(struct image *image, uint32_t end)
{
	uint32_t value = reader_u32(&image->r);

	if (value < end)
		return value;
	image->r.failed = true;
	return 0;
}

/* The next string, cleaned; the caller frees. */
static char *
read_text(struct image *image)
{
	uint32_t len = reader_u32(&image->r);
	const char *bytes = reader_bytes(&image->r, len);

	return sanitise(bytes, bytes ? len : 0);
}

static uint32_t
read_string(struct image *image)
{
	char *text = read_text(image);
	string_id id = strings_add(profile_strings(image->profile), text,
				   strlen(text));

	free(text);
	return id;
}

static uint32_t
read_module(struct image *image)
{
	struct module module = { 0 };

	module.kind = (enum module_kind)read_below(image, MODULE_JIT + 1);
	module.path = read_id(image, STRINGS);
	module.dev = reader_u64(&image->r);
	module.inode = reader_u64(&image->r);
	module.mtime_ns = reader_u64(&image->r);
	return image->r.failed ? 0 : profile_module(image->profile, &module);
}

static uint32_t
read_frame(struct image *image)
{
	struct frame frame = { 0 };

	frame.module = read_id(image, MODULES);
	frame.kind = (enum frame_kind)read_below(image, FRAME_NOTE + 1);
	frame.name = read_id(image, STRINGS);
	frame.offset = reader_u64(&image->r);
	return image->r.failed ? 0 : profile_frame(image->profile, &frame);
}

static uint32_t
read_stack(struct image *image)
{
	stack_id parent = read_id(image, STACKS);
	frame_id frame = read_id(image, FRAMES);

	return image->r.failed ? 0 :
	       profile_push(image->profile, parent, frame);
}

static uint32_t
read_thread(struct image *image)
{
	pid_t pid = (pid_t)reader_u32(&image->r);
	pid_t tid = (pid_t)reader_u32(&image->r);
	uint64_t start = reader_u64(&image->r);
	string_id name = read_id(image, STRINGS);
	bool ended = read_below(image, 2);
	thread_id id;

	if (image->r.failed)
		return 0;
	id = profile_thread(image->profile, pid, tid, start);
	profile_name_thread(image->profile, id, name);
	if (ended)
		profile_end_thread(image->profile, id);
	return id;
}

static uint32_t
read_cell(struct image *image)
{
	struct cell cell = { 0 };

	cell.stack = read_id(image, STACKS);
	cell.thread = read_id(image, THREADS);
	cell.kind = (enum kind)read_below(image, KIND_COUNT);
	cell.weight = reader_u64(&image->r);
	if (!image->r.failed)
		profile_add(image->profile, 0, &cell);
	return 0;
}

static uint32_t
read_attribute(struct image *image)
{
	char *key = read_text(image), *value = read_text(image);

	if (!image->r.failed && !profile_set(image->profile, key, value))
		image->r.failed = true;
	free(key);
	free(value);
	return 0;
}

static void
read_losses(struct image *image)
{
	struct losses *losses = profile_losses(image->profile);

	losses->samples = reader_u64(&image->r);
	losses->lost = reader_u64(&image->r);
	losses->cut = reader_u64(&image->r);
	losses->guessed = reader_u64(&image->r);
	losses->stitched = reader_u64(&image->r);
	losses->deep = reader_u64(&image->r);
	losses->rules_late = reader_u64(&image->r);
	losses->unresolved = reader_u64(&image->r);
	losses->throttled = reader_u64(&image->r);
	losses->late = reader_u64(&image->r);
}

static bool
read_header(struct image *image, size_t len, struct error *err)
{
	const void *start = reader_bytes(&image->r, MAGIC_LEN);
	uint64_t total = reader_u64(&image->r), least = 0;

	if (!start || memcmp(start, magic, MAGIC_LEN))
		return fail(err, 0, "the profile image does not begin as one");
	if (len > IMAGE_MAX)
		return fail(err, 0, "the profile is too large (%zu bytes)",
			    len);
	for (int table = 0; table < TABLES; table++) {
		image->count[table] = reader_u32(&image->r);
		least += (uint64_t)image->count[table] * row_size[table];
	}
	read_losses(image);
	if (image->r.failed || total != len || least > reader_left(&image->r))
		return fail(err, 0, "the profile image is cut short");
	return true;
}

static bool
read_tables(struct image *image)
{
	static uint32_t (*const read_row[TABLES])(struct image *) = {
		[STRINGS] = read_string, [MODULES] = read_module,
		[FRAMES] = read_frame, [STACKS] = read_stack,
		[THREADS] = read_thread, [CELLS] = read_cell,
		[ATTRIBUTES] = read_attribute,
	};

	for (int table = 0; table < TABLES; table++) {
		struct ids *ids = table < CELLS ? &image->ids[table] : NULL;
		uint32_t count = image->count[table], id;

		if (ids) {
			ids->to = xcalloc((size_t)count + 1,
					  sizeof(*ids->to));
			ids->known = 1;		/* row 0 */
		}
		while (count-- && !image->r.failed) {
			id = read_row[table](image);
			if (ids)
				ids->to[ids->known++] = id;
		}
	}
	return !image->r.failed && !reader_left(&image->r);
}

bool
image_read(const void *bytes, size_t len, struct profile **out,
	   struct error *err)
{
	struct image image = { .r = reader_of(bytes, len),
			       .profile = profile_new() };
	bool ok = read_header(&image, len, err);

	profile_set_bound(image.profile, PROFILE_BOUND_FILE);
	if (ok && !read_tables(&image))
		ok = fail(err, 0, "the profile image contradicts itself");
	for (int table = 0; table < CELLS; table++)
		free(image.ids[table].to);
	if (ok)
		*out = image.profile;
	else
		profile_free(image.profile);
	return ok;
}
