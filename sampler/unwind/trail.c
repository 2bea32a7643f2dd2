/* SPDX-License-Identifier: MIT */
/*
 * trail.c - frame pointers as they were.
 */
#include "sampler/unwind/trail.h"

#define SWITCH_REACH 1024	/* bytes of the code that changes stacks */
#define KEPT_BYTES 1024		/* of a stack, looked through */
#define FRAME_MAX (64 << 10)
#define CHECK_REACH 48		/* from an entry to the jump of its check */
#define BLOCK_REACH 160		/* from there to the call */
#define FUNC_MAX (64 << 10)		/* bytes of a function, looked through */
#define THROUGH 64		/* bytes of code that calls without a frame */
#define LEAF 4096		/* and of that which calls nothing */
#define NEAR_MAX (16 << 10)
#define CHUNK 1024
#define NEAR_CALL 512		/* calls within may be one function's */
#define BELOW 16		/* bytes of a frame below rsp */
#define NOWHERE 4096		/* no address: rsp is counted from there */

/* --- where the trail goes on */

static bool
read_window(const struct walk *walk, uint64_t addr, uint64_t *word)
{
	return addr - walk->memory->window_addr < walk->words &&
	       walk_read_word(walk, addr, word);
}

/*
 * Follow the chain in the copy, as the kernel did, from the frame at AT, whose
 * return address is number *I of the trail, up to FP and its number.
 */
static bool
follow(const struct walk *walk, uint64_t at, uint64_t fp, size_t *i)
{
	const struct memory *memory = walk->memory;
	uint64_t ra;

	for (; *i < memory->ntrail && at != fp; ++*i)
		if (!read_window(walk, at + 8, &ra) ||
		    ra != memory->trail[*i] || !read_window(walk, at, &at))
			return false;
	return *i < memory->ntrail;
}

/*
 * Go's code clears and copies what is large by code that has no frame, and
 * makes one of two words for it below its own rsp (bpduff1 of
 * cmd/internal/obj/x86). While rbp points there the first link of the chain is
 * not in the copy: the frame it leads to is one with the next return address
 * and from which all the others follow. Where several are, as in a recursion,
 * and lead to FP by another number of frames, the nearest is a guess.
 */
static bool
follow_from_below(const struct walk *walk, uint64_t fp, size_t *i,
		  bool *is_guess)
{
	const struct memory *memory = walk->memory;
	uint64_t at = memory->window_addr, ra;
	bool is_found = false;

	if (at - memory->trail_fp - 1 >= BELOW || memory->ntrail < 2)
		return false;
	for (; read_window(walk, at + 8, &ra); at += 8) {
		size_t next = 1;

		if (ra != memory->trail[1] || !follow(walk, at, fp, &next))
			continue;
		if (!is_found)
			*i = next;
		*is_guess |= next != *i;
		is_found = true;
	}
	return is_found;
}

/* What the kernel has found from FP on. */
static bool
find_rest(struct trail *trail, const struct walk *walk, uint64_t fp)
{
	const struct memory *memory = walk->memory;
	size_t i = 0;
	bool is_guess = false;

	if (!follow(walk, memory->trail_fp, fp, &i) &&
	    !follow_from_below(walk, fp, &i, &is_guess))
		return false;
	*trail = (struct trail){ .ras = memory->trail + i,
				 .n = memory->ntrail - i, .fp = fp,
				 .is_guess = is_guess };
	return true;
}

/* The rest of a trail that has led to here, on a stack that is not known. */
static bool
take_rest(struct trail *trail)
{
	if (!trail->is_left || trail->at >= trail->n)
		return false;
	*trail = (struct trail){ .ras = trail->ras + trail->at,
				 .n = trail->n - trail->at, .fp = NOWHERE };
	return true;
}

/* --- the caller of a function that is given another one */

static bool
is_given(const struct rows_site *site, uint64_t callee)
{
	return callee >= site->from && callee < site->to;
}

/*
 * The call that led to CALLEE; or, without that or if there are several, that
 * in the function that CALLER begins. All are offsets in the file, or 0.
 */
