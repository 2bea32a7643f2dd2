#!/bin/sh
# Programs with every kind of unwind entry into folder $1, for cfi_fuzz to
# start from, and a few expressions.
cd "$1" || exit 1
cat >seed.s <<'END'
	.text
	.globl one
	.hidden one
one:	.cfi_startproc
	push %rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov %rsp, %rbp
	.cfi_def_cfa_register %rbp
	.cfi_remember_state
	nop
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	nop
	.cfi_escape 0x10, 6, 2, 0x76, 0
	nop
	.cfi_restore_state
	.cfi_escape 0x16, 16, 2, 0x77, 8
	nop
	.cfi_val_offset %rbx, -24
	.cfi_register %r12, %r13
	.cfi_undefined %r14
	.cfi_same_value %r15
	nop
	.cfi_escape 0x2f, 12, 2, 0x2e, 16, 0x05, 12, 3, 0x11, 13, 0x7f
	.cfi_escape 0x12, 7, 0x7f, 0x13, 0x7e, 0x15, 3, 0x7d
	nop
	.cfi_restore %rbx
	.cfi_escape 0x06, 12
	.fill 70, 1, 0x90
	pop %rbp
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.fill 40, 1, 0xcc
two:	.cfi_startproc
	.cfi_signal_frame
	.cfi_personality 0x9b, one
	.cfi_lsda 0x1b, one
	.fill 300, 1, 0x90
	.cfi_adjust_cfa_offset 8
	.fill 70000, 1, 0x90
	.cfi_undefined %rip
	ret
	.cfi_endproc
	mov $15, %rax
	syscall
	.fill 64, 1, 0xcc
	push %rbp
	mov %rsp, %rbp
END
tiny='-nostdlib -shared -Wl,-z,noseparate-code,-z,max-page-size=4096'
build() {
	out=$1
	shift
	# shellcheck disable=SC2086
	"$@" $tiny -o "$out" seed.s 2>/dev/null && strip "$out"
}
sed 's/70000/700/' seed.s >small.s && mv small.s seed.s
build seed-hdr gcc
build seed-nohdr gcc -Wl,--no-eh-frame-hdr
sed 's/^one:/	.cfi_sections .debug_frame\none:/' seed.s >debug.s
mv debug.s seed.s
# shellcheck disable=SC2086
gcc $tiny -o seed-debug seed.s 2>/dev/null
printf '\001\167\010\200\000\077\032\073\052\063\044\042' >seed-plt
printf '\001\167\240\001\006\043\010\016\001\002\003\004\005\006\007\010' \
	>seed-deref
printf '\001\022\024\026\027\025\001\023\031\033\034\035\036\037\040\041\047' \
	>seed-stack
rm -f seed.s
exit 0
