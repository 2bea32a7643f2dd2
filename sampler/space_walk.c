/* SPDX-License-Identifier: MIT */
/*
 * space_walk.c - from registers and a piece of stack to frames.
 */
#include "sampler/space_private.h"

/* --- frames */

static void
add_frame(struct space *space, module_id module, enum frame_kind kind,
	  uint64_t offset)
{
	space->frames[space->depth++] = (struct frame){
		.module = module, .kind = kind, .offset = offset,
	};
}

static void
add_note(struct space *space, enum sample_note note)
{
	add_frame(space, 0, FRAME_NOTE, note);
}

static void
add_kernel(struct space *space, const struct raw_sample *raw)
{
	size_t i;

	if (raw->nkernel && !space->knows_kernel) {
		space->kernel = space->sink->module(space->sink->ctx,
						    space->pid, NULL);
		space->knows_kernel = true;
	}
	for (i = 0; i < raw->nkernel && i < SPACE_KERNEL_DEPTH; i++)
		add_frame(space, space->kernel, FRAME_KERNEL,
			  raw->kernel[i] - (i > 0));
}

static module_id
module_of(struct space *space, const struct mapping *mapping)
{
	module_id module = mapping->module;

	if (!module) {
		module = space->sink->module(space->sink->ctx, space->pid,
					     mapping);
		maps_set_module(space->maps, mapping->start, module);
	}
	return module;
}

static void
add_user(struct space *space, uint64_t pc)
{
	const struct mapping *mapping = maps_find(space->maps, pc);
	module_id module;
	bool is_jit;

	if (!mapping) {
		add_note(space, NOTE_UNMAPPED);
		return;
	}
	module = module_of(space, mapping);
	is_jit = mapping->kind == MODULE_JIT;
	add_frame(space, module, is_jit ? FRAME_JIT : FRAME_CODE,
		  is_jit ? pc : pc - mapping->start + mapping->file_offset);
}

/* --- tables of rules */

static enum rows_state
find_rows(void *ctx, const struct mapping *mapping, uint64_t offset,
	  bool is_full, struct rows *out)
{
	struct space *space = ctx;
	struct lack lack = { .offset = offset, .is_full = is_full };
	enum rows_state state;

	if (mapping->kind != MODULE_PROGRAM &&
	    mapping->kind != MODULE_LIBRARY && mapping->kind != MODULE_VDSO)
		return ROWS_MISSING;
	lack.module = module_of(space, mapping);
	state = space->sink->rows(space->sink->ctx, lack.module, offset,
				  is_full, out);
	if (state == ROWS_ASKED)
		space->lack = lack;
	return state;
}

static void
make_unwinder(struct space *space)
{
	bool has_rows = space->sink->rows && space->mode != UNWIND_LIBUNWIND;

	space->source = (struct row_source){ find_rows, space };
	space->unwinder = unwind_new(space->mode,
				     has_rows ? &space->source : NULL);
}

/* --- the walk */

/* The stack goes on where the copy is not: another one. */
static bool
is_elsewhere(const struct space *space, size_t seen)
{
	uint64_t sp = space->raw->regs.r[X86_RSP];
	uint64_t last = space->sps[seen - 1];

	return last < sp || last - sp > SPACE_STACK_MAX;
}

/* How the copy did: whatever part of it is not the stack's is no loss. */
static void
judge_copy(struct space *space, enum unwind_end end, size_t seen)
{
	uint64_t sp = space->raw->regs.r[X86_RSP];
	size_t last = seen < SAMPLE_DEPTH ? seen : SAMPLE_DEPTH;

	if (!last || space->sps[last - 1] < sp)
		return;
	space->reach = space->sps[last - 1] - sp;
	space->was_short = end == UNWIND_CUT &&
			   (space->is_shut || space->is_torn) &&
			   space->reach <= SPACE_STACK_MAX;
}

