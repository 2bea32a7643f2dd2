/* SPDX-License-Identifier: MIT */
/*
 * report.h - a profile as text: health, hot functions, hot paths.
 *
 * Lines of the header begin with '#'. What follows depends on the stacks
 * alone, so a recording and the file it was saved in give the same bytes.
 */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include <stdio.h>

#include "core/base.h"
#include "core/names.h"
#include "core/pattern.h"
#include "core/picture.h"
#include "core/profile.h"
#include "tui/view.h"

void report_print(FILE *out, struct profile *profile, struct names *names,
		  bool hides_inlined);

/*
 * The same for programs; its schema is told in report_json.c. False with ERR
 * for lack of memory; what OUT did not take is an error of OUT's.
 */
bool report_json(FILE *out, struct profile *profile, struct names *names,
		 bool hides_inlined, struct error *err);

/* The same profile as a file would give it back; the caller frees. */
struct profile *report_as_saved(struct profile *profile, struct names *names,
				struct error *err);

/* The health line, for --plain and progress; into OUT, which is returned. */
char *report_health(const struct health *health, char *out, size_t size);

/* The N hottest functions of PICTURE, a table without a title. */
void report_functions(FILE *out, const struct picture *picture,
		      const struct names *names, size_t n, bool by_total);

/* The N hottest that PATTERN matches, after a line that says how many do. */
void report_found(FILE *out, const struct picture *picture,
		  const struct names *names, size_t n,
		  struct pattern *pattern);

#endif
