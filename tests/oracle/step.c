/* SPDX-License-Identifier: MIT */
/*
 * step.c - the walk at every instruction of a program, against the truth.
 *
 *	oracle-step [-el] [-k EVERY] [-n MOST] [-s SHOWN] PROGRAM [ARG...]
 *
 * PROGRAM is single-stepped by ptrace from the very first instruction of its
 * process, or with -e from its own first one, the dynamic loader's past. Its
 * stack is kept by watching calls, returns and signals (shadow.h); before each EVERY-th instruction the walk is made and compared
 * with it (-l: libunwind instead). Prints "key value" lines:
 *
 *	ahead	what the stack is later, when longjmp or an exception has
 *		jumped: so the rules of libc say of the end of longjmp, and
 *		where a signal interrupts it, too; and so libgcc leaves its
 *		callers before it leaves their stack
 *	wrong	a frame that is not there, or beyond the first one
 *	guessed-wrong	the same, in a stack that says it is guessed
 *	short	frames are missing, and the verdict says so
 *	silent	frames are missing, and the verdict says "complete"
 *
 * and the first of the wrong ones. Exit status 1 if there were any.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base.h"
#include "sampler/target.h"
#include "sampler/unwind/unwind.h"
#include "tests/oracle/local_rows.h"
#include "tests/oracle/shadow.h"

#define WINDOW 4096
#define DEPTH 4096

#define AHEAD_REACH 4096	/* instructions before a jump, and those of a
				   handler that comes in between */
#define JUMP_REACH 24		/* of them behind its change of stacks */

enum outcome { RIGHT, AHEAD, WRONG, GUESSED_WRONG, SHORT, SILENT, OUTCOMES };
static const char *const outcome_names[] = {
	"right", "ahead", "wrong", "guessed-wrong", "short", "silent",
};

/* A walk that is not what it should be, until it is known to be ahead. */
struct doubt {
	uint64_t instruction;
	enum outcome outcome;
	enum unwind_end end;
	struct shadow_frame *truth;	/* outermost first */
	size_t ntruth, n, same;
	bool has_jumped;	/* frames were left without ret since */
	struct regs regs;
	uint64_t *pcs;
};

struct stepper {
	pid_t pid;
	int mem;		/* /proc/PID/mem */
	struct target *target;
	struct maps *maps;
	struct local_rows *rows;
	struct row_source source;
	struct unwinder *unwinder;
	struct shadow shadow;
	struct regs regs;
	uint8_t window[WINDOW];
	size_t window_len;
	uint64_t instructions, walks, frames, signals, jumped;
	uint64_t outcomes[OUTCOMES], ends[UNWIND_END_COUNT];
	uint64_t most_shown, shown;
	struct doubt doubts[AHEAD_REACH];
	size_t ndoubts;
	uint64_t pcs[DEPTH];
};

/* --- the process */

static bool
read_process(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct stepper *s = ctx;
	uint64_t into = addr - s->regs.r[X86_RSP];

	if (into < s->window_len && len <= s->window_len - into) {
		memcpy(buf, s->window + into, len);
		return true;
	}
	return pread(s->mem, buf, len, (off_t)addr) == (ssize_t)len;
}

static void
read_registers(struct stepper *s, struct regs *out)
{
	struct user_regs_struct u;
	ssize_t len;

	ptrace(PTRACE_GETREGS, s->pid, NULL, &u);
	*out = (struct regs){ .r = {
		[X86_RAX] = u.rax, [X86_RDX] = u.rdx, [X86_RCX] = u.rcx,
		[X86_RBX] = u.rbx, [X86_RSI] = u.rsi, [X86_RDI] = u.rdi,
		[X86_RBP] = u.rbp, [X86_RSP] = u.rsp, [X86_R8] = u.r8,
		[X86_R9] = u.r9, [X86_R10] = u.r10, [X86_R11] = u.r11,
		[X86_R12] = u.r12, [X86_R13] = u.r13, [X86_R14] = u.r14,
		[X86_R15] = u.r15, [X86_RIP] = u.rip,
	} };
	len = pread(s->mem, s->window, WINDOW, (off_t)u.rsp);
	s->window_len = len > 0 ? (size_t)len : 0;
}

static void
read_maps(struct stepper *s)
{
	size_t i;

	target_read_maps(s->target, s->maps, NULL);
	/* Rules are kept by module. */
	for (i = 0; i < maps_count(s->maps); i++) {
		const struct mapping *mapping = maps_at(s->maps, i);

		if (mapping->inode || mapping->kind == MODULE_VDSO)
			maps_set_module(s->maps, mapping->start,
					1 + (module_id)mapping->inode % 65536);
	}
}

