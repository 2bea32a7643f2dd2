/* SPDX-License-Identifier: MIT */
/*
 * session_private.h - what session.c and session_acts.c share.
 */
#ifndef APP_SESSION_PRIVATE_H
#define APP_SESSION_PRIVATE_H

#include "app/filters.h"
#include "app/first.h"
#include "app/jvm.h"
#include "app/opener.h"
#include "app/recording.h"
#include "app/screen.h"
#include "app/thread_states.h"
#include "core/picture.h"
#include "core/work.h"
#include "tui/tui.h"

/* A profile that can be on the screen. */
struct shown {
	struct profile *profile;
	struct names *names;
	struct picture *picture;	/* NULL: there is none */
	struct filters filters;		/* the one in force is the picture's */
	char title[96];			/* of a file */
};

/* What the live picture, or a file's, is compared with. */
struct pin {
	struct baseline *baseline;	/* NULL: nothing is pinned */
	struct shown *of;		/* whose picture it was pinned for */
	uint64_t since_ns;		/* a moment of that; 0: another file */
	char clock[16];			/* when it was pinned */
	struct profile *profile;	/* the other file, and its names */
	struct names *names;
	char title[64];
	bool is_on;			/* it is compared with */
	enum drawn drawn;		/* whose counts are drawn then */
	bool is_swapped;		/* it is what is new, this what was */
};

#define PIVOTS 32		/* functions that one can go back to */

/* What is above and below one function of what is shown. */
struct sides {
	struct picture *above, *below;	/* NULL: nobody looks */
	func_id pivots[PIVOTS];		/* the last is the one in force */
	size_t npivots;
};

/* What the screen wants to know about the source. */
struct session_places {
	uint64_t asked_ns;
	/* What the focus was on last, and the frame that is hottest there. */
	node_id node;
	func_id func;
	frame_id frame;
	size_t level;
	bool has_frame;
	char *goal;			/* a save that waits for inlined
					   functions; NULL: none */
	uint64_t goal_ns;		/* since when */
};

/* What Tab has asked for. */
struct completion {
	struct opener *opener;		/* of its own; NULL: not yet */
	bool is_waiting;		/* for it */
	enum offer_kind kind;
	char typed[4096];
};

#define KEYS_TYPED 64		/* while something takes long */

/* What takes long, see session_work(). */
struct long_work {
	struct work asked;
	const char *word;		/* for what is done */
	uint64_t began_ns, shown_ns;	/* its line, last */
	uint32_t typed[KEYS_TYPED];	/* keys that wait for its end */
	size_t ntyped;
};

struct session {
	const struct options *options;
	struct recording *recording;
	struct opener *files;		/* what the user names */
	struct screen screen;
	bool has_terminal;
	bool is_editing;		/* it is an editor's */
	struct tui *tui;
	struct shown live, file;	/* live's is the recording's */
	struct shown *shown;		/* one of the two; NULL: none yet */
	struct health health;
	bool has_no_chains;		/* in the flame graph */
	bool is_frozen, is_changed, wants_now;
	bool is_loading;
	uint64_t load_began_ns;
	unsigned load_percent;	/* of that file; 0: too soon to tell */
	char loading[64];		/* what is being read, if IS_LOADING */
	bool is_for_base;		/* it is to be a baseline */
	bool has_based;			/* options->base was asked for */
	struct jvm jvm;
	struct session_places places;
	struct completion completion;
	struct long_work work;
	struct pin pin;
	struct sides sides;
	struct thread_states *states;	/* NULL: nobody has looked yet */
	struct threads_now threads_now;
	struct first first;
	uint64_t key_ns, taken_ns, drawn_ns;
	bool has_quit;
	int status;
	char *copied;			/* what was copied last, or NULL */
	char farewell[4096];		/* said when the terminal is back */
};

struct scene session_scene(const struct session *s);

/* Carry out what the user asked for; REQUEST's threads are freed. */
void session_act(struct session *s, struct tui_request *request);

/*
 * Change what is left out of the picture; false when that is not what REQUEST
 * is about (session_filters.c).
 */
bool session_filter(struct session *s, const struct tui_request *request);

/*
 * The filter in force, or what comes with it, has changed. False: it was
 * stopped, and the caller takes that change back.
 */
bool session_apply_filter(struct session *s);

/*
 * For what may take long, in PARTS that are alike: after a moment a line tells
 * how far it is, and Esc, the keys that quit and signals stop it. Valid until
 * the next call (session_work.c).
 */
struct work *session_work(struct session *s, unsigned parts);

#define STOPPED "stopped: all is as it was before"

