/* SPDX-License-Identifier: MIT */
/*
 * cfi_holes.c - what bytes of code prove.
 */
#include "symbols/cfi_holes.h"

#include <string.h>

#define SAMPLES 16
#define SAMPLE_SIZE 4096
#define CHUNK ((size_t)64 << 10)
#define STUB 16			/* bytes of a stub of the PLT; its alignment */
/* Who saves six registers and loads them is no shorter, and not much more. */
#define SWITCH_MIN 56
#define SWITCH_MAX 512

/* mov $SYS_rt_sigreturn, %rax; syscall */
static const uint8_t sigreturn[] = {
	0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05,
};

/* push %rbp; mov %rsp, %rbp */
static const uint8_t keep_fp[] = { 0x55, 0x48, 0x89, 0xe5 };
/* lea N(%rsp), %rbp: how Go sets it behind its variables */
static const uint8_t keep_go_fp[] = { 0x48, 0x8d, 0x6c, 0x24 };

static size_t
count(const uint8_t *bytes, size_t len, const uint8_t wanted[4])
{
	size_t n = 0;

	for (size_t i = 0; i + 4 <= len; i++)
		n += !memcmp(bytes + i, wanted, 4);
	return n;
}

bool
cfi_keeps_fp(const struct elf *elf, const struct cfi_hole *hole)
{
	uint64_t len = hole->to - hole->from, step = len / SAMPLES;
	uint8_t bytes[SAMPLE_SIZE];
	size_t found = 0, looked = 0;

	for (size_t i = 0; i < SAMPLES && len; i++) {
		uint64_t at = hole->from + step * i;
		size_t n = step < SAMPLE_SIZE ? (size_t)step : SAMPLE_SIZE;

		if (!n || !elf_read(elf, at, bytes, n))
			continue;
		looked += n;
		found += count(bytes, n, keep_fp) +
			 count(bytes, n, keep_go_fp);
	}
	return found && found * SAMPLE_SIZE >= looked;
}

static void
say(struct rows_writer *w, uint64_t offset, enum rule_kind kind, int32_t cfa)
{
	rows_writer_rule(w, offset, &(struct rule){ .kind = (uint8_t)kind,
						    .cfa = cfa });
}

/* Skip BYTE at *AT, if it is there. */
static void
skip(const uint8_t **at, uint8_t byte)
{
	if (**at == byte)
		++*at;
}

/*
 * Rules of the stub of a PLT at OFFSET; false: it is none. In all of them the
 * stack is as the caller left it until something is pushed:
 *
 *	[endbr64] [bnd] jmp *CELL(%rip)		.plt.got, .plt.sec
 *	jmp *CELL(%rip); push $N; jmp FIRST	.plt
 *	[endbr64] push $N; [bnd] jmp FIRST	.plt beside a .plt.sec
 *	push CELL(%rip); [bnd] jmp *CELL(%rip)	FIRST, with $N on the stack
 */
