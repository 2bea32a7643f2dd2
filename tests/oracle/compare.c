/* SPDX-License-Identifier: MIT */
/*
 * compare.c - our stacks of a recording against those of two libraries.
 *
 *	oracle-compare [-m] [-s SPLITS] [-u MODE] [-g FRAMES] FILE...
 *
 * For each file: "key value" lines of how often all agree, how the rest is
 * told apart, how many stacks are whole by audit.h, and why walks ended. Then
 * the places where chains part, commonest first, with all three. With -m the
 * same samples again by ways that must make no difference. With -g only our
 * stacks against those in the text FRAMES, a line of program counters for each
 * sample (gdb_stops.py).
 *
 * A chain is right if it is whole: no caller is without its call, and it ends
 * at a known first function. So a sample on which we differ from a library
 * falls into one of four classes:
 *
 *	ours	ours is whole, theirs is not, or leaves frames out of ours
 *	theirs	theirs is whole, ours is not: a fault of ours
 *	both	both are whole, and not the same: to be looked at
 *	none	neither is
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/oracle/audit.h"
#include "tests/oracle/engine.h"
#include "tests/oracle/ways.h"

#define SPLITS_MAX 512
#define FULL_COPY 64000		/* a copy so long was cut by its size */

enum verdict { EQUAL, OURS, THEIRS, BOTH, NONE, VERDICTS };
static const char *const verdict_names[] = {
	"equal", "ours", "theirs", "both", "none",
};

enum { LIBUNWIND, LIBDW, LIBRARIES };
static const struct engine *const libraries[] = {
	&engine_libunwind, &engine_libdw,
};

/*
 * A place where our chain parts from a library's, or ends without being whole
 * (LIBRARIES).
 */
struct split {
	int library;
	enum verdict verdict;
	uint64_t pc;		/* of the last frame in common */
	uint64_t count;
	char *text;
};

struct tally {
	uint64_t samples, frames, stackless;
	uint64_t verdicts[LIBRARIES][VERDICTS];
	uint64_t frames_equal[LIBRARIES], frames_of[LIBRARIES];
	uint64_t agreed, agreed_equal;	/* the libraries with each other */
	uint64_t exactness;		/* pcs that differ by one */
	uint64_t right;			/* equal to one, or ours alone whole */
	uint64_t whole, cut_by_copy, violations, checked;
	uint64_t ends[UNWIND_END_COUNT];
	struct split splits[SPLITS_MAX];
	size_t nsplits;
};

struct comparison {
	struct samples *samples;
	struct local_rows *rows;
	enum unwind_mode mode;
	size_t most_splits;
	struct tally tally;
	struct chain ours, theirs[LIBRARIES];
};

/* --- chains */

static bool
is_equal(const struct chain *a, const struct chain *b)
{
	return a->n == b->n && chain_common(a, b, NULL) == a->n;
}

/* Is A what B has, with some frames left out? */
static bool
leaves_out(const struct chain *a, const struct chain *b)
{
	size_t i, k = 0;

	for (i = 0; i < b->n && k < a->n; i++)
		k += a->pcs[k] - b->pcs[i] + 1 <= 2;
	return k == a->n && a->n < b->n;
}

static bool
is_whole(const struct audit *audit)
{
	return audit->has_root && !audit->violations;
}

static enum verdict
judge(struct sample_memory *memory, const struct chain *ours,
      const struct audit *audit, const struct chain *theirs)
{
	struct audit other;

	if (is_equal(ours, theirs))
		return EQUAL;
	other = audit_chain(memory, theirs);
	if (is_whole(audit) && ours->end == UNWIND_COMPLETE &&
	    leaves_out(theirs, ours))
		return OURS;
	if (is_whole(audit))
		return is_whole(&other) ? BOTH : OURS;
	return is_whole(&other) ? THEIRS : NONE;
}

/* --- splits */

static void
print_chain(FILE *out, const char *name, struct sample_memory *memory,
	    const struct chain *chain, size_t from)
{
	char where[400];
	size_t i;

	fprintf(out, "    %s: %zu frames\n", name, chain->n);
	if (from)
		fprintf(out, "      [0] %#llx %s\n",
			(unsigned long long)chain->pcs[0],
			audit_where(memory, chain->pcs[0], where,
				    sizeof(where)));
	for (i = from; i < chain->n && i < from + 5; i++)
		fprintf(out, "      [%zu] %#llx %s\n", i,
			(unsigned long long)chain->pcs[i],
			audit_where(memory, chain->pcs[i], where,
				    sizeof(where)));
}

