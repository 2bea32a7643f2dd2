/* SPDX-License-Identifier: MIT */
/*
 * instruction.h - how long an x86-64 instruction is, and its parts. Inside of
 * unwind/.
 *
 * No disassembler: names nothing, and accepts much that no processor would.
 * Source: Intel SDM volume 2, appendix A (opcode maps), 2.1 (ModRM and SIB),
 * 2.3 and 2.7 (VEX and EVEX).
 */
#ifndef SAMPLER_UNWIND_INSTRUCTION_H
#define SAMPLER_UNWIND_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_MAX 15

struct instruction {
	unsigned len;
	/* Its last byte, of the map (1: 0f, 2: 0f 38, 3: 0f 3a) in the byte
	   above; with VEX or EVEX INSTRUCTION_VECTOR as well. */
	unsigned opcode;
	uint8_t rex;		/* 0: none */
	bool has_modrm;
	uint8_t mod, reg, rm;	/* of ModRM, without REX's bits */
	uint8_t sib;		/* 0 if there is none */
	int32_t displacement;	/* 0 if there is none */
	int64_t immediate;	/* 0 if there is none */
};

#define INSTRUCTION_VECTOR 0x1000u

/* The instruction that the LEN bytes at CODE begin with; false if none. */
bool instruction_decode(const uint8_t *code, size_t len,
			struct instruction *out);

#endif