static const struct rows_site *
find_site(const struct rows *rows, uint64_t callee, uint64_t caller)
{
	const struct rows_site *found = NULL, *site = rows->sites;
	const struct rows_site *end = site + rows->header->sites;

	for (; site < end; site++) {
		if ((callee && !is_given(site, callee)) ||
		    (caller && site->caller != caller))
			continue;
		if (found && found->ret != site->ret)
			return NULL;
		found = site;
	}
	return found;
}

static bool
add_caller(struct trail *trail, const struct walk *walk,
	   const struct full *full, uint64_t callee)
{
	uint64_t caller = 0;
	const struct rows_site *site = NULL;

	callee -= callee ? full->bias : 0;
	if (code_called(walk, trail->ras[0], &caller)) {
		caller -= full->bias;
		site = find_site(full->rows, callee, caller);
	}
	if (!site && callee)
		site = find_site(full->rows, callee, 0);
	/* A function that is given as a variable could be anybody's. */
	if (!site && caller)
		site = find_site(full->rows, 0, caller);
	if (!site)
		return false;
	/* Its rsp is not known, but its frame pointer is. */
	trail->before[trail->nbefore++] = (struct trail_frame){
		full->bias + site->ret, trail->fp - 8
	};
	return true;
}

/* --- the caller of a function that wanted a larger stack */

/* Does FRAME, whose frame pointer is FP, look like one? */
static bool
is_caller(const struct walk *walk, const struct trail_frame *frame,
	  uint64_t fp)
{
	return frame->rsp % 8 == 0 && fp - frame->rsp < FRAME_MAX &&
	       code_at(walk, frame->rip).is_after_call;
}

/*
 * What is called has put aside rsp and the return address of the caller's
 * caller, whose frame pointer is FP: two words of its own frame.
 */
static bool
find_kept(const struct walk *walk, uint64_t cfa, uint64_t fp,
	  struct trail_frame *out)
{
	/* Above are its frame pointer and its return address. */
	uint64_t at = cfa - 32, end = at - KEPT_BYTES;

	for (; at != end; at -= 8)
		if (read_window(walk, at, &out->rsp) &&
		    read_window(walk, at + 8, &out->rip) &&
		    is_caller(walk, out, fp))
			return true;
	return false;
}

/* Where the jump at CODE, "below or equal", leads; 0 if it is another one. */
static uint64_t
jump_target(const uint8_t *code, uint64_t addr)
{
	int32_t distance;

	if (code[0] == 0x76)
		return addr + 2 + (uint64_t)(int64_t)(int8_t)code[1];
	if (code[0] != 0x0f || code[1] != 0x86)
		return 0;
	memcpy(&distance, code + 2, 4);
	return addr + 6 + (uint64_t)(int64_t)distance;
}

/* Behind the first call that leads less than REACH before TO, from START on. */
static bool
find_call(const struct walk *walk, uint64_t start, size_t len, uint64_t to,
	  uint64_t reach, uint64_t *ret)
{
	uint8_t code[CHUNK + 4];
	int32_t distance;

	for (size_t at = 0; at < len; at += CHUNK) {
		size_t n = sizeof(code), i;

		while (n > 8 && !walk->memory->read(walk->memory->ctx,
						    start + at, code, n))
			n /= 2;
		for (i = 0; n > 8 && i + 5 <= n; i++) {
			memcpy(&distance, code + i + 1, 4);
			*ret = start + at + i + 5;
			if (code[i] == 0xe8 &&
			    to - *ret - (uint64_t)(int64_t)distance < reach)
				return true;
		}
		if (n < sizeof(code))
			break;
	}
	return false;
}

/*
 * The function at START compares rsp with its limit first and, if that is too
 * low, jumps to where it calls what TO is in.
 */