static char *
describe(struct comparison *c, struct sample_memory *memory, size_t same)
{
	size_t from = same > 2 ? same - 2 : 0, len;
	char *text;
	FILE *out = open_memstream(&text, &len);

	fprintf(out, "    pid %d tid %d, %zu bytes of stack, our walk ended "
		"with %d\n", (int)memory->raw->process->pid,
		(int)memory->raw->tid, memory->raw->stack_len,
		(int)c->ours.end);
	print_chain(out, "ours", memory, &c->ours, from);
	print_chain(out, "libunwind", memory, &c->theirs[LIBUNWIND], from);
	print_chain(out, "libdw", memory, &c->theirs[LIBDW], from);
	fclose(out);
	return text;
}

static void
add_split(struct comparison *c, struct sample_memory *memory, int library,
	  enum verdict verdict)
{
	struct tally *tally = &c->tally;
	size_t i, same = chain_common(&c->ours, &c->theirs[library], NULL);
	uint64_t pc = same ? c->ours.pcs[same - 1] : 0;

	for (i = 0; i < tally->nsplits; i++) {
		struct split *split = &tally->splits[i];

		if (split->library == library && split->pc == pc &&
		    split->verdict == verdict) {
			split->count++;
			return;
		}
	}
	if (tally->nsplits == SPLITS_MAX)
		return;
	tally->splits[tally->nsplits++] = (struct split){
		library, verdict, pc, 1, describe(c, memory, same),
	};
}

static int
by_count(const void *a, const void *b)
{
	const struct split *x = a, *y = b;
	bool x_ours = x->verdict == OURS, y_ours = y->verdict == OURS;

	if (x_ours != y_ours)	/* those where we are right come last */
		return x_ours - y_ours;
	return (x->count < y->count) - (x->count > y->count);
}

static void
print_splits(struct comparison *c)
{
	struct tally *tally = &c->tally;
	size_t i;

	qsort(tally->splits, tally->nsplits, sizeof(tally->splits[0]),
	      by_count);
	for (i = 0; i < tally->nsplits; i++) {
		const struct split *split = &tally->splits[i];

		if (i >= c->most_splits)
			;
		else if (split->library == LIBRARIES)
			printf("  not whole, %llu times\n%s",
			       (unsigned long long)split->count, split->text);
		else
			printf("  split from %s, %s whole, %llu times\n%s",
			       libraries[split->library]->name,
			       verdict_names[split->verdict],
			       (unsigned long long)split->count, split->text);
		free(split->text);
	}
}

/* Where stacks end that are not whole. */
static void
add_unwhole(struct comparison *c, struct sample_memory *memory)
{
	uint64_t pc = c->ours.n ? c->ours.pcs[c->ours.n - 1] : 0;
	struct tally *tally = &c->tally;
	char *text;
	size_t i, len;
	FILE *out;

	for (i = 0; i < tally->nsplits; i++)
		if (tally->splits[i].library == LIBRARIES &&
		    tally->splits[i].pc == pc) {
			tally->splits[i].count++;
			return;
		}
	if (tally->nsplits == SPLITS_MAX)
		return;
	out = open_memstream(&text, &len);
	fprintf(out, "    %zu bytes of stack, our walk ended with %d\n",
		memory->raw->stack_len, (int)c->ours.end);
	print_chain(out, "ours", memory, &c->ours,
		    c->ours.n > 3 ? c->ours.n - 3 : 0);
	fclose(out);
	tally->splits[tally->nsplits++] = (struct split){
		LIBRARIES, NONE, pc, 1, text,
	};
}

/* --- one sample */

static void
audit_ours(struct comparison *c, struct sample_memory *memory,
	   const struct audit *audit)
{
	struct tally *tally = &c->tally;
	bool is_sure = c->ours.end != UNWIND_GUESSED;
	char where[400];

	tally->checked += is_sure ? audit->checked : 0;
	tally->whole += is_whole(audit);
	if (c->ours.end == UNWIND_CUT && memory->raw->stack_len > FULL_COPY)
		tally->cut_by_copy++;
	if (audit->violations && is_sure &&
	    tally->violations < c->most_splits)
		printf("  no call before frame %zu: %s\n", audit->first,
		       audit_where(memory, c->ours.pcs[audit->first], where,
				   sizeof(where)));
	tally->violations += is_sure ? audit->violations : 0;
	if (!is_whole(audit))
		add_unwhole(c, memory);
}

