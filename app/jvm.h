/* SPDX-License-Identifier: MIT */
/*
 * jvm.h - asks a Java VM for the names of the code it has compiled.
 *
 * This acts on the target: the VM stops its threads for a moment and writes
 * /tmp/perf-PID.map. So it is done when a person says so, and never else. The
 * JDK's own jcmd does it; it has to be where the shell would find it.
 */
#ifndef APP_JVM_H
#define APP_JVM_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"
#include "core/profile.h"

/* All zeroes: nothing is under way. */
struct jvm {
	pid_t child;		/* jcmd, while it runs */
};

/* The process of PROFILE whose code a Java VM makes, or 0. */
pid_t jvm_find(const struct profile *profile);

/* Begin to ask PID, a Java VM. */
bool jvm_ask(struct jvm *jvm, pid_t pid, struct error *err);

/*
 * True once, when jcmd has ended; *OK: with the names written. ERR says why
 * not.
 */
bool jvm_has_answered(struct jvm *jvm, bool *ok, struct error *err);

#endif
