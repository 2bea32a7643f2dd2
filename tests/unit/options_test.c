/* SPDX-License-Identifier: MIT */
#include "app/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/config.h"

#define MAX_WORDS 16

/* LINE's words, split at blanks, as a command line. */
static bool
parse(const char *line, struct options *out, struct error *err)
{
	static char text[256];
	static char *argv[MAX_WORDS + 1];
	char *rest = text;
	int argc = 0;

	snprintf(text, sizeof(text), "flametop %s", line);
	while (argc < MAX_WORDS && (argv[argc] = strsep(&rest, " ")))
		argc += *argv[argc] != '\0';
	argv[argc] = NULL;
	return options_parse(out, argc, argv, err);
}

static void
expect_problem(const char *line, const char *part)
{
	struct options options;
	struct error err;

	assert_false(parse(line, &options, &err));
	if (!strstr(err.text, part))
		fail_msg("%s: \"%s\" lacks \"%s\"", line, err.text, part);
}

static void
digits_are_a_process_and_words_a_file(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("4242", &o, &err));
	assert_int_equal(o.command, COMMAND_LIVE);
	assert_int_equal(o.npids, 1);
	assert_int_equal(o.pids[0], 4242);
	assert_true(parse("./4242", &o, &err));
	assert_string_equal(o.file, "./4242");
	assert_true(parse("before.folded", &o, &err));
	assert_string_equal(o.file, "before.folded");
	assert_null(o.base);
	assert_true(parse("before.folded after.folded", &o, &err));
	assert_string_equal(o.base, "before.folded");
	assert_string_equal(o.file, "after.folded");
	assert_true(parse("", &o, &err));
	assert_int_equal(o.npids, 0);
	assert_null(o.file);
}

static void
files_to_convert_and_merge_are_listed(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("convert a.pb.gz -o -", &o, &err));
	assert_int_equal(o.command, COMMAND_CONVERT);
	assert_int_equal(o.nfiles, 1);
	assert_true(parse("merge -o x - 4242 c.folded", &o, &err));
	assert_int_equal(o.nfiles, 3);
	assert_string_equal(o.files[0], "-");
	assert_string_equal(o.files[1], "4242");
	assert_true(parse("convert a -o - --to pb.gz", &o, &err));
	assert_string_equal(o.to, "pb.gz");
	expect_problem("convert a b -o x", "one file too many");
	expect_problem("convert a", "needs a file");
	expect_problem("merge -o x", "needs a file");
	expect_problem("convert a -p 1 -o x", "needs a file");
	expect_problem("convert a -o x --to html", "no suffix");
}

static void
only_the_first_word_is_a_command(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("record -o x 1", &o, &err));
	assert_int_equal(o.command, COMMAND_RECORD);
	assert_true(parse("report record", &o, &err));
	assert_int_equal(o.command, COMMAND_REPORT);
	assert_string_equal(o.file, "record");
}

static void
options_come_in_every_usual_form(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("-p 1,2,3 -F50 --duration=2.5m 4", &o, &err));
	assert_int_equal(o.npids, 4);
	assert_int_equal(o.pids[2], 3);
	assert_int_equal(o.hz, 50);
	assert_true(o.seconds > 149.9 && o.seconds < 150.1);
	assert_true(parse("-qfd 10 1", &o, &err));
	assert_true(o.has[OPTION_QUIET] && o.has[OPTION_FORCE]);
	assert_true(o.seconds > 9.9 && o.seconds < 10.1);
	assert_true(parse("1 --sampler ptrace --unwind fp --color mono", &o,
			  &err));
	assert_int_equal(o.sampler, SAMPLER_PTRACE);
	assert_int_equal(o.unwind, UNWIND_FP);
	assert_int_equal(o.colours, TERM_MONO);
	assert_true(parse("--type inuse_space x.pb.gz", &o, &err));
	assert_string_equal(o.read.type, "inuse_space");
	expect_problem("--type= x", "what a file counts");
	expect_problem("--type 123456789012345678901234567890123456789012345678"
		       "9012345678901234 x", "what a file counts");
	assert_true(parse("--sampler=auto 1", &o, &err));
	assert_int_equal(o.sampler, SAMPLER_AUTO);
	assert_true(parse("--color 256 1", &o, &err));
	assert_int_equal(o.colours, TERM_256);
}

static void
what_follows_two_dashes_is_the_command(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("-q -- server -p 80 --", &o, &err));
	assert_string_equal(o.argv[0], "server");
	assert_string_equal(o.argv[1], "-p");
	assert_string_equal(o.argv[3], "--");
	assert_null(o.argv[4]);
	assert_int_equal(o.npids, 0);
	expect_problem("--", "nothing to run");
}

static void
a_typing_error_gets_the_nearest_word(void **state)
{
	(void)state;
	expect_problem("--frq 3", "did you mean --freq?");
	expect_problem("--sampelr perf", "did you mean --sampler?");
	expect_problem("reprot 1", "did you mean \"report\"?");
	expect_problem("dmup 1", "did you mean \"dump\"?");
	expect_problem("--nonsense", "there is no option --nonsense");
	expect_problem("--foo", "there is no option --foo; flametop --help");
	expect_problem("-Z 1", "there is no option -Z");
}

