/* SPDX-License-Identifier: MIT */
/*
 * pclntab.c - reading the table.
 */
#include "symbols/pclntab_private.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/go_module.h"

#define INLINE_PCDATA 2		/* number of the table of places in the tree */
#define INLINE_FUNCDATA 3	/* number of the tree */
static struct reader
reader_at(const struct pclntab *tab, uint64_t at)
{
	return at < tab->len ? reader_of(tab->bytes + at, tab->len - at)
			     : reader_of(tab->bytes, 0);
}

uint32_t
pclntab_u32(const struct pclntab *tab, uint64_t at)
{
	struct reader r = reader_at(tab, at);

	return reader_u32(&r);
}

const char *
pclntab_text(const struct pclntab *tab, uint64_t at)
{
	struct reader r = reader_at(tab, at);

	return reader_cstr(&r);
}

/* Function I begins there; number COUNT is where the last one ends. */
static uint64_t
start_of(const struct pclntab *tab, size_t i)
{
	struct reader r;

	if (tab->version >= GO_1_18)
		return tab->text +
		       pclntab_u32(tab, tab->functions + (uint64_t)i * 8);
	r = reader_at(tab, tab->functions + (uint64_t)i * 16);
	return reader_u64(&r);
}

static uint64_t
record_of(const struct pclntab *tab, size_t i)
{
	struct reader r;

	if (tab->version >= GO_1_18)
		return (uint64_t)tab->functions +
		       pclntab_u32(tab, tab->functions + (uint64_t)i * 8 + 4);
	r = reader_at(tab, tab->functions + (uint64_t)i * 16 + 8);
	/* Before 1.16 everything is relative to the table. */
	return reader_u64(&r) + (tab->version == GO_1_16 ? tab->functions : 0);
}

/* --- header */

static bool
read_version(struct pclntab *tab, struct reader *r)
{
	switch (reader_u32(r)) {
	case 0xfffffffb:
		tab->version = GO_1_2;
		break;
	case 0xfffffffa:
		tab->version = GO_1_16;
		break;
	case 0xfffffff0:
		tab->version = GO_1_18;
		break;
	case 0xfffffff1:
		tab->version = GO_1_20;
		break;
	default:
		return false;
	}
	if (reader_u16(r))
		return false;
	tab->quantum = reader_u8(r);
	return (tab->quantum == 1 || tab->quantum == 2 || tab->quantum == 4) &&
	       reader_u8(r) == 8;
}

/* The part whose place comes next in the header. */
static size_t
read_part(const struct pclntab *tab, struct reader *r)
{
	uint64_t at = reader_u64(r);

	if (at > tab->len)
		r->failed = true;
	return (size_t)at;
}

static bool
read_parts(struct pclntab *tab, struct reader *r)
{
	uint64_t count = reader_u64(r), entry = 16;

	if (tab->version == GO_1_2) {
		tab->functions = 16;
	} else {
		reader_u64(r);		/* number of files */
		if (tab->version >= GO_1_18) {
			uint64_t text = reader_u64(r);

			tab->text = text ? text : tab->text;
			entry = 8;
		}
		tab->names = read_part(tab, r);
		tab->units = read_part(tab, r);
		tab->files = read_part(tab, r);
		tab->values = read_part(tab, r);
		tab->functions = read_part(tab, r);
	}
	if (r->failed || !count ||
	    count > (tab->len - tab->functions) / entry)
		return false;
	tab->count = (size_t)count;
	if (tab->version == GO_1_2)	/* behind the address of the end */
		tab->files = pclntab_u32(tab, 16 + count * 16 + 8);
	return true;
}

/* A search needs it, and the bounds of all else rest on it. */
static bool
is_sorted(const struct pclntab *tab)
{
	uint64_t last = start_of(tab, 0);

	for (size_t i = 1; i <= tab->count; i++) {
		uint64_t start = start_of(tab, i);

		if (start < last)
			return false;
		last = start;
	}
	return true;
}

/* What the table leaves to another record. False: code begins nowhere. */
static bool
take_module(struct pclntab *tab, uint64_t vaddr)
{
	struct go_module module;

	if (tab->version < GO_1_18)
		return true;
	if (tab->elf && go_module_find(tab->elf, vaddr, tab->names,
				       tab->version == GO_1_18, &module)) {
		tab->inlines = module.funcs;
		if (!tab->text)
			tab->text = module.text;
	}
	return tab->text;
}

bool
pclntab_parse(const struct elf *elf, uint8_t *bytes, size_t len,
	      uint64_t vaddr, uint64_t text, struct pclntab **out,
	      struct error *err)
{
	struct pclntab *tab = xcalloc(1, sizeof(*tab));
	struct reader r = reader_of(bytes, len);

	tab->elf = elf;
	tab->bytes = bytes;
	tab->len = len;
	tab->text = text;
	if (!read_version(tab, &r))
		fail(err, 0, "the Go symbol table is of an unknown version");
	else if (!read_parts(tab, &r) || !is_sorted(tab))
		fail(err, 0, "the Go symbol table is damaged");
	else if (!take_module(tab, vaddr))
		fail(err, 0, "nothing says where the Go code begins");
	else {
		*out = tab;
		return true;
	}
	pclntab_free(tab);
	return false;
}

void
pclntab_free(struct pclntab *tab)
{
	if (!tab)
		return;
	free(tab->bytes);
	free(tab);
}

