/* SPDX-License-Identifier: MIT */
/*
 * keymap.c - key files to actions.
 */
#include "tui/keymap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "tui/builtin.h"

struct binding {
	uint32_t key;
	enum action action;
};

struct keymap {
	struct binding *bindings;	/* in the order they came */
	size_t count, capacity;
};

static const struct {
	const char *name;
	uint32_t key;
} named[] = {
	{ "Up", KEYS_UP },		{ "Down", KEYS_DOWN },
	{ "Left", KEYS_LEFT },		{ "Right", KEYS_RIGHT },
	{ "PageUp", KEYS_PAGE_UP },	{ "PageDown", KEYS_PAGE_DOWN },
	{ "Home", KEYS_HOME },		{ "End", KEYS_END },
	{ "Enter", KEYS_ENTER },	{ "Backspace", KEYS_BACKSPACE },
	{ "Delete", KEYS_DELETE },	{ "Esc", KEYS_ESCAPE },
	{ "Tab", KEYS_TAB },		{ "S-Tab", KEYS_BACK_TAB },
	{ "S-Left", KEYS_S_LEFT },	{ "S-Right", KEYS_S_RIGHT },
	{ "F1", KEYS_F1 },		{ "Space", ' ' },
};

struct keymap *
keymap_new(void)
{
	struct keymap *keymap = xcalloc(1, sizeof(*keymap));
	struct error err;

	for (const struct builtin *b = builtin_files; b->kind; b++)
		if (strcmp(b->kind, "keys") == 0 &&
		    !keymap_read(keymap, b->text, strlen(b->text), &err))
			abort();	/* our own file, and it is tested */
	return keymap;
}

void
keymap_free(struct keymap *keymap)
{
	if (!keymap)
		return;
	free(keymap->bindings);
	free(keymap);
}

static void
bind(struct keymap *keymap, uint32_t key, enum action action)
{
	struct binding *all = keymap->bindings;

	for (size_t i = 0; i < keymap->count; i++) {
		if (all[i].key != key)
			continue;
		keymap->count--;
		memmove(&all[i], &all[i + 1],
			(keymap->count - i) * sizeof(*all));
		break;
	}
	if (action == ACTION_NONE)
		return;
	keymap->bindings = grow(all, keymap->count, &keymap->capacity,
				sizeof(*all));
	keymap->bindings[keymap->count++] = (struct binding){ key, action };
}

/* Controls that have a key of their own arrive as that key. */
static uint32_t
control(char letter)
{
	switch (letter) {
	case 'H':
		return KEYS_BACKSPACE;
	case 'I':
		return KEYS_TAB;
	case 'J':
	case 'M':
		return KEYS_ENTER;
	case '[':
		return KEYS_ESCAPE;
	}
	return (uint32_t)letter & 0x1f;
}

static uint32_t
key_by_name(const char *name)
{
	size_t len = strlen(name), n;
	uint32_t code;

	for (size_t i = 0; i < ARRAY_LEN(named); i++)
		if (strcmp(named[i].name, name) == 0)
			return named[i].key;
	if (len == 2 && name[0] == '^' && name[1] >= 'A' && name[1] <= '_')
		return control(name[1]);
	n = utf8_decode(name, len, &code);
	if (n > 0 && n == len && is_visible(code) && !is_combining(code))
		return code;
	return KEY_NONE_PRESSED;
}

/* The fields of LINE, at most 3; a third that begins with '#' is none. */
static int
fields(char *line, char *out[3])
{
	char *save = NULL;
	int n = 0;

	for (char *f = strtok_r(line, " \t\r", &save); f && n < 3;
	     f = strtok_r(NULL, " \t\r", &save)) {
		if (n == 2 && f[0] == '#')
			break;
		out[n++] = f;
	}
	return n;
}

static bool
read_line(struct keymap *keymap, char *line, size_t number, struct error *err)
{
	char *field[3];
	int n = fields(line, field);
	enum action action = n > 1 ? action_by_word(field[1]) : ACTION_NONE;
	bool is_action = action || (n > 1 && strcmp(field[1], "none") == 0);
	char shown[64];
	uint32_t key;

	if (n == 0)
		return true;
	if (field[0][0] == '#' &&
	    (field[0][1] != '\0' || n != 2 || !is_action))
		return true;
	if (n != 2)
		return fail(err, 0, "line %zu: want \"key action\"",
			    number);
	key = key_by_name(field[0]);
	if (key == KEY_NONE_PRESSED)
		return fail(err, 0, "line %zu: no key \"%s\"", number,
			    sanitise_into(shown, sizeof(shown), field[0],
					  strlen(field[0])));
	if (!is_action)
		return fail(err, 0, "line %zu: no action \"%s\"", number,
			    sanitise_into(shown, sizeof(shown), field[1],
					  strlen(field[1])));
	bind(keymap, key, action);
	return true;
}

bool
keymap_read(struct keymap *keymap, const char *text, size_t len,
	    struct error *err)
{
	const char *end = text + len;

	for (size_t number = 1; text < end; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		char line[256];
		size_t n = (size_t)((stop ? stop : end) - text);

		if (n >= sizeof(line) || memchr(text, '\0', n))
			return fail(err, 0, "line %zu: not text, or "
				    "longer than 255 bytes", number);
		memcpy(line, text, n);
		line[n] = '\0';
		if (!read_line(keymap, line, number, err))
			return false;
		text += n + (stop != NULL);
	}
	return true;
}

enum action
keymap_action(const struct keymap *keymap, uint32_t key)
{
	for (size_t i = 0; i < keymap->count; i++)
		if (keymap->bindings[i].key == key)
			return keymap->bindings[i].action;
	return ACTION_NONE;
}

/* KEY as a key file writes it; OUT has room for 16 bytes. */
static void
key_name(uint32_t key, char *out)
{
	for (size_t i = 0; i < ARRAY_LEN(named); i++) {
		if (named[i].key != key)
			continue;
		strcpy(out, named[i].name);
		return;
	}
	if (key < 0x20) {
		out[0] = '^';
		out[1] = (char)(key | 0x40);
		out[2] = '\0';
	} else {
		out[utf8_encode(key, out)] = '\0';
	}
}

char *
keymap_keys(const struct keymap *keymap, enum action action, char *out,
	    size_t size)
{
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < keymap->count; i++) {
		char name[16];

		if (keymap->bindings[i].action != action)
			continue;
		key_name(keymap->bindings[i].key, name);
		if (len + strlen(name) + 2 > size)
			break;
		len += (size_t)snprintf(out + len, size - len, "%s%s",
					len ? " " : "", name);
	}
	return out;
}
