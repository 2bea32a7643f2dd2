/* SPDX-License-Identifier: MIT */
/*
 * choice.c - places where one symbol must be chosen, or none. Called by turns
 * from chooses():
 *
 *	chosen		also __chosen, _chosen and weak_chosen; a label and a
 *			local .L label inside, where its time goes
 *	sizeless	a function whose size is not given
 *	bare		a label that is all there is
 *	(nothing)	code after short_one, which is one byte long
 *	(nothing)	code where only a marker lies
 *
 * Assemble with --keep-locals.
 */
#include "tests/targets/target.h"

#define LOOP "	mov $50000000, %rcx\n1:	dec %rcx\n	jnz 1b\n	ret\n"
#define FUNCTION(name) ".type " name ", @function\n"

__asm__(".text\n"
	".globl chosen, __chosen, _chosen\n.weak weak_chosen\n"
	FUNCTION("chosen") FUNCTION("__chosen") FUNCTION("_chosen")
	FUNCTION("weak_chosen")
	"__chosen:\n_chosen:\nweak_chosen:\nchosen:\n"
	"	nop\n"
	".Linner:\ninner_label:\n" LOOP
	".size chosen, .-chosen\n.size __chosen, .-chosen\n"
	".size _chosen, .-chosen\n.size weak_chosen, 0\n"

	".globl sizeless\n" FUNCTION("sizeless")
	"sizeless:\n" LOOP

	".globl bare\n"
	"bare:\n" LOOP

	".globl short_one\n" FUNCTION("short_one")
	"short_one:	ret\n"
	".size short_one, 1\n"
	"2:\n" LOOP
	".globl to_gap\n" FUNCTION("to_gap")
	"to_gap:	jmp 2b\n"
	".size to_gap, .-to_gap\n"

	".globl to_marker\n" FUNCTION("to_marker")
	"to_marker:	jmp 3f\n"
	".size to_marker, .-to_marker\n"
	FUNCTION("\"go:textfipsend\"")
	"\"go:textfipsend\":\n"
	".size \"go:textfipsend\", 1\n"
	"$x:\n"
	"3:\n" LOOP
	FUNCTION("after")
	"after:	ret\n"
	".size after, 1\n");

void chosen(void);
void sizeless(void);
void bare(void);
void to_gap(void);
void to_marker(void);

FRAME static void
chooses(void)
{
	chosen();
	sizeless();
	bare();
	to_gap();
	to_marker();
	STAY;
}

int
main(void)
{
	target_begin();
	for (;;)
		chooses();
}