/* mmap, mprotect, munmap, mremap: the code may have changed. */
static bool
changes_maps(uint64_t number)
{
	return (number >= 9 && number <= 11) || number == 25;
}

/* --- the judgement */

static void
print_address(const struct stepper *s, const char *what, size_t i, uint64_t pc)
{
	const struct mapping *mapping = maps_find(s->maps, pc);
	const char *slash = mapping ? strrchr(mapping->path, '/') : NULL;

	printf("    %s[%zu] %#llx %s+%#llx\n", what, i,
	       (unsigned long long)pc,
	       slash ? slash + 1 : mapping ? mapping->path : "nowhere",
	       (unsigned long long)(mapping ? pc - mapping->start +
					      mapping->file_offset : 0));
}

/* What frame number I must be; false when there is none. */
static bool
expected(const struct shadow_frame *truth, size_t ntruth,
	 const struct regs *regs, size_t i, uint64_t *pc)
{
	const struct shadow_frame *frame;

	if (i == 0) {
		*pc = regs->r[X86_RIP];
		return true;
	}
	if (i > ntruth)
		return false;
	frame = &truth[ntruth - i];
	*pc = frame->pc - (frame->kind == SHADOW_CALL);
	return true;
}

static bool
is_expected(const struct stepper *s, size_t i)
{
	const struct shadow *shadow = &s->shadow;
	uint64_t pc;

	if (!expected(shadow->frames, shadow->n, &s->regs, i, &pc))
		return false;
	/* Nothing calls from there: the byte before is as good. */
	return s->pcs[i] == pc ||
	       (i && s->pcs[i] == pc - 1 &&
		shadow->frames[shadow->n - i].kind == SHADOW_RESTORER);
}

static void
show(struct stepper *s, const struct doubt *doubt)
{
	size_t i, from = doubt->same > 1 ? doubt->same - 1 : 0;
	uint8_t code[8] = { 0 };
	uint64_t pc;

	if (s->shown++ >= s->most_shown)
		return;
	printf("  %s at instruction %llu, frame %zu of %zu, end %d, code",
	       outcome_names[doubt->outcome],
	       (unsigned long long)doubt->instruction, doubt->same,
	       doubt->ntruth + 1, (int)doubt->end);
	read_process(s, doubt->regs.r[X86_RIP], code, sizeof(code));
	for (i = 0; i < sizeof(code); i++)
		printf(" %02x", code[i]);
	printf("\n");
	print_address(s, "at", 0, doubt->regs.r[X86_RIP]);
	for (i = from; i < from + 4 && expected(doubt->truth, doubt->ntruth,
						&doubt->regs, i, &pc); i++)
		print_address(s, "true", i, pc);
	for (i = from; i < from + 4 && i < doubt->n; i++)
		print_address(s, "ours", i, doubt->pcs[i]);
}

/* Are A and B code of one module? */
static bool
is_one_module(const struct stepper *s, uint64_t a, uint64_t b)
{
	const struct mapping *x = maps_find(s->maps, a);
	const struct mapping *y = maps_find(s->maps, b);

	return x && y && x->inode == y->inode;
}

/*
 * Are the outer frames that DOUBT found the callers that there are now, and
 * those before right? In between may be one where the jump has led to, or of
 * the function that has the handler; it is missing while the frame pointer is
 * the handler's already and the return address still the thrower's.
 */
static bool
is_ahead(const struct stepper *s, const struct doubt *doubt)
{
	const struct shadow *shadow = &s->shadow;
	size_t i, from = doubt->n - shadow->n;
	uint64_t pc;

	if (doubt->n <= shadow->n || from > doubt->same + 1 ||
	    (from == doubt->same + 1 &&
	     !is_one_module(s, doubt->pcs[doubt->same], s->regs.r[X86_RIP])))
		return false;
	for (i = 0; i < shadow->n; i++)
		if (!expected(shadow->frames, shadow->n, &s->regs, i + 1,
			      &pc) || doubt->pcs[from + i] != pc)
			return false;
	return true;
}

