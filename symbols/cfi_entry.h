/* SPDX-License-Identifier: MIT */
/*
 * cfi_entry.h - the records of .eh_frame and .debug_frame.
 *
 * Both are a list of records: a CIE has what many functions share, an FDE
 * names its CIE, a range of code, and instructions that say row by row how to
 * unwind it (symbols/cfi_program.h). The forms are those of DWARF 5, 6.4.1,
 * and of the Linux Standard Base 5, chapter 10.6, for .eh_frame.
 *
 * All bytes are somebody else's: a record is inside of its section, and what
 * cannot be understood is false, not a guess.
 */
#ifndef SYMBOLS_CFI_ENTRY_H
#define SYMBOLS_CFI_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reader.h"
#include "core/rows.h"

/* Pointer encodings: low half the form, high half what it is relative to. */
enum {
	PE_ABSPTR = 0x00,
	PE_ULEB = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_FORM = 0x0f,
	PE_PCREL = 0x10,
	PE_TEXTREL = 0x20,
	PE_DATAREL = 0x30,
	PE_FUNCREL = 0x40,
	PE_ALIGNED = 0x50,
	PE_BASE = 0x70,
	PE_INDIRECT = 0x80,
	PE_OMIT = 0xff,
};

struct cfi_section {
	const uint8_t *bytes;	/* borrowed */
	size_t len;
	uint64_t vaddr;		/* of BYTES; .debug_frame is not loaded: 0 */
	uint64_t data;		/* what PE_DATAREL counts from */
	bool is_debug;		/* .debug_frame */
};

struct cfi_cie {
	const struct cfi_section *section;
	size_t at;		/* offset in it */
	bool is_good;		/* it was understood */
	bool is_signal;		/* 'S': its functions are signal frames */
	bool has_length;	/* 'z': FDEs tell how long their own part is */
	bool is_usual;		/* factors are small, that of code is 1 */
	bool has_row;		/* FIRST_ROW is what the instructions say */
	uint8_t encoding;	/* of addresses in its FDEs */
	uint64_t code_factor;
	int64_t data_factor;
	struct reader instructions;
	struct full_rule first_row;	/* see symbols/cfi_program.h */
};

/* The CIEs that were read last; all zeroes is an empty one. */
#define CFI_CIES 16
struct cfi_cies {
	struct cfi_cie slots[CFI_CIES];
};

struct cfi_fde {
	struct cfi_cie *cie;	/* in the cache: until the next FDE is read */
	uint64_t start, len;	/* virtual addresses */
	struct reader instructions;
};

enum cfi_record { CFI_CIE, CFI_FDE, CFI_NOTHING };

/*
 * What the record at *AT is; *AT moves behind it. False at the end of the
 * section or of what can be read. CFI_NOTHING: a terminator, as linkers leave
 * them between what they join.
 */
bool cfi_next(const struct cfi_section *section, size_t *at,
	      enum cfi_record *record);

/* Read the FDE at offset AT. False: it is none, or not understood. */
bool cfi_read_fde(const struct cfi_section *section, struct cfi_cies *cies,
		  size_t at, struct cfi_fde *fde);

/*
 * Read a pointer in ENCODING, whose first byte is at R; R is a part of
 * SECTION. R fails where the encoding is not understood.
 */
uint64_t cfi_pointer(const struct cfi_section *section, struct reader *r,
		     uint8_t encoding);

#endif
