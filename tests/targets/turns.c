/* SPDX-License-Identifier: MIT */
/*
 * turns.c - two chains of calls by turns, many thousand times a second, with
 * frames of 10 KB in the middle: who reads a stack that runs on reads a part
 * of each. Expected: one > one_large > one_leaf and two > two_large >
 * two_leaf, and no stack with parts of both.
 */
#include "tests/targets/target.h"

#define LARGE 10000
#define ROUNDS 30000

#define CHAIN(name)							\
FRAME static void							\
name##_leaf(volatile char *room)					\
{									\
	room[0]++;							\
	spin(ROUNDS);							\
	STAY;								\
}									\
									\
FRAME static void							\
name##_large(void)							\
{									\
	volatile char room[LARGE];					\
									\
	for (int i = 0; i < LARGE; i += 1000)				\
		room[i] = 0;						\
	name##_leaf(room);						\
	STAY;								\
}									\
									\
FRAME static void							\
name(void)								\
{									\
	name##_large();							\
	STAY;								\
}

CHAIN(one)
CHAIN(two)

int
main(void)
{
	target_begin();
	for (;;) {
		one();
		two();
	}
}
