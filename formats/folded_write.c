/* SPDX-License-Identifier: MIT */
/*
 * folded_write.c - a profile as folded stacks, sorted bytewise and merged.
 *
 * Stacks that read the same are one line, whichever addresses they came
 * from; so they are merged in a tree keyed by the frames' texts. Walking the
 * tree with each node's children in the order of their lines gives the whole
 * file in order, without ever holding it:
 *
 *	a --+-- (itself, 5)	a 5		"a b;" goes before "a;", for
 *	    +-- c, 2		a b;d 1		a blank is less than a semicolon
 *	a b --- d, 1		a;c 2
 */
#include "formats/folded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/calltree.h"
#include "core/reader.h"
#include "core/strings.h"
#include "formats/frame_name.h"
#include "formats/stacks.h"

#define TEXT_NONE UINT32_MAX

/* What a frame without a name is called, as flamegraph.pl does. */
#define NAMELESS "-"

struct merge {
	struct profile *profile;
	struct names *names;
	enum kind kind;
	bool has_threads, has_header;

	struct strings *texts;	/* frames as written */
	string_id *text_of;	/* by func_id; TEXT_NONE: not asked yet */
	size_t text_count, text_capacity;

	struct calltree *tree;	/* its functions are ids in TEXTS */
	func_id *path;		/* room for one stack */
	size_t path_capacity;
};

/* --- frames to texts */

/*
 * NAME as it may stand between semicolons: nothing that ends a frame or a
 * line, no blank at the end, where it would be taken for the one before the
 * count.
 */
static string_id
add_text(struct merge *merge, const char *name, const char *suffix)
{
	size_t len = strlen(name), i;
	struct writer text = { 0 };
	string_id id;

	while (len && name[len - 1] == ' ')
		len--;
	if (!len) {
		name = NAMELESS;
		len = 1;
	}
	for (i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)name[i];

		writer_u8(&text, byte == ';'			? ':' :
				 byte < ' ' || byte == 0x7f	? '?' : byte);
	}
	writer_bytes(&text, suffix, strlen(suffix));
	id = strings_add(merge->texts, (const char *)text.bytes, text.len);
	writer_free(&text);
	return id;
}

static string_id
text_of_func(struct merge *merge, func_id func)
{
	while (merge->text_count <= func) {
		merge->text_of = grow(merge->text_of, merge->text_count,
				      &merge->text_capacity,
				      sizeof(*merge->text_of));
		merge->text_of[merge->text_count++] = TEXT_NONE;
	}
	if (merge->text_of[func] == TEXT_NONE)
		merge->text_of[func] =
			add_text(merge, names_text(merge->names, func),
				 frame_suffix(names_get(merge->names,
							 func)->kind));
	return merge->text_of[func];
}

static string_id
text_of_thread(struct merge *merge, thread_id id)
{
	const struct thread *thread = profile_get_thread(merge->profile, id);

	return add_text(merge, profile_text(merge->profile, thread->name), "");
}

/*
 * The outermost frame: a line that began with '#' would be a comment. The
 * header says that this is undone, so that '%' stands for itself without.
 */
static string_id
escape_first(struct merge *merge, string_id id)
{
	const char *text = strings_get(merge->texts, id);
	struct writer escaped = { 0 };

	if (*text != '#' && !(*text == '%' && merge->has_header))
		return id;
	writer_bytes(&escaped, *text == '#' ? "%23" : "%25", 3);
	writer_bytes(&escaped, text + 1, strlen(text + 1));
	id = strings_add(merge->texts, (const char *)escaped.bytes,
			 escaped.len);
	writer_free(&escaped);
	return id;
}

/* --- stacks to the tree */

static void
push_text(struct merge *merge, size_t *depth, string_id text)
{
	merge->path = grow(merge->path, *depth, &merge->path_capacity,
			   sizeof(*merge->path));
	merge->path[(*depth)++] = text;
}

/* The frame of STACK, from the inside out, and what was inlined there. */
static void
push_frame(struct merge *merge, size_t *depth, const struct stack *stack)
{
	const struct frame_place *places;
	size_t n;

	places = names_places(merge->names, stack->frame, &n);
	while (n > 1)
		push_text(merge, depth, text_of_func(merge, places[--n].func));
	push_text(merge, depth, text_of_func(
		merge, names_of(merge->names, stack->frame)));
}

