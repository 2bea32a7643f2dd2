/* SPDX-License-Identifier: MIT */
/*
 * sample.c - how a sampler's notes read.
 */
#include "core/sample.h"

#include "core/base.h"

const char *
sample_note_text(uint64_t note)
{
	static const char *const texts[NOTE_COUNT] = {
		[NOTE_UNMAPPED] = "[unknown]",
		[NOTE_CUT] = "[cut]",
		[NOTE_SWITCH] = "[stack switch, not read]",
		[NOTE_LEFT_OUT] = "[left out]",
	};

	return texts[note < NOTE_COUNT ? note : NOTE_UNMAPPED];
}
