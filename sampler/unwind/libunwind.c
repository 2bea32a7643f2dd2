/* SPDX-License-Identifier: MIT */
/*
 * libunwind.c - one step by .eh_frame, through libunwind's remote interface.
 *
 * libunwind asks for everything through the callbacks below, which answer
 * from struct memory: no ptrace, no file. Where a module's table of rules is
 * comes from its program headers, read the same way:
 *
 *	ELF header --> PT_GNU_EH_FRAME --> .eh_frame_hdr --> sorted table
 *
 * The cursor lives for one step only. What libunwind has parsed stays in its
 * cache, by address, until the code that lies there changes.
 */
#include <elf.h>
#include <libunwind-x86_64.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/reader.h"
#include "sampler/unwind/step.h"

/* The search in an .eh_frame_hdr that libunwind exports without a header. */
int _Ux86_64_dwarf_search_unwind_table(unw_addr_space_t as, unw_word_t ip,
				       unw_dyn_info_t *table,
				       unw_proc_info_t *found, int need_info,
				       void *arg);

#define PAGE 4096u
#define HEADERS_MAX 64		/* program headers of one file */
#define GAP_PAGES 16		/* between two segments, see find_header() */
#define CACHE_LOG 12		/* parsed rules kept, as a power of two */

/*
 * Compilers give each function its rule. So much code in a row without any is
 * of another kind: Go's, or what V8 has compiled in advance.
 */
#define BARE_CODE (64u << 10)

/* One executable mapping and its rules. */
struct code {
	uint64_t start, end;
	uint64_t header;	/* address of .eh_frame_hdr; 0: no rules */
	uint64_t table;		/* of the sorted table in it */
	uint64_t rules;		/* entries of the table */
	bool is_unknown;	/* its header cannot be read */
};

struct cfi {
	unw_addr_space_t space;
	struct code *codes;
	size_t count, capacity;
	uint64_t generation, fingerprint;
};

/* One step; what the callbacks get. */
struct query {
	struct cfi *cfi;
	const struct walk *walk;
	const struct regs *regs;
	bool has_no_rule, is_unreadable;
};

/* --- where the rules are */

static bool
read_at(const struct walk *walk, uint64_t addr, void *buf, size_t len)
{
	return walk->memory->read(walk->memory->ctx, addr, buf, len);
}

static bool
is_header(const struct walk *walk, uint64_t addr)
{
	char magic[SELFMAG];

	return addr && read_at(walk, addr, magic, sizeof(magic)) &&
	       !memcmp(magic, ELFMAG, SELFMAG);
}

/*
 * Address of the ELF header that MAPPING's file was mapped with, or 0. When
 * the first page was not seen it lies as far below as the file offset says,
 * or a few pages more if the linker left gaps between segments.
 */
static uint64_t
find_header(const struct walk *walk, const struct mapping *mapping)
{
	uint64_t guess = mapping->start - mapping->file_offset;
	unsigned i;

	if (is_header(walk, mapping->base))
		return mapping->base;
	for (i = 0; i < GAP_PAGES; i++)
		if (is_header(walk, guess - i * PAGE))
			return guess - i * PAGE;
	return 0;
}

/*
 * Run-time minus link-time address, from the segment that is mapped here. The
 * header's own place would not do: a small file has it in two mappings.
 */
static bool
find_bias(const Elf64_Phdr *headers, size_t count,
	  const struct mapping *mapping, uint64_t *bias)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint64_t from = headers[i].p_offset & ~(uint64_t)(PAGE - 1);
		uint64_t to = headers[i].p_offset + headers[i].p_filesz;

		if (headers[i].p_type != PT_LOAD ||
		    !(headers[i].p_flags & PF_X) ||
		    mapping->file_offset < from || mapping->file_offset >= to)
			continue;
		*bias = mapping->start - mapping->file_offset +
			headers[i].p_offset - headers[i].p_vaddr;
		return true;
	}
	return false;
}

/* Address and length of .eh_frame_hdr, or 0. */
static uint64_t
find_table(const struct walk *walk, const struct mapping *mapping,
	   struct code *code, uint64_t *size)
{
	Elf64_Ehdr elf;
	Elf64_Phdr headers[HEADERS_MAX];
	uint64_t base = find_header(walk, mapping), bias;
	size_t i;