/* After an instruction: some doubts turn out to be ahead, or get too old. */
static void
settle(struct stepper *s, enum shadow_step kind)
{
	size_t i, kept = 0;

	for (i = 0; i < s->ndoubts; i++) {
		struct doubt *doubt = &s->doubts[i];

		doubt->has_jumped |= s->shadow.has_jumped;
		if (doubt->has_jumped && kind != STEP_RET && is_ahead(s, doubt))
			doubt->outcome = AHEAD;
		else if (s->instructions - doubt->instruction < AHEAD_REACH) {
			s->doubts[kept++] = *doubt;
			continue;
		} else
			show(s, doubt);
		s->outcomes[doubt->outcome]++;
		free(doubt->truth);
		free(doubt->pcs);
	}
	s->ndoubts = kept;
}

/* The program has ended, and nothing comes any more. */
static void
settle_rest(struct stepper *s)
{
	s->instructions += AHEAD_REACH;
	settle(s, STEP_RET);
	s->instructions -= AHEAD_REACH;
}

static void
remember(struct stepper *s, enum outcome outcome, enum unwind_end end,
	 size_t n, size_t same)
{
	struct doubt *doubt = &s->doubts[s->ndoubts++];
	size_t size = s->shadow.n * sizeof(struct shadow_frame);

	*doubt = (struct doubt){
		.instruction = s->instructions,
		.outcome = outcome,
		.end = end,
		.truth = xcalloc(1, size + !size),
		.ntruth = s->shadow.n,
		.n = n,
		.same = same,
		.has_jumped = s->jumped &&
			      s->instructions - s->jumped < JUMP_REACH,
		.regs = s->regs,
		.pcs = xcalloc(n + !n, sizeof(uint64_t)),
	};
	memcpy(doubt->truth, s->shadow.frames, size);
	memcpy(doubt->pcs, s->pcs, n * sizeof(uint64_t));
}

static enum outcome
judge(const struct stepper *s, size_t n, size_t same, enum unwind_end end)
{
	if (same == n && n == s->shadow.n + 1)
		return RIGHT;
	if (same < n)
		return end == UNWIND_COMPLETE ? WRONG : GUESSED_WRONG;
	return end == UNWIND_COMPLETE ? SILENT : SHORT;
}

static void
check(struct stepper *s)
{
	struct memory memory = {
		.read = read_process,
		.ctx = s,
		.window = s->window,
		.window_addr = s->regs.r[X86_RSP],
		.window_len = s->window_len,
	};
	enum unwind_end end;
	enum outcome outcome;
	size_t n, same = 0;

	n = unwind_stack(s->unwinder, s->maps, &s->regs, &memory, false,
			 s->pcs, NULL, DEPTH, &end);
	while (same < n && is_expected(s, same))
		same++;
	outcome = judge(s, n, same, end);
	s->walks++;
	s->frames += n;
	s->ends[end]++;
	if (outcome == RIGHT)
		s->outcomes[RIGHT]++;
	else
		remember(s, outcome, end, n, same);
}

/* --- stepping */

static uint64_t
top_word(struct stepper *s, const struct regs *regs)
{
	uint64_t word = 0;

	read_process(s, regs->r[X86_RSP], &word, sizeof(word));
	return word;
}

/* One instruction, or into a signal's handler. False: it has ended. */
static bool
step(struct stepper *s, int *signal)
{
	uint8_t code[INSTRUCTION_MAX] = { 0 };
	struct regs before = s->regs;
	enum shadow_step kind;
	int status, sent = *signal;

	read_process(s, before.r[X86_RIP], code, sizeof(code));
	kind = shadow_decode(code, sizeof(code));
	if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, (long)sent) != 0 ||
	    waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
		return false;
	read_registers(s, &s->regs);
	*signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
	if (*signal)
		return true;	/* nothing was executed; deliver it next */
	if (kind == STEP_SYSCALL && changes_maps(before.r[X86_RAX]))
		read_maps(s);
	/* The kernel stops at a handler's first instruction. */
	if (sent && s->regs.r[X86_RSP] != before.r[X86_RSP] &&
	    s->regs.r[X86_RDI] == (uint64_t)sent) {
		s->signals++;
		s->instructions++;
		shadow_signalled(&s->shadow, &before, &s->regs,
				 top_word(s, &s->regs));
		settle(s, STEP_RET);
		return true;
	}
	s->instructions++;
	shadow_stepped(&s->shadow, kind, &before, &s->regs,
		       top_word(s, &s->regs));
	if (s->shadow.has_jumped)
		s->jumped = s->instructions;
	settle(s, kind);
	return true;
}

