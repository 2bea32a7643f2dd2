/* SPDX-License-Identifier: MIT */
/*
 * action.h - everything a key can ask for, each written down once.
 *
 * This list is the words of a key file (tui/default.keys), the rows of the
 * help view and the table in flametop(1). The group is a heading there.
 */
#ifndef TUI_ACTION_H
#define TUI_ACTION_H

#define ACTIONS(_)							\
	/* id, word, group, help */					\
	_(UP,		"up",		"Move", "to the caller, or a row up") \
	_(DOWN,		"down",		"Move", "to the heaviest callee, or a row down") \
	_(LEFT,		"left",		"Move", "to the neighbour on the left") \
	_(RIGHT,	"right",	"Move", "to the neighbour on the right") \
	_(PAGE_UP,	"page-up",	"Move", "a screen up")		\
	_(PAGE_DOWN,	"page-down",	"Move", "a screen down")	\
	_(TOP,		"top",		"Move", "to the first row")	\
	_(BOTTOM,	"bottom",	"Move", "to the last row")	\
	_(ZOOM,		"zoom",		"Zoom", "make this frame fill the width; in the table: show it in the flame view") \
	_(MARK_LEFT,	"mark-left",	"Zoom", "mark the frame on the left too; Enter zooms to all that are marked") \
	_(MARK_RIGHT,	"mark-right",	"Zoom", "mark the frame on the right too") \
	_(BACK,		"back",		"Zoom", "undo the last zoom")	\
	_(PEEL,		"peel",		"Zoom", "leave one layer: input, search, zoom, filter; never quits") \
	_(RESET,	"reset",	"Zoom", "the whole picture again") \
	_(RELAYOUT,	"relayout",	"Zoom", "order frames by size now; in the table: sort once, rows then stay") \
	_(SEARCH,	"search",	"Find", "find functions by a regular expression, as you type") \
	_(SEARCH_WORD,	"search-word",	"Find", "find the function under the cursor") \
	_(NEXT,		"next",		"Find", "next hit")		\
	_(PREVIOUS,	"previous",	"Find", "previous hit")		\
	_(HITS,		"hits",		"Find", "the functions that were found, with their shares, to go to one") \
	_(VIEW_FLAME,	"view-flame",	"Views", "flame graph")		\
	_(VIEW_TABLE,	"view-functions", "Views", "hot functions")	\
	_(VIEW_SANDWICH, "view-sandwich", "Views", "the function under the cursor, its callers above it and what it calls below") \
	_(VIEW_TREE,	"view-tree",	"Views", "call tree")		\
	_(EXPAND,	"expand",	"Views", "unfold a chain of calls; in the call tree also open all that is worth it") \
	_(COLLAPSE,	"collapse",	"Views", "fold it again; in the call tree close it and all below")	\
	_(VIEW_NEXT,	"view-next",	"Views", "next view")		\
	_(VIEW_PREVIOUS, "view-previous", "Views", "previous view")	\
	_(SORT_LEFT,	"sort-left",	"Views", "sort the table by the column to the left") \
	_(SORT_RIGHT,	"sort-right",	"Views", "sort the table by the column to the right") \
	_(FOCUS,	"focus",	"Filter", "only stacks through this function") \
	_(EXCLUDE,	"exclude",	"Filter", "no stacks through this function") \
	_(MERGE,	"merge",	"Filter", "leave this function out: its time is its caller's") \
	_(LIBRARY,	"collapse-library", "Filter", "this function's library as one frame") \
	_(RECURSION,	"collapse-recursion", "Filter", "functions that call themselves as one frame") \
	_(SHOW_FROM,	"show-from",	"Filter", "this function as the root: nothing of what calls it") \
	_(FILTER,	"filter",	"Filter", "only stacks that a regular expression finds; ! first: only others") \
	_(NOISE,	"noise",	"Filter", "leave out what is in the list of noise") \
	_(CUT,		"cut",		"Filter", "what has less than 0.5, 1, 5 % together in +, out of lists; or all again") \
	_(UNDO,		"undo",		"Filter", "take back the last of these") \
	_(REDO,		"redo",		"Filter", "do again what was taken back") \
	_(WINDOW,	"window",	"Show", "all time, the last 30 s, 5 s, 1 s") \
	_(INVERT,	"invert",	"Show", "what was executed on top, its callers below; or back") \
	_(FLIP,		"flip",		"Show", "the flame graph with its root at the bottom; or back") \
	_(KERNEL,	"kernel",	"Show", "kernel frames on or off") \
	_(INLINED,	"inlined",	"Show", "inlined functions on or off") \
	_(THREADS,	"threads",	"Show", "what each thread does and waits for; choose some")	\
	_(THREAD_ROWS,	"thread-rows",	"Show", "threads as a row of the graph") \
	_(PERCENT,	"percent",	"Show", "percentages of what is shown, of all, of the parent") \
	_(FREEZE,	"freeze",	"Show", "hold the picture, go on sampling") \
	_(BASELINE,	"baseline",	"Compare", "pin what there is now, and see what changes") \
	_(DIFF,		"diff",		"Compare", "compare with what is pinned, or no longer") \
	_(WIDTHS,	"widths",	"Compare", "widths of now, as it was, or only what was lost") \
	_(SWAP,		"swap",		"Compare", "the two sides the other way round") \
	_(SAVE,		"save",		"Files", "save everything: folded, .pb.gz, .json or .svg; of a comparison what differs, as .svg") \
	_(OPEN,		"open",		"Files", "open a profile")	\
	_(EDIT,		"edit",		"Files", "the source under the cursor in $VISUAL or $EDITOR") \
	_(COPY_NAME,	"copy-name",	"Copy", "send the name under the cursor to the terminal's clipboard") \
	_(COPY_STACK,	"copy-stack",	"Copy", "send the stack as a folded line; once more: into a file") \
	_(JVM_NAMES,	"jvm-names",	"Program", "have a Java VM write down the names of its code; stops it for a moment") \
	_(MOUSE,	"mouse",	"Program", "the mouse on or off; a second click zooms, Shift-drag selects text") \
	_(REDRAW,	"redraw",	"Program", "draw the screen again") \
	_(HELP,		"help",		"Program", "this list")		\
	_(MENU,		"menu",		"Program", "everything that can be done here, to choose from") \
	_(COMMAND,	"command",	"Program", "type what to do; Tab completes, Up brings back what was typed") \
	_(SUSPEND,	"suspend",	"Program", "back to the shell; fg returns") \
	_(QUIT,		"quit",		"Program", "leave flametop")

enum action {
	ACTION_NONE,
#define ACTION_ID(id, word, group, help) ACTION_##id,
	ACTIONS(ACTION_ID)
#undef ACTION_ID
	ACTION_COUNT
};

/* One row of the list above. */
struct action_row {
	const char *word, *group, *help;
};

/* Indexed by enum action; row 0 is empty. */
extern const struct action_row action_rows[ACTION_COUNT];

/* The action of WORD, or ACTION_NONE. */
enum action action_by_word(const char *word);

#endif
