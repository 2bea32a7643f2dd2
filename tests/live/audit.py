#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which stacks of a program of Go are whole, judged by its bytes alone.

	audit.py FOLDED PROGRAM [SYMBOLS]

FOLDED is of "sample -n", whose frames are "file+0xoffset". A stack is whole if
it begins where goroutines or threads do and each caller follows a call
instruction, but for what a signal has interrupted. SYMBOLS is the same program
with its symbols, if it has none itself. Prints "WHOLE TOTAL", then how many
ended in which way otherwise.
"""
import bisect
import collections
import re
import struct
import subprocess
import sys

# What the runtime takes for the top of a stack, and what threads begin with.
ROOTS = {"_start", "clone", "__clone", "clone3", "__clone3", "_rt0_amd64",
         "_rt0_amd64_linux", "gogo", "runtime.goexit", "runtime.rt0_go",
         "runtime.mstart", "runtime.mcall", "runtime.morestack",
         "runtime.clone"}
SIGRETURN = bytes.fromhex("48c7c00f0000000f05")
SYSCALL = 7  # offset in SIGRETURN


class Program:
    def __init__(self, path, symbols):
        self.bytes = open(path, "rb").read()
        start, = struct.unpack_from("<Q", self.bytes, 32)
        count, = struct.unpack_from("<H", self.bytes, 56)
        self.loads = []
        for i in range(count):
            kind, _, at, address, _, size = struct.unpack_from(
                "<IIQQQQ", self.bytes, start + 56 * i)
            if kind == 1:
                self.loads.append((address, size, at))
        self.names = sorted(self.symbols(symbols, []) or
                            self.symbols(symbols, ["-D"]))

    def symbols(self, path, option):
        text = subprocess.run(["nm", *option, path], capture_output=True,
                              text=True).stdout
        for line in text.splitlines():
            words = line.split(None, 2)
            if len(words) == 3 and words[1] in "tTwWi":
                address = int(words[0], 16)
                for start, size, at in self.loads:
                    if start <= address < start + size:
                        yield (address - start + at,
                               re.sub(r"(\.abi0|@.*)$", "", words[2]))

    def name(self, offset):
        i = bisect.bisect(self.names, (offset, "\x7f"))
        return self.names[i - 1][1] if i else "?"

    def is_after_call(self, at):
        code = self.bytes
        if code[at - 5] == 0xe8:
            return True
        for n in range(2, 8):
            mod, rm = code[at - n + 1] >> 6, code[at - n + 1] & 7
            base, size = rm, 2
            if code[at - n] != 0xff or code[at - n + 1] >> 3 & 7 != 2:
                continue
            if mod != 3 and rm == 4:
                base, size = code[at - n + 2] & 7, 3
            size += {0: 4 * (base == 5), 1: 1, 2: 4, 3: 0}[mod]
            if size == n:
                return True
        return False

    def ends_handler(self, at, is_leaf):
        places = [at, at + 1]
        if is_leaf:
            places += [at - SYSCALL, at - len(SIGRETURN)]
        return any(self.bytes[p:p + len(SIGRETURN)] == SIGRETURN
                   for p in places)


def why_not(frames):
    """FRAMES, leaf first: (program, offset), or (None, text)."""
    root = frames[-1]
    name = root[0].name(root[1]) if root[0] else root[1]
    interrupted = True
    for i, (program, at) in enumerate(frames):
        if not program:
            break
        ends = program.ends_handler(at, i == 0)
        if not (interrupted or ends or i == len(frames) - 1 or
                program.is_after_call(at + 1)):
            return "no call before " + program.name(at)
        interrupted = (ends or
                       program.name(at) == "runtime.asyncPreempt")
    if name in ROOTS:
        return None
    below = [p.name(at) for p, at in frames[-2:-5:-1] if p]
    return " < ".join([name, *below])


def main():
    folded, path = sys.argv[1:3]
    symbols = sys.argv[3] if len(sys.argv) > 3 else path
    programs = {path.rsplit("/", 1)[-1]: Program(path, symbols)}
    libc = subprocess.run(["ldd", path], capture_output=True,
                          text=True).stdout
    for word in re.findall(r"=> (/\S*)", libc):
        programs[word.rsplit("/", 1)[-1]] = Program(word, word)
    total = whole = 0
    others = collections.Counter()
    for line in open(folded):
        stack, _, weight = line.rstrip().rpartition(" ")
        if line.startswith("#"):
            continue
        frames = []
        for text in reversed(stack.split(";")[1:]):
            name, _, at = text.rpartition("+0x")
            if text.endswith("_[k]"):
                continue
            if name == "[vdso]":
                continue
            program = programs.get(name)
            frames.append((program, int(at, 16)) if program else
                          (None, text))
        if not frames:
            continue
        why = why_not(frames)
        total += int(weight)
        whole += int(weight) if not why else 0
        if why:
            others[why] += int(weight)
    print(whole, total)
    for why, weight in others.most_common(12):
        print("  %6d  %s" % (weight, why))


main()