/* --- functions */

size_t
pclntab_count(const struct pclntab *tab)
{
	return tab->count;
}

/* The numbers behind the fixed part of a record: pcdata, then funcdata. */
static void
read_inline_tables(const struct pclntab *tab, struct reader *r,
		   uint32_t npcdata, uint8_t nfuncdata, struct go_func *out)
{
	uint64_t at = (uint64_t)(r->at - tab->bytes);

	if (tab->version < GO_1_18 || npcdata <= INLINE_PCDATA ||
	    nfuncdata <= INLINE_FUNCDATA)
		return;
	out->pcinline = pclntab_u32(tab, at + 4 * INLINE_PCDATA);
	out->inlines = pclntab_u32(tab, at + 4 * (uint64_t)npcdata +
			      4 * INLINE_FUNCDATA);
}

bool
pclntab_at(const struct pclntab *tab, size_t i, struct go_func *out)
{
	struct reader r;
	uint32_t name, npcdata;
	uint8_t nfuncdata;

	if (i >= tab->count)
		return false;
	*out = (struct go_func){ .start = start_of(tab, i),
				 .end = start_of(tab, i + 1),
				 .inlines = UINT32_MAX };
	r = reader_at(tab, record_of(tab, i));
	reader_bytes(&r, tab->version >= GO_1_18 ? 4 : 8);	/* start */
	name = reader_u32(&r);
	reader_bytes(&r, 8);		/* arguments, deferreturn */
	out->pcsp = reader_u32(&r);
	out->pcfile = reader_u32(&r);
	out->pcln = reader_u32(&r);
	npcdata = reader_u32(&r);
	if (tab->version >= GO_1_16)
		out->unit = reader_u32(&r);
	if (tab->version >= GO_1_20)
		reader_u32(&r);		/* line of its beginning */
	reader_u8(&r);			/* number among the special ones */
	out->flags = reader_u8(&r);
	reader_u8(&r);
	nfuncdata = reader_u8(&r);
	if (r.failed || out->start >= out->end)
		return false;
	if (tab->version < GO_1_16)	/* a number of 4 bytes lies there */
		out->flags = 0;
	out->name = pclntab_text(tab, (uint64_t)tab->names + name);
	read_inline_tables(tab, &r, npcdata, nfuncdata, out);
	return true;
}

size_t
pclntab_number(const struct pclntab *tab, uint64_t vaddr)
{
	size_t low = 0, high = tab->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_of(tab, middle + 1) <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
pclntab_find(const struct pclntab *tab, uint64_t vaddr, struct go_func *out)
{
	return pclntab_at(tab, pclntab_number(tab, vaddr), out) &&
	       vaddr >= out->start;
}

static int
digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void
go_unescape(char *name)
{
	char *to = strchr(name, '%'), *from = to;

	if (!to)
		return;
	while (*from) {
		if (from[0] == '%' && digit_of(from[1]) > 0 &&
		    digit_of(from[2]) >= 0) {
			*to++ = (char)(digit_of(from[1]) << 4 |
				       digit_of(from[2]));
			from += 3;
		} else {
			*to++ = *from++;
		}
	}
	*to = '\0';
}

/* --- values by address */

void
pc_values_open(const struct pclntab *tab, const struct go_func *func,
	       uint32_t table, struct pc_values *out)
{
	*out = (struct pc_values){
		.r = table ? reader_at(tab, (uint64_t)tab->values + table)
			   : reader_of(tab->bytes, 0),
		.pc = func->start,
		.end = func->end,
		.quantum = tab->quantum,
		.last = -1,
	};
}

/* LEB128 of at most 32 bits. */
static uint32_t
read_varint(struct reader *r)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint8_t byte = reader_u8(r);

		value |= (uint32_t)((uint64_t)(byte & 0x7f) << shift);
		if (!(byte & 0x80))
			return value;
	}
	r->failed = true;
	return 0;
}

/*
 * A step of the value that is zero ends the table, unless it is the first.
 * Each step moves the address on, so there are no more than bytes of code.
 */
bool
pc_values_next(struct pc_values *v)
{
	uint32_t step = read_varint(&v->r), by;
	bool is_first = v->last == -1 && !v->to;

	if (v->r.failed || v->pc >= v->end || (!step && !is_first))
		return false;
	by = read_varint(&v->r);
	if (v->r.failed || !by)
		return false;
	v->last = (int32_t)((uint32_t)v->last +
			    ((step >> 1) ^ (0u - (step & 1))));
	v->from = v->pc;
	v->pc += by * v->quantum;
	if (v->pc > v->end || v->pc < v->from)
		v->pc = v->end;
	v->to = v->pc;
	v->value = v->last;
	return true;
}

bool
pclntab_value(const struct pclntab *tab, const struct go_func *func,
	 uint32_t table, uint64_t vaddr, int32_t *value)
{
	struct pc_values v;

	pc_values_open(tab, func, table, &v);
	while (pc_values_next(&v)) {
		*value = v.value;
		if (vaddr < v.to)
			return true;
	}
	return false;
}

bool
pclntab_depth(const struct pclntab *tab, const struct go_func *func,
	      uint64_t vaddr, int32_t *depth)
{
	return pclntab_value(tab, func, func->pcsp, vaddr, depth) &&
	       *depth >= 0;
}
