/* SPDX-License-Identifier: MIT */
/*
 * dtrace_fuzz.c - any text at all, read as dtrace's.
 */
#include <stdint.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	saving_read_lines(&format_dtrace, bytes, len);
	return 0;
}