/* What comes is of ACTION; and was it stopped, so far? */
void session_begin_work(struct session *s, enum action action);
bool session_is_stopped(const struct session *s);

/* As term_key(), and what was typed meanwhile. */
uint32_t session_key(struct session *s);

/*
 * Pin what there is now, or SECONDS ago (> 0), as baseline, and compare with
 * it (session_diff.c).
 */
void session_pin(struct session *s, double seconds);

/* Compare with the profile at PATH. */
void session_pin_file(struct session *s, const char *path);

/* Compare, or no longer. */
void session_toggle_diff(struct session *s);

/* Whose counts of the comparison are drawn: DRAWN; and what comes next. */
void session_set_drawn(struct session *s, enum drawn drawn);
void session_next_drawn(struct session *s);

/* The two sides the other way round. */
void session_swap_sides(struct session *s);

/* PROFILE was read to be the baseline; taken over. */
void session_take_baseline(struct session *s, struct profile *profile);

/* Nothing is pinned any more; for SHOWN only, unless NULL. */
void session_unpin(struct session *s, const struct shown *shown);

/* What is compared with what, for the header. */
void session_describe_diff(const struct session *s, char *out, size_t size);

/*
 * FUNC in the middle (session_sandwich.c); FUNC_NONE: the last one again. Back
 * to the one before; which one it is; and none, since its profile goes.
 */
void session_pivot(struct session *s, func_id func);
void session_pivot_back(struct session *s);
func_id session_pivot_now(const struct session *s);
void session_forget_pivots(struct session *s);

/*
 * The same CHOICE as for the picture, about the pivot: two parts of WORK, none
 * of them if nobody looks. False: it was stopped, and nothing has changed.
 */
bool session_filter_sides(struct session *s,
			  const struct picture_choice *choice,
			  struct work *work);

/* There are samples and names. */
void session_update_sides(struct session *s);
void session_drop_sides(struct session *s);

/* They draw the same counts as the picture. */
void session_match_sides(struct session *s);

/* The baseline goes. */
void session_uncompare_sides(struct session *s);

/* A count of the live profile, for all of its pictures; fits cell_fn. */
void session_note(void *session, const struct cell *cell);

/* Carry out "theme NAME" or "set OPTION [VALUE]" (session_commands.c). */
void session_command(struct session *s, const char *text);

/*
 * While the list of threads is open, bring what they do up to date
 * (session_threads.c); and let go of all that.
 */
void session_look_at_threads(struct session *s);
void session_forget_threads(struct session *s);

/* What can be set by that, by number; NULL after the last. */
const char *session_setting(size_t i);

/* Find out how what is typed could go on, and tell (session_complete.c). */
void session_complete(struct session *s, const struct tui_request *request);
void session_take_completion(struct session *s);

/* "~/x" as a shell would have it, in OUT; PATH itself if it is no such. */
const char *session_from_home(const char *path, char *out, size_t size);

/* Ask about what is on the screen (session_places.c). */
void session_ask_places(struct session *s);

/* What is known about the focus of SCENE, for it to be shown. */
void session_show_place(const struct session *s, struct scene *scene);

/*
 * Save what is shown to PATH: at once, or when it is known what was inlined in
 * its frames, or when that takes too long.
 */
void session_begin_save(struct session *s, const char *path);
void session_go_on_saving(struct session *s);
void session_save(struct session *s, const char *path);

/* A name for that, into OUT. */
void session_save_name(const struct session *s, char *out, size_t size);

/* What is pinned, and what is compared with it, in a word or two. */
void session_name_sides(const struct session *s, char *pinned, size_t size,
			char *now, size_t now_size);

/* Begin to load PATH. */
void session_open_file(struct session *s, const char *path);

/* Begin to read the profile at PATH; one at a time. */
bool session_begin_load(struct session *s, const char *path,
			struct error *err);

/* Give back all that SHOWN has. */
void session_close_shown(struct shown *shown);

/* A file was loaded, or could not be. */
void session_take_loaded(struct session *s);

/* Tell how it went, when a Java VM has been asked. */
void session_poll_jvm(struct session *s);

/* What a key does with the terminal itself (session_terminal.c). */
void session_set_mouse(struct session *s, bool is_on);
void session_copy(struct session *s, bool is_stack);

/* An editor on the line under the cursor; and what to do when it has ended
   (session_edit.c). */
void session_edit(struct session *s);
void session_end_edit(struct session *s);

/* Back to the shell until SIGCONT. */
void session_suspend(struct session *s);

/* The terminal or the supervisor has gone: keep what there is. */
void session_rescue(struct session *s);

#endif