static void
reverse(string_id *path, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		string_id other = path[n - 1 - i];

		path[n - 1 - i] = path[i];
		path[i] = other;
	}
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct merge *merge = ctx;
	const struct stack *stack;
	size_t depth = 0;

	if (cell->kind != merge->kind || !cell->weight)
		return;
	for (stack_id id = cell->stack; id; id = stack->parent) {
		stack = profile_get_stack(merge->profile, id);
		push_frame(merge, &depth, stack);
	}
	if (merge->has_threads)
		push_text(merge, &depth, text_of_thread(merge, cell->thread));
	if (!depth)
		push_text(merge, &depth, add_text(merge, STACKS_NO_STACK, ""));
	reverse(merge->path, depth);
	merge->path[0] = escape_first(merge, merge->path[0]);
	calltree_add(merge->tree, merge->path, depth, cell->weight);
}

static void
note_thread(void *ctx, const struct cell *cell)
{
	struct merge *merge = ctx;

	merge->has_threads |= cell->thread && cell->weight &&
			      cell->kind == merge->kind;
}

/* --- the tree to lines */

/*
 * Something to write below PATH_LEN bytes of path: a line of its own
 * (END is " count") or a node's children (END is ";").
 */
struct item {
	node_id node;
	size_t path_len, len;
	const char *text;
	char end[24];
};

struct output {
	const struct merge *merge;
	FILE *file;
	struct item *items;	/* what is left, last first */
	size_t count, capacity;
	struct writer path;	/* of the item being written */
};

static int
byte_of(const struct item *item, size_t i)
{
	return (unsigned char)(i < item->len ? item->text[i] :
					       item->end[i - item->len]);
}

/* The line that begins with A goes after the one that begins with B. */
static int
compare_reversed(const void *va, const void *vb)
{
	const struct item *a = va, *b = vb;
	size_t common = a->len < b->len ? a->len : b->len, i;
	int order = memcmp(b->text, a->text, common);

	for (i = common; !order; i++) {
		order = byte_of(b, i) - byte_of(a, i);
		if (!byte_of(a, i) || !byte_of(b, i))
			break;
	}
	return order;
}

static void
push_item(struct output *out, const struct item *item)
{
	out->items = grow(out->items, out->count, &out->capacity,
			  sizeof(*out->items));
	out->items[out->count++] = *item;
}

/* What lies below NODE, whose path is now in PATH, for later. */
static void
push_children(struct output *out, node_id node)
{
	const struct calltree *tree = out->merge->tree;
	size_t first = out->count;
	struct item item = { .path_len = out->path.len };
	node_id child;
	uint64_t self;

	for (child = calltree_first(tree, node); child != NODE_NONE;
	     child = calltree_next(tree, child)) {
		item.node = child;
		item.text = strings_get(out->merge->texts,
					calltree_func(tree, child));
		item.len = strlen(item.text);
		self = calltree_self(tree, child);
		snprintf(item.end, sizeof(item.end), " %llu",
			 (unsigned long long)self);
		if (self)
			push_item(out, &item);
		strcpy(item.end, ";");
		if (calltree_first(tree, child) != NODE_NONE)
			push_item(out, &item);
	}
	if (out->count > first)
		qsort(out->items + first, out->count - first,
		      sizeof(*out->items), compare_reversed);
}

static void
write_item(struct output *out, const struct item *item)
{
	out->path.len = item->path_len;
	writer_bytes(&out->path, item->text, item->len);
	if (item->end[0] == ';') {
		writer_u8(&out->path, ';');
		push_children(out, item->node);
		return;
	}
	fwrite(out->path.bytes, 1, out->path.len, out->file);
	fputs(item->end, out->file);
	fputc('\n', out->file);
}

static void
write_tree(const struct merge *merge, FILE *file)
{
	struct output out = { .merge = merge, .file = file };

	push_children(&out, 0);
	while (out.count) {
		struct item item = out.items[--out.count];

		write_item(&out, &item);
	}
	writer_free(&out.path);
	free(out.items);
}

static void
write_comment(void *ctx, const char *line)
{
	fprintf(ctx, "# %s\n", line);
}

bool
folded_write(FILE *out, struct profile *profile, struct names *names,
	     const struct write_options *options, struct error *err)
{
	struct merge merge = { .profile = profile, .names = names,
			       .kind = options->kind,
			       .has_header = options->header };
	struct folded_header header = { .kind = options->kind };

	merge.texts = strings_new();
	merge.tree = calltree_new();
	if (options->threads)
		profile_each(profile, 0, UINT64_MAX, note_thread, &merge);
	profile_each(profile, 0, UINT64_MAX, add_cell, &merge);
	header.has_threads = merge.has_threads;
	if (options->header)
		folded_each_line(profile, names, &header, write_comment, out);
	write_tree(&merge, out);
	calltree_free(merge.tree);
	strings_free(merge.texts);
	free(merge.text_of);
	free(merge.path);
	if (fflush(out) != 0 || ferror(out))
		return fail(err, errno, "cannot write");
	return true;
}
