/* SPDX-License-Identifier: MIT */
/*
 * pprof_write_test.c - profiles to pprof, by the receivers' rules, and back.
 */
#include "formats/pprof.h"

#include "tests/unit/writing.h"

static const struct write_options whole = { .header = true, .threads = true };

static struct profile *
read_text(const char *text)
{
	return read_bytes(text, strlen(text));
}

/* PROFILE, which is freed, as the folded file that its pprof gives. */
static char *
by_way_of_pprof(struct profile *profile, const struct write_options *options)
{
	struct written pprof = write_as(&format_pprof, profile, options);
	struct profile *again = read_bytes(pprof.bytes, pprof.len);
	struct written folded;

	assert_non_null(again);
	folded = write_as(&format_folded, again, options);
	profile_free(profile);
	profile_free(again);
	free(pprof.bytes);
	return folded.bytes;
}

static void
check_way_back(struct profile *profile)
{
	struct written direct = write_as(&format_folded, profile, &whole);
	char *back = by_way_of_pprof(profile, &whole);

	assert_string_equal(back, direct.bytes);
	free(direct.bytes);
	free(back);
}

static void
every_folded_file_comes_back_as_it_was(void **state)
{
	(void)state;
	with_each_fixture(check_way_back);
}

static void
kinds_of_frames_come_back(void **state)
{
	static const char text[] =
		"# flametop: v1\n# roots=thread\n# unit=samples\n"
		"w 1\n"
		"w;a_[i];b 2\n"
		"w;a_[i];b_[i] 3\n"
		"w;java_[j];in_[i];vfs_[k];deep_[i];deeper_[i];[cut] 4\n"
		"w;main 5\n";
	char *back = by_way_of_pprof(read_text(text), &whole);

	(void)state;
	assert_string_equal(back, text);
	free(back);
}

static void
waits_come_back(void **state)
{
	static const char text[] = "# flametop: v1\n# kind=blocked\n"
				   "main;read 1500\n";
	struct write_options waits = whole;
	char *back;

	(void)state;
	waits.kind = KIND_BLOCKED;
	back = by_way_of_pprof(read_text(text), &waits);
	assert_string_equal(back, text);
	free(back);
}

static void
units_and_what_is_known_come_back(void **state)
{
	static const char *const texts[] = {
		"# flametop: v1\n# event=alloc\n# unit=bytes\nmain;new 4096\n",
		"# flametop: v1\n# period=10101010\n# unit=samples\nmain 3\n",
		"# flametop: v1\n# cut=1\n# duration=1.500\n# guessed=0\n"
		"# late=0\n# lost=7\n# samples=9\n"
		"# start=2024-01-02T03:04:05Z\n# throttled=0\n"
		"# unresolved=0\nmain 9\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char *back = by_way_of_pprof(read_text(texts[i]), &whole);

		assert_string_equal(back, texts[i]);
		free(back);
	}
}

/* --- what receivers ask for */

struct checker {
	struct pprof pprof;
	uint64_t mappings, locations, functions;	/* ids so far */
	unsigned values;				/* of a sample */
	bool has_comments;
};