static void
values_are_checked(void **state)
{
	(void)state;
	expect_problem("-F 0 1", "1 to 10000");
	expect_problem("-F 99x 1", "1 to 10000");
	expect_problem("-d 5w 1", "no duration");
	expect_problem("-d -5 1", "no duration");
	expect_problem("-d nan 1", "no duration");
	expect_problem("-p 12x", "no process id");
	expect_problem("-p 0", "no process id");
	expect_problem("-p 99999999999999999999", "no process id");
	expect_problem("--sampler gdb 1", "auto|perf|ptrace");
	expect_problem("--sampler= 1", "auto|perf|ptrace");
	expect_problem("--tag Bad=1 1", "KEY=VALUE");
	expect_problem("--tag x 1", "KEY=VALUE");
	expect_problem("--ascii=yes 1", "takes no value");
	expect_problem("1 -F", "needs HZ");
}

static void
what_does_not_go_together_is_refused(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	expect_problem("1 -n redis", "one target at a time");
	expect_problem("a.folded 1", "one target at a time");
	expect_problem("a.folded b.folded c.folded", "is one file too many");
	expect_problem("report a.folded b.folded", "is one file too many");
	expect_problem("record 1", "-o FILE");
	expect_problem("record -o x", "needs a target");
	expect_problem("record -o x a.folded", "is a file");
	expect_problem("report", "needs a target");
	expect_problem("explain 1", "an address");
	expect_problem("explain -p 1,2 0x1", "needs a process or a file");
	assert_true(parse("explain 12 34", &o, &err));
	assert_int_equal(o.pids[0], 12);
	assert_string_equal(o.address, "34");
	assert_true(parse("record --help", &o, &err));
}

static void
every_option_has_a_word_and_a_help(void **state)
{
	(void)state;
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		assert_true(*option_rows[i].word);
		assert_true(*option_rows[i].help);
		for (size_t j = 0; j < i; j++) {
			assert_string_not_equal(option_rows[i].word,
						option_rows[j].word);
			assert_true(!option_rows[i].letter ||
				    option_rows[i].letter !=
				    option_rows[j].letter);
		}
	}
}

static void
config_lines_count_less_than_the_command_line(void **state)
{
	char text[] = "# mine\ntheme dusk\nfreq=49 \nno-kernel\n\n"
		      "theme light\nduration 3";
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("-F 999 4242", &o, &err));
	assert_true(config_take(&o, text, &err));
	assert_string_equal(o.theme, "light");
	assert_int_equal(o.hz, 999);
	assert_true(o.has[OPTION_NO_KERNEL]);
	assert_int_equal(o.npids, 1);
}

static void
a_wrong_config_line_is_named_and_the_others_count(void **state)
{
	char text[] = "theme\nforce\ncolor many\nascii yes\nplain\nascii";
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("4242", &o, &err));
	assert_false(config_take(&o, text, &err));
	assert_non_null(strstr(err.text, "line 1: theme needs NAME"));
	assert_false(o.has[OPTION_FORCE]);
	assert_true(o.has[OPTION_ASCII]);
}

static void
diff_takes_one_base_or_several(void **state)
{
	struct options o;
	struct error err;

	(void)state;
	assert_true(parse("diff a.folded 4242 c", &o, &err));
	assert_int_equal(o.command, COMMAND_DIFF);
	assert_int_equal(o.nbases, 0);
	assert_int_equal(o.nfiles, 3);
	assert_string_equal(o.files[1], "4242");
	assert_true(parse("diff -b a --base=b c --fail-on 2.5 --json", &o,
			  &err));
	assert_int_equal(o.nbases, 2);
	assert_string_equal(o.bases[1], "b");
	assert_int_equal(o.nfiles, 1);
	assert_true(o.has[OPTION_FAIL_ON] && o.has[OPTION_JSON]);
	assert_true(o.fail_on == 2.5);
	assert_true(parse("diff a b -o x.svg", &o, &err));
	assert_true(parse("diff a b -o - -f", &o, &err));
	assert_true(parse("diff a b -o x --to svg", &o, &err));
	expect_problem("diff a b -o x.folded", "-o NAME.svg");
	expect_problem("diff a b -o x.svg --to pb", "-o NAME.svg");
	expect_problem("diff a", "two files");
	expect_problem("diff -b a", "two files");
	expect_problem("diff a b -p 1", "two files");
	expect_problem("-b a 4242", "is for diff");
	expect_problem("diff a b --fail-on x", "per cent");
	expect_problem("diff a b --fail-on -1", "per cent");
	expect_problem("diff a b --fail-on 101", "per cent");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_are_a_process_and_words_a_file),
		cmocka_unit_test(files_to_convert_and_merge_are_listed),
		cmocka_unit_test(only_the_first_word_is_a_command),
		cmocka_unit_test(options_come_in_every_usual_form),
		cmocka_unit_test(what_follows_two_dashes_is_the_command),
		cmocka_unit_test(a_typing_error_gets_the_nearest_word),
		cmocka_unit_test(values_are_checked),
		cmocka_unit_test(what_does_not_go_together_is_refused),
		cmocka_unit_test(diff_takes_one_base_or_several),
		cmocka_unit_test(every_option_has_a_word_and_a_help),
		cmocka_unit_test(config_lines_count_less_than_the_command_line),
		cmocka_unit_test(a_wrong_config_line_is_named_and_the_others_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
