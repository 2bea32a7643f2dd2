/* SPDX-License-Identifier: MIT */
/*
 * report_head.c - of what a profile is, how it was made and what it lacks.
 *
 *	# shares, process 4242, on box.example
 *	# 2026-11-30T20:51:06Z, 10.1 s, cpu-clock at 99 Hz
 *	# lost 0  cut 12  unnamed 3
 */
#include "app/report_sums.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "tui/text.h"

static const char *
value_of(const struct profile *profile, const char *key)
{
	const char *value = profile_get(profile, key);

	return value ? value : "";
}

const char *
report_unit(const struct profile *profile)
{
	const char *unit = value_of(profile, "unit");

	return *unit ? unit : "samples";
}

/* BEFORE, VALUE and AFTER, with a comma if something stands there. */
static void
add(FILE *out, bool *is_begun, const char *before, const char *value,
    const char *after)
{
	if (!*value)
		return;
	fprintf(out, "%s%s%s%s", *is_begun ? ", " : "# ", before, value,
		after);
	*is_begun = true;
}

static void
end_line(FILE *out, bool *is_begun)
{
	if (*is_begun)
		fputc('\n', out);
	*is_begun = false;
}

static void
tell_run(FILE *out, const struct profile *profile)
{
	double seconds = atof(value_of(profile, "duration"));
	bool is_begun = false;
	char text[64] = "";

	if (seconds > 0)
		snprintf(text, sizeof(text), "%.1f", seconds);
	add(out, &is_begun, "", value_of(profile, "start"), "");
	add(out, &is_begun, "", text, " s");
	add(out, &is_begun, "", value_of(profile, "event"), "");
	if (*value_of(profile, "rate"))
		fprintf(out, "%s%s Hz", is_begun ? " at " : "# ",
			value_of(profile, "rate"));
	is_begun |= *value_of(profile, "rate") != '\0';
	end_line(out, &is_begun);
}

/* What is always told is told as 0 too; the rest only where there is some. */
static void
tell_losses(FILE *out, const struct profile *profile)
{
	static const struct {
		const char *key, *word;
		bool is_always;
	} losses[] = {
		{ "lost", "lost", true },
		{ "cut", "cut", true },
		{ "unresolved", "unnamed", true },
		{ "guessed", "guessed", false },
		{ "late", "late", false },
		{ "throttled", "throttled", false },
	};
	const char *between = "# ";
	char number[32];

	for (size_t i = 0; i < ARRAY_LEN(losses); i++) {
		const char *value = value_of(profile, losses[i].key);
		uint64_t count = strtoull(value, NULL, 10);

		if (!*value || (!count && !losses[i].is_always))
			continue;
		fprintf(out, "%s%s %s", between, losses[i].word,
			count_text(number, sizeof(number), count));
		between = "  ";
	}
	if (*between != '#')
		fputc('\n', out);
}

void
report_head(FILE *out, const struct profile *profile)
{
	bool is_begun = false;

	add(out, &is_begun, "", value_of(profile, "comm"), "");
	add(out, &is_begun, "process ", value_of(profile, "pid"), "");
	add(out, &is_begun, "on ", value_of(profile, "host"), "");
	end_line(out, &is_begun);
	tell_run(out, profile);
	tell_losses(out, profile);
}
