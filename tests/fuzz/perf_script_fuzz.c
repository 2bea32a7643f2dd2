/* SPDX-License-Identifier: MIT */
/*
 * perf_script_fuzz.c - any text at all, read as perf script's.
 */
#include <stdint.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	saving_read_lines(&format_perf_script, bytes, len);
	return 0;
}
