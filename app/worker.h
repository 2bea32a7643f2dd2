/* SPDX-License-Identifier: MIT */
/*
 * worker.h - main of the processes that parse: symbols, and tables.
 *
 * It parses everything that others control: ELF, DWARF, perf maps, kallsyms
 * and profiles that are opened. It gets descriptors and never a path, holds
 * nothing but its socket, and may crash, hang or be killed at any time: the
 * supervisor starts another.
 */
#ifndef APP_WORKER_H
#define APP_WORKER_H

/*
 * Answer requests on SOCK until the other end closes; the exit status. NAME is
 * what ps shows.
 */
int worker_run(int sock, const char *name);

#endif
