"""Kill each of the four processes in each way, and look what is left.

    kills.py BUILD ROUNDS [SAMPLER [STOPS [SECONDS]]]

ROUNDS of killing; STOPS of stopping each for SECONDS.

Terminal as before, no thread of the target stopped, all of them running on,
names back after the symbols process, and no gap in sampling unless it was the
app that died.
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import pseudo

build, rounds = sys.argv[1], int(sys.argv[2])
sampler = sys.argv[3] if len(sys.argv) > 3 else 'perf'
stops = int(sys.argv[4]) if len(sys.argv) > 4 else 1
stop_seconds = int(sys.argv[5]) if len(sys.argv) > 5 else 4
flametop = os.path.abspath(f'{build}/flametop')
SUPERVISOR, APP, SYMBOLS, TABLES = range(4)
names = 'supervisor', 'app', 'symbols process', 'tables process'
troubles = []


def trouble(where, what):
    if what:
        print(f'{where}: {what}', flush=True)
        troubles.append(what)


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def open_job(target):
    job = pseudo.Job([flametop, '--sampler', sampler, str(target.pid)],
                     env={'XDG_STATE_HOME': state})
    # Not one of the four may be 0: kill(0) is our own group.
    if not job.read(10, until=b'functions') or \
            not wait_until(lambda: 0 not in job.processes(), 5):
        print('start: no picture: ' + repr(job.output[-300:]))
        sys.exit(1)
    return job


def kill_one(which, number, target):
    """One of the four on the live screen."""
    where = f'{names[which]}, {signal.Signals(number).name}'
    job = open_job(target)
    everybody = job.processes()
    time.sleep(random.random() * 0.3)
    os.kill(everybody[which], number)
    if which in (SYMBOLS, TABLES):
        if not wait_until(lambda: job.processes()[which] not in
                          (0, everybody[which]), 2):
            trouble(where, 'no new one within 2 s')
        job.type(b'q')
    code = job.wait_report(10)
    if code is None:
        trouble(where, 'flametop did not end')
    elif (code == '0') != (which in (SYMBOLS, TABLES)):
        trouble(where, f'exit status {code}')
    if not wait_until(lambda: not any(map(pseudo.is_alive, everybody)), 5):
        trouble(where, 'a process was left behind')
    job.read(0.2)
    trouble(where, job.modes_trouble())
    trouble(where, job.screen_trouble())
    trouble(where, pseudo.target_trouble(target.pid))
    job.close()


def stop_one(which, seconds, target):
    """One of the four stopped for a while: all goes on afterwards."""
    where = f'{names[which]}, SIGSTOP'
    job = open_job(target)
    pid = job.processes()[which]
    os.kill(pid, signal.SIGSTOP)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        trouble(where, pseudo.target_trouble(target.pid))
        job.read(0.5)
    ended = job.wait_report(0.1)
    if ended in (None, 'T'):
        # A shell takes the terminal when its job's first process stops.
        if ended == 'T':
            job.resume()
        elif pseudo.is_alive(pid):
            os.kill(pid, signal.SIGCONT)
        seen = len(job.output)
        job.read(2)
        if len(job.output) == seen:
            trouble(where, 'the screen stands still')
        job.type(b'q')
        if job.wait_report(10) != '0':
            trouble(where, 'did not end by q')
    elif sampler == 'perf':
        trouble(where, f'flametop ended: {ended}')
    job.read(0.2)
    trouble(where, job.modes_trouble())
    trouble(where, job.screen_trouble())
    job.close()


def record(target, seconds):
    path = tempfile.mktemp(suffix='.folded', dir=state)
    return path, subprocess.Popen(
        [flametop, 'record', '-q', '--sampler', sampler, '-d', str(seconds),
         '-o', path, str(target.pid)], start_new_session=True)


def cpu_of(target):
    return sum(ticks for _, ticks in pseudo.threads(target.pid).values())


def record_through(which, number, target):
    """Names, and samples as the target's CPU time says, in spite of it."""
    where = f'recording, {names[which]}, {signal.Signals(number).name}'
    hz, ticks = 99, os.sysconf('SC_CLK_TCK')
    path, job = record(target, 5)
    wait_until(lambda: all(pseudo.processes(job.pid)), 5)
    before = cpu_of(target)
    time.sleep(0.5)
    victim = pseudo.processes(job.pid)[which]
    os.kill(victim, number)
    time.sleep(2)
    os.kill(job.pid, signal.SIGUSR1)
    if not wait_until(lambda: os.path.exists(path), 3):
        trouble(where, 'nothing written')
    else:
        with open(path) as file:
            if ';fifty' not in file.read():
                trouble(where, 'no names within 2 s')
    if number == signal.SIGSTOP and pseudo.is_alive(victim):
        os.kill(victim, signal.SIGCONT)
    if job.wait() != 0:
        trouble(where, f'exit status {job.returncode}')
    wanted = (cpu_of(target) - before) / ticks * hz
    with open(path) as file:
        text = file.read()
    got = int(re.search(r'^# samples=(\d+)', text, re.M)[1])
    if sampler == 'perf' and not 0.85 * wanted < got < 1.25 * wanted:
        trouble(where, f'{got} samples, {wanted:.0f} by CPU time')


def end_with_stopped(which, target):
    """What will not come is not waited for, and said to be missing."""
    where = f'recording ends, {names[which]} stopped'
    path = f'{state}/stopped.folded'
    job = subprocess.Popen(
        [flametop, 'record', '-f', '--sampler', sampler, '-d', '3', '-o', path,
         str(target.pid)], start_new_session=True, stderr=subprocess.PIPE,
        text=True)
    began = time.monotonic()
    wait_until(lambda: pseudo.processes(job.pid)[which], 5)
    victim = pseudo.processes(job.pid)[which]
    if not victim:      # kill(0) is our own group
        trouble(where, 'it is not there')
        return
    os.kill(victim, signal.SIGSTOP)
    said = job.communicate()[1]
    took = time.monotonic() - began
    if job.returncode != 0:
        trouble(where, f'exit status {job.returncode}')
    if took > 9:        # three times what is promised after three seconds
        trouble(where, f'it took {took:.1f} s')
    with open(path) as file:
        text = file.read()
    key, word = (('unresolved', 'have no name') if which == SYMBOLS else
                 ('rules-late', 'came before the unwind rules'))
    if sampler == 'perf' or which == SYMBOLS:
        if not re.search(rf'^# {key}=[1-9]', text, re.M):
            trouble(where, f'nothing is {key}')
        if word not in said:
            trouble(where, f'not said: {word}: {said}')


state = tempfile.mkdtemp(prefix='flametop-kills-')
target = pseudo.start_target([f'{build}/targets/shares', '2', '3600'])
try:
    for turn in range(rounds):
        for which in SUPERVISOR, APP, SYMBOLS, TABLES:
            for number in signal.SIGKILL, signal.SIGSEGV:
                kill_one(which, number, target)
    for turn in range(stops):
        for which in SUPERVISOR, APP, SYMBOLS, TABLES:
            stop_one(which, stop_seconds, target)
    for number in signal.SIGKILL, signal.SIGSEGV:
        record_through(SYMBOLS, number, target)
        record_through(TABLES, number, target)
    target.kill()
    target = pseudo.start_opener(build, f'{state}/new', 100)
    for which in SYMBOLS, TABLES:
        end_with_stopped(which, target)
finally:
    target.kill()
    subprocess.run(['rm', '-rf', state])
print(f'kills: {rounds} rounds, {stops} stops, sampler {sampler}, {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