static bool
find_growth(const struct walk *walk, uint64_t start, uint64_t to,
	    uint64_t *ret)
{
	uint8_t code[CHECK_REACH + 6];
	size_t i;

	if (!walk->memory->read(walk->memory->ctx, start, code, sizeof(code)))
		return false;
	for (i = 0; i < CHECK_REACH; i++) {
		uint64_t block = jump_target(code + i, start + i);

		if (block > start && block - start < FUNC_MAX &&
		    find_call(walk, block, BLOCK_REACH, to + SWITCH_REACH,
			      2 * SWITCH_REACH, ret))
			return true;
	}
	return false;
}

/* What CALLER has called, if that wanted more stack. */
static bool
find_grower(const struct walk *walk, const struct trail_frame *caller,
	    struct trail_frame *grower)
{
	uint64_t start;

	grower->rsp = caller->rsp - 8;
	return code_called(walk, caller->rip, &start) &&
	       find_growth(walk, start, walk->pc, &grower->rip);
}

static void
put_grower(struct trail *trail, const struct trail_frame *grower,
	   const struct trail_frame *caller)
{
	trail->before[0] = *grower;
	trail->before[1] = *caller;
	trail->nbefore = 2;
	trail->is_on = true;
}

/* By what the copy has. */
static bool
add_kept_grower(struct trail *trail, const struct walk *walk,
		const struct state *state)
{
	struct trail_frame caller, grower;

	if (!find_kept(walk, state->regs.r[X86_RSP], trail->fp, &caller) ||
	    !find_grower(walk, &caller, &grower))
		return false;
	put_grower(trail, &grower, &caller);
	code_keep_caller(walk, trail->ras[0], caller.rip, 0);
	return true;
}

/* By the records of a later time, which say RECORDED of it. */
static bool
add_recorded_grower(struct trail *trail, const struct walk *walk,
		    const struct regs *recorded)
{
	uint64_t sp = recorded->r[X86_RSP];
	struct trail_frame caller = { .rsp = sp + 8 }, grower;

	if (!walk_read_word(walk, sp, &caller.rip) ||
	    !is_caller(walk, &caller, trail->fp) ||
	    !find_grower(walk, &caller, &grower) ||
	    grower.rip != recorded->r[X86_RIP])
		return false;
	put_grower(trail, &grower, &caller);
	return true;
}

/* By what the same caller's caller led to before. */
static bool
add_usual_grower(struct trail *trail, const struct walk *walk)
{
	/* As in add_caller(). */
	struct trail_frame caller = { .rsp = trail->fp - 8 }, grower;

	if (!code_kept_caller(walk, trail->ras[0], &caller.rip) ||
	    !find_grower(walk, &caller, &grower))
		return false;
	put_grower(trail, &grower, &caller);
	return true;
}

/* --- */

/* By what was left there, or by the frame pointer of STATE. */
static bool
begin(struct trail *trail, const struct walk *walk, const struct state *state)
{
	return take_rest(trail) ||
	       (state->known & REG_BIT(X86_RBP) &&
		find_rest(trail, walk, state->regs.r[X86_RBP]));
}

bool
trail_begin_at_switch(struct trail *trail, const struct walk *walk,
		      const struct full *full, const struct state *state,
		      uint64_t callee)
{
	if (!begin(trail, walk, state)) {
		*trail = (struct trail){ .is_on = false };
		return false;
	}
	if (full->rule->leaves == LEAVE_TO_GROW)
		return add_kept_grower(trail, walk, state);
	trail->is_on = add_caller(trail, walk, full, callee);
	return trail->is_on;
}

bool
trail_begin_at_grower(struct trail *trail, const struct walk *walk,
		      const struct regs *recorded)
{
	trail->is_guess =
		trail->n && ((recorded &&
			      add_recorded_grower(trail, walk, recorded)) ||
			     add_usual_grower(trail, walk));
	return trail->is_guess;
}

/* A call less than REACH before TO in the code around NEAR. */
static bool
find_call_near(const struct walk *walk, uint64_t near, uint64_t to,
	       uint64_t reach, uint64_t *ret)
{
	uint64_t at = near;

	if (find_call(walk, near, NEAR_MAX, to, reach, ret))
		return true;
	while (near - at < NEAR_MAX) {
		at -= CHUNK;
		if (find_call(walk, at, CHUNK, to, reach, ret))
			return true;
	}
	return false;
}

