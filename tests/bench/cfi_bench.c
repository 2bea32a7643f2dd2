/* SPDX-License-Identifier: MIT */
/*
 * cfi_bench.c - what a table of unwind rules costs, beside libdw.
 *
 *	cfi-bench FILE...
 *
 * For each file: milliseconds of CPU to read its unwind sections and build
 * the whole table, for a MB of .eh_frame; the same for libdw to say each row
 * once; bytes of the table for a row; and the time of one page on demand.
 * Medians of several runs, warm.
 */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/rows.h"
#include "symbols/cfi.h"
#include "symbols/elf.h"

#define RUNS 7
#define PAGES 32

static double
cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int
compare_times(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median(double *times, size_t n)
{
	qsort(times, n, sizeof(*times), compare_times);
	return times[n / 2];
}

static double
build_ms(const struct elf *elf, struct rows_header *header, size_t *len)
{
	double times[RUNS];

	for (size_t i = 0; i < RUNS; i++) {
		double start = cpu_ms();
		struct writer image = { 0 };
		struct cfi_file *cfi;
		uint32_t first, pages;

		if (!cfi_file_open(elf, NULL, NULL, &cfi, NULL))
			return 0;
		cfi_file_pages(cfi, &first, &pages);
		cfi_file_build(cfi, first, pages, false, &image);
		times[i] = cpu_ms() - start;
		memcpy(header, image.bytes, sizeof(*header));
		*len = image.len;
		cfi_file_free(cfi);
		writer_free(&image);
	}
	return median(times, RUNS);
}

/* One page among those of a file whose FDEs are indexed already. */
static double
page_us(const struct elf *elf)
{
	double times[PAGES];
	struct cfi_file *cfi;
	uint32_t first, pages;

	if (!cfi_file_open(elf, NULL, NULL, &cfi, NULL))
		return 0;
	cfi_file_pages(cfi, &first, &pages);
	for (uint32_t i = 0; i < PAGES; i++) {
		double start = cpu_ms();
		struct writer image = { 0 };

		cfi_file_build(cfi, first + pages * i / PAGES, 1, false,
			       &image);
		times[i] = cpu_ms() - start;
		writer_free(&image);
	}
	cfi_file_free(cfi);
	return median(times, PAGES) * 1e3;
}

/* Every row of one FDE: libdw runs it from the start for each. */
static void
say_rows(Dwarf_CFI *cfi, Dwarf_Addr at, Dwarf_Addr to)
{
	Dwarf_Frame *frame;
	Dwarf_Addr start, end;
	Dwarf_Op *ops;
	bool is_signal;
	size_t n;

	for (; at < to; at = end) {
		if (dwarf_cfi_addrframe(cfi, at, &frame))
			return;
		if (dwarf_frame_info(frame, &start, &end, &is_signal) < 0)
			end = 0;
		dwarf_frame_cfa(frame, &ops, &n);
		free(frame);
		if (end <= at)
			return;
	}
}

/* From the start of each FDE, that the index of ours names. */
static double
libdw_ms(int fd, const struct rows *rows, const struct elf *elf)
{
	double start = cpu_ms();
	Elf *file = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(file);
	const struct rows_header *h = rows->header;

	for (uint32_t page = 0; cfi && page < h->pages; page++) {
		uint64_t base = (uint64_t)(h->first + page) << ROWS_PAGE_LOG;
		const uint32_t *starts = &rows->starts[page * ROWS_PARTS];

		for (uint32_t i = starts[0]; i < starts[ROWS_PARTS]; i++) {
			uint64_t vaddr;

			if (elf_vaddr_of(elf, base + (rows->rows[i] >> 16),
					 &vaddr))
				say_rows(cfi, vaddr, vaddr + 1);
		}
	}
	dwarf_cfi_end(cfi);
	elf_end(file);
	return cpu_ms() - start;
}

static void
measure(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct rows_header header;
	struct writer image = { 0 };
	const Elf64_Shdr *section;
	struct cfi_file *cfi;
	double ours, theirs, mb;
	struct elf *elf;
	struct rows rows;
	size_t len;

	if (fd < 0 || !elf_open(dup(fd), &elf, NULL))
		return;
	section = elf_find(elf, ".eh_frame");
	ours = section ? build_ms(elf, &header, &len) : 0;
	if (ours > 0 && cfi_file_open(elf, NULL, NULL, &cfi, NULL)) {
		cfi_file_build(cfi, header.first, header.pages, false, &image);
		rows_open(image.bytes, image.len, &rows);
		theirs = libdw_ms(fd, &rows, elf);
		mb = (double)section->sh_size / 1e6;
		printf("%s: %.2f MB of .eh_frame, %u rows, %u rules: %.2f ms "
		       "a MB, libdw %.2f, ratio 1/%.0f; %.2f bytes a row; "
		       "a page %.0f us\n", path, mb, header.rows,
		       header.rules, ours / mb, theirs / mb, theirs / ours,
		       (double)len / header.rows, page_us(elf));
		cfi_file_free(cfi);
		writer_free(&image);
	}
	elf_free(elf);
	close(fd);
}

int
main(int argc, char **argv)
{
	elf_version(EV_CURRENT);
	for (int i = 1; i < argc; i++)
		measure(argv[i]);
	return 0;
}
