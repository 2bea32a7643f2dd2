/* SPDX-License-Identifier: MIT */
/*
 * legacy_fuzz.c - any text at all, read as pprof's old forms.
 */
#include <stdint.h>

#include "tests/fuzz/saving.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	saving_read_lines(&format_legacy, bytes, len);
	return 0;
}
