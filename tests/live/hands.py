"""What goes from the screen to elsewhere: clipboard, editor, the terminal.

And what may come before it: the list of processes.

    hands.py BUILD
"""
import base64
import glob
import os
import re
import shutil
import sys
import tempfile
import time

import pseudo

build = sys.argv[1]
flametop = os.path.abspath(f'{build}/flametop')
troubles = []
# The second frame from the left side down: that of either thread, whichever
# has more samples; its calls down to the first that has samples of its own, or
# calls two, are one frame.
SECOND = (r'(clone3;start_thread|_start;([^;]+;)*main)'
          r'(;work(;(left|right))?)? \d+$')


def trouble(where, what):
    if what:
        print(f'{where}: {what}', flush=True)
        troubles.append(what)


def open_job(*options, **env):
    job = pseudo.Job([flametop, *options, str(target.pid)],
                     env={'XDG_STATE_HOME': state, 'TMUX': '', 'STY': '',
                          **env})
    if not job.read(10, until=b'functions'):
        trouble('start', 'no picture: ' + repr(job.output[-300:]))
    job.read(1)
    return job


def end_by_q(where, job):
    job.type(b'q')
    code = job.wait_report(10)
    trouble(where, '' if code == '0' else f'exit status {code} after q')
    job.read(0.2)
    trouble(where, job.modes_trouble())
    trouble(where, job.screen_trouble())
    job.close()


def copied():
    return glob.glob(f'{state}/flametop/copied-*.txt')


def copy_by_terminal():
    where = 'copy'
    job = open_job('-F', '400')
    job.type(b'2')
    job.read(1.5)
    job.output = b''
    job.type(b'y')
    if not job.read(5, until=b'\a'):
        trouble(where, 'no OSC 52')
    found = re.search(rb'\x1b\]52;c;([A-Za-z0-9+/=]+)\a', job.output)
    name = base64.b64decode(found[1]).decode() if found else ''
    if not re.match(r'[a-z_0-9]+$', name):
        trouble(where, f'no name was copied but {name!r}')
    trouble(where, 'a file at once' if copied() else '')
    job.type(b'y')
    job.read(5, until=b'copied to')
    files = copied()
    if len(files) != 1 or open(files[0]).read() != name + '\n':
        trouble(where, f'no file with {name}: {files}')
    elif os.stat(files[0]).st_mode & 0o777 != 0o600:
        trouble(where, 'others may read it')
    for file in files:
        os.unlink(file)
    job.type(b'1')
    job.read(1)
    job.type(b'jj')
    job.read(0.5)
    job.output = b''
    job.type(b'Y')
    job.read(5, until=b'\a')
    found = re.search(rb'\x1b\]52;c;([A-Za-z0-9+/=]+)\a', job.output)
    line = base64.b64decode(found[1]).decode() if found else ''
    if not re.match(SECOND, line):
        trouble(where, f'no stack of the second frame was copied but {line!r}')
    end_by_q(where, job)


def copy_without_clipboard():
    where = 'copy on a console'
    job = open_job(TERM='linux')
    job.type(b'j')
    job.read(0.5)
    job.output = b''
    job.type(b'y')
    job.read(5, until=b'copied to')
    trouble(where, 'OSC 52 was sent' if b'\x1b]52' in job.output else '')
    trouble(where, '' if len(copied()) == 1 else f'files: {copied()}')
    end_by_q(where, job)


def editor(where, text):
    path = f'{state}/{where}.sh'
    with open(path, 'w') as file:
        file.write(f'#!/bin/sh\n{text}\n')
    os.chmod(path, 0o755)
    return path


def edit(where, text):
    """Press E until a line is known; what the editor had to say."""
    said = f'{state}/{where}.said'
    job = open_job(VISUAL=editor(where, text) + ' --word', SAID=said)
    job.type(b'2')
    deadline = time.monotonic() + 20
    while not os.path.exists(said) and time.monotonic() < deadline:
        job.type(b'E')
        job.read(1)
    while job.output.count(b'\x1b[?1049h') < 2:
        job.read(0.2)
        if time.monotonic() > deadline:
            trouble(where, 'no picture after the editor')
            break
    job.read(0.5)
    end_by_q(where, job)
    try:
        with open(said) as file:
            return file.read().split('\n')
    except OSError:
        trouble(where, 'no editor was started')
        return ['', '']


