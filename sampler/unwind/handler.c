/* SPDX-License-Identifier: MIT */
/*
 * handler.c - a frame that is leaving its callers for an exception's handler.
 *
 *	_Unwind_Resume	<- the leaf, or near it
 *	thrower		left, but the stack pointer is still here
 *	...		left, too
 *	function with the handler
 *
 * What _Unwind_Resume keeps for its caller is what the last function had, long
 * before its stack pointer is (RULE_LEAVES): its return address is already that
 * of the call which the last function made. In its last few instructions the
 * place to go on at lies where that of the call was:
 *
 *	mov  %rsi,8(%rbp,%rdx)
 *	mov  -56(%rbp),%rax		from here on
 *	lea  8(%rbp,%rcx),%rcx
 *	mov  ...(%rbp),...
 *	mov  %rcx,%rsp
 *	pop  %rcx
 *	jmp  *%rcx
 */
#include <string.h>

#include "sampler/unwind/instruction.h"
#include "sampler/unwind/step.h"

#define REACH 32768		/* bytes of stack that are looked through */
#define FUNCTION_MAX 4096	/* one that leaves is shorter */
#define STUB_LEN 8
#define TAIL_LEN 64		/* bytes of the last instructions at most */

/* Does the code at ADDR only go on somewhere else: jmp *x(%rip)? */
static bool
is_stub(const struct walk *walk, uint64_t addr)
{
	uint8_t code[STUB_LEN];
	const uint8_t *at = code;

	if (!walk->memory->read(walk->memory->ctx, addr, code, sizeof(code)))
		return true;	/* for all that is known */
	if (!memcmp(at, "\xf3\x0f\x1e\xfa", 4))		/* endbr64 */
		at += 4;
	if (*at == 0xf2)				/* bnd */
		at++;
	return *at == 0xff || *at == 0x68 || *at == 0xe9;
}

bool
handler_has_come(const struct walk *walk, uint64_t ra)
{
	uint64_t start;

	return code_called(walk, ra, &start) &&
	       walk->pc - start >= FUNCTION_MAX && !is_stub(walk, start);
}

bool
handler_find(const struct walk *walk, struct regs *regs)
{
	uint64_t slot = regs->r[X86_RSP], end = slot + REACH, word;

	for (; slot < end && walk_read_word(walk, slot, &word); slot += 8)
		if (word == regs->r[X86_RIP]) {
			regs->r[X86_RSP] = slot + 8;
			return true;
		}
	return false;
}

/* The encoding's numbers. */
enum { RCX = 1, RSP = 4, RBP = 5 };

enum tail { TAIL_OTHER, TAIL_LOAD, TAIL_ADDRESS, TAIL_END };

static enum tail
kind_of(const struct instruction *i)
{
	if (i->rex & 1 || !(i->rex & 8))
		return TAIL_OTHER;
	if (i->opcode == 0x89 && i->mod == 3 && i->reg == RCX && i->rm == RSP)
		return TAIL_END;
	if (i->opcode == 0x8d && i->mod != 3 && i->reg == RCX && i->rm == 4 &&
	    i->sib == (RCX << 3 | RBP))
		return TAIL_ADDRESS;
	return i->opcode == 0x8b && i->mod != 3 && i->rm == RBP &&
	       (i->rex & 4 || (i->reg != RCX && i->reg != RSP)) ?
		TAIL_LOAD : TAIL_OTHER;
}

bool
handler_is_next(const struct walk *walk, const struct regs *regs,
		uint64_t *slot)
{
	uint8_t code[TAIL_LEN];
	struct instruction i;
	size_t at = 0, len = sizeof(code);

	while (len && !walk->memory->read(walk->memory->ctx, walk->pc, code,
					  len))
		len /= 2;
	*slot = regs->r[X86_RCX];
	for (; instruction_decode(code + at, len - at, &i); at += i.len) {
		switch (kind_of(&i)) {
		case TAIL_END:
			return true;
		case TAIL_OTHER:
			return false;
		case TAIL_ADDRESS:
			*slot += regs->r[X86_RBP] +
				 (uint64_t)(int64_t)i.displacement;
			break;
		case TAIL_LOAD:
			break;
		}
	}
	return false;
}
