/* SPDX-License-Identifier: MIT */
/*
 * flow.c - what code without rules does to its stack, by following it.
 *
 * However a function goes on from here, when it comes to a ret its return
 * address is on top of the stack. So one way to one ret is enough, and what
 * the instructions on it do to rsp and rbp says where that address is now:
 *
 *	mov 8(%rsp),%rax
 *	add $24,%rsp		rsp + 24
 *	pop %rbp		rsp + 32, rbp was saved at rsp + 24
 *	ret			CFA = rsp + 40, rbp at CFA - 16
 *
 * Ways are tried one after the other: straight on first, then where the jumps
 * passed by lead. Each instruction is looked at once.
 */
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/instruction.h"
#include "sampler/unwind/step.h"

#define REACH 4096		/* bytes before and behind the start */
#define BUDGET 600		/* instructions */
#define WAYS 32			/* not tried yet */
#define CHUNK 64		/* bytes of code read at once */
#define OFFSET_MAX (1 << 24)

enum base { BASE_LOST, BASE_RSP, BASE_RBP };

/* A register: one of those at the start, plus OFFSET. */
struct value {
	enum base base;
	int64_t offset;
};

/* Somewhere on a way. */
struct point {
	uint64_t pc;
	struct value rsp, rbp;
	bool is_loaded;		/* rbp was loaded: */
	struct value from;	/* from here */
	struct value saved_at;	/* where it was pushed on the way, and what */
	struct value saved;
};

struct flow {
	const struct walk *walk;
	uint64_t start;
	struct point ways[WAYS];
	size_t nways, budget;
	uint64_t chunk_addr, chunk_len;
	uint8_t chunk[CHUNK];
	uint64_t seen[2 * REACH / 64];	/* a bit for each byte in reach */
};

/* --- code */

/* Bytes at ADDR, at most an instruction's; how many there are. */
static size_t
code_bytes(struct flow *f, uint64_t addr, const uint8_t **bytes)
{
	uint64_t at = addr - f->chunk_addr;

	if (at + INSTRUCTION_MAX > f->chunk_len || at >= f->chunk_len) {
		const struct memory *memory = f->walk->memory;

		f->chunk_addr = addr;
		f->chunk_len = CHUNK;
		while (f->chunk_len && !memory->read(memory->ctx, addr,
						     f->chunk, f->chunk_len))
			f->chunk_len /= 2;
		at = 0;
	}
	*bytes = f->chunk + at;
	return f->chunk_len - at;
}

/* Has PC been looked at? From now on it has, unless it is far off. */
static bool
is_seen(struct flow *f, uint64_t pc)
{
	uint64_t at = pc - f->start + REACH, bit;

	if (at >= 2 * REACH)
		return false;
	bit = (uint64_t)1 << at % 64;
	if (f->seen[at / 64] & bit)
		return true;
	f->seen[at / 64] |= bit;
	return false;
}

static void
add_way(struct flow *f, const struct point *from, uint64_t pc)
{
	if (f->nways == WAYS)
		return;
	f->ways[f->nways] = *from;
	f->ways[f->nways++].pc = pc;
}

/* --- what an instruction does */

static unsigned
reg_of(const struct instruction *i)
{
	return i->reg | (unsigned)(i->rex & 4) << 1;
}

static unsigned
rm_of(const struct instruction *i)
{
	return i->rm | (unsigned)(i->rex & 1) << 3;
}

/* The encoding's numbers, not DWARF's. */
#define RSP 4
#define RBP 5

static struct value *
register_of(struct point *p, unsigned number)
{
	return number == RSP ? &p->rsp : number == RBP ? &p->rbp : NULL;
}

static void
set(struct point *p, unsigned number, struct value value)
{
	if (number == RSP)
		p->rsp = value;
	if (number != RBP)
		return;
	p->rbp = value;
	p->is_loaded = false;
}

static struct value
plus(struct value value, int64_t offset)
{
	value.offset += offset;
	if (value.offset > OFFSET_MAX || value.offset < -OFFSET_MAX)
		value.base = BASE_LOST;
	return value;
}