static void
check_id(struct reader message, uint64_t *last)
{
	struct protobuf_field field;

	assert_true(protobuf_next(&message, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, ++*last);
}

static void
check_sample(struct checker *checker, struct reader sample)
{
	struct protobuf_field field, part;
	uint64_t number;
	unsigned values = 0;

	while (protobuf_next(&sample, &field)) {
		if (field.number == SAMPLE_LABEL) {
			assert_true(protobuf_next(&field.bytes, &part));
			assert_int_equal(part.number, LABEL_KEY);
			assert_true(part.value > 0);
			continue;
		}
		/* Lists are packed. */
		assert_int_equal(field.type, PROTOBUF_BYTES);
		while (protobuf_number(&field, &number)) {
			assert_true((int64_t)number > 0);
			values += field.number == SAMPLE_VALUE;
		}
	}
	assert_int_equal(values, checker->pprof.ntypes);
}

static void
check(struct checker *checker, struct written file)
{
	struct reader message = reader_of(file.bytes, file.len);
	struct protobuf_field field;

	*checker = (struct checker){ .values = 0 };
	assert_true(pprof_open(file.bytes, file.len, &checker->pprof, NULL));
	assert_int_equal(checker->pprof.strings[0].len, 0);
	while (protobuf_next(&message, &field)) {
		checker->has_comments |= field.number == PROFILE_COMMENT;
		if (field.number == PROFILE_MAPPING)
			check_id(field.bytes, &checker->mappings);
		else if (field.number == PROFILE_LOCATION)
			check_id(field.bytes, &checker->locations);
		else if (field.number == PROFILE_FUNCTION)
			check_id(field.bytes, &checker->functions);
		else if (field.number == PROFILE_SAMPLE)
			check_sample(checker, field.bytes);
	}
	assert_false(message.failed);
	assert_true(checker->mappings > 0);
	assert_int_equal(checker->pprof.doubles, 0);
}

static bool
string_is(struct checker *checker, uint64_t index, const char *text)
{
	struct slice string = pprof_string(&checker->pprof, index);

	return string.len == strlen(text) &&
	       memcmp(string.at, text, string.len) == 0;
}

static void
files_keep_the_receivers_rules(void **state)
{
	struct profile *profile = read_text(
		"# flametop: v1\n# duration=2.5\n# exe=/usr/bin/app\n"
		"# period=10101010\n# roots=thread\n"
		"# start=2024-01-02T03:04:05Z\n# unit=samples\n"
		"w;main 0\nw;main;parse 2\nw;main;read;vfs_[k] 1\n");
	struct written file = write_as(&format_pprof, profile, &whole);
	struct written again = write_as(&format_pprof, profile, &whole);
	struct checker checker;

	(void)state;
	check(&checker, file);
	assert_int_equal(checker.mappings, 2);
	assert_int_equal(checker.functions, 4);
	assert_int_equal(checker.pprof.ntypes, 2);
	assert_int_equal(checker.pprof.nsamples, 2);
	assert_true(string_is(&checker, checker.pprof.types[0].unit, "count"));
	assert_true(string_is(&checker, checker.pprof.types[1].type, "cpu"));
	assert_true(string_is(&checker, checker.pprof.default_type,
			      "samples"));
	assert_true(checker.pprof.time_ns == 1704164645000000000);
	assert_true(checker.pprof.duration_ns == 2500000000);
	assert_int_equal(checker.pprof.period, 10101010);
	assert_int_equal(file.len, again.len);
	assert_memory_equal(file.bytes, again.bytes, file.len);
	pprof_fini(&checker.pprof);
	profile_free(profile);
	free(file.bytes);
	free(again.bytes);
}

static void
without_a_header_there_are_no_comments_and_no_threads(void **state)
{
	static const struct write_options bare = { 0 };
	struct profile *profile = read_text(
		"# flametop: v1\n# roots=thread\nv;main 1\nw;main 2\n");
	struct written file = write_as(&format_pprof, profile, &bare);
	struct checker checker;
	char *back;

	(void)state;
	check(&checker, file);
	assert_false(checker.has_comments);
	assert_int_equal(checker.pprof.nsamples, 1);
	pprof_fini(&checker.pprof);
	free(file.bytes);
	back = by_way_of_pprof(profile, &bare);
	assert_string_equal(back, "main 3\n");
	free(back);
}

static void
counts_beyond_the_numbers_stop_at_the_largest(void **state)
{
	struct profile *profile = read_text(
		"# flametop: v1\n# period=10101010\nmain 1\n");
	struct cell cell = { .stack = 1, .weight = UINT64_MAX - 1 };
	struct profile *again;
	struct written file;

	(void)state;
	profile_add(profile, 0, &cell);
	file = write_as(&format_pprof, profile, &whole);
	again = read_bytes(file.bytes, file.len);
	assert_true(profile_total(again, KIND_CPU) == INT64_MAX);
	profile_free(profile);
	profile_free(again);
	free(file.bytes);
}

/* --- code with an address */

static string_id
add_string(struct profile *profile, const char *text)
{
	return strings_add(profile_strings(profile), text, strlen(text));
}

static frame_id
add_code(struct profile *profile, const char *path, enum module_kind kind,
	 uint64_t offset)
{
	struct module module = { .kind = kind, .inode = 1 };
	struct frame frame = { .offset = offset };

	module.path = add_string(profile, path);
	frame.kind = kind == MODULE_KERNEL ? FRAME_KERNEL :
		     kind == MODULE_JIT	   ? FRAME_JIT : FRAME_CODE;
	frame.module = profile_module(profile, &module);
	return profile_frame(profile, &frame);
}

/* A program's main and a library's read, with another one inlined. */
static struct written
write_code(void)
{
	static const struct symbol_place places[] = {
		{ "read", "/src/read.c", 10 }, { "get", "/src/get.h", 20 },
	};
	struct profile *profile = profile_new();
	frame_id main_id = add_code(profile, "/bin/app", MODULE_PROGRAM,
				    0x1234);
	frame_id read_id = add_code(profile, "/lib/z.so", MODULE_LIBRARY,
				    0x99);
	frame_id kernel_id = add_code(profile, "", MODULE_KERNEL,
				      0xffffffff81000010);
	frame_id jit_id = add_code(profile, "", MODULE_JIT,
				   UINT64_C(3) << 48 | 0x7f00);
	struct names *names = names_new(profile);
	struct cell cell = { .weight = 5 };
	struct written out;
	FILE *file = open_memstream(&out.bytes, &out.len);

	names_set(names, main_id, &(struct symbol){ 0x1200, "main" });
	names_set(names, read_id, &(struct symbol){ 0x90, "read" });
	names_set_places(names, read_id, places, 2);
	cell.stack = profile_push(profile, 0, main_id);
	cell.stack = profile_push(profile, cell.stack, jit_id);
	cell.stack = profile_push(profile, cell.stack, read_id);
	cell.stack = profile_push(profile, cell.stack, kernel_id);
	cell.thread = profile_thread(profile, 7, 8, 9);
	profile_name_thread(profile, cell.thread, add_string(profile, "w"));
	profile_add(profile, 0, &cell);
	profile_add(profile, 5000000000, &cell);
	assert_true(format_pprof.write(file, profile, names, &whole, NULL));
	fclose(file);
	names_free(names);
	profile_free(profile);
	return out;
}

static void
code_has_its_file_address_and_lines(void **state)
{
	static const char *const files[] = {
		"/bin/app", PPROF_KERNEL, "/lib/z.so", PPROF_JIT,
	};
	static const uint64_t addresses[] = {
		0xffffffff81000010, 0x99, 0x7f00, 0x1234,
	};
	struct written file = write_code();
	struct profile *again = read_bytes(file.bytes, file.len);
	struct checker checker;
	struct written folded;

	(void)state;
	check(&checker, file);
	assert_int_equal(checker.mappings, 4);
	for (uint32_t i = 1; i <= 4; i++) {
		const struct pprof_mapping *mapping =
			table_at(&checker.pprof.mappings, i);
		const struct pprof_location *location =
			table_at(&checker.pprof.locations, i);

		assert_true(string_is(&checker, mapping->file, files[i - 1]));
		assert_true(location->address == addresses[i - 1]);
	}
	folded = write_as(&format_folded, again, &whole);
	assert_non_null(strstr(folded.bytes, "w;main;"));
	assert_non_null(strstr(folded.bytes, ";read;get_[i];"));
	assert_non_null(strstr(folded.bytes, "_[k] 10\n"));
	assert_int_equal(profile_get_thread(again, 1)->pid, 7);
	assert_int_equal(profile_get_thread(again, 1)->tid, 8);
	pprof_fini(&checker.pprof);
	profile_free(again);
	free(folded.bytes);
	free(file.bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_folded_file_comes_back_as_it_was),
		cmocka_unit_test(kinds_of_frames_come_back),
		cmocka_unit_test(waits_come_back),
		cmocka_unit_test(units_and_what_is_known_come_back),
		cmocka_unit_test(files_keep_the_receivers_rules),
		cmocka_unit_test(
			without_a_header_there_are_no_comments_and_no_threads),
		cmocka_unit_test(counts_beyond_the_numbers_stop_at_the_largest),
		cmocka_unit_test(code_has_its_file_address_and_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
