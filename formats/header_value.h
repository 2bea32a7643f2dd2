/* SPDX-License-Identifier: MIT */
/*
 * header_value.h - values of "# key=value" lines.
 *
 * A value has no blank of any kind, so no header line can end in blank and
 * number: other readers would take that for a stack. What is a blank, a
 * control or '%' is written as the %XX of its bytes.
 */
#ifndef FORMATS_HEADER_VALUE_H
#define FORMATS_HEADER_VALUE_H

#include "core/reader.h"
#include "formats/lines.h"

/* Append VALUE, which is clean text, to LINE. */
void header_value_write(struct writer *line, const char *value);

/* Undo %XX and clean the rest; the caller frees. */
char *header_value_read(struct slice value);

#endif
