/* SPDX-License-Identifier: MIT */
/*
 * bpftrace.h - maps that bpftrace prints, keyed by stacks.
 *
 *	Attaching 1 probe...
 *
 *	@[
 *	    read+17
 *	    main+4
 *	, wrk 1 (x/y)]: 12
 *	@sizes[
 *	    read+17
 *	]: 4096
 *
 * Frames come leaf first. Other keys beside the stacks are a thread's name, as
 * comm mostly is.
 */
#ifndef FORMATS_BPFTRACE_H
#define FORMATS_BPFTRACE_H

#include "formats/format.h"

bool bpftrace_sniff(const void *bytes, size_t len);
bool bpftrace_read(struct lines *lines, const struct read_options *options,
		   struct profile *profile, struct read_report *report,
		   struct error *err);

#endif
