/* SPDX-License-Identifier: MIT */
/*
 * style.h - what a cell means, listed once.
 *
 * A cell carries a meaning; a theme file says how it looks. This list is the
 * enum and the words of theme files. A kind of code has four shades, -1 … -4:
 * the function's name chooses which. From STYLE_ROOT on it is frames.
 */
#ifndef TUI_STYLE_H
#define TUI_STYLE_H

#define STYLES(_)							\
	_(TEXT,		"text")		/* anything plain */		\
	_(DIM,		"dim")		/* less important text */	\
	_(TITLE,	"title")	/* header line */		\
	_(HEALTH,	"health")	/* health line */		\
	_(WARNING,	"warning")	/* losses, refusals */		\
	_(PROMPT,	"prompt")	/* what is being typed */	\
	_(KEY,		"key")		/* a key in a hint */		\
	_(SELECTED,	"selected")	/* row under the cursor */	\
	_(CHIP,		"chip")		/* a filter that is on */	\
	_(BIN_ROW,	"bin-row")	/* a bin's frames as a list */	\
	_(CRUMB,	"crumb")	/* callers in one line */	\
	_(MINIMAP,	"minimap")	/* the whole graph, tiny */	\
	_(MINIMAP_ZOOM,	"minimap-zoom")	/* the part that is zoomed to */ \
	_(CURSOR,	"cursor")	/* frame under the cursor */	\
	_(SAME,		"same")		/* same function elsewhere */	\
	_(HIT,		"hit")		/* matches the search */	\
	_(ANCESTOR,	"ancestor")	/* above the zoomed frame */	\
	_(BIN,		"bin")		/* "+n": hidden children */	\
	_(SELF,		"self")		/* time of the frame itself */	\
	_(ROOT,		"root")						\
	_(PROGRAM_1,	"program-1")	/* the target's own program */	\
	_(PROGRAM_2,	"program-2")					\
	_(PROGRAM_3,	"program-3")					\
	_(PROGRAM_4,	"program-4")					\
	_(LIBRARY_1,	"library-1")					\
	_(LIBRARY_2,	"library-2")					\
	_(LIBRARY_3,	"library-3")					\
	_(LIBRARY_4,	"library-4")					\
	_(KERNEL_1,	"kernel-1")					\
	_(KERNEL_2,	"kernel-2")					\
	_(KERNEL_3,	"kernel-3")					\
	_(KERNEL_4,	"kernel-4")					\
	_(JIT_1,	"jit-1")					\
	_(JIT_2,	"jit-2")					\
	_(JIT_3,	"jit-3")					\
	_(JIT_4,	"jit-4")					\
	_(THREAD_1,	"thread-1")					\
	_(THREAD_2,	"thread-2")					\
	_(THREAD_3,	"thread-3")					\
	_(THREAD_4,	"thread-4")					\
	_(UNKNOWN_1,	"unknown-1")	/* no name, or a note of ours */	\
	_(UNKNOWN_2,	"unknown-2")					\
	_(UNKNOWN_3,	"unknown-3")					\
	_(UNKNOWN_4,	"unknown-4")					\
	_(DIFF_MORE_1,	"diff-more-1")	/* a little more than before */	\
	_(DIFF_MORE_2,	"diff-more-2")					\
	_(DIFF_MORE_3,	"diff-more-3")	/* much more */			\
	_(DIFF_LESS_1,	"diff-less-1")					\
	_(DIFF_LESS_2,	"diff-less-2")					\
	_(DIFF_LESS_3,	"diff-less-3")					\
	_(DIFF_SAME,	"diff-same")	/* no difference but noise */	\
	_(DIFF_NEW,	"diff-new")	/* was not there before */	\
	_(DIFF_GONE,	"diff-gone")	/* is not there any more */

enum style {
#define STYLE_ID(id, name) STYLE_##id,
	STYLES(STYLE_ID)
#undef STYLE_ID
	STYLE_COUNT
};

/* The words of theme files, indexed by enum style. */
extern const char *const style_words[STYLE_COUNT];

/* Added to a style by a cell; a theme may ignore them. */
enum cell_flag {
	CELL_BOLD = 1,
	CELL_UNDERLINE = 2,
	CELL_DIM = 4,		/* not a hit while a search is on */
	CELL_ODD = 8,		/* second of two lightness steps, so that
				   equal neighbours can be told apart */
};

#endif
