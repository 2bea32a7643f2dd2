# SPDX-License-Identifier: MIT
"""Stop a program under gdb again and again, and keep what gdb says its stack is.

    OUT=name STOPS=200 gdb -batch -nx -x gdb_stops.py --args PROGRAM [ARG...]
    OUT=name STOPS=200 gdb -batch -nx -x gdb_stops.py -p PID

Writes name.raw, a recording (tests/oracle/samples.h) of registers and stacks
at the stops, of the thread that has worked most since the last one, and
name.gdb, a line of program counters for each of its samples (leaf first,
without frames that gdb only infers: inlined and tail calls). oracle-compare -g
puts the two together.
"""
import os
import random
import struct
import subprocess

import gdb

MAPPING, SAMPLE, CODE = 1, 4, 5
# By DWARF's numbers.
REGISTERS = ("rax rdx rcx rbx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 "
             "rip").split()
STACK = 256 << 10
CODE_MAX = 64 << 20


def record(out, kind, pid, tid, payload):
    out.write(struct.pack("<IIiiQ", kind, len(payload), pid, tid, 0))
    out.write(payload + bytes(-len(payload) % 8))


def mappings(pid):
    """Start, end, permissions, offset, device, inode, path of each."""
    with open("/proc/%d/maps" % pid) as maps:
        for line in maps:
            fields = line.split(None, 5)
            start, end = (int(x, 16) for x in fields[0].split("-"))
            major, minor = (int(x, 16) for x in fields[3].split(":"))
            yield (start, end, fields[1], int(fields[2], 16),
                   os.makedev(major, minor), int(fields[4]),
                   fields[5].rstrip("\n") if len(fields) > 5 else "")


def record_maps(out, pid):
    for start, end, rights, offset, dev, inode, path in mappings(pid):
        record(out, MAPPING, pid, pid, struct.pack(
            "<7Q", start, end, offset, dev, inode, "x" in rights,
            "w" in rights) + path.encode() + b"\0")


def record_code(out, pid):
    """Executable memory that no file has."""
    with open("/proc/%d/mem" % pid, "rb") as memory:
        for start, end, rights, _, _, inode, path in mappings(pid):
            if "x" not in rights or inode or path or end - start > CODE_MAX:
                continue
            try:
                memory.seek(start)
                code = memory.read(end - start)
            except OSError:
                continue
            record(out, CODE, pid, pid, struct.pack("<Q", start) + code)


def stack(inferior, rsp):
    """What lies from RSP up in the same mapping."""
    for mapping in mappings(inferior.pid):
        if mapping[0] <= rsp < mapping[1]:
            return bytes(inferior.read_memory(rsp, min(mapping[1] - rsp,
                                                       STACK)))
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


def worked(pid, tid):
    """Ticks of THREAD so far."""
    try:
        with open("/proc/%d/task/%d/stat" % (pid, tid)) as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def choose_thread(inferior, ticks):
    """Switch to who has worked most; TICKS are those of the last time."""
    most = -1
    for thread in inferior.threads():
        tid = thread.ptid[1]
        now = worked(inferior.pid, tid)
        since, ticks[tid] = now - ticks.get(tid, 0), now
        if since > most and thread.is_valid():
            most, chosen = since, thread
    if most > 0:
        chosen.switch()


def stop_after(killer, pid, seconds):
    killer.stdin.write(b"%f %d\n" % (seconds, pid))
    killer.stdin.flush()
    gdb.execute("continue", to_string=True)


def main():
    out = open(os.environ["OUT"] + ".raw", "wb")
    text = open(os.environ["OUT"] + ".gdb", "w")
    killer = subprocess.Popen(
        ["sh", "-c", "while read seconds pid; do sleep $seconds; "
         "kill -XFSZ $pid; done"], stdin=subprocess.PIPE)
    random.seed(4)
    for setting in ("pagination off", "confirm off", "backtrace past-main on",
                    "backtrace past-entry on", "backtrace limit 4000",
                    "startup-with-shell off", "auto-load off",
                    "debuginfod enabled off"):
        try:
            gdb.execute("set " + setting)
        except gdb.error:
            pass
    gdb.execute("handle SIGSEGV SIGURG SIGUSR1 SIGUSR2 SIGALRM SIGPROF SIGPWR "
                "SIGXCPU SIGCHLD nostop noprint pass", to_string=True)
    gdb.execute("handle SIGXFSZ stop print nopass", to_string=True)
    if not gdb.selected_inferior().pid:
        gdb.execute("starti", to_string=True)
    inferior, ticks = gdb.selected_inferior(), {}
    stop_after(killer, inferior.pid, float(os.environ.get("SETTLE", "0.3")))
    out.write(b"rawsmpl2")
    for _ in range(int(os.environ.get("STOPS", "200"))):
        if not inferior.pid:
            break
        stop_after(killer, inferior.pid, random.uniform(0.001, 0.02))
        if not inferior.pid or gdb.selected_thread() is None:
            break
        choose_thread(inferior, ticks)
        record_maps(out, inferior.pid)
        leaf = gdb.newest_frame()
        regs = [int(leaf.read_register(r)) & (1 << 64) - 1 for r in REGISTERS]
        record(out, SAMPLE, inferior.pid, gdb.selected_thread().ptid[1],
               struct.pack("<17QQ", *regs, 0) + stack(inferior, regs[7]))
        text.write(" ".join("%x" % pc for pc in frames()) + "\n")
    if inferior.pid:
        record_code(out, inferior.pid)
    out.close()
    text.close()
    killer.kill()


main()
