/* SPDX-License-Identifier: MIT */
/*
 * pclntab_fuzz.c - any bytes as a symbol table of Go, or as a program that has
 * one, with all that is made of it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/go_rows.h"
#include "symbols/go_switch.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
ask(const struct pclntab *tab)
{
	size_t count = pclntab_count(tab);
	struct go_inline all[8];
	struct go_func func, found;
	const char *file;
	uint32_t line;
	int32_t depth;

	for (size_t i = 0; i < count; i++) {
		if (!pclntab_at(tab, i, &func))
			continue;
		if (func.start >= func.end ||
		    !pclntab_find(tab, func.start, &found) ||
		    found.start != func.start)
			abort();
		pclntab_line(tab, func.start, &file, &line);
		pclntab_line(tab, func.end - 1, &file, &line);
		pclntab_inlines(tab, func.start, all, 8);
		pclntab_inlines(tab, func.end - 1, all, 8);
		pclntab_depth(tab, &func, func.end - 1, &depth);
	}
	pclntab_find(tab, 0, &found);
	pclntab_find(tab, UINT64_MAX, &found);
}

/* Rules for one page, which is where the first function is. */
static void
make_rows(const struct pclntab *tab, const struct elf *elf)
{
	struct go_rows *go = go_rows_new(tab, elf);
	struct writer out = { 0 };
	struct rows_writer *w;
	uint64_t start, end, offset = 0;
	struct rows rows;

	go_rows_span(go, &start, &end);
	elf_offset_of(elf, start, &offset);
	w = rows_writer_new((uint32_t)(offset >> ROWS_PAGE_LOG) &
			    (ROWS_PAGES_MAX - 1), 1, start & 1);
	go_rows_say(go, start, end, w);
	rows_writer_finish(w, &out);
	if (!rows_open(out.bytes, out.len, &rows))
		abort();
	writer_free(&out);
	go_rows_free(go);
}

static void
as_program(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("go", MFD_CLOEXEC);
	struct pclntab *tab = NULL;
	struct error err;
	struct elf *elf;

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	if (!elf_open(fd, &elf, &err))
		return;
	if (pclntab_open(elf, &tab, &err) && tab) {
		ask(tab);
		make_rows(tab, elf);
	}
	pclntab_free(tab);
	elf_free(elf);
}

static void
as_table(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len + 1);
	struct pclntab *tab;
	struct error err;

	memcpy(copy, bytes, len);
	if (!pclntab_parse(NULL, copy, len, 0x400000, 0x1000, &tab, &err))
		return;
	ask(tab);
	pclntab_free(tab);
}

/* A table of Go 1.2's form with nothing in it; the caller frees it. */
static struct pclntab *
empty_table(void)
{
	static const uint8_t head[] = { 0xfb, 0xff, 0xff, 0xff, 0, 0, 1, 8,
					1 };
	size_t len = 64;
	uint8_t *bytes = calloc(len, 1);
	struct pclntab *tab;
	struct error err;

	memcpy(bytes, head, sizeof(head));
	if (!pclntab_parse(NULL, bytes, len, 0x400000, 0x1000, &tab, &err))
		abort();
	return tab;
}

/* As the code of each function that changes stacks. */
static void
as_code(const uint8_t *bytes, size_t len)
{
	static const char *const names[] = {
		"runtime.systemstack", "runtime.morestack",
		"runtime.asmcgocall", "runtime.cgocallback", "gogo",
		"gosave_systemstack_switch",
	};
	struct go_layout layout = { .g_bp = len > 5 ? bytes[5] : 0 };
	struct go_stretch all[GO_STRETCHES];
	struct pclntab *tab = empty_table();

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		struct go_func func = { .name = names[i] };
		struct go_code code = { .tab = tab, .func = &func,
					.bytes = bytes, .len = len };
		size_t n;

		go_switch_layout(&code, &layout);
		n = go_switch_stretches(&code, &layout, all);
		for (size_t k = 0; k < n; k++)
			if (all[k].from > all[k].to || all[k].to > len ||
			    all[k].nops > ARRAY_LEN(all[k].ops))
				abort();
	}
	pclntab_free(tab);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *name = xstrndup((const char *)bytes, len);

	go_unescape(name);
	free(name);
	if (len > 4 && !memcmp(bytes, "\177ELF", 4))
		as_program(bytes, len);
	else if (len > 4 && bytes[3] == 0xff)
		as_table(bytes, len);
	else
		as_code(bytes, len);
	return 0;
}
