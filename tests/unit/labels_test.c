/* SPDX-License-Identifier: MIT */
/*
 * labels_test.c - what a process is, from texts of /proc and from ourselves.
 */
#include "app/labels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define UID "8d2f1c00-1234-5678-9abc-def012345678"

static struct cgroup_labels
cgroup(const char *text)
{
	struct cgroup_labels labels;

	labels_of_cgroup(text, &labels);
	return labels;
}

static void
a_unit_is_the_service_in_the_path(void **state)
{
	(void)state;
	assert_string_equal(cgroup("0::/system.slice/nginx.service\n").unit,
			    "nginx.service");
	assert_string_equal(cgroup("9:name=systemd:/user.slice/u-1.service/"
				   "app.slice/x.service/sub\n3:cpu:/\n").unit,
			    "x.service");
	assert_string_equal(cgroup("0::/user.slice/session-3.scope\n").unit,
			    "");
	assert_string_equal(cgroup("0::/\n").unit, "");
	assert_string_equal(cgroup("").unit, "");
	assert_string_equal(cgroup("no path here").unit, "");
}

static void
a_container_is_64_hex_digits_in_every_layout(void **state)
{
	static const char *const paths[] = {
		"0::/system.slice/docker-" HEX ".scope\n",
		"4:memory:/docker/" HEX "\n",
		"0::/kubepods.slice/kubepods-burstable.slice/"
		"cri-containerd-" HEX ".scope",
		"0::/machine.slice/libpod-" HEX ".scope/container",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		assert_string_equal(cgroup(paths[i]).container, HEX);
	assert_string_equal(cgroup("0::/docker/" HEX "0\n").container, "");
	assert_string_equal(cgroup("0::/docker/0123\n").container, "");
}

static void
a_pod_is_its_uid_however_it_is_spelt(void **state)
{
	(void)state;
	assert_string_equal(cgroup("0::/kubepods/besteffort/pod" UID "/"
				   HEX "\n").pod, UID);
	assert_string_equal(cgroup("0::/kubepods.slice/kubepods-pod"
				   "8d2f1c00_1234_5678_9abc_def012345678"
				   ".slice/x\n").pod, UID);
	assert_string_equal(cgroup("0::/kubepods.slice/podcast\n").pod, "");
	assert_string_equal(cgroup("0::/pod0123\n").pod, "");
}

#define ENVIRONMENT(text) environment(text, sizeof(text))

static struct environment_labels
environment(const char *bytes, size_t len)
{
	struct environment_labels labels;

	labels_of_environment(bytes, len, &labels);
	return labels;
}

static void
the_first_that_names_the_service_wins(void **state)
{
	struct environment_labels labels;

	(void)state;
	labels = ENVIRONMENT("DD_SERVICE=dog\0OTEL_SERVICE_NAME=otel\0"
			     "OTEL_RESOURCE_ATTRIBUTES=service.name=attribute,"
			     "service.version=1.2,deployment.environment=prod");
	assert_string_equal(labels.service, "otel");
	assert_string_equal(labels.service_from, "OTEL_SERVICE_NAME");
	assert_string_equal(labels.version, "1.2");
	assert_string_equal(labels.version_from, "OTEL_RESOURCE_ATTRIBUTES");
	assert_string_equal(labels.env, "prod");
	labels = ENVIRONMENT("A=b\0DD_SERVICE=dog\0DD_VERSION=7\0DD_ENV=test\0"
			     "SOURCE_COMMIT=c0ffee");
	assert_string_equal(labels.service, "dog");
	assert_string_equal(labels.version, "7");
	assert_string_equal(labels.env, "test");
	assert_string_equal(labels.commit, "c0ffee");
}

static void
nothing_else_is_taken_of_an_environment(void **state)
{
	static const struct environment_labels none;
	struct environment_labels labels;

	(void)state;
	labels = ENVIRONMENT("PASSWORD=x\0XGIT_COMMIT=y\0GIT_COMMITS=z\0"
			     "OTEL_RESOURCE_ATTRIBUTES=secret=1,,=,host");
	assert_memory_equal(&labels, &none, sizeof(none));
	labels = environment("GIT_COMMIT=cut", 14);	/* without its NUL */
	assert_string_equal(labels.commit, "");
	labels = ENVIRONMENT("GIT_COMMIT=a\x1b[2Jb");
	assert_string_equal(labels.commit, "a\\x1b[2Jb");
}

static void
we_find_ourselves(void **state)
{
	struct profile *profile = profile_new();
	char number[24];

	(void)state;
	labels_of_process(profile, getpid());
	labels_of_machine(profile);
	snprintf(number, sizeof(number), "%d", (int)getppid());
	assert_string_equal(profile_get(profile, "ppid"), number);
	snprintf(number, sizeof(number), "%d", (int)getuid());
	assert_string_equal(profile_get(profile, "uid"), number);
	assert_int_equal(strlen(profile_get(profile, "app.started")), 20);
	assert_non_null(profile_get(profile, "app.service"));
	assert_non_null(profile_get(profile, "kernel"));
	assert_non_null(profile_get(profile, "cpus"));
	profile_free(profile);
}

static void
a_process_that_is_gone_tells_nothing(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	labels_of_process(profile, 0x7ffffffe);
	assert_null(profile_key(profile, 0));
	profile_free(profile);
}

static void
a_program_of_debian_has_its_package(void **state)
{
	char package[LABEL_MAX];

	(void)state;
	if (access("/var/lib/dpkg/info/coreutils.list", R_OK) != 0)
		skip();
	assert_true(labels_package("/usr/bin/env", package, sizeof(package)));
	assert_memory_equal(package, "coreutils ", 10);
	assert_true(package[10] >= '0' && package[10] <= '9');
	assert_true(labels_package("/usr/bin/sleep", package,
				   sizeof(package)));
	assert_false(labels_package("/usr/bin/sl", package, sizeof(package)));
	assert_false(labels_package("", package, sizeof(package)));
}

static void
a_package_is_the_version_where_nothing_else_is(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	if (access("/var/lib/dpkg/info/coreutils.list", R_OK) != 0)
		skip();
	labels_of_package(profile, "/usr/bin/nothing-of-that-name");
	assert_null(profile_get(profile, "app.version"));
	labels_of_package(profile, "/usr/bin/env");
	assert_memory_equal(profile_get(profile, "app.version"), "coreutils ",
			    10);
	assert_string_equal(profile_get(profile, "app.version-from"), "dpkg");
	profile_set(profile, "app.version", "1.2");
	profile_set(profile, "app.version-from", "DD_VERSION");
	labels_of_package(profile, "/usr/bin/env");
	assert_string_equal(profile_get(profile, "app.version"), "1.2");
	profile_free(profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_is_the_service_in_the_path),
		cmocka_unit_test(a_container_is_64_hex_digits_in_every_layout),
		cmocka_unit_test(a_pod_is_its_uid_however_it_is_spelt),
		cmocka_unit_test(the_first_that_names_the_service_wins),
		cmocka_unit_test(nothing_else_is_taken_of_an_environment),
		cmocka_unit_test(we_find_ourselves),
		cmocka_unit_test(a_process_that_is_gone_tells_nothing),
		cmocka_unit_test(a_program_of_debian_has_its_package),
		cmocka_unit_test(a_package_is_the_version_where_nothing_else_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