	code->is_unknown = !base;
	if (!base || !read_at(walk, base, &elf, sizeof(elf)) ||
	    elf.e_ident[EI_CLASS] != ELFCLASS64 ||
	    elf.e_phentsize != sizeof(headers[0]) ||
	    elf.e_phnum > HEADERS_MAX ||
	    !read_at(walk, base + elf.e_phoff, headers,
		     elf.e_phnum * sizeof(headers[0])) ||
	    !find_bias(headers, elf.e_phnum, mapping, &bias))
		return 0;
	for (i = 0; i < elf.e_phnum; i++) {
		if (headers[i].p_type != PT_GNU_EH_FRAME)
			continue;
		*size = headers[i].p_memsz;
		return bias + headers[i].p_vaddr;
	}
	return 0;
}

/*
 * Only the encoding that every linker writes is taken: version 1, a pointer
 * to .eh_frame in four bytes, a count in four, pairs relative to the header.
 */
static void
find_rules(const struct walk *walk, const struct mapping *mapping,
	   struct code *code)
{
	uint8_t bytes[12];
	uint64_t size = 0;
	uint64_t header = find_table(walk, mapping, code, &size);
	struct reader r = reader_of(bytes, sizeof(bytes));

	if (!header || size < sizeof(bytes) ||
	    !read_at(walk, header, bytes, sizeof(bytes)) ||
	    reader_u32(&r) != 0x3b031b01)
		return;
	reader_u32(&r);
	code->rules = reader_u32(&r);
	if (code->rules > (size - sizeof(bytes)) / 8)
		code->rules = (size - sizeof(bytes)) / 8;
	code->header = header;
	code->table = header + sizeof(bytes);
}

static const struct code *
find_code(struct cfi *cfi, const struct walk *walk, uint64_t addr)
{
	const struct mapping *mapping;
	struct code *code;
	size_t i;

	for (i = 0; i < cfi->count; i++)
		if (addr >= cfi->codes[i].start && addr < cfi->codes[i].end)
			return &cfi->codes[i];
	mapping = maps_find(walk->maps, addr);
	if (!mapping || !mapping->is_executable ||
	    (!mapping->inode && mapping->kind != MODULE_VDSO))
		return NULL;
	cfi->codes = grow(cfi->codes, cfi->count, &cfi->capacity,
			  sizeof(*cfi->codes));
	code = &cfi->codes[cfi->count++];
	*code = (struct code){ .start = mapping->start, .end = mapping->end };
	find_rules(walk, mapping, code);
	return code;
}

/* First address of rule number I. */
static bool
rule_start(const struct walk *walk, const struct code *code, uint64_t i,
	   uint64_t *start)
{
	int32_t distance;

	if (!read_at(walk, code->table + i * 8, &distance, sizeof(distance)))
		return false;
	*start = code->header + (uint64_t)(int64_t)distance;
	return true;
}

bool
cfi_is_usual(struct cfi *cfi, const struct walk *walk, uint64_t addr)
{
	const struct code *code = find_code(cfi, walk, addr);
	uint64_t low = 0, high, start;
	uint64_t from, to;

	if (!code || !code->rules)
		return code && code->is_unknown;
	from = code->start;
	to = code->end;
	for (high = code->rules; low < high;) {
		uint64_t middle = low + (high - low) / 2;

		if (!rule_start(walk, code, middle, &start))
			return false;
		if (start <= addr) {
			from = start;
			low = middle + 1;
		} else {
			to = start;
			high = middle;
		}
	}
	return to - from < BARE_CODE;
}

void
cfi_check_maps(struct cfi *cfi, const struct maps *maps)
{
	uint64_t print = 0;
	size_t i;

	if (maps_generation(maps) == cfi->generation)
		return;
	cfi->generation = maps_generation(maps);
	/* A JIT that maps memory is no reason to read all rules again. */
	for (i = 0; i < maps_count(maps); i++) {
		const struct mapping *mapping = maps_at(maps, i);

		if (!mapping->is_executable ||
		    (!mapping->inode && mapping->kind != MODULE_VDSO))
			continue;
		print = (print ^ mapping->start) * 0x9e3779b97f4a7c15u;
		print = (print ^ mapping->end) * 0x9e3779b97f4a7c15u;
		print = (print ^ mapping->inode) * 0x9e3779b97f4a7c15u;
		print = (print ^ mapping->file_offset) * 0x9e3779b97f4a7c15u;
		print ^= print >> 32;
	}
	if (print == cfi->fingerprint)
		return;
	cfi->fingerprint = print;
	cfi->count = 0;
	unw_flush_cache(cfi->space, 0, 0);
}

/* --- what libunwind asks */

