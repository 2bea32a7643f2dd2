/* SPDX-License-Identifier: MIT */
#include "sampler/perf_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "core/reader.h"

/* Its length, known only at the end, goes into the header here. */
static bool
decode(struct writer *w, struct perf_record *out)
{
	uint16_t len = (uint16_t)w->len;

	memcpy(w->bytes + 6, &len, sizeof(len));
	return perf_record_decode(w->bytes, w->len, out);
}

static struct writer
header(uint32_t type, uint16_t misc)
{
	struct writer w = { 0 };

	writer_u32(&w, type);
	writer_u16(&w, misc);
	writer_u16(&w, 0);
	return w;
}

static void
put_identity(struct writer *w)
{
	writer_u32(w, 70);
	writer_u32(w, 71);
	writer_u64(w, 123456);
	writer_u64(w, 8);
	writer_u64(w, 9);
}

static void
put_text(struct writer *w, const char *text)
{
	writer_cstr(w, text);
	while (w->len % 8)
		writer_u8(w, 0);
}

static struct writer
sample(const uint64_t *chain, size_t n, uint64_t abi, uint64_t stack)
{
	struct writer w = header(PERF_RECORD_SAMPLE, 0);
	size_t i;

	put_identity(&w);
	writer_u64(&w, 10000000);
	writer_u64(&w, n);
	for (i = 0; i < n; i++)
		writer_u64(&w, chain[i]);
	writer_u64(&w, abi);
	for (i = 0; abi && i < 17; i++)
		writer_u64(&w, 100 + i);
	writer_u64(&w, stack);
	for (i = 0; i < stack; i++)
		writer_u8(&w, (uint8_t)i);
	if (stack)
		writer_u64(&w, stack - 8);
	return w;
}

static void
a_sample_is_read_whole(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 0xffff1,
					  0xffff2 };
	struct writer w = sample(chain, 3, 2, 64);
	struct perf_record record;

	(void)state;
	assert_true(decode(&w, &record));
	assert_int_equal(record.pid, 70);
	assert_int_equal(record.tid, 71);
	assert_int_equal(record.time_ns, 123456);
	assert_int_equal(record.id, 8);
	assert_int_equal(record.stream_id, 9);
	assert_int_equal(record.u.sample.period, 10000000);
	assert_int_equal(record.u.sample.nkernel, 2);
	assert_int_equal(record.u.sample.kernel[0], 0xffff1);
	assert_true(record.u.sample.has_regs);
	assert_int_equal(record.u.sample.regs.r[X86_RAX], 100);
	assert_int_equal(record.u.sample.regs.r[X86_RBX], 101);
	assert_int_equal(record.u.sample.regs.r[X86_RSP], 107);
	assert_int_equal(record.u.sample.regs.r[X86_RIP], 108);
	assert_int_equal(record.u.sample.regs.r[X86_R15], 116);
	assert_int_equal(record.u.sample.stack_len, 56);
	assert_int_equal(((const uint8_t *)record.u.sample.stack)[5], 5);
	assert_int_equal(perf_record_time(w.bytes, w.len), 123456);
	writer_free(&w);
}

static void
a_kernel_thread_has_no_registers_and_no_stack(void **state)
{
	struct writer w = sample(NULL, 0, 0, 0);
	struct perf_record record;

	(void)state;
	assert_true(decode(&w, &record));
	assert_false(record.u.sample.has_regs);
	assert_int_equal(record.u.sample.nkernel, 0);
	assert_int_equal(record.u.sample.stack_len, 0);
	writer_free(&w);
}

static void
registers_of_a_32_bit_program_are_not_used(void **state)
{
	struct writer w = sample(NULL, 0, 1, 0);
	struct perf_record record;

	(void)state;
	assert_true(decode(&w, &record));
	assert_false(record.u.sample.has_regs);
	writer_free(&w);
}

static void
the_kernel_chain_ends_at_the_next_marker(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 1,
					  PERF_CONTEXT_USER, 2, 3, 4,
					  PERF_CONTEXT_GUEST, 5 };
	struct writer w = sample(chain, 8, 0, 0);
	struct perf_record record;

	(void)state;
	assert_true(decode(&w, &record));
	assert_int_equal(record.u.sample.nkernel, 1);
	assert_int_equal(record.u.sample.nuser, 2);
	assert_int_equal(record.u.sample.user[0], 3);
	writer_free(&w);
}

static void
a_chain_may_be_the_program_s_alone(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_USER, 2, 3 };
	struct perf_record record;
	struct writer w;
	size_t n;

	(void)state;
	for (n = 1; n <= 3; n++) {
		w = sample(chain, n, 0, 0);
		assert_true(decode(&w, &record));
		assert_int_equal(record.u.sample.nkernel, 0);
		assert_int_equal(record.u.sample.nuser, n == 3);
		writer_free(&w);
	}
}

static void
a_count_beyond_the_record_is_refused(void **state)
{
	struct writer w = sample(NULL, 0, 0, 0);
	uint64_t huge = UINT64_MAX / 8 + 2;
	struct perf_record record;

	(void)state;
	memcpy(w.bytes + 48, &huge, sizeof(huge));
	assert_false(decode(&w, &record));
	writer_free(&w);
}