static void
take(struct comparison *c, const struct raw *raw, void *const *states,
     void *ours)
{
	struct sample_memory memory = { c->samples, raw, SIZE_MAX };
	struct tally *tally = &c->tally;
	enum verdict verdicts[LIBRARIES];
	struct audit audit;
	int i;

	engine_ours.walk(ours, raw, &c->ours);
	audit = audit_chain(&memory, &c->ours);
	tally->samples++;
	tally->frames += c->ours.n;
	tally->ends[c->ours.end]++;
	audit_ours(c, &memory, &audit);
	for (i = 0; i < LIBRARIES; i++)
		libraries[i]->walk(states[i], raw, &c->theirs[i]);
	for (i = 0; i < LIBRARIES; i++) {
		const struct chain *theirs = &c->theirs[i];
		enum verdict verdict = judge(&memory, &c->ours, &audit,
					     theirs);

		verdicts[i] = verdict;
		tally->verdicts[i][verdict]++;
		tally->frames_equal[i] += chain_common(&c->ours, theirs,
						 &tally->exactness);
		tally->frames_of[i] += c->ours.n > theirs->n ? c->ours.n :
							       theirs->n;
		if (verdict != EQUAL)
			add_split(c, &memory, i, verdict);
	}
	tally->right += verdicts[LIBUNWIND] == EQUAL ||
			verdicts[LIBDW] == EQUAL ||
			(verdicts[LIBUNWIND] == OURS &&
			 verdicts[LIBDW] == OURS);
	if (is_equal(&c->theirs[LIBUNWIND], &c->theirs[LIBDW])) {
		tally->agreed++;
		tally->agreed_equal += is_equal(&c->ours,
						&c->theirs[LIBDW]);
	}
}

static void
compare(struct comparison *c)
{
	struct engine_config config = { .mode = c->mode, .rows = c->rows };
	void *ours = engine_ours.open(c->samples, &config);
	void *states[LIBRARIES];
	struct raw raw;
	int i;

	for (i = 0; i < LIBRARIES; i++)
		states[i] = libraries[i]->open(c->samples, &config);
	samples_rewind(c->samples);
	while (samples_next(c->samples, &raw))
		if (raw.stack_len)
			take(c, &raw, states, ours);
		else	/* in execve(2): it has given its stack away */
			c->tally.stackless++;
	for (i = 0; i < LIBRARIES; i++)
		libraries[i]->close(states[i]);
	engine_ours.close(ours);
}

/* --- report */

static double
percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void
print_tally(const struct tally *tally)
{
	static const char *const ends[UNWIND_END_COUNT] = {
		[UNWIND_COMPLETE] = "complete", [UNWIND_GUESSED] = "guessed",
		[UNWIND_CUT] = "cut", [UNWIND_NO_RULE] = "no-rule",
		[UNWIND_STUCK] = "stuck", [UNWIND_DEEP] = "deep",
		[UNWIND_WAITS] = "waits",
	};
	int i, k;

	printf("samples %llu\nframes %llu\nstackless %llu\n",
	       (unsigned long long)tally->samples,
	       (unsigned long long)tally->frames,
	       (unsigned long long)tally->stackless);
	for (i = 0; i < LIBRARIES; i++) {
		const char *name = libraries[i]->name;

		printf("%s-frames-equal %.4f%%\n", name,
		       percent(tally->frames_equal[i], tally->frames_of[i]));
		for (k = 0; k < VERDICTS; k++)
			printf("%s-%s %llu %.3f%%\n", name, verdict_names[k],
			       (unsigned long long)tally->verdicts[i][k],
			       percent(tally->verdicts[i][k],
				       tally->samples));
	}
	printf("libraries-agree %llu, then equal to ours %.4f%%\n",
	       (unsigned long long)tally->agreed,
	       percent(tally->agreed_equal, tally->agreed));
	printf("right %llu %.4f%%\n", (unsigned long long)tally->right,
	       percent(tally->right, tally->samples));
	printf("off-by-one-byte %llu\n", (unsigned long long)tally->exactness);
	printf("whole %llu %.4f%%\ncut-by-copy %llu\n",
	       (unsigned long long)tally->whole,
	       percent(tally->whole, tally->samples),
	       (unsigned long long)tally->cut_by_copy);
	printf("audit %llu of %llu %.4f%%\n",
	       (unsigned long long)tally->violations,
	       (unsigned long long)tally->checked,
	       percent(tally->violations, tally->checked));
	for (i = 0; i < UNWIND_END_COUNT; i++)
		if (tally->ends[i])
			printf("end-%s %llu\n", ends[i] ? ends[i] : "other",
			       (unsigned long long)tally->ends[i]);
}

