/* SPDX-License-Identifier: MIT */
/*
 * picker.h - a process chosen on the screen: busiest first, typing filters.
 */
#ifndef APP_PICKER_H
#define APP_PICKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "app/options.h"
#include "app/supervisor.h"

/*
 * Let the user choose among the processes that FILTER fits ("": all). False
 * with an empty ERR when the user leaves.
 */
bool picker_run(const struct options *options, const struct link *link,
		const char *filter, pid_t *pid, struct error *err);

#endif
