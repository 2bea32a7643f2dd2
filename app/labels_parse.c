/* SPDX-License-Identifier: MIT */
/*
 * labels_parse.c - cgroup paths and environments to labels.
 */
#include "app/labels.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"
#include "core/sanitise.h"

#define CONTAINER_HEX 64
#define POD_UID 36

/* --- /proc/PID/cgroup */

static size_t
hex_at(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && isxdigit((unsigned char)text[n]))
		n++;
	return n;
}

static bool
ends_with(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && memcmp(text + len - n, end, n) == 0;
}

/* 64 digits behind the start or a dash: "docker-4f5e….scope", "4f5e…". */
static void
find_container(const char *part, size_t len, struct cgroup_labels *out)
{
	for (size_t i = 0; i + CONTAINER_HEX <= len; i++)
		if ((i == 0 || !isxdigit((unsigned char)part[i - 1])) &&
		    hex_at(part + i, len - i) == CONTAINER_HEX)
			snprintf(out->container, sizeof(out->container),
				 "%.*s", CONTAINER_HEX, part + i);
}

/* "pod8d2f_…" in systemd's names, "pod8d2f-…" in others'. */
static void
find_pod(const char *part, size_t len, struct cgroup_labels *out)
{
	const char *pod = memmem(part, len, "pod", 3);
	char *uid = out->pod;

	while (pod && !hex_at(pod + 3, (size_t)(part + len - pod) - 3))
		pod = memmem(pod + 3, (size_t)(part + len - pod) - 3, "pod",
			     3);
	if (!pod || part + len - pod < 3 + POD_UID)
		return;
	snprintf(uid, POD_UID + 1, "%.*s", POD_UID, pod + 3);
	for (; *uid; uid++)
		if (*uid == '_')
			*uid = '-';
	if (strspn(out->pod, "0123456789abcdef-") != POD_UID)
		out->pod[0] = '\0';
}

static void
read_part(const char *part, size_t len, struct cgroup_labels *out)
{
	find_container(part, len, out);
	find_pod(part, len, out);
	if (ends_with(part, len, ".service"))
		sanitise_into(out->unit, sizeof(out->unit), part, len);
}

static void
read_path(const char *path, const char *end, struct cgroup_labels *out)
{
	while (path < end) {
		const char *slash = memchr(path, '/', (size_t)(end - path));

		if (!slash)
			slash = end;
		read_part(path, (size_t)(slash - path), out);
		path = slash + 1;
	}
}

void
labels_of_cgroup(const char *text, struct cgroup_labels *out)
{
	*out = (struct cgroup_labels){ 0 };
	while (*text) {
		const char *end = strchrnul(text, '\n');
		const char *path = memchr(text, '/', (size_t)(end - text));

		if (path)
			read_path(path + 1, end, out);
		text = end + (*end == '\n');
	}
}

/* --- the environment */

static void
keep(char *out, const char *value, size_t len)
{
	if (!*out)
		sanitise_into(out, LABEL_MAX, value, len);
}

static void
keep_from(char *out, char *from, const char *value, size_t len,
	  const char *source)
{
	if (*out || !len)
		return;
	keep(out, value, len);
	snprintf(from, LABEL_MAX, "%s", source);
}

/* One "name=value" of OTEL_RESOURCE_ATTRIBUTES. */
static void
read_attribute(const char *text, size_t len, struct environment_labels *out)
{
	static const char source[] = "OTEL_RESOURCE_ATTRIBUTES";
	const char *equals = memchr(text, '=', len);
	size_t name = equals ? (size_t)(equals - text) : len;
	const char *value = text + name + 1;

	if (!equals)
		return;
	len -= name + 1;
	if (name == 12 && memcmp(text, "service.name", name) == 0)
		keep_from(out->service, out->service_from, value, len, source);
	if (name == 15 && memcmp(text, "service.version", name) == 0)
		keep_from(out->version, out->version_from, value, len, source);
	if (name >= 22 && memcmp(text, "deployment.environment", 22) == 0)
		keep(out->env, value, len);
}

static void
read_attributes(const char *text, struct environment_labels *out)
{
	while (*text) {
		size_t len = strcspn(text, ",");

		read_attribute(text, len, out);
		text += len + (text[len] == ',');
	}
}

/* The value of NAME among LEN bytes of "NAME=value\0…"; NULL: not there. */
static const char *
variable(const char *bytes, size_t len, const char *name)
{
	size_t n = strlen(name);
	const char *end = bytes + len, *next;

	for (; bytes < end; bytes = next + 1) {
		next = memchr(bytes, '\0', (size_t)(end - bytes));
		if (!next)
			return NULL;	/* cut off: not the whole value */
		if ((size_t)(next - bytes) > n && bytes[n] == '=' &&
		    memcmp(bytes, name, n) == 0)
			return bytes + n + 1;
	}
	return NULL;
}

void
labels_of_environment(const char *bytes, size_t len,
		      struct environment_labels *out)
{
	static const char *const commits[] = { "GIT_COMMIT", "SOURCE_COMMIT" };
	const char *value;

	*out = (struct environment_labels){ 0 };
	value = variable(bytes, len, "OTEL_SERVICE_NAME");
	if (value)
		keep_from(out->service, out->service_from, value,
			  strlen(value), "OTEL_SERVICE_NAME");
	value = variable(bytes, len, "OTEL_RESOURCE_ATTRIBUTES");
	if (value)
		read_attributes(value, out);
	value = variable(bytes, len, "DD_SERVICE");
	if (value)
		keep_from(out->service, out->service_from, value,
			  strlen(value), "DD_SERVICE");
	value = variable(bytes, len, "DD_VERSION");
	if (value)
		keep_from(out->version, out->version_from, value,
			  strlen(value), "DD_VERSION");
	value = variable(bytes, len, "DD_ENV");
	if (value)
		keep(out->env, value, strlen(value));
	for (size_t i = 0; i < ARRAY_LEN(commits); i++) {
		value = variable(bytes, len, commits[i]);
		if (value)
			keep(out->commit, value, strlen(value));
	}
}
