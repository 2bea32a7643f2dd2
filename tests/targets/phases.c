/* SPDX-License-Identifier: MIT */
/*
 * phases.c - a server of four handlers with phases, one of which may have
 * more work.
 *
 *	phases SECONDS [EXTRA]
 *
 * Their parts of a round are 38, 30, 20 and 12 on average, regex with EXTRA
 * per cent more. For a quarter to one and a quarter seconds each one or
 * another has half as much again.
 */
#include <stdlib.h>
#include <time.h>

#include "tests/targets/target.h"

#define UNIT 4000ul

FRAME static void
json(unsigned long parts)
{
	spin(parts * UNIT);
	STAY;
}

FRAME static void
sort(unsigned long parts)
{
	spin(parts * UNIT);
	STAY;
}

FRAME static void
hash(unsigned long parts)
{
	spin(parts * UNIT);
	STAY;
}

FRAME static void
regex(unsigned long parts)
{
	spin(parts * UNIT / 100);
	STAY;
}

static double
seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Of 2 parts, or of 3 in the phase that is its own. */
static unsigned long
work(unsigned long average, int phase, int mine)
{
	return average * (phase == mine ? 3 : 2);
}

FRAME static void
serve(int phase, unsigned long percent)
{
	json(work(38, phase, 0));
	sort(work(30, phase, 1));
	hash(work(20, phase, 2));
	regex(work(12, phase, 3) * percent);
	STAY;
}

int
main(int argc, char **argv)
{
	unsigned long percent = 100 + (argc > 2 ? strtoul(argv[2], NULL, 10) :
						  0);
	double end = seconds_now() + (argc > 1 ? atof(argv[1]) : 60), until = 0;
	int phase = 0;

	target_begin();
	while (seconds_now() < end) {
		if (seconds_now() >= until) {
			phase = rand() % 4;
			until = seconds_now() + 0.25 + rand() % 1000 / 1000.0;
		}
		serve(phase, percent);
	}
	return 0;
}
