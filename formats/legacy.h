/* SPDX-License-Identifier: MIT */
/*
 * legacy.h - the text that profilers wrote before there was profile.proto.
 *
 *	heap profile: 2: 8608 [4546: 22623008] @ heap/8192
 *	1: 8192 [1: 8192] @ 0x4a73e8 0x4a705d
 *	#	0x4a73e7	hash/crc32.slicingMakeTable+0x27	crc32.go:59
 *
 *	--- contention:			goroutine profile: total 6
 *	cycles/second=2096045812	1 @ 0x42d836 0x45da85
 *	3153170286 4374 @ 0x467dc9
 *
 * Values, then addresses, leaf first; what is known of these comes behind:
 * lines of the same sample (Go), a table of names (Java), or the mappings of
 * the process. Go's debug handlers still answer so; gperftools too.
 */
#ifndef FORMATS_LEGACY_H
#define FORMATS_LEGACY_H

#include "formats/format.h"

bool legacy_sniff(const void *bytes, size_t len);
bool legacy_read(struct lines *lines, const struct read_options *options,
		 struct profile *profile, struct read_report *report,
		 struct error *err);

#endif
