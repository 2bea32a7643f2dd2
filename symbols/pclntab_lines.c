/* SPDX-License-Identifier: MIT */
/*
 * pclntab_lines.c - source lines of Go code, and what was inlined there.
 */
#include "symbols/pclntab_private.h"

#define FILE_NONE UINT32_MAX

static const char *
file_name(const struct pclntab *tab, const struct go_func *func,
	  uint32_t number)
{
	uint64_t at;

	if (tab->version == GO_1_2) {
		at = pclntab_u32(tab, (uint64_t)tab->files +
				      4 * (uint64_t)number);
		return number && at ? pclntab_text(tab, at) : "";
	}
	at = pclntab_u32(tab, tab->units + 4 * ((uint64_t)func->unit + number));
	return at == FILE_NONE ? "" : pclntab_text(tab, tab->files + at);
}

static bool
line_in(const struct pclntab *tab, const struct go_func *func, uint64_t vaddr,
	const char **file, uint32_t *line)
{
	int32_t number, value;

	if (!pclntab_value(tab, func, func->pcfile, vaddr, &number) ||
	    !pclntab_value(tab, func, func->pcln, vaddr, &value) ||
	    number < 0 || value < 0)
		return false;
	*file = file_name(tab, func, (uint32_t)number);
	*line = (uint32_t)value;
	return **file;
}

bool
pclntab_line(const struct pclntab *tab, uint64_t vaddr, const char **file,
	     uint32_t *line)
{
	struct go_func func;

	return pclntab_find(tab, vaddr, &func) &&
	       line_in(tab, &func, vaddr, file, line);
}

/* --- what was inlined */

/* Node INDEX of FUNC's tree: its name, and the place it was inlined at. */
static bool
read_node(const struct pclntab *tab, const struct go_func *func,
	  uint32_t index, const char **name, uint64_t *place)
{
	bool is_old = tab->version == GO_1_18;
	uint8_t bytes[20];
	size_t size = is_old ? 20 : 16;
	struct reader r = reader_of(bytes, size);
	uint32_t at, from;
	uint64_t offset;

	if (!elf_offset_of(tab->elf, tab->inlines + func->inlines +
			   (uint64_t)index * size, &offset) ||
	    !elf_read(tab->elf, offset, bytes, size))
		return false;
	reader_bytes(&r, is_old ? 12 : 4);
	at = reader_u32(&r);
	from = reader_u32(&r);
	*name = pclntab_text(tab, (uint64_t)tab->names + at);
	*place = func->start + from;
	return **name && *place < func->end;
}

size_t
pclntab_inlines(const struct pclntab *tab, uint64_t vaddr,
		struct go_inline *out, size_t max)
{
	struct go_func func;
	size_t n = 0;

	if (!max || !pclntab_find(tab, vaddr, &func))
		return 0;
	for (;; n++) {
		int32_t index = -1;

		out[n] = (struct go_inline){ .name = func.name };
		if (!line_in(tab, &func, vaddr, &out[n].file, &out[n].line))
			out[n].file = NULL;
		if (!tab->inlines || func.inlines == UINT32_MAX ||
		    n + 1 == max || n == GO_INLINES_MAX ||
		    !pclntab_value(tab, &func, func.pcinline, vaddr, &index) ||
		    index < 0 ||
		    !read_node(tab, &func, (uint32_t)index, &out[n].name,
			       &vaddr)) {
			out[n].name = func.name;
			return n + 1;
		}
	}
}