/*
 * The code at the walk's pc has no frame of its own, so frame pointers leave
 * out its caller, whose address may be below CFA still. If another one is
 * there by now, the next one, RAS[at], has called that caller, and a call to
 * this code in there is as good; and if nothing has called it, it is the first
 * function, that has put there whatever it is. Whom the next one has called
 * through a register is guessed by whom that call led to before.
 */
static bool
find_left_out(struct trail *trail, const struct walk *walk, uint64_t cfa,
	      uint64_t *ra)
{
	uint64_t start = 0, called, outer;
	uint64_t reach = walk->is_leaf ? LEAF : THROUGH;
	bool is_there = walk_read_word(walk, cfa - 8, ra), is_known;

	if (trail->at >= trail->n)
		return false;
	outer = trail->ras[trail->at];
	is_known = code_called(walk, outer, &start);
	if (is_there && code_called(walk, *ra, &called) &&
	    walk->pc - called < reach &&
	    (!is_known || *ra - start < FUNC_MAX)) {
		if (!is_known)
			code_keep_caller(walk, outer, *ra, NEAR_CALL);
		return true;
	}
	if (is_known)
		return find_call(walk, start, FUNC_MAX, walk->pc, reach, ra);
	if (is_there && code_at(walk, *ra).is_after_call &&
	    code_at(walk, outer).is_planted &&
	    find_call_near(walk, *ra, walk->pc, reach, ra))
		return true;
	if (!code_kept_caller(walk, outer, ra))
		return false;
	trail->is_guess = true;
	return true;
}

bool
trail_begin(struct trail *trail, const struct walk *walk,
	    const struct rule *rule, const struct state *state)
{
	const uint64_t *r = state->regs.r;
	unsigned reg = rule->kind == RULE_REG ? rule->reg : X86_RSP;
	uint64_t cfa = r[reg] + (uint64_t)(int64_t)rule->cfa, word;
	struct trail_frame *first = &trail->before[0];

	if (!walk->memory->ntrail ||
	    (rule->kind != RULE_REG && !rule_keeps_frames(rule)) ||
	    ~state->known & (REG_BIT(reg) | REG_BIT(X86_RBP)) ||
	    read_window(walk, cfa - 8, &word) ||
	    !find_rest(trail, walk, r[X86_RBP]))
		return false;
	if (rule->rbp == -2 && r[X86_RBP] == cfa - 16)
		first->rip = trail->ras[trail->at++];
	else if (rule->kind == RULE_REG || rule->rbp || !walk->is_leaf ||
		 !find_left_out(trail, walk, cfa, &first->rip))
		return false;
	first->rsp = cfa;
	trail->nbefore = 1;
	trail->is_on = true;
	return true;
}

bool
trail_step(struct trail *trail, const struct walk *walk,
	   const struct rule *rule, struct state *state)
{
	uint64_t *r = state->regs.r, cfa, ra;

	if (trail->at_before < trail->nbefore) {
		r[X86_RIP] = trail->before[trail->at_before].rip;
		r[X86_RSP] = trail->before[trail->at_before++].rsp;
		state->known = REG_BIT(X86_RIP) | REG_BIT(X86_RSP);
		return true;
	}
	cfa = trail->at ? r[X86_RSP] + (uint64_t)(int64_t)rule->cfa :
			  trail->fp + 16;
	if (rule_has_frame(rule) && trail->at < trail->n)
		ra = trail->ras[trail->at++];
	else if (!rule_keeps_frames(rule) || rule->rbp || !trail->at ||
		 !find_left_out(trail, walk, cfa, &ra))
		return false;
	r[X86_RIP] = ra;
	r[X86_RSP] = cfa;
	return true;
}

bool
trail_leave(struct trail *trail, const struct walk *walk, struct state *state)
{
	trail->is_on = false;
	trail->is_left = true;
	if (walk_read_word(walk, state->regs.r[X86_RSP] - 16,
			   &state->regs.r[X86_RBP]))
		state->known |= REG_BIT(X86_RBP);
	return trail->at > 0;
}