static void
a_copied_size_beyond_the_copy_is_cut(void **state)
{
	struct writer w = sample(NULL, 0, 0, 16);
	uint64_t huge = 1 << 20;
	struct perf_record record;

	(void)state;
	memcpy(w.bytes + w.len - 8, &huge, sizeof(huge));
	assert_true(decode(&w, &record));
	assert_int_equal(record.u.sample.stack_len, 16);
	writer_free(&w);
}

static void
a_record_cut_anywhere_is_refused(void **state)
{
	static const uint64_t chain[] = { PERF_CONTEXT_KERNEL, 1, 2 };
	struct writer w = sample(chain, 3, 2, 64);
	size_t whole = w.len;
	struct perf_record record;

	(void)state;
	for (w.len = whole - 8; w.len >= 8; w.len -= 8)
		assert_false(decode(&w, &record));
	writer_free(&w);
}

static void
a_mapping_has_its_file_and_rights(void **state)
{
	struct writer w = header(PERF_RECORD_MMAP2, 0);
	struct perf_record record;

	(void)state;
	writer_u32(&w, 1000);
	writer_u32(&w, 1001);
	writer_u64(&w, 0x7f0000001000);
	writer_u64(&w, 0x2000);
	writer_u64(&w, 0x1000);
	writer_u32(&w, 8);
	writer_u32(&w, 1);
	writer_u64(&w, 4711);
	writer_u64(&w, 0);
	writer_u32(&w, PROT_READ | PROT_EXEC);
	writer_u32(&w, MAP_PRIVATE);
	put_text(&w, "/usr/lib/libx.so");
	put_identity(&w);
	assert_true(decode(&w, &record));
	assert_int_equal(record.pid, 1000);
	assert_int_equal(record.u.mmap.addr, 0x7f0000001000);
	assert_int_equal(record.u.mmap.offset, 0x1000);
	assert_int_equal(record.u.mmap.dev, makedev(8, 1));
	assert_int_equal(record.u.mmap.inode, 4711);
	assert_string_equal(record.u.mmap.path, "/usr/lib/libx.so");
	assert_int_equal(record.time_ns, 123456);
	assert_int_equal(perf_record_time(w.bytes, w.len), 123456);
	writer_free(&w);
}

static void
a_name_does_not_run_into_what_follows(void **state)
{
	struct writer w = header(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC);
	struct perf_record record;

	(void)state;
	writer_u32(&w, 5);
	writer_u32(&w, 6);
	writer_bytes(&w, "sixteen letters!", 16);
	put_identity(&w);
	assert_false(decode(&w, &record));
	w.bytes[31] = '\0';
	assert_true(decode(&w, &record));
	assert_true(record.u.comm.is_exec);
	assert_int_equal(record.tid, 6);
	assert_string_equal(record.u.comm.name, "sixteen letters");
	writer_free(&w);
}

static void
births_and_losses_are_read(void **state)
{
	struct writer w = header(PERF_RECORD_FORK, 0);
	struct perf_record record;

	(void)state;
	writer_u32(&w, 1);
	writer_u32(&w, 2);
	writer_u32(&w, 3);
	writer_u32(&w, 4);
	writer_u64(&w, 123456);
	put_identity(&w);
	assert_true(decode(&w, &record));
	assert_int_equal(record.pid, 1);
	assert_int_equal(record.u.task.ppid, 2);
	assert_int_equal(record.tid, 3);
	assert_int_equal(record.u.task.ptid, 4);
	writer_free(&w);

	w = header(PERF_RECORD_LOST, 0);
	writer_u64(&w, 8);
	writer_u64(&w, 42);
	put_identity(&w);
	assert_true(decode(&w, &record));
	assert_int_equal(record.u.lost, 42);
	writer_free(&w);
}

static void
an_unknown_type_is_no_failure(void **state)
{
	struct writer w = header(9999, 0);
	struct perf_record record;

	(void)state;
	writer_u64(&w, 1);
	put_identity(&w);
	assert_true(decode(&w, &record));
	assert_int_equal(record.type, 9999);
	assert_int_equal(record.time_ns, 123456);
	writer_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_is_read_whole),
		cmocka_unit_test(a_kernel_thread_has_no_registers_and_no_stack),
		cmocka_unit_test(registers_of_a_32_bit_program_are_not_used),
		cmocka_unit_test(the_kernel_chain_ends_at_the_next_marker),
		cmocka_unit_test(a_chain_may_be_the_program_s_alone),
		cmocka_unit_test(a_count_beyond_the_record_is_refused),
		cmocka_unit_test(a_copied_size_beyond_the_copy_is_cut),
		cmocka_unit_test(a_record_cut_anywhere_is_refused),
		cmocka_unit_test(a_mapping_has_its_file_and_rights),
		cmocka_unit_test(a_name_does_not_run_into_what_follows),
		cmocka_unit_test(births_and_losses_are_read),
		cmocka_unit_test(an_unknown_type_is_no_failure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
