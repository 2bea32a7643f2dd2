/* SPDX-License-Identifier: MIT */
/*
 * row_store.c - tables by module, and what is wished for.
 */
#include "app/row_store.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bell.h"
#include "core/base.h"

/* A table and the memory it lies in. */
struct image {
	struct rows rows;
	void *memory;
	size_t len;
	bool is_mapped;
};

/* A page that was wished for. */
struct page {
	uint32_t number;
	bool is_missing;
};

/* What there is of one kind of table of one module. */
struct tables {
	struct image *images;
	size_t nimages, images_capacity;
	struct page *pages;
	size_t npages, pages_capacity;
	bool is_done;		/* all that there is has come */
};

struct module_rows {
	struct tables compact, full;
	bool is_shared;
	module_id shares;	/* these are the other's */
};

struct row_store {
	int wake, wished;
	_Atomic uint64_t version;
	pthread_mutex_t lock;		/* all below */
	struct module_rows *modules;	/* by module_id */
	size_t nmodules;
	size_t bytes;			/* of all tables */
	bool is_closed;
	struct row_wish *wishes;	/* from NEXT on they are open */
	size_t next, nwishes, wishes_capacity;
};

struct row_store *
row_store_new(int wake)
{
	struct row_store *store = xcalloc(1, sizeof(*store));

	store->wake = wake;
	store->wished = bell_new();
	pthread_mutex_init(&store->lock, NULL);
	return store;
}

static void
free_image(struct image *image)
{
	if (image->is_mapped)
		munmap(image->memory, image->len);
	else
		free(image->memory);
}

static void
free_tables(struct tables *tables)
{
	for (size_t i = 0; i < tables->nimages; i++)
		free_image(&tables->images[i]);
	free(tables->images);
	free(tables->pages);
}

void
row_store_free(struct row_store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < store->nmodules; i++) {
		free_tables(&store->modules[i].compact);
		free_tables(&store->modules[i].full);
	}
	free(store->modules);
	free(store->wishes);
	close(store->wished);
	pthread_mutex_destroy(&store->lock);
	free(store);
}

static struct module_rows *
rows_of(struct row_store *store, module_id module)
{
	while (store->nmodules <= module) {
		size_t n = store->nmodules * 2 + 64;

		store->modules = xreallocarray(store->modules, n,
					       sizeof(*store->modules));
		memset(store->modules + store->nmodules, 0,
		       (n - store->nmodules) * sizeof(*store->modules));
		store->nmodules = n;
	}
	return &store->modules[module];
}

/* Whose tables are those of MODULE? */
static module_id
owner_of(struct row_store *store, module_id module)
{
	const struct module_rows *rows = rows_of(store, module);

	return rows->is_shared ? rows->shares : module;
}

static struct tables *
tables_of(struct row_store *store, module_id module, bool is_full)
{
	struct module_rows *rows = rows_of(store, owner_of(store, module));

	return is_full ? &rows->full : &rows->compact;
}

/* --- the capture thread's side */

static struct page *
find_page(struct tables *tables, uint64_t number)
{
	for (size_t i = 0; i < tables->npages; i++)
		if (tables->pages[i].number == number)
			return &tables->pages[i];
	return NULL;
}

static struct page *
add_page(struct tables *tables, uint32_t number)
{
	tables->pages = grow(tables->pages, tables->npages,
			     &tables->pages_capacity, sizeof(*tables->pages));
	tables->pages[tables->npages] = (struct page){ .number = number };
	return &tables->pages[tables->npages++];
}

/* The lock is held. */
static void
wish(struct row_store *store, const struct row_wish *what)
{
	if (store->next == store->nwishes)
		store->next = store->nwishes = 0;
	store->wishes = grow(store->wishes, store->nwishes,
			     &store->wishes_capacity, sizeof(*store->wishes));
	store->wishes[store->nwishes++] = *what;
	bell_ring(store->wished);
}

static enum rows_state
look_up(struct row_store *store, const struct row_wish *what, uint64_t offset,
	struct rows *out)
{
	struct tables *tables = tables_of(store, what->module, what->is_full);
	const struct page *page;

	for (size_t i = 0; i < tables->nimages; i++)
		if (rows_has(&tables->images[i].rows, offset)) {
			*out = tables->images[i].rows;
			return ROWS_HERE;
		}
	if (tables->is_done || store->is_closed)
		return ROWS_MISSING;
	page = find_page(tables, what->page);
	if (page)
		return page->is_missing ? ROWS_MISSING : ROWS_ASKED;
	if (store->bytes >= ROW_STORE_MAX)
		return ROWS_MISSING;
	add_page(tables, what->page);
	wish(store, what);
	return ROWS_ASKED;
}

