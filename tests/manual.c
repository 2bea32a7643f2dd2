/* SPDX-License-Identifier: MIT */
/*
 * manual.c - what is written from the program's own tables, for `make man`.
 *
 *	manual man		flametop(1)
 *	manual keys README	README with the table of keys as it is now
 *	manual bash|zsh|fish	what that shell completes words by
 */
#include "app/manual.h"

#include <string.h>

#include "app/completion.h"
#include "core/base.h"

static const struct {
	const char *word;
	void (*write)(FILE *out);
} pages[] = {
	{ "man", manual_write },
	{ "bash", completion_write_bash },
	{ "zsh", completion_write_zsh },
	{ "fish", completion_write_fish },
};

static int
with_keys(const char *path)
{
	FILE *in = fopen(path, "r");
	char line[4096];
	int skips = 0;

	if (!in)
		return 1;
	while (fgets(line, sizeof(line), in)) {
		if (strcmp(line, "<!-- end of keys -->\n") == 0)
			skips = 0;
		if (!skips)
			fputs(line, stdout);
		if (strcmp(line, "<!-- keys: make man -->\n") == 0) {
			manual_write_keys(stdout);
			skips = 1;
		}
	}
	fclose(in);
	return skips;
}

int
main(int argc, char **argv)
{
	int status = 1;

	if (argc == 3 && strcmp(argv[1], "keys") == 0)
		status = with_keys(argv[2]);
	for (size_t i = 0; argc == 2 && i < ARRAY_LEN(pages); i++) {
		if (strcmp(argv[1], pages[i].word) != 0)
			continue;
		pages[i].write(stdout);
		status = 0;
	}
	return fflush(stdout) == 0 ? status : 1;
}