def edit_source():
    where = 'edit'
    said = edit(where, 'stty -a | grep -o " icanon" > "$SAID.new"\n'
                       'echo "$@" >> "$SAID.new"\n'
                       'mv "$SAID.new" "$SAID"; sleep 0.5')
    found = re.match(r'--word \+(\d+) (/.*)$', said[1])
    if said[0] != ' icanon':
        trouble(where, f'the editor got a terminal in our modes: {said}')
    if not found or not os.path.exists(found[2]):
        trouble(where, f'not a line of a file: {said}')
    # one that ^Z was pressed in goes on
    said = edit('stopped', 'kill -TSTP $$; echo on > "$SAID"; echo "$SAID"')
    if said[0] != 'on':
        trouble(where, f'a stopped editor did not go on: {said}')


def edit_without_editor():
    where = 'no editor'
    job = open_job(VISUAL='/nonexistent/editor')
    job.type(b'2')
    job.output = b''
    deadline = time.monotonic() + 20
    while b'set VISUAL' not in job.output and time.monotonic() < deadline:
        job.type(b'E')
        job.read(1)
    trouble(where, '' if b'set VISUAL' in job.output else 'is not said')
    end_by_q(where, job)


def pick_by_name():
    """Two of one name: they are what the list shows, and Enter takes one."""
    where = 'picker'
    path = f'{state}/twins'
    shutil.copy(f'{build}/targets/shares', path)
    twins = [pseudo.start_target([path, '2', '290']) for _ in range(2)]
    job = pseudo.Job([flametop, '-n', 'twins'],
                     env={'XDG_STATE_HOME': state})
    if not job.read(10, until=b'to filter'):
        trouble(where, 'no list: ' + repr(job.output[-300:]))
    job.type(b'\r')
    if job.read(10, until=b'functions'):
        end_by_q(where, job)
    else:
        trouble(where, 'none of them can be taken')
        job.close()
    for twin in twins:
        twin.kill()
        twin.wait()


def mouse_modes():
    where = 'mouse'
    job = open_job('--mouse')
    if b'\x1b[?1006h' not in job.output:
        trouble(where, 'not asked for')
    end_by_q(where, job)
    if job.output.rfind(b'\x1b[?1000l') < job.output.rfind(b'\x1b[?1000h'):
        trouble(where, 'not given back')
    job = open_job()
    if b'\x1b[?1000h' in job.output:
        trouble(where, 'taken unasked')
    end_by_q(where, job)


def frames(job):
    """How many have begun and ended, when the last one has had time to."""
    deadline = time.monotonic() + 5
    while True:
        begun = job.output.count(b'\x1b[?2026h')
        ended = job.output.count(b'\x1b[?2026l')
        if begun == ended or time.monotonic() > deadline:
            return begun, ended
        job.read(0.05)


def synchronized_output():
    """Only with a terminal that has said that it has it."""
    where = 'synchronized output'
    for answer, is_used in (b'', False), (b'0', False), (b'2', True):
        job = open_job()
        if b'\x1b[?2026$p' not in job.output:
            trouble(where, 'the terminal was not asked')
        job.type(answer and b'\x1b[?2026;' + answer + b'$y')
        job.read(0.3)
        job.output = b''
        job.type(b'2')
        job.read(1)
        begun, ended = frames(job)
        if bool(begun) != is_used:
            trouble(where, f'answer {answer}: begun {begun} times')
        if begun != ended:
            trouble(where, f'begun {begun} times, ended {ended} times')
        end_by_q(where, job)
    job = open_job(TERM='linux')
    trouble(where, 'a console was asked' if b'2026' in job.output else '')
    end_by_q(where, job)


state = tempfile.mkdtemp(prefix='flametop-hands-')
target = pseudo.start_target([f'{build}/targets/shares', '2', '290'])
try:
    copy_by_terminal()
    copy_without_clipboard()
    pick_by_name()
    mouse_modes()
    synchronized_output()
    edit_source()
    edit_without_editor()
finally:
    target.kill()
    shutil.rmtree(state)
print(f'hands: {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
