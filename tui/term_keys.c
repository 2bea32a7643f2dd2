/* SPDX-License-Identifier: MIT */
/*
 * term_keys.c - bytes of a terminal to keys and mouse events.
 */
#include "tui/term_keys.h"

#include "core/base.h"
#include "core/sanitise.h"

#define ESC 27
#define AT_ONCE 4096		/* codes that are no keys, in one call */
#define SEQUENCE_MAX 64		/* bytes; a longer one is no sequence */
#define NUMBERS_MAX 4

/* A control sequence: ESC [ prefix numbers final. */
struct sequence {
	int prefix;		/* '<', '?' or 0 */
	unsigned numbers[NUMBERS_MAX];
	size_t count;
	int final;		/* 0: it has none, or is too long */
};

struct source {
	struct term_keys *keys;
	term_code_fn *next;
	void *ctx;
};

static int32_t
next_code(const struct source *from)
{
	int32_t code = from->keys->pending;

	from->keys->pending = CODE_NONE;
	return code != CODE_NONE ? code : from->next(from->ctx);
}

static uint32_t
ascii_key(int32_t code)
{
	switch (code) {
	case '\r':
	case '\n':
		return KEYS_ENTER;
	case '\t':
		return KEYS_TAB;
	case '\b':
	case 0x7f:
		return KEYS_BACKSPACE;
	}
	return (uint32_t)code;
}

/* A byte of a longer character; the character once it is whole. */
static uint32_t
utf8_key(struct term_keys *keys, int32_t byte)
{
	uint32_t key = KEY_NONE_PRESSED;

	if (byte >= 0xc0)	/* a new one; what was begun is void */
		keys->utf8_len = 0;
	else if (keys->utf8_len == 0)
		return key;
	keys->utf8[keys->utf8_len++] = (char)byte;
	if (utf8_decode(keys->utf8, keys->utf8_len, &key) > 0) {
		keys->utf8_len = 0;
		return is_visible(key) ? key : KEY_NONE_PRESSED;
	}
	if (keys->utf8_len == sizeof(keys->utf8))
		keys->utf8_len = 0;
	return KEY_NONE_PRESSED;
}

/* The old mouse report: three bytes of any value. */
static void
skip_three(const struct source *from)
{
	for (int more = 3; more > 0 && next_code(from) != CODE_NONE; more--)
		;
}

static void
add_digit(struct sequence *seq, int digit)
{
	unsigned *number = &seq->numbers[seq->count ? seq->count - 1 : 0];

	if (seq->count == 0)
		seq->count = 1;
	if (*number < 100000)
		*number = *number * 10 + (unsigned)digit;
}

static struct sequence
read_sequence(const struct source *from)
{
	struct sequence seq = { 0 };

	for (int i = 0; i < SEQUENCE_MAX; i++) {
		int32_t code = next_code(from);

		if (code == CODE_NONE || code > 0xff)
			return seq;
		if (code >= 0x40 && code <= 0x7e) {
			seq.final = (int)code;
			return seq;
		}
		if (i == 0 && (code == '<' || code == '?'))
			seq.prefix = (int)code;
		else if (code >= '0' && code <= '9')
			add_digit(&seq, (int)code - '0');
		else if (code == ';' && seq.count < NUMBERS_MAX)
			seq.count += seq.count ? 1 : 2;
	}
	return seq;
}

/*
 * Bits of the button: 0-1 which, 2-4 modifiers, 5 moved, 6 the wheel. Only the
 * left button and the wheel mean something, and only alone: with modifiers
 * the terminal's own selection may be meant.
 */
static uint32_t
mouse_key(struct term_keys *keys, const struct sequence *seq)
{
	static const struct {
		unsigned button;
		int final;
		enum mouse_kind kind;
	} kinds[] = {
		{ 0, 'M', MOUSE_CLICK },	{ 32, 'M', MOUSE_DRAG },
		{ 0, 'm', MOUSE_RELEASE },	{ 64, 'M', MOUSE_WHEEL_UP },
		{ 65, 'M', MOUSE_WHEEL_DOWN },
	};

	if (seq->count != 3 || seq->numbers[1] == 0 || seq->numbers[2] == 0)
		return KEY_NONE_PRESSED;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		if (seq->numbers[0] != kinds[i].button ||
		    seq->final != kinds[i].final)
			continue;
		keys->mouse = (struct mouse){
			.kind = kinds[i].kind,
			.x = (int)seq->numbers[1] - 1,
			.y = (int)seq->numbers[2] - 1,
		};
		return KEYS_MOUSE;
	}
	return KEY_NONE_PRESSED;
}

/* With Shift, which terminfo does not always tell of: ESC [ 1 ; 2 C. */
static uint32_t
arrow_key(const struct sequence *seq)
{
	if (seq->prefix || seq->count != 2 || seq->numbers[0] != 1 ||
	    seq->numbers[1] != 2)
		return KEY_NONE_PRESSED;
	return seq->final == 'C' ? KEYS_S_RIGHT :
	       seq->final == 'D' ? KEYS_S_LEFT : KEY_NONE_PRESSED;
}

/* After "ESC [". */
static uint32_t
sequence_key(const struct source *from)
{
	struct sequence seq;
	int32_t first = next_code(from);

	if (first == 'M') {
		skip_three(from);
		return KEY_NONE_PRESSED;
	}
	from->keys->pending = first;
	seq = read_sequence(from);
	if (seq.prefix == '<')
		return mouse_key(from->keys, &seq);
	if (seq.prefix == '?' && seq.final == 'y' && seq.count == 2 &&
	    seq.numbers[0] == 2026 && seq.numbers[1] <= 4)
		from->keys->answer = 1 + (int)seq.numbers[1];
	return arrow_key(&seq);
}

/*
 * ESC: the key itself, or the beginning of something else. People who type
 * ESC and a letter are slower than a terminal that sends "ESC [ ..." at once.
 */
static uint32_t
escape_key(const struct source *from)
{
	int32_t code = next_code(from);

	if (code == '[')
		return sequence_key(from);
	from->keys->pending = code;
	return KEYS_ESCAPE;
}

static uint32_t
key_of(const struct source *from, int32_t code)
{
	if (code >= 0x80 && code <= 0xff)
		return utf8_key(from->keys, code);
	from->keys->utf8_len = 0;
	if (code > 0xff)
		return (uint32_t)code;
	return code == ESC ? escape_key(from) : ascii_key(code);
}

uint32_t
term_keys_next(struct term_keys *keys, term_code_fn *next, void *ctx)
{
	struct source from = { keys, next, ctx };

	for (int i = 0; i < AT_ONCE; i++) {
		int32_t code = next_code(&from);
		uint32_t key;

		if (code == CODE_NONE)
			break;
		key = key_of(&from, code);
		if (key != KEY_NONE_PRESSED)
			return key;
	}
	return KEY_NONE_PRESSED;
}
