/* SPDX-License-Identifier: MIT */
/*
 * demangle_fuzz.c - any bytes as the name of a function.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "symbols/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char *const prefixes[] = { "", "_Z", "_R", "caml" };
	const char *prefix = prefixes[len ? bytes[0] % 4 : 0];
	char *name = xcalloc(len + strlen(prefix) + 1, 1), *plain;

	strcpy(name, prefix);
	if (len)
		memcpy(name + strlen(prefix), bytes + 1, len - 1);
	plain = demangle(name);
	if (plain && strlen(plain) > DEMANGLE_OUT_MAX + DEMANGLE_IN_MAX)
		abort();
	free(plain);
	free(name);
	return 0;
}