/* What is at the operand in memory of I, as an address. */
static struct value
address_of(struct point *p, const struct instruction *i)
{
	const struct value lost = { BASE_LOST, 0 };
	const struct value *base;

	if (i->mod == 0 && (i->rm == 5 || (i->sib & 7) == 5))
		return lost;
	if (i->rm == 4 && (i->sib >> 3 & 7) != 4)
		return lost;	/* with an index */
	base = register_of(p, i->rm == 4 ?
			   (i->sib & 7) | (unsigned)(i->rex & 1) << 3 :
			   rm_of(i));
	return base ? plus(*base, i->displacement) : lost;
}

static bool
is_same(struct value a, struct value b)
{
	return a.base == b.base && a.offset == b.offset;
}

static void
load_rbp(struct point *p, struct value from)
{
	if (from.base != BASE_LOST && is_same(from, p->saved_at)) {
		set(p, RBP, p->saved);
		return;
	}
	p->rbp = (struct value){ BASE_LOST, 0 };
	p->is_loaded = true;
	p->from = from;
}

static void
push(struct point *p, unsigned number)
{
	p->rsp = plus(p->rsp, -8);
	if (number == RBP && !p->is_loaded) {
		p->saved_at = p->rsp;
		p->saved = p->rbp;
	} else if (is_same(p->rsp, p->saved_at)) {
		p->saved_at.base = BASE_LOST;
	}
}

static void
pop(struct point *p, unsigned number)
{
	struct value from = p->rsp;

	p->rsp = plus(p->rsp, 8);
	if (number == RBP)
		load_rbp(p, from);
	else if (number == RSP)
		p->rsp.base = BASE_LOST;
}

/* add, sub, and other arithmetic with an immediate. */
static void
do_immediate(struct point *p, const struct instruction *i)
{
	struct value *reg = i->mod == 3 ? register_of(p, rm_of(i)) : NULL;

	if (!reg || i->reg == 7)	/* cmp */
		return;
	if (i->rex & 8 && (i->reg == 0 || i->reg == 5))
		set(p, rm_of(i), plus(*reg, i->reg == 0 ? i->immediate :
						-i->immediate));
	else
		set(p, rm_of(i), (struct value){ BASE_LOST, 0 });
}

/* mov and lea into a register that is followed. */
static void
do_move(struct point *p, const struct instruction *i)
{
	struct value value = { BASE_LOST, 0 };
	unsigned to = i->opcode == 0x89 ? rm_of(i) : reg_of(i);
	unsigned from = i->opcode == 0x89 ? reg_of(i) : rm_of(i);
	const struct value *source = register_of(p, from);

	if (i->opcode == 0x89 && i->mod != 3)
		return;
	if (i->opcode == 0x8d)
		value = address_of(p, i);
	else if (i->mod == 3 && source)
		value = *source;
	else if (i->mod != 3 && to == RBP) {
		load_rbp(p, address_of(p, i));
		return;
	}
	if (!(i->rex & 8))
		value.base = BASE_LOST;
	set(p, to, value);
}

/* Other instructions of one byte that write a register. */
static void
do_other(struct point *p, const struct instruction *i)
{
	const struct value lost = { BASE_LOST, 0 };
	unsigned op = i->opcode;

	if (op < 0x38 && i->has_modrm && op & 2)	/* and, xor ... */
		set(p, reg_of(i), lost);
	else if (op < 0x38 && i->has_modrm && i->mod == 3)
		set(p, rm_of(i), lost);
	else if (op == 0x63 || op == 0x69 || op == 0x6b)
		set(p, reg_of(i), lost);
	else if ((op == 0x87 || op == 0xc7 || op == 0xc1 || op == 0xd1 ||
		  op == 0xd3 || op == 0xf7) && i->mod == 3)
		set(p, rm_of(i), lost);
	else if (op >= 0xb8 && op <= 0xbf)
		set(p, (op & 7) | (unsigned)(i->rex & 1) << 3, lost);
	else if (op >= 0x140 && op <= 0x14f)		/* cmov */
		set(p, reg_of(i), lost);
	else if (op == 0x1af || op == 0x1b6 || op == 0x1b7 ||
		 op == 0x1be || op == 0x1bf)		/* imul, movzx ... */
		set(p, reg_of(i), lost);
}

