/* SPDX-License-Identifier: MIT */
/*
 * bpftrace_fuzz.c - any text at all, read as bpftrace's.
 */
#include <stdint.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	saving_read_lines(&format_bpftrace, bytes, len);
	return 0;
}