/* --- gdb */

/* The stack of one line; false at the end of the text. */
static bool
read_frames(FILE *text, struct chain *out)
{
	char *line = NULL, *at, *next;
	size_t size = 0;
	bool ok = getline(&line, &size, text) > 0;

	out->n = 0;
	for (at = line; ok && out->n < CHAIN_MAX; at = next) {
		uint64_t pc = strtoull(at, &next, 16);

		if (next == at)
			break;
		out->pcs[out->n++] = pc;
	}
	free(line);
	return ok;
}

static bool
compare_with_text(struct comparison *c, const char *path)
{
	struct engine_config config = { .mode = c->mode, .rows = c->rows };
	void *ours = engine_ours.open(c->samples, &config);
	struct chain *theirs = &c->theirs[0];
	uint64_t verdicts[VERDICTS] = { 0 }, count = 0, equal = 0, all = 0;
	FILE *text = fopen(path, "r");
	struct raw raw;

	while (text && samples_next(c->samples, &raw) &&
	       read_frames(text, theirs)) {
		struct sample_memory memory = { c->samples, &raw, SIZE_MAX };
		struct audit audit;
		enum verdict verdict;
		size_t same;

		engine_ours.walk(ours, &raw, &c->ours);
		audit = audit_chain(&memory, &c->ours);
		verdict = judge(&memory, &c->ours, &audit, theirs);
		verdicts[verdict]++;
		same = chain_common(&c->ours, theirs, NULL);
		equal += same;
		all += c->ours.n > theirs->n ? c->ours.n : theirs->n;
		if (verdict == EQUAL || count++ >= c->most_splits)
			continue;
		printf("  split from gdb, %s whole\n",
		       verdict_names[verdict]);
		print_chain(stdout, "ours", &memory, &c->ours,
			    same > 2 ? same - 2 : 0);
		print_chain(stdout, "gdb", &memory, theirs,
			    same > 2 ? same - 2 : 0);
	}
	if (text)
		fclose(text);
	engine_ours.close(ours);
	printf("gdb-frames-equal %.4f%%\n", percent(equal, all));
	for (int k = 0; k < VERDICTS; k++)
		printf("gdb-%s %llu\n", verdict_names[k],
		       (unsigned long long)verdicts[k]);
	return text && verdicts[EQUAL] + verdicts[OURS] > 0 &&
	       !verdicts[THEIRS];
}

/* --- main */

static enum unwind_mode
parse_mode(const char *word)
{
	return !strcmp(word, "fp")	  ? UNWIND_FP :
	       !strcmp(word, "cfi")	  ? UNWIND_CFI :
	       !strcmp(word, "libunwind") ? UNWIND_LIBUNWIND :
					    UNWIND_AUTO;
}

static bool
run_file(struct comparison *c, const char *path, const char *text,
	 bool tries_ways)
{
	struct error err = { 0 };
	bool ok = true;

	if (!samples_open(path, &c->samples, &err)) {
		fprintf(stderr, "oracle-compare: %s\n", err.text);
		return false;
	}
	c->tally = (struct tally){ 0 };
	printf("file %s\n", path);
	if (text) {
		ok = compare_with_text(c, text);
		samples_close(c->samples);
		return ok;
	}
	compare(c);
	print_tally(&c->tally);
	print_splits(c);
	if (tries_ways)
		ok = ways_try(c->samples, c->rows, c->mode, c->most_splits);
	samples_close(c->samples);
	return ok;
}

int
main(int argc, char **argv)
{
	struct comparison *c = xcalloc(1, sizeof(*c));
	struct local_rows_config whole = { 0 };
	bool tries_ways = false, ok = true;
	const char *text = NULL;
	int option;

	c->most_splits = 20;
	while ((option = getopt(argc, argv, "g:ms:u:")) > 0)
		switch (option) {
		case 'g':
			text = optarg;
			break;
		case 'm':
			tries_ways = true;
			break;
		case 's':
			c->most_splits = (size_t)atoi(optarg);
			break;
		case 'u':
			c->mode = parse_mode(optarg);
			break;
		default:
			return 2;
		}
	if (c->mode != UNWIND_LIBUNWIND)
		c->rows = local_rows_new(&whole);
	for (; optind < argc; optind++)
		ok &= run_file(c, argv[optind], text, tries_ways);
	local_rows_free(c->rows);
	free(c);
	return ok ? 0 : 1;
}
