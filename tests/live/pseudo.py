"""A terminal of our own for flametop, and a look at what it watches.

A leader process owns the session, as a shell does, and runs flametop as a
foreground job. So killing flametop's first process is what it is in life: the
terminal stays, and so does what the job left behind.
"""
import fcntl
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import termios
import time


def children(pid):
    """The processes that PID started and that still run."""
    found = []
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                with open(f'/proc/{name}/stat', 'rb') as file:
                    rest = file.read().rsplit(b')', 1)[1].split()
            except OSError:
                continue
            if int(rest[1]) == pid and rest[0] != b'Z':
                found.append(int(name))
    return found


def comm(pid):
    try:
        with open(f'/proc/{pid}/comm') as file:
            return file.read().strip()
    except OSError:
        return ''


def is_alive(pid):
    try:
        with open(f'/proc/{pid}/stat', 'rb') as file:
            return file.read().rsplit(b')', 1)[1].split()[0] != b'Z'
    except OSError:
        return False


def threads(pid):
    """State and CPU ticks of each thread of PID, by tid."""
    found = {}
    for tid in os.listdir(f'/proc/{pid}/task'):
        try:
            with open(f'/proc/{pid}/task/{tid}/stat', 'rb') as file:
                rest = file.read().rsplit(b')', 1)[1].split()
        except OSError:
            continue
        found[int(tid)] = rest[0].decode(), int(rest[11]) + int(rest[12])
    return found


def target_trouble(pid, seconds=1.0):
    """What is wrong with a target whose threads are all busy, or ''."""
    stopped = {}
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        stopped = {t: s for t, (s, _) in threads(pid).items() if s in 'tT'}
        if not stopped:
            break
        time.sleep(0.02)
    if stopped:
        return f'threads are stopped: {stopped}'
    before = threads(pid)
    deadline = time.monotonic() + 10 * seconds
    while time.monotonic() < deadline:
        time.sleep(0.1)
        now = threads(pid)
        if all(tid in now and now[tid][1] > ticks
               for tid, (_, ticks) in before.items()):
            return ''
    return 'some threads did not run on'


def processes(supervisor):
    """It, the app, those that parse for names and tables; 0 if missing."""
    found = {comm(pid): pid for pid in children(supervisor)}
    return (supervisor, found.get('flametop', 0),
            found.get('flametop-symbol', 0), found.get('flametop-tables', 0))


class Job:
    """flametop in a terminal of its own."""

    def __init__(self, argv, rows=24, columns=80, env=None):
        self.master, slave = pty.openpty()
        self.slave = slave
        fcntl.ioctl(slave, termios.TIOCSWINSZ,
                    struct.pack('HHHH', rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.output = b''
        report, self.report = os.pipe()[::-1]
        self.leader = os.fork()
        if self.leader == 0:
            os.close(self.master)
            try:
                self._lead(argv, report,
                           {**os.environ, 'TERM': 'xterm-256color',
                            'LC_ALL': 'C.UTF-8', **(env or {})})
            except OSError:     # the terminal was closed
                os._exit(1)
        os.close(report)
        self.pid = int(os.read(self.report, 20))

    def _lead(self, argv, report, env):
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        job = os.fork()
        if job == 0:
            os.setpgid(0, 0)
            os.tcsetpgrp(self.slave, os.getpgrp())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
            # A shell's background jobs, as this may be, ignore it.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.execve(argv[0], argv, env)
        os.write(report, b'%-20d' % job)
        while True:
            _, status = os.waitpid(job, os.WUNTRACED)
            os.tcsetpgrp(self.slave, os.getpgrp())
            if os.WIFSTOPPED(status):
                os.write(report, b'T')
                os.kill(os.getpid(), signal.SIGSTOP)
                os.tcsetpgrp(self.slave, job)
                os.kill(-job, signal.SIGCONT)
                continue
            os.write(report, b'%d\n' % os.waitstatus_to_exitcode(status))
            signal.pause()

    def read(self, seconds=0.0, until=None):
        """Take what was written for so long, or UNTIL it is there."""
        deadline = time.monotonic() + seconds
        while until is None or until not in self.output:
            left = max(0, deadline - time.monotonic())
            if not select.select([self.master], [], [], left)[0]:
                return until is None
            try:
                self.output += os.read(self.master, 65536)
            except OSError:
                return False
        return True

    def type(self, keys):
        os.write(self.master, keys)

    def wait_report(self, seconds):
        """What the leader says of the job: 'T' or its exit code."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read(0.05)
            if select.select([self.report], [], [], 0)[0]:
                return os.read(self.report, 20).decode().strip()
        return None

    def resume(self):
        """fg."""
        os.kill(self.leader, signal.SIGCONT)

    def processes(self):
        return processes(self.pid)

    def modes_trouble(self):
        now = termios.tcgetattr(self.slave)
        return '' if now == self.before else 'the terminal has other modes'

    def screen_trouble(self):
        """Was the screen left, and the cursor shown, after all else?"""
        left = self.output.rfind(b'\x1b[?1049l')
        taken = self.output.rfind(b'\x1b[?1049h')
        shown = max(self.output.rfind(b'\x1b[?25h'),
                    self.output.rfind(b'\x1b[?12l\x1b[?25h'))
        hidden = self.output.rfind(b'\x1b[?25l')
        if taken > left:
            return 'the alternate screen was not left'
        if hidden > shown:
            return 'the cursor is hidden'
        return ''

    def close(self):
        for pid in (*self.processes(), self.leader):
            if pid:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        os.waitpid(self.leader, 0)
        for fd in (self.master, self.slave, self.report):
            os.close(fd)


def start_opener(build, folder, libraries):
    """Code that is new all the time, 100 ms of each of the LIBRARIES."""
    os.mkdir(folder)
    for i in range(libraries):
        shutil.copy(f'{build}/targets/plugin_{"ab"[i % 2]}.so',
                    f'{folder}/{i}.so')
    return start_target([f'{build}/targets/opens', folder, '100000000'])


def start_target(argv):
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL)
