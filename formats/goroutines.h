/* SPDX-License-Identifier: MIT */
/*
 * goroutines.h - stacks of all goroutines, as Go prints them for people.
 *
 *	goroutine 18 [chan receive, 3 minutes]:
 *	main.(*pool).next(0xc000012345, {0x1, 0x2})
 *		/src/main.go:12 +0x1d
 *	created by main.start in goroutine 1
 *		/src/main.go:9 +0x45
 *
 * So do a crash and ?debug=2. Each is one sample, and what it waits for is its
 * thread's name: goroutines have none, and thousands of them wait for the
 * same.
 */
#ifndef FORMATS_GOROUTINES_H
#define FORMATS_GOROUTINES_H

#include "formats/format.h"

bool goroutines_sniff(const void *bytes, size_t len);
bool goroutines_read(struct lines *lines, const struct read_options *options,
		     struct profile *profile, struct read_report *report,
		     struct error *err);

#endif
