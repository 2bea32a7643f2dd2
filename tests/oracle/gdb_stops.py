# SPDX-License-Identifier: MIT
"""Stop a program under gdb again and again, and keep what gdb says its stack is.

    OUT=name STOPS=200 gdb -batch -nx -x gdb_stops.py --args PROGRAM [ARG...]
    OUT=name STOPS=200 gdb -batch -nx -x gdb_stops.py -p PID

Writes name.raw, a recording (tests/oracle/samples.h) of registers and stacks
at the stops, and name.gdb, a line of program counters for each of its samples
(leaf first, without frames that gdb only infers: inlined and tail calls). oracle-compare -g puts the two together.
"""
import os
import random
import struct
import subprocess

import gdb

MAPPING, SAMPLE = 1, 4
# By DWARF's numbers.
REGISTERS = ("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 "
             "rip").split()
STACK = 256 << 10


def record(out, kind, pid, tid, payload):
    out.write(struct.pack("<IIiiQ", kind, len(payload), pid, tid, 0))
    out.write(payload + bytes(-len(payload) % 8))


def record_maps(out, pid):
    with open("/proc/%d/maps" % pid) as maps:
        for line in maps:
            fields = line.split(None, 5)
            start, end = (int(x, 16) for x in fields[0].split("-"))
            major, minor = (int(x, 16) for x in fields[3].split(":"))
            path = fields[5].rstrip("\n") if len(fields) > 5 else ""
            record(out, MAPPING, pid, pid, struct.pack(
                "<7Q", start, end, int(fields[2], 16),
                os.makedev(major, minor), int(fields[4]), "x" in fields[1],
                "w" in fields[1]) + path.encode() + b"\0")


def stack(inferior, rsp):
    """What lies from RSP up in the same mapping."""
    with open("/proc/%d/maps" % inferior.pid) as maps:
        for line in maps:
            start, end = (int(x, 16) for x in line.split(None, 1)[0].split("-"))
            if start <= rsp < end:
                return bytes(inferior.read_memory(rsp, min(end - rsp, STACK)))
    return b""


def frames():
    pcs, frame = [], gdb.newest_frame()
    while frame is not None and len(pcs) < 4000:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            pcs.append(frame.pc())
        try:
            frame = frame.older()
        except gdb.error:
            break
    return pcs


def stop_after(pid, seconds):
    killer = subprocess.Popen(
        ["sh", "-c", "sleep %f; kill -XFSZ %d" % (seconds, pid)])
    gdb.execute("continue", to_string=True)
    killer.wait()


def main():
    out = open(os.environ["OUT"] + ".raw", "wb")
    text = open(os.environ["OUT"] + ".gdb", "w")
    random.seed(4)
    for setting in ("pagination off", "confirm off", "backtrace past-main on",
                    "backtrace past-entry on", "backtrace limit 4000",
                    "startup-with-shell off"):
        gdb.execute("set " + setting)
    gdb.execute("handle SIGSEGV SIGURG SIGUSR1 SIGUSR2 SIGALRM SIGPROF SIGPWR "
                "SIGXCPU nostop noprint pass", to_string=True)
    gdb.execute("handle SIGXFSZ stop print nopass", to_string=True)
    if not gdb.selected_inferior().pid:
        gdb.execute("starti", to_string=True)
    inferior = gdb.selected_inferior()
    stop_after(inferior.pid, float(os.environ.get("SETTLE", "0.3")))
    out.write(b"rawsmpl1")
    for _ in range(int(os.environ.get("STOPS", "200"))):
        stop_after(inferior.pid, random.uniform(0.001, 0.02))
        if not inferior.pid or gdb.selected_thread() is None:
            break
        record_maps(out, inferior.pid)
        leaf = gdb.newest_frame()
        regs = [int(leaf.read_register(r)) & (1 << 64) - 1 for r in REGISTERS]
        record(out, SAMPLE, inferior.pid, gdb.selected_thread().ptid[1],
               struct.pack("<17Q", *regs) + stack(inferior, regs[7]))
        text.write(" ".join("%x" % pc for pc in frames()) + "\n")
    out.close()
    text.close()


main()
