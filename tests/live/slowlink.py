"""The screen over a slow line: 80x24, 150 ms there and back, 20 kB a second.

    slowlink.py BUILD

A relay stands for ssh: a key reaches flametop half the delay after it was
typed, and bytes reach the person at the speed of the line and half the delay
later. What is measured of each key: when its first byte is seen, and how many
bytes come until the line is quiet; beside it the bytes of a picture that
nobody has asked for. The aim is 95 % of the keys within the delay and 100 ms,
and ten times that is what fails the test: other programs run here too.
"""
import fcntl
import os
import select
import shutil
import struct
import sys
import tempfile
import termios
import time

import pseudo

DELAY, SPEED, AIM = 0.150, 20000, 0.100
TICK = 0.005
QUIET = 0.15

build = sys.argv[1]
flametop = os.path.abspath(f'{build}/flametop')

# Every view and every kind of input, by what they are called in the report.
VIEWS = [
    ('flame', ['1', 'j', '\r', '\x7f', '0']),
    ('functions', ['2', 'j', '1']),
    ('search', ['/', 'f', '\r', 'n', '\x1b']),
    ('threads', ['t', '\x1b']),
    ('help', ['?', '\x1b']),
    ('menu', ['.', '\x1b']),
    ('freeze', [' ', ' ']),
]


class Line:
    """What a person at the other end sees of JOB, and when."""

    def __init__(self, job, delay, speed):
        self.job, self.delay, self.speed = job, delay, speed
        self.credit, self.last = 0.0, time.monotonic()
        self.seen = []          # (time, bytes), after the delay

    def queued(self):
        """Bytes that wait on our side of the line."""
        raw = fcntl.ioctl(self.job.master, termios.FIONREAD, b'\0' * 4)
        return struct.unpack('i', raw)[0]

    def run(self, until, stop=None):
        """Pass bytes on for so long; or until STOP() is true."""
        while time.monotonic() < until and not (stop and stop()):
            now = time.monotonic()
            self.credit = min(self.credit + (now - self.last) * self.speed,
                              self.speed * 0.02)
            self.last = now
            if self.credit >= 1 and select.select([self.job.master], [], [],
                                                  0)[0]:
                got = os.read(self.job.master, int(self.credit))
                self.credit -= len(got)
                self.seen.append((now + self.delay / 2, len(got)))
            time.sleep(TICK)

    def press(self, key):
        """Latency of KEY's first byte, and how many bytes it brought."""
        typed = time.monotonic()
        self.run(typed + self.delay / 2)
        before = self.queued()
        self.job.type(key.encode())
        self.seen = []
        first = self.run_to_quiet(before)
        count = sum(n for _, n in self.seen) - before
        return (first - typed if first else None), max(count, 0)

    def run_to_quiet(self, skip):
        """When the byte after SKIP others was seen; None: it never was."""
        end = time.monotonic() + DELAY + 12 * AIM

        def is_quiet():
            return bool(self.seen) and self.first(skip) and \
                time.monotonic() - self.seen[-1][0] > QUIET
        self.run(end, is_quiet)
        return self.first(skip)

    def first(self, skip):
        passed = 0
        for when, count in self.seen:
            passed += count
            if passed > skip:
                return when
        return None

    def idle(self, seconds):
        """Bytes a second while nobody presses a key."""
        self.run(time.monotonic() + 1.5)
        self.seen = []
        self.run(time.monotonic() + seconds)
        return sum(n for _, n in self.seen) / seconds


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def measure(line):
    latencies, silent = [], []
    for view, keys in VIEWS:
        of_view, sizes = [], []
        for key in keys:
            latency, count = line.press(key)
            if latency is None:     # a move that moves nothing
                silent.append((view, key))
                continue
            of_view.append(latency)
            sizes.append(count)
        latencies += of_view
        if of_view:
            print(f'{view:10} {len(of_view):2} keys  median '
                  f'{percentile(of_view, .5) * 1000:4.0f} ms  most '
                  f'{max(of_view) * 1000:4.0f} ms  bytes median '
                  f'{percentile(sizes, .5):5} most {max(sizes):5}')
        else:
            print(f'{view:10} no key has an answer')
    return latencies, silent


def open_line(target, state, delay, speed):
    job = pseudo.Job([flametop, str(target.pid)],
                     env={'XDG_STATE_HOME': state})
    line = Line(job, delay, speed)
    line.run(time.monotonic() + 4)
    return job, line


def end(job):
    job.type(b'q')
    code = job.wait_report(10)
    job.close()
    return '' if code == '0' else f'exit status {code} after q'


def main():
    troubles = []
    target = pseudo.start_target([f'{build}/targets/shares', '2', '290'])
    state = tempfile.mkdtemp(prefix='flametop-slowlink-')
    try:
        job, line = open_line(target, state, DELAY, SPEED)
        latencies, silent = measure(line)
        rate = line.idle(3)
        within = sum(x <= DELAY + AIM for x in latencies) / len(latencies)
        late = sum(x > DELAY + 10 * AIM for x in latencies) / len(latencies)
        print(f'all        {len(latencies):2} keys  {within * 100:.0f} % '
              f'within {(DELAY + AIM) * 1000:.0f} ms; {rate:.0f} bytes a '
              f'second by itself; {len(silent)} keys changed nothing')
        if late > 0.05:
            troubles.append(f'{late * 100:.0f} % of the keys take more than '
                            f'{(DELAY + 10 * AIM) * 1000:.0f} ms')
        if rate > SPEED / 4:
            troubles.append('more than a quarter of the line by itself')
        troubles.append(end(job))

        job, line = open_line(target, state, 0, 10 ** 8)
        escapes = []
        for _ in range(3):
            line.press('?')
            escapes.append(line.press('\x1b')[0] or 2)
        print(f'Esc        {percentile(escapes, .5) * 1000:4.0f} ms on a '
              'quick line')
        if percentile(escapes, .5) > 0.5:
            troubles.append('Esc takes more than 500 ms')
        troubles.append(end(job))
    finally:
        target.kill()
        shutil.rmtree(state)
    troubles = [t for t in troubles if t]
    print('\n'.join(troubles + [f'slow line: {len(troubles)} troubles']))
    return 1 if troubles else 0


sys.exit(main())