static int
find_proc_info(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *out,
	       int need_info, void *arg)
{
	struct query *query = arg;
	const struct code *code = find_code(query->cfi, query->walk, ip);
	unw_dyn_info_t table = { 0 };
	int status = -UNW_ENOINFO;

	if (code && code->rules) {
		table.start_ip = code->start;
		table.end_ip = code->end;
		table.format = UNW_INFO_FORMAT_REMOTE_TABLE;
		table.u.rti.segbase = code->header;
		table.u.rti.table_data = code->table;
		table.u.rti.table_len = code->rules * 8 / sizeof(unw_word_t);
		status = _Ux86_64_dwarf_search_unwind_table(
			space, ip, &table, out, need_info, arg);
	}
	if (status < 0)
		query->has_no_rule = true;
	return status;
}

static void
put_unwind_info(unw_addr_space_t space, unw_proc_info_t *found, void *arg)
{
	(void)space, (void)found, (void)arg;
}

static int
no_dynamic_code(unw_addr_space_t space, unw_word_t *list, void *arg)
{
	(void)space, (void)list, (void)arg;
	return -UNW_ENOINFO;
}

static int
access_mem(unw_addr_space_t space, unw_word_t addr, unw_word_t *word,
	   int is_write, void *arg)
{
	struct query *query = arg;

	(void)space;
	if (!is_write && read_at(query->walk, addr, word, sizeof(*word)))
		return 0;
	query->is_unreadable = true;
	return -UNW_EINVAL;
}

static int
access_reg(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *word,
	   int is_write, void *arg)
{
	const struct query *query = arg;

	(void)space;
	if (is_write || reg < 0 || reg >= X86_COUNT)
		return -UNW_EBADREG;
	*word = query->regs->r[reg];	/* both count as DWARF does */
	return 0;
}

static int
access_fpreg(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value,
	     int is_write, void *arg)
{
	(void)space, (void)reg, (void)value, (void)is_write, (void)arg;
	return -UNW_EBADREG;
}

static int
refuse_resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space, (void)cursor, (void)arg;
	return -UNW_EINVAL;
}

struct cfi *
cfi_new(void)
{
	unw_accessors_t accessors = {
		.find_proc_info = find_proc_info,
		.put_unwind_info = put_unwind_info,
		.get_dyn_info_list_addr = no_dynamic_code,
		.access_mem = access_mem,
		.access_reg = access_reg,
		.access_fpreg = access_fpreg,
		.resume = refuse_resume,
	};
	struct cfi *cfi = xcalloc(1, sizeof(*cfi));

	cfi->space = unw_create_addr_space(&accessors, 0);
	if (cfi->space) {
		unw_set_caching_policy(cfi->space, UNW_CACHE_GLOBAL);
		unw_set_cache_size(cfi->space, (size_t)1 << CACHE_LOG, 0);
	}
	return cfi;
}

void
cfi_free(struct cfi *cfi)
{
	if (!cfi)
		return;
	if (cfi->space)
		unw_destroy_addr_space(cfi->space);
	free(cfi->codes);
	free(cfi);
}

/* --- the step */

/* Registers that a function must leave as it found them. */
static void
take_caller(unw_cursor_t *cursor, uint64_t pc, struct regs *regs)
{
	static const uint8_t kept[] = { X86_RBX, X86_RBP, X86_RSP, X86_R12,
					X86_R13, X86_R14, X86_R15 };
	unw_word_t word;
	size_t i;

	for (i = 0; i < ARRAY_LEN(kept); i++)
		if (unw_get_reg(cursor, kept[i], &word) == 0)
			regs->r[kept[i]] = word;
	regs->r[X86_RIP] = pc;
}

enum step
cfi_step(struct cfi *cfi, const struct walk *walk, struct regs *regs)
{
	struct regs frame = *regs;
	struct query query = { .cfi = cfi, .walk = walk, .regs = &frame };
	struct regs caller = *regs;
	unw_cursor_t cursor;
	unw_word_t pc = 0;
	int status;

	/* The byte before a return address: inside of the call. */
	frame.r[X86_RIP] = walk->pc;
	if (!cfi->space || unw_init_remote(&cursor, cfi->space, &query) != 0)
		return STEP_NO_RULE;
	status = unw_step(&cursor);
	if (query.has_no_rule)
		return STEP_NO_RULE;
	if (status == 0)
		return STEP_ROOT;
	if (status < 0 || unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0)
		return query.is_unreadable ? STEP_UNREADABLE : STEP_NO_RULE;
	take_caller(&cursor, pc, &caller);
	*regs = caller;
	return STEP_CALLER;
}