/* What is missing, from the thread's last stack if that fits. */
static enum unwind_end
stitch(struct space *space, enum unwind_end end, size_t *seen)
{
	pid_t tid = space->raw->tid;
	size_t count;

	if (!space->stitch && (space->is_shut || space->is_torn))
		space->stitch = stitch_new();
	if (!space->stitch || *seen > SAMPLE_DEPTH)
		return end;
	if (end == UNWIND_CUT) {
		count = stitch_append(space->stitch, tid, space->pcs,
				      space->sps, *seen, SAMPLE_DEPTH);
		if (!count)
			return end;
		*seen = count;
		end = UNWIND_STITCHED;
	}
	if ((end == UNWIND_COMPLETE || end == UNWIND_STITCHED) &&
	    !space->is_past)
		stitch_keep(space->stitch, tid, space->pcs, space->sps, *seen);
	return end;
}

static void
add_stack(struct space *space, enum unwind_end end, size_t seen)
{
	size_t i, leaf = unwind_leaf_part(SAMPLE_DEPTH);

	for (i = 0; i < seen && i < SAMPLE_DEPTH; i++) {
		if (i == leaf && seen > SAMPLE_DEPTH)
			add_note(space, NOTE_LEFT_OUT);
		add_user(space, space->pcs[i]);
	}
	/* Below a root of their own, not among those that are whole. */
	if (end == UNWIND_CUT && seen && is_elsewhere(space, seen))
		add_note(space, NOTE_SWITCH);
	else if (end == UNWIND_CUT || end == UNWIND_NO_RULE ||
		 end == UNWIND_STUCK || seen == unwind_limit(SAMPLE_DEPTH))
		add_note(space, NOTE_CUT);
}

static enum unwind_end
walk(struct space *space, const struct raw_sample *raw, bool may_wait)
{
	struct memory memory;
	enum unwind_end end;
	size_t seen, good;

	if (!space->unwinder)
		make_unwinder(space);
	space->raw = raw;
	space->walk++;
	space->has_gone_on = space->is_shut = space->was_short = false;
	space->is_torn = false;
	space->reach = 0;
	memory = space_walk_memory(space);
	seen = unwind_stack(space->unwinder, space->maps, &raw->regs, &memory,
			    may_wait, space->pcs, space->sps, SAMPLE_DEPTH,
			    &end);
	if (end == UNWIND_WAITS)
		return end;
	if (space->has_gone_on && end != UNWIND_DEEP) {
		good = space_believe(space, &memory, seen);
		if (good < seen)
			end = UNWIND_CUT;
		seen = good;
	}
	judge_copy(space, end, seen);
	end = stitch(space, end, &seen);
	add_stack(space, end, seen);
	return end;
}

/*
 * In execve(2) a thread has given its stack and its program away, and the
 * next ones are in the making: there is no user's part of its stack.
 */
static bool
has_user_part(const struct space *space, const struct raw_sample *raw)
{
	const struct mapping *mapping;

	if (!raw->has_regs || raw->stack_len || !raw->nkernel)
		return raw->has_regs;
	mapping = maps_find(space->maps, raw->regs.r[X86_RIP]);
	return mapping && mapping->is_executable;
}

bool
space_walk_past(struct space *space, const struct raw_sample *raw,
		const struct past *past, bool may_wait)
{
	struct sample sample = {
		.time_ns = raw->time_ns,
		.pid = space->pid,
		.tid = raw->tid,
		.kind = raw->kind,
		.weight = raw->weight,
		.end = UNWIND_COMPLETE,
		.is_late = !may_wait && space->waiting && space->sink->rows,
		.frames = space->frames,
	};

	space->maps = past->version->maps;
	space->is_past = past->image != space->image;
	space->depth = 0;
	add_kernel(space, raw);
	if (has_user_part(space, raw))
		sample.end = walk(space, raw, may_wait);
	if (sample.end == UNWIND_WAITS)
		return false;
	if (!space->depth)
		add_note(space, NOTE_UNMAPPED);
	sample.depth = space->depth;
	space->sink->sample(space->sink->ctx, &sample);
	return true;
}
