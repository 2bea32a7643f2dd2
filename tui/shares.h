/* SPDX-License-Identifier: MIT */
/*
 * shares.h - what percentages are of, and what that is called.
 *
 * "All" is everything that was counted, whatever is filtered out, and never
 * anything else. What filters let through is "the filtered", what is zoomed to
 * has the name of its function. Where two profiles are compared it is said
 * which of the two it is of.
 */
#ifndef TUI_SHARES_H
#define TUI_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/view.h"

/* Do filters leave out some of what was counted? */
bool shares_are_filtered(const struct scene *scene);

/* 100 % for what is below PARENT; NODE_NONE: for what has no parent. */
uint64_t shares_whole(const struct scene *scene, node_id parent);

/* "all", "the filtered before", "parent"; into OUT, which is returned. */
char *shares_name(const struct scene *scene, enum shares shares, char *out,
		  size_t size);

/*
 * What a frame of FUNC is called; FUNC_NONE is the whole picture, "all" or
 * "filtered".
 */
const char *shares_frame(const struct scene *scene, func_id func);

/* What a key that switched has to say. */
const char *shares_story(enum shares shares);

/*
 * The least weight of a function that the filter's cut leaves a row; of what
 * was lost, 1.
 */
uint64_t shares_uncut(const struct scene *scene);

#endif
