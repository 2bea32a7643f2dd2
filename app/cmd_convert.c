/* SPDX-License-Identifier: MIT */
/*
 * cmd_convert.c - profiles into another file: one as it is, or several added.
 */
#include "app/commands.h"
#include "app/load.h"
#include "app/recording.h"
#include "app/save.h"
#include "app/say.h"
#include "app/signals.h"
#include "core/merge.h"

/* Add one file after the other; NULL with ERR. */
static struct profile *
load_all(struct recording *r, struct error *err)
{
	const struct options *o = r->options;
	struct profile *sum = profile_new(), *one;
	struct error inner;
	bool ok = true;

	profile_set_bound(sum, PROFILE_BOUND_FILE);
	for (size_t i = 0; ok && i < o->nfiles; i++) {
		one = load_profile(r, o->files[i], err);
		ok = one && (merge_add(sum, one, &inner) ||
			     fail(err, 0, "%.100s: %.300s", o->files[i],
				  inner.text));
		profile_free(one);
	}
	if (ok && profile_is_saturated(sum))
		say("the sums are larger than 64 bits hold: shares are wrong");
	if (ok)
		return sum;
	profile_free(sum);
	return NULL;
}

/* A single file is not touched: its numbers of threads stay, for one. */
static struct profile *
load(struct recording *r, struct error *err)
{
	if (r->options->nfiles == 1)
		return load_profile(r, r->options->files[0], err);
	return load_all(r, err);
}

static bool
save(const struct options *o, struct profile *profile, struct error *err)
{
	struct save_options options = save_as_asked(o, profile);
	struct names *names = names_new(profile);
	bool ok;

	options.to = o->to;
	ok = save_profile(o->output, profile, names, &options, err);
	names_free(names);
	return ok;
}

static int
convert_app(void *ctx, struct link *link)
{
	const struct options *options = ctx;
	struct recording recording;
	struct error err = { 0 };
	struct profile *profile;
	bool ok = false;

	if (!save_permitted(options->output, options->has[OPTION_FORCE],
			    &err)) {
		say("%s", err.text);
		return STATUS_FAILED;
	}
	recording_init(&recording, options, link);
	profile = load(&recording, &err);
	signals_end_us();
	if (profile)
		ok = save(options, profile, &err);
	if (!ok)
		say("%s", err.text);
	profile_free(profile);
	recording_close(&recording);
	return ok ? STATUS_DONE : STATUS_FAILED;
}

int
cmd_convert(const struct options *options)
{
	struct plan plan = { .app = convert_app, .ctx = (void *)options };

	return supervise(&plan);
}