/* Where the program itself begins; 0 if that is not to be found out. */
static uint64_t
read_entry(pid_t pid)
{
	uint64_t pair[2], entry = 0;
	char path[64];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/auxv", (int)pid);
	in = fopen(path, "r");
	while (in && !entry && fread(pair, sizeof(pair), 1, in) == 1)
		if (pair[0] == AT_ENTRY)
			entry = pair[1];
	if (in)
		fclose(in);
	return entry;
}

/* Let it run to its entry, where a trap is put for so long. */
static bool
run_to_entry(struct stepper *s)
{
	uint64_t entry = read_entry(s->pid), code, trap;
	struct user_regs_struct regs;
	int status;

	if (pread(s->mem, &code, sizeof(code), (off_t)entry) != sizeof(code))
		return false;
	trap = (code & ~(uint64_t)0xff) | 0xcc;
	ptrace(PTRACE_POKETEXT, s->pid, (void *)entry, (void *)trap);
	ptrace(PTRACE_CONT, s->pid, NULL, NULL);
	if (waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
		return false;
	ptrace(PTRACE_POKETEXT, s->pid, (void *)entry, (void *)code);
	ptrace(PTRACE_GETREGS, s->pid, NULL, &regs);
	if (regs.rip != entry + 1)
		return false;
	regs.rip = entry;
	return ptrace(PTRACE_SETREGS, s->pid, NULL, &regs) == 0;
}

static bool
begin(struct stepper *s, char **argv, bool at_entry)
{
	struct error err = { 0 };
	char path[64];
	int status;

	s->pid = fork();
	if (s->pid == 0) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
		return false;
	ptrace(PTRACE_SETOPTIONS, s->pid, NULL, (long)PTRACE_O_EXITKILL);
	snprintf(path, sizeof(path), "/proc/%d/mem", (int)s->pid);
	s->mem = open(path, O_RDONLY | O_CLOEXEC);
	s->maps = maps_new();
	if (s->mem < 0 || !target_open(s->pid, &s->target, &err)) {
		fprintf(stderr, "oracle-step: %s\n", err.text);
		return false;
	}
	if (at_entry && !run_to_entry(s)) {
		fprintf(stderr, "oracle-step: its entry was not reached\n");
		return false;
	}
	read_maps(s);
	read_registers(s, &s->regs);
	return true;
}

static void
report(const struct stepper *s)
{
	int i;

	printf("instructions %llu\nwalks %llu\nframes %llu\nsignals %llu\n",
	       (unsigned long long)s->instructions,
	       (unsigned long long)s->walks, (unsigned long long)s->frames,
	       (unsigned long long)s->signals);
	for (i = 0; i < OUTCOMES; i++)
		printf("%s %llu\n", outcome_names[i],
		       (unsigned long long)s->outcomes[i]);
	for (i = 0; i < UNWIND_END_COUNT; i++)
		if (s->ends[i])
			printf("end-%d %llu\n", i,
			       (unsigned long long)s->ends[i]);
}

int
main(int argc, char **argv)
{
	struct stepper *s = xcalloc(1, sizeof(*s));
	struct local_rows_config whole = { 0 };
	uint64_t every = 1, most = UINT64_MAX;
	enum unwind_mode mode = UNWIND_AUTO;
	bool at_entry = false;
	int option, signal = 0;

	s->most_shown = 10;
	while ((option = getopt(argc, argv, "+ek:n:s:l")) > 0)
		switch (option) {
		case 'e':
			at_entry = true;
			break;
		case 'k':
			every = (uint64_t)atoll(optarg);
			break;
		case 'n':
			most = (uint64_t)atoll(optarg);
			break;
		case 's':
			s->most_shown = (uint64_t)atoll(optarg);
			break;
		case 'l':
			mode = UNWIND_LIBUNWIND;
			break;
		default:
			return 2;
		}
	if (optind >= argc || every == 0)
		return 2;
	s->rows = local_rows_new(&whole);
	s->source = local_rows_source(s->rows);
	s->unwinder = unwind_new(mode, mode == UNWIND_LIBUNWIND ? NULL :
							 &s->source);
	if (!begin(s, argv + optind, at_entry))
		return 1;
	do
		if (!signal && s->instructions % every == 0 &&
		    !s->shadow.is_new)
			check(s);
	while (s->instructions < most && step(s, &signal));
	kill(s->pid, SIGKILL);
	settle_rest(s);
	report(s);
	return s->outcomes[WRONG] || s->outcomes[GUESSED_WRONG] ||
	       s->outcomes[SILENT];
}