enum rows_state
row_store_find(struct row_store *store, module_id module, uint64_t offset,
	       bool is_full, struct rows *out)
{
	struct row_wish what = {
		.is_full = is_full,
		.page = (uint32_t)(offset >> ROWS_PAGE_LOG),
	};
	enum rows_state state;

	if (offset >> ROWS_PAGE_LOG >= ROWS_PAGES_MAX)
		return ROWS_MISSING;
	pthread_mutex_lock(&store->lock);
	what.module = owner_of(store, module);
	state = look_up(store, &what, offset, out);
	pthread_mutex_unlock(&store->lock);
	return state;
}

uint64_t
row_store_version(struct row_store *store)
{
	return atomic_load(&store->version);
}

/* --- the tables thread's side */

int
row_store_fd(const struct row_store *store)
{
	return store->wished;
}

bool
row_store_next(struct row_store *store, struct row_wish *out)
{
	bool is_there;

	pthread_mutex_lock(&store->lock);
	is_there = store->next < store->nwishes;
	if (is_there) {
		*out = store->wishes[store->next++];
		out->module = owner_of(store, out->module);
	} else {
		bell_silence(store->wished);
	}
	pthread_mutex_unlock(&store->lock);
	return is_there;
}

bool
row_store_has_room(struct row_store *store)
{
	bool has_room;

	pthread_mutex_lock(&store->lock);
	has_room = store->bytes < ROW_STORE_WHOLE_MAX;
	pthread_mutex_unlock(&store->lock);
	return has_room;
}

static void
tell(struct row_store *store)
{
	atomic_fetch_add(&store->version, 1);
	bell_ring(store->wake);
}

/* Does the table hold what was wished for, and no more? */
static bool
answers(const struct row_wish *what, const struct rows *rows)
{
	const struct rows_header *header = rows->header;

	return !header->is_full == !what->is_full &&
	       (what->is_whole ||
		(header->pages == 1 && header->first == what->page));
}

static bool
add_image(struct row_store *store, const struct row_wish *what,
	  struct image *image)
{
	struct tables *tables;

	if (!rows_open(image->memory, image->len, &image->rows) ||
	    !answers(what, &image->rows)) {
		free_image(image);
		return false;
	}
	pthread_mutex_lock(&store->lock);
	if (image->len > ROW_STORE_MAX - store->bytes) {
		pthread_mutex_unlock(&store->lock);
		free_image(image);
		row_store_deny(store, what);
		return true;
	}
	tables = tables_of(store, what->module, what->is_full);
	tables->images = grow(tables->images, tables->nimages,
			      &tables->images_capacity,
			      sizeof(*tables->images));
	tables->images[tables->nimages++] = *image;
	tables->is_done |= what->is_whole;
	store->bytes += image->len;
	pthread_mutex_unlock(&store->lock);
	tell(store);
	return true;
}

bool
row_store_put(struct row_store *store, const struct row_wish *what,
	      const void *bytes, size_t len)
{
	struct image image = { .len = len };

	image.memory = xcalloc(1, len);
	memcpy(image.memory, bytes, len);
	return add_image(store, what, &image);
}

/* Nobody may change the bytes while they are used, which is for long. */
bool
row_store_map(struct row_store *store, const struct row_wish *what, int fd)
{
	int wanted = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	int seals = fcntl(fd, F_GET_SEALS);
	struct image image = { .is_mapped = true };
	struct stat st;

	if (seals < 0 || (seals & wanted) != wanted || fstat(fd, &st) < 0 ||
	    st.st_size <= 0 || (uint64_t)st.st_size > ROW_STORE_MAX)
		return false;
	image.len = (size_t)st.st_size;
	image.memory = mmap(NULL, image.len, PROT_READ, MAP_SHARED, fd, 0);
	if (image.memory == MAP_FAILED) {
		row_store_deny(store, what);
		return true;
	}
	return add_image(store, what, &image);
}

void
row_store_deny(struct row_store *store, const struct row_wish *what)
{
	struct tables *tables;
	struct page *page;

	pthread_mutex_lock(&store->lock);
	tables = tables_of(store, what->module, what->is_full);
	if (what->is_whole) {
		tables->is_done = true;
	} else {
		page = find_page(tables, what->page);
		if (!page)
			page = add_page(tables, what->page);
		page->is_missing = true;
	}
	pthread_mutex_unlock(&store->lock);
	tell(store);
}

void
row_store_share(struct row_store *store, module_id module, module_id other)
{
	module_id owner;

	pthread_mutex_lock(&store->lock);
	owner = owner_of(store, other);
	rows_of(store, module)->shares = owner;
	rows_of(store, module)->is_shared = owner != module;
	pthread_mutex_unlock(&store->lock);
	tell(store);
}

void
row_store_close(struct row_store *store)
{
	pthread_mutex_lock(&store->lock);
	store->is_closed = true;
	pthread_mutex_unlock(&store->lock);
	tell(store);
}
