/* SPDX-License-Identifier: MIT */
/*
 * local_rows.c - tables by the builder of symbols/, kept for each file.
 */
#include "tests/oracle/local_rows.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base.h"
#include "core/reader.h"
#include "symbols/symbols.h"

/* One table; the image is found again by what was asked. */
struct table {
	bool is_full, is_there;
	uint64_t page;		/* 0 for the whole file */
	struct writer image;
	struct rows rows;
};

struct file {
	uint64_t dev, inode;	/* 0 and 0: the vdso */
	uint32_t module;
	bool is_open;
	struct table **tables;
	size_t count, capacity;
};

struct local_rows {
	struct local_rows_config config;
	struct symbols *symbols;
	struct file **files;
	size_t count, capacity;
};

/* --- files */

static int
open_vdso(void)
{
	const Elf64_Ehdr *elf = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	size_t len;

	if (!elf || fd < 0)
		return fd;
	len = elf->e_shoff + (size_t)elf->e_shnum * elf->e_shentsize;
	if (write(fd, elf, len) != (ssize_t)len)
		fprintf(stderr, "local_rows: the vdso was not copied\n");
	return fd;
}

static int
open_file(const struct mapping *mapping)
{
	struct stat st;
	int fd;

	if (mapping->kind == MODULE_VDSO)
		return open_vdso();
	fd = open(mapping->path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) != 0 || st.st_ino != mapping->inode)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Does the file of A lie in memory as that of B does? */
static bool
have_same_segments(int a, int b)
{
	Elf64_Ehdr x, y;
	Elf64_Phdr p, q;
	unsigned i;

	if (pread(a, &x, sizeof(x), 0) != sizeof(x) ||
	    pread(b, &y, sizeof(y), 0) != sizeof(y) || x.e_phnum != y.e_phnum)
		return false;
	for (i = 0; i < x.e_phnum; i++) {
		off_t at = (off_t)(i * sizeof(p));

		if (pread(a, &p, sizeof(p), (off_t)x.e_phoff + at) !=
			    sizeof(p) ||
		    pread(b, &q, sizeof(q), (off_t)y.e_phoff + at) !=
			    sizeof(q) ||
		    (p.p_type == PT_LOAD && memcmp(&p, &q, sizeof(p))))
			return false;
	}
	return true;
}

/*
 * A copy of MAPPING's file without its symbols; the file itself where strip(1)
 * does not leave its segments alone.
 */
static int
open_stripped(const struct mapping *mapping)
{
	char copy[64], command[4400];
	int fd = -1, whole = open_file(mapping);

	if (mapping->kind == MODULE_VDSO || whole < 0)
		return whole;
	snprintf(copy, sizeof(copy), "/tmp/stripped-%d", (int)getpid());
	snprintf(command, sizeof(command), "strip -s -o %s '%s' 2>/dev/null",
		 copy, mapping->path);
	if (system(command) == 0)
		fd = open(copy, O_RDONLY | O_CLOEXEC);
	unlink(copy);
	if (fd >= 0 && have_same_segments(fd, whole)) {
		close(whole);
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return whole;
}

static struct file *
get_file(struct local_rows *rows, const struct mapping *mapping)
{
	struct debug_hint hint;
	struct file *file;
	size_t i;
	int fd;

	for (i = 0; i < rows->count; i++)
		if (rows->files[i]->dev == mapping->dev &&
		    rows->files[i]->inode == mapping->inode)
			return rows->files[i];
	rows->files = grow(rows->files, rows->count, &rows->capacity,
			   sizeof(struct file *));
	file = rows->files[rows->count++] = xcalloc(1, sizeof(*file));
	file->dev = mapping->dev;
	file->inode = mapping->inode;
	file->module = (uint32_t)rows->count;
	fd = rows->config.is_stripped ? open_stripped(mapping) :
					open_file(mapping);
	file->is_open = fd >= 0 && symbols_open(rows->symbols, file->module,
						mapping->kind, fd, &hint,
						NULL);
	return file;
}

/* --- tables */

static const struct table *
get_table(struct local_rows *rows, struct file *file, uint64_t offset,
	  bool is_full)
{
	uint64_t page = rows->config.by_page ? offset >> ROWS_PAGE_LOG : 0;
	struct table *table;
	size_t i;

	for (i = 0; i < file->count; i++)
		if (file->tables[i]->page == page &&
		    file->tables[i]->is_full == is_full)
			return file->tables[i];
	file->tables = grow(file->tables, file->count, &file->capacity,
			    sizeof(struct table *));
	table = file->tables[file->count++] = xcalloc(1, sizeof(*table));
	table->page = page;
	table->is_full = is_full;
	table->is_there = symbols_rows(rows->symbols, file->module, page,
				       rows->config.by_page, is_full,
				       &table->image) &&
			  rows_open(table->image.bytes, table->image.len,
				    &table->rows);
	return table;
}

static enum rows_state
find(void *ctx, const struct mapping *mapping, uint64_t offset, bool is_full,
     struct rows *out)
{
	struct local_rows *rows = ctx;
	const struct table *table;
	struct file *file;

	if (!mapping->inode && mapping->kind != MODULE_VDSO)
		return ROWS_MISSING;
	file = get_file(rows, mapping);
	if (!file->is_open)
		return ROWS_MISSING;
	table = get_table(rows, file, offset, is_full);
	if (!table->is_there || !rows_has(&table->rows, offset))
		return ROWS_MISSING;
	*out = table->rows;
	return ROWS_HERE;
}

/* --- life */

struct local_rows *
local_rows_new(const struct local_rows_config *config)
{
	struct local_rows *rows = xcalloc(1, sizeof(*rows));

	rows->config = *config;
	rows->symbols = symbols_new();
	return rows;
}

static void
free_file(struct file *file)
{
	size_t i;

	for (i = 0; i < file->count; i++) {
		writer_free(&file->tables[i]->image);
		free(file->tables[i]);
	}
	free(file->tables);
	free(file);
}

void
local_rows_free(struct local_rows *rows)
{
	size_t i;

	if (!rows)
		return;
	for (i = 0; i < rows->count; i++)
		free_file(rows->files[i]);
	free(rows->files);
	symbols_free(rows->symbols);
	free(rows);
}

struct row_source
local_rows_source(struct local_rows *rows)
{
	return (struct row_source){ find, rows };
}
