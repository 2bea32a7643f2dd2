/* SPDX-License-Identifier: MIT */
/*
 * commands.h - what the first word asks for; one file each.
 */
#ifndef APP_COMMANDS_H
#define APP_COMMANDS_H

#include "app/options.h"
#include "app/supervisor.h"

/* Each returns the exit status. */
int cmd_live(const struct options *options);
int cmd_record(const struct options *options);
int cmd_report(const struct options *options);
int cmd_dump(const struct options *options);
int cmd_convert(const struct options *options);
int cmd_diff(const struct options *options);
int cmd_doctor(const struct options *options);
int cmd_explain(const struct options *options);
int cmd_demo(const struct options *options);

/*
 * The live screen as the app's part of a plan; CTX is struct options. With
 * a function that runs as the target it is what demo is made of.
 */
int live_app(void *ctx, struct link *link);

/* --plain: the hottest functions every few seconds, appended. */
struct recording;
int plain_run(struct recording *recording);

/* Print one report of options->file. */
int report_file(const struct options *options, struct link *link);

/* Print what changed from options->base to options->file, or among many. */
int diff_files(const struct options *options, struct link *link);

/* Main of the demo's target. */
int demo_load(void);

#endif