/* What I, which goes on to the next one, does to rsp and rbp. */
static void
apply(struct point *p, const struct instruction *i)
{
	unsigned op = i->opcode, number = (op & 7) | (i->rex & 1u) << 3;

	if (op >= 0x50 && op <= 0x57)
		push(p, number);
	else if (op >= 0x58 && op <= 0x5f)
		pop(p, number);
	else if (op == 0x68 || op == 0x6a || op == 0x9c || op == 0x1a0 ||
		 op == 0x1a8 || (op == 0xff && i->reg == 6))
		push(p, 0);
	else if (op == 0x9d || op == 0x1a1 || op == 0x1a9)
		pop(p, 0);
	else if (op == 0x8f)
		pop(p, i->mod == 3 ? rm_of(i) : 0);
	else if (op == 0x81 || op == 0x83)
		do_immediate(p, i);
	else if (op == 0x89 || op == 0x8b || op == 0x8d)
		do_move(p, i);
	else if (op == 0xc9) {				/* leave */
		p->rsp = p->rbp;
		pop(p, RBP);
	} else if (op == 0xc8)				/* enter */
		p->rsp.base = BASE_LOST;
	else
		do_other(p, i);
}

/* --- ways */

enum way { WAY_ON, WAY_RET, WAY_LOST };

/* The instruction at P, and P behind it. */
static enum way
take_instruction(struct flow *f, struct point *p)
{
	struct instruction i;
	const uint8_t *bytes;
	size_t n;
	unsigned op;

	if (!f->budget || is_seen(f, p->pc))
		return WAY_LOST;
	f->budget--;
	n = code_bytes(f, p->pc, &bytes);
	if (!instruction_decode(bytes, n, &i))
		return WAY_LOST;
	p->pc += i.len;
	op = i.opcode;
	if (op == 0xc3 || op == 0xc2)
		return WAY_RET;
	if ((op >= 0x70 && op <= 0x7f) || (op >= 0x180 && op <= 0x18f) ||
	    (op >= 0xe0 && op <= 0xe3))			/* jcc, loop */
		add_way(f, p, p->pc + (uint64_t)i.immediate);
	else if (op == 0xeb || op == 0xe9)
		p->pc += (uint64_t)i.immediate;
	else if ((op == 0xff && (i.reg == 4 || i.reg == 5)) || /* jmp * */
		 op == 0xf4 || op == 0xcc || op == 0x10b ||    /* hlt ... */
		 op == 0xcb || op == 0xca || op == 0xcf)
		return WAY_LOST;
	else
		apply(p, &i);
	return WAY_ON;
}

/* Say what P, before its ret, means at the start. */
static bool
conclude(const struct point *p, struct rule *rule)
{
	int64_t cfa = p->rsp.offset + 8, rbp = 0;

	if (p->rsp.base == BASE_LOST)
		return false;
	if (p->is_loaded) {
		rbp = p->from.offset - cfa;
		/* Below rsp is nothing that was saved before the start. */
		if (p->from.base != p->rsp.base || rbp % 8 || rbp >= 0 ||
		    rbp / 8 < INT16_MIN ||
		    (p->from.base == BASE_RSP && p->from.offset < 0))
			return false;
	} else if (p->rbp.base != BASE_RBP || p->rbp.offset) {
		return false;
	}
	*rule = (struct rule){
		.kind = p->rsp.base == BASE_RSP ? RULE_SP : RULE_BP,
		.rbp = (int16_t)(rbp / 8), .cfa = (int32_t)cfa,
	};
	/* What is popped already is below, and no frame. */
	return rule->kind == RULE_BP || cfa >= 8;
}

bool
flow_find_rule(const struct walk *walk, uint64_t addr, struct rule *rule)
{
	struct flow f = { .walk = walk, .start = addr, .budget = BUDGET };
	const struct point start = {
		.rsp = { BASE_RSP, 0 }, .rbp = { BASE_RBP, 0 },
	};

	add_way(&f, &start, addr);
	while (f.nways) {
		struct point p = f.ways[--f.nways];
		enum way way = WAY_ON;

		while (way == WAY_ON)
			way = take_instruction(&f, &p);
		if (way == WAY_RET && conclude(&p, rule))
			return true;
	}
	return false;
}
