/* SPDX-License-Identifier: MIT */
/*
 * goroutines_fuzz.c - any text at all, read as stacks of goroutines.
 */
#include <stdint.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	saving_read_lines(&format_goroutines, bytes, len);
	return 0;
}
