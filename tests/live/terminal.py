"""Normal events in a terminal's life: hang-up, ^Z and fg, one nobody reads.

    terminal.py BUILD [SAMPLER]
"""
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import pseudo

build = sys.argv[1]
sampler = sys.argv[2] if len(sys.argv) > 2 else 'perf'
unread = 30 if os.environ.get('FLAMETOP_LONG') == '1' else 10
flametop = os.path.abspath(f'{build}/flametop')
troubles = []


def trouble(where, what):
    if what:
        print(f'{where}: {what}', flush=True)
        troubles.append(what)


def open_job(target, *options):
    job = pseudo.Job([flametop, '--sampler', sampler, *options,
                      str(target.pid)], env={'XDG_STATE_HOME': state})
    if not job.read(10, until=b'functions'):
        trouble('start', 'no picture: ' + repr(job.output[-300:]))
    return job


def end_by_q(where, job):
    job.type(b'q')
    code = job.wait_report(10)
    trouble(where, '' if code == '0' else f'exit status {code} after q')
    job.read(0.2)
    trouble(where, job.modes_trouble())
    trouble(where, job.screen_trouble())
    job.close()


def saved():
    return glob.glob(f'{state}/flametop/*.folded')


def hang_up(target, number):
    where = 'SIGHUP' if number else 'terminal closed'
    job = open_job(target)
    time.sleep(1.5)
    if number:
        os.kill(job.pid, number)
    else:
        os.close(job.master)
        os.close(job.slave)
    deadline = time.monotonic() + 5
    while pseudo.is_alive(job.pid) and time.monotonic() < deadline:
        if number:
            job.read(0.05)
        else:
            time.sleep(0.05)
    if pseudo.is_alive(job.pid):
        trouble(where, 'flametop goes on')
    files = saved()
    if len(files) != 1 or ';fifty' not in open(files[0]).read():
        trouble(where, f'not saved: {files}')
    elif os.stat(files[0]).st_mode & 0o777 != 0o600:
        trouble(where, 'others may read what was saved')
    for file in files:
        os.unlink(file)
    trouble(where, pseudo.target_trouble(target.pid))
    if number:
        trouble(where, job.modes_trouble())
        job.close()
    else:
        os.kill(job.leader, signal.SIGKILL)
        os.waitpid(job.leader, 0)


def suspend(target):
    where = '^Z'
    job = open_job(target)
    for turn in range(3):
        job.type(b'\x1a')
        if job.wait_report(5) != 'T':
            trouble(where, 'did not stop')
            break
        job.read(0.2)
        trouble(where, job.modes_trouble())
        trouble(where, job.screen_trouble())
        trouble(where, pseudo.target_trouble(target.pid))
        job.output = b''
        job.resume()
        if not job.read(5, until=b'functions'):
            trouble(where, 'no picture after fg')
    end_by_q(where, job)


def first_picture(target):
    """Samples are not shown before their names.

    On a machine that is too busy for that they are, so one start of five will
    do.
    """
    for _ in range(5):
        job = open_job(target)
        if not job.read(10, until=b'fifty'):
            trouble('first picture', 'no name')
        has_addresses = b'shares+0x' in job.output
        end_by_q('first picture', job)
        if not has_addresses:
            return
    trouble('first picture', 'names come after addresses')


def look_up_line(target):
    """The function under the cursor gets its file and line."""
    job = open_job(target)
    job.type(b'2')
    deadline = time.monotonic() + 10
    while not re.search(rb'(shares\.c|target\.h):\d', job.output):
        job.read(0.2)
        if time.monotonic() > deadline:
            trouble('line', 'no file and line below the table')
            break
    end_by_q('line', job)


def interrupt_early(target):
    """^C is heard, however soon it comes."""
    for turn in range(20):
        job = pseudo.Job([flametop, '--sampler', sampler, str(target.pid)],
                         env={'XDG_STATE_HOME': state})
        while pseudo.comm(job.pid) != 'flametop':
            pass    # it is Python yet
        job.read(turn * 0.0006)
        job.type(b'\x03')
        if job.wait_report(5) is None:
            trouble('early ^C', f'turn {turn}: it goes on')
        job.close()


def nobody_reads(target):
    """The pty takes no byte any more; sampling must not notice.

    Nor must the tables of unwind rules of code that is new meanwhile.
    """
    where = 'unread terminal'
    path = f'{state}/unread.folded'
    job = open_job(target, '-d', str(unread))
    hz, ticks = 99, os.sysconf('SC_CLK_TCK')
    began = sum(t for _, t in pseudo.threads(target.pid).values())
    job.type(b'12' * 40 + b'1')
    time.sleep(unread + 1)
    ended = sum(t for _, t in pseudo.threads(target.pid).values())
    job.read(1)
    job.type(b'S')
    job.read(1)
    job.type(b'\x15' + path.encode() + b'\r')
    deadline = time.monotonic() + 20    # when all places are known
    while not os.path.exists(path) and time.monotonic() < deadline:
        job.read(0.2)
    end_by_q(where, job)
    with open(path) as file:
        text = file.read()
    got = int(re.search(r'^# samples=(\d+)', text, re.M)[1])
    seconds = float(re.search(r'^# duration=([0-9.]+)', text, re.M)[1])
    wanted = (ended - began) / ticks * hz * seconds / (unread + 1)
    print(f'{where}: {got} samples, {wanted:.0f} by CPU time')
    if abs(got - wanted) > 0.05 * wanted:
        trouble(where, 'more than 5 % apart')
    for key in 'cut', 'guessed', 'rules-late':
        counted = re.search(rf'^# {key}=([1-9]\d*)', text, re.M)
        if counted:
            trouble(where, f'{counted[1]} stacks are {key}')
    for name in 'in_a', 'in_b':
        if f';main;use;run;{name}' not in text:
            trouble(where, f'{name} is missing')


state = tempfile.mkdtemp(prefix='flametop-terminal-')
target = pseudo.start_target([f'{build}/targets/shares', '2', '290'])
try:
    hang_up(target, signal.SIGHUP)
    hang_up(target, 0)
    suspend(target)
    first_picture(target)
    look_up_line(target)
    interrupt_early(target)
    if sampler == 'perf':
        target.kill()
        target = pseudo.start_opener(build, f'{state}/new', 20 * unread)
        nobody_reads(target)
finally:
    target.kill()
    subprocess.run(['rm', '-rf', state])
print(f'terminal: sampler {sampler}, {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
