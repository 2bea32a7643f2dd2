/* SPDX-License-Identifier: MIT */
/*
 * load.h - profiles of a server that was never there, drawn by a seed.
 *
 * Four handlers below main;serve, each with work of its own and with alloc,
 * which all of them call. In a phase they have other weights than on average;
 * phases last 0.5 to 5 seconds.
 */
#ifndef TESTS_UNIT_LOAD_H
#define TESTS_UNIT_LOAD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/names.h"
#include "core/profile.h"

#define HANDLERS 4
#define PARTS 5

struct load {
	uint64_t seed;
	unsigned hz;
	double seconds;
	double phases;		/* 0: none; 1: a handler's weight may be
				   three times and a third of its average */
	double regex;		/* work of that handler; 1: 12 % of all */
	const char *regex_name;	/* NULL: "handleRegex" */
};

static inline double
load_draw(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return (double)((x ^ x >> 31) >> 11) / 9007199254740992.0;
}

static inline stack_id
load_push(struct profile *profile, stack_id parent, const char *name)
{
	struct frame frame = { .name = strings_add(profile_strings(profile),
						   name, strlen(name)) };

	return profile_push(profile, parent, profile_frame(profile, &frame));
}

/* Weights of the handlers in the phase that begins. */
static inline void
load_phase(const struct load *load, uint64_t *state, double *weights)
{
	static const double average[HANDLERS] = { 0.38, 0.30, 0.20, 0.12 };

	for (int i = 0; i < HANDLERS; i++)
		weights[i] = average[i] *
			exp(load->phases * (load_draw(state) * 2 - 1) *
			    1.0986);
	weights[HANDLERS - 1] *= load->regex;
}

static inline int
load_pick(uint64_t *state, const double *weights, int count)
{
	double all = 0, at;
	int i;

	for (i = 0; i < count; i++)
		all += weights[i];
	at = load_draw(state) * all;
	for (i = 0; i < count - 1 && at >= weights[i]; i++)
		at -= weights[i];
	return i;
}

static inline struct profile *
load_profile(const struct load *load)
{
	static const char *const handlers[HANDLERS] = {
		"handleJson", "handleSort", "handleHash", "handleRegex",
	};
	static const char *const parts[HANDLERS][PARTS] = {
		{ "", "json.scan", "json.quote", "alloc", "copy" },
		{ "", "sort.less", "sort.swap", "alloc", "copy" },
		{ "", "hash.round", "hash.pad", "alloc", "copy" },
		{ "", "regex.match", "regex.step", "alloc", "copy" },
	};
	static const double share[PARTS] = { 0.05, 0.45, 0.3, 0.15, 0.05 };
	struct profile *profile = profile_new();
	stack_id serve = load_push(profile, load_push(profile, 0, "main"),
				   "serve"), stacks[HANDLERS][PARTS];
	uint64_t state = load->seed * 1000003 + 7;
	double weights[HANDLERS], until = 0;
	char number[32];

	for (int i = 0; i < HANDLERS; i++) {
		const char *name = i == HANDLERS - 1 && load->regex_name ?
				   load->regex_name : handlers[i];

		stacks[i][0] = load_push(profile, serve, name);
		for (int k = 1; k < PARTS; k++)
			stacks[i][k] = load_push(profile, stacks[i][0],
						 parts[i][k]);
	}
	for (double at = 0; at < load->seconds; at += 1.0 / load->hz) {
		struct cell cell = { .weight = 1 };
		int handler;

		if (at >= until) {
			load_phase(load, &state, weights);
			until = at + 0.5 + 4.5 * load_draw(&state);
		}
		handler = load_pick(&state, weights, HANDLERS);
		cell.stack = stacks[handler][load_pick(&state, share, PARTS)];
		profile_add(profile, (uint64_t)((at + 100) * 1e9), &cell);
	}
	snprintf(number, sizeof(number), "%.0f", 1e9 / load->hz);
	profile_set(profile, "period", number);
	snprintf(number, sizeof(number), "%.3f", load->seconds);
	profile_set(profile, "duration", number);
	return profile;
}

#endif