static bool
say_stub(struct rows_writer *w, uint64_t offset, const uint8_t stub[STUB])
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *at = stub;

	if (!memcmp(at, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	if (at[0] == 0xff && at[1] == 0x35) {
		at += 6;
		skip(&at, 0xf2);
		if (at[0] != 0xff || at[1] != 0x25)
			return false;
		say(w, offset, RULE_SP, 16);
		say(w, offset + 6 + (stub[0] == 0xf3 ? 4 : 0), RULE_SP, 24);
		return true;
	}
	if (at[0] == 0x68) {
		at += 5;
		skip(&at, 0xf2);
		if (*at != 0xe9)
			return false;
		say(w, offset, RULE_PLT, stub[0] == 0xf3 ? 9 : 5);
		return true;
	}
	skip(&at, 0xf2);
	if (at[0] != 0xff || at[1] != 0x25)
		return false;
	if (at == stub && at[6] == 0x68 && at[11] == 0xe9)
		say(w, offset, RULE_PLT, 11);
	else
		say(w, offset, RULE_SP, 8);
	return true;
}

struct finder {
	const struct cfi_hole *hole;
	enum rule_kind default_rule;
	struct rows_writer *w;
	uint64_t offset;	/* of what is looked at */
	const uint8_t *bytes;
	size_t len;
	uint64_t next_sigreturn;	/* or UINT64_MAX */
};

/* By its second byte, which is rare in code; memmem() is slower by far. */
static void
find_sigreturn(struct finder *f, size_t from)
{
	const uint8_t *at = f->bytes + from + 1, *end = f->bytes + f->len;

	f->next_sigreturn = UINT64_MAX;
	while (at < end &&
	       (at = memchr(at, sigreturn[1], (size_t)(end - at)))) {
		at--;
		if ((size_t)(end - at) < sizeof(sigreturn))
			return;
		if (!memcmp(at, sigreturn, sizeof(sigreturn))) {
			f->next_sigreturn = f->offset +
					    (size_t)(at - f->bytes);
			return;
		}
		at += 2;
	}
}

/*
 * The byte before the stub is its own, too: the handler returns to its first
 * byte, and whoever looks up a caller looks up the byte before.
 */
static void
say_sigreturns(struct finder *f, uint64_t up_to)
{
	while (f->next_sigreturn < up_to) {
		uint64_t at = f->next_sigreturn;

		say(f->w, at > f->hole->from ? at - 1 : at, RULE_SIGNAL, 0);
		say(f->w, at + sizeof(sigreturn), f->default_rule, 0);
		find_sigreturn(f, (size_t)(at - f->offset) +
					  sizeof(sigreturn));
	}
}

static void
look_through(struct finder *f)
{
	size_t i = (size_t)(-(f->offset + f->hole->bias) % STUB);
	bool was_stub = false;

	find_sigreturn(f, 0);
	for (; i + STUB <= f->len; i += STUB) {
		uint64_t at = f->offset + i;

		if (f->next_sigreturn < at)
			say_sigreturns(f, at);
		if (was_stub)
			say(f->w, at, f->default_rule, 0);
		was_stub = say_stub(f->w, at, f->bytes + i);
	}
	if (was_stub)
		say(f->w, f->offset + i, f->default_rule, 0);
	say_sigreturns(f, UINT64_MAX);
}

void
cfi_fill_hole(const struct elf *elf, const struct cfi_hole *hole,
	      uint64_t from, uint64_t to, enum rule_kind default_rule,
	      struct rows_writer *w)
{
	struct finder f = { .hole = hole, .default_rule = default_rule,
			    .w = w };
	uint8_t bytes[CHUNK + STUB];

	say(w, hole->from, default_rule, 0);
	from = from > hole->from + STUB ? from - STUB : hole->from;
	to = hole->to > to + STUB ? to + STUB : hole->to;
	for (; from < to; from += CHUNK) {
		f.len = to - from < sizeof(bytes) ? (size_t)(to - from)
						  : sizeof(bytes);
		f.offset = from;
		f.bytes = bytes;
		if (!elf_read(elf, from, bytes, f.len))
			return;
		look_through(&f);
	}
}

/* Is it mov x(%reg),%rsp? */
static bool
loads_rsp(const uint8_t code[3])
{
	return (code[0] & 0xfc) == 0x48 && code[1] == 0x8b &&
	       (code[2] >> 3 & 7) == 4 && code[2] >> 6 != 3;
}

uint64_t
cfi_leaves_stack(const struct elf *elf, uint64_t from, uint64_t to)
{
	uint8_t code[SWITCH_MAX];
	uint64_t len = to - from;

	if (len < SWITCH_MIN || len > SWITCH_MAX ||
	    !elf_read(elf, from, code, (size_t)len))
		return to;
	for (size_t i = 0; i + 3 <= len; i++)
		if (loads_rsp(code + i))
			return from + i + 1;
	return to;
}
