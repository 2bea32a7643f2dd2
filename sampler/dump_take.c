/* SPDX-License-Identifier: MIT */
/*
 * dump_take.c - one thread: what it waits for, and its stack.
 */
#include <string.h>

#include "core/sanitise.h"
#include "sampler/clock.h"
#include "sampler/dump_private.h"
#include "sampler/sockets.h"
#include "sampler/thread_counts.h"

#define TRIES 3			/* to find a thread in one place for long
				   enough to read it */
#define SOON_NS 5000000		/* between two looks at who is to stop */
#define PATIENCE_NS 200000000	/* for one that waits for a CPU */

static const char no_tracing[] = "runs, and may not be stopped";
static const char no_cpu[] = "did not come to its stop: no CPU for it";
static const char no_moment[] = "did not stay in one place";
static const char no_syscall[] = "the kernel does not tell where it is";

/* --- what is known of a thread */

uint64_t
dump_switches(const struct target *target, pid_t tid)
{
	struct thread_counts counts = { .voluntary = 0 };

	thread_counts_read(target, tid, &counts);
	return counts.voluntary;
}

static bool
describe(struct dump_sampler *s, const struct target *target, pid_t tid,
	 struct dump_thread *out)
{
	struct thread_stat stat;

	out->switches = dump_switches(target, tid);
	if (!target_thread_stat(target, tid, &stat))
		return false;
	out->pid = target_pid(target);
	out->tid = tid;
	out->start = stat.start;
	out->state = stat.state;
	out->cpu_ticks = stat.cpu_ticks;
	sanitise_into(out->comm, sizeof(out->comm), stat.comm,
		      strnlen(stat.comm, sizeof(stat.comm)));
	s->sink->thread(s->sink->ctx, out->pid, tid, stat.start, stat.comm,
			false);
	if (!wait_read(target, tid, s->tids, s->ntids, &out->wait))
		out->wait.line.place = PLACE_UNKNOWN;
	return true;
}

/* --- its stack */

static void
deliver(struct dump_sampler *s, struct space *space, pid_t tid,
	const struct regs *regs, size_t stack_len)
{
	struct raw_sample raw = {
		.time_ns = clock_now(),
		.tid = tid,
		.kind = KIND_CPU,
		.weight = 1,
		.has_regs = true,
		.regs = *regs,
		.stack = s->stopper.stack,
		.stack_len = stack_len,
	};

	space_sample(space, &raw);
}

/* At least to the end of the page; as much as is wanted and there is. */
static size_t
read_stack(struct dump_sampler *s, const struct target *target, uint64_t sp)
{
	struct memory memory = target_memory(target);
	size_t len = 0, piece = 4096 - sp % 4096;

	while (len < s->stopper.stack_bytes) {
		if (piece > s->stopper.stack_bytes - len)
			piece = s->stopper.stack_bytes - len;
		if (!memory.read(memory.ctx, sp + len, s->stopper.stack + len,
				 piece))
			break;
		len += piece;
		piece = 4096;
	}
	return len;
}

/*
 * What is known of the registers: rip and rsp, and those that the arguments of
 * a call are in, which it leaves as they are (syscall(2)). A rule may need
 * one: vfork keeps its return address in rdi.
 */
static struct regs
regs_of(const struct wait_line *line)
{
	static const unsigned arguments[WAIT_ARGUMENTS] = {
		X86_RDI, X86_RSI, X86_RDX, X86_R10, X86_R8, X86_R9,
	};
	struct regs regs = { .missing = UINT32_MAX };

	regs.r[X86_RIP] = line->pc;
	regs.r[X86_RSP] = line->sp;
	regs.missing &= ~((uint32_t)1 << X86_RIP | (uint32_t)1 << X86_RSP);
	for (size_t i = 0; i < WAIT_ARGUMENTS && line->place == PLACE_CALL;
	     i++) {
		regs.r[arguments[i]] = line->arguments[i];
		regs.missing &= ~((uint32_t)1 << arguments[i]);
	}
	return regs;
}

/*
 * The stack of a thread that is in the kernel. False if it was not there any
 * more when the stack had been read.
 */
static bool
take_blocked(struct dump_sampler *s, const struct target *target,
	     struct space *space, const struct dump_thread *thread)
{
	struct regs regs = regs_of(&thread->wait.line);
	size_t len = read_stack(s, target, regs.r[X86_RSP]);

	if (!wait_is_same(target, thread->tid, &thread->wait.line))
		return false;
	deliver(s, space, thread->tid, &regs, len);
	return true;
}

static bool
is_running(const struct target *target, pid_t tid)
{
	struct wait_line running = { .place = PLACE_RUNNING, .number = -1 };

	return wait_is_same(target, tid, &running);
}

/*
 * Stop a thread that runs. False with its NO_STACK set, or with none if it
 * runs no longer: then it is to be read in another way.
 */
static bool
take_running(struct dump_sampler *s, const struct target *target,
	     struct space *space, struct dump_thread *thread)
{
	uint64_t end = clock_now() + PATIENCE_NS;
	struct stop stop;

	if (!s->may_stop) {
		thread->no_stack = no_tracing;
		return false;
	}
	if (end > s->give_up_ns)
		end = s->give_up_ns;
	if (stop_begin(&s->stopper, thread->tid, NULL) == STOP_REFUSED) {
		thread->no_stack = no_tracing;
		return false;
	}
	do {
		enum stop_result result = stop_next(&s->stopper, SOON_NS,
						    &stop);

		if (result == STOP_TAKEN && stop.tid == thread->tid) {
			deliver(s, space, thread->tid, &s->stopper.regs,
				s->stopper.stack_len);
			return true;
		}
		if (result == STOP_GONE && stop.tid == thread->tid)
			return false;
		if (!is_running(target, thread->tid))
			return false;
	} while (clock_now() < end);
	thread->no_stack = no_cpu;
	return false;
}

/* A thread may go to sleep, or wake, while it is looked at. */
static void
take_stack(struct dump_sampler *s, const struct target *target,
	   struct space *space, struct dump_thread *thread)
{
	for (unsigned i = 0; i < TRIES && !thread->no_stack; i++) {
		enum thread_place place = thread->wait.line.place;
		bool is_taken;

		if (place == PLACE_UNKNOWN) {
			thread->no_stack = no_syscall;
			return;
		}
		is_taken = place == PLACE_RUNNING ?
			   take_running(s, target, space, thread) :
			   take_blocked(s, target, space, thread);
		if (is_taken)
			return;
		if (!thread->no_stack &&
		    !describe(s, target, thread->tid, thread))
			thread->no_stack = "has ended";
	}
	if (!thread->no_stack)
		thread->no_stack = no_moment;
}

void
dump_take_thread(struct dump_sampler *s, size_t i, pid_t tid)
{
	struct dump *dump = s->config.dump;
	const struct target *target = s->targets[i];
	struct dump_thread *thread;

	dump->threads = grow(dump->threads, dump->count, &dump->capacity,
			     sizeof(*dump->threads));
	thread = &dump->threads[dump->count];
	*thread = (struct dump_thread){ .no_stack = NULL };
	if (!describe(s, target, tid, thread))
		return;
	dump->count++;
	take_stack(s, target, s->spaces[i], thread);
	wait_name(target, tid, s->sockets, &thread->wait);
}
