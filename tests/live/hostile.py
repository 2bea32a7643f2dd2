"""Names that attack a terminal, on every way out of flametop.

    hostile.py BUILD

What leaves must be UTF-8 of visible characters; on a terminal beside the
control sequences that curses writes. A title, a clipboard or a colour that a
name asked for is none of those.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

import pseudo

build = sys.argv[1]
flametop = os.path.abspath(f'{build}/flametop')
troubles = []

CURSES = re.compile(rb'\x1b(\[[?!]?[0-9;]*[A-Za-z@`]|\[\?2026\$p|[()][0B]|[=>78M])|'
                    rb'[\x0e\x0f]')
RAW = (b'\x1b[31mRED', b'\x1b]', b'\x1bP', b'\x1b[5m')


def look(where, written, is_terminal=False):
    bad = [fragment for fragment in RAW if fragment in written]
    rest = CURSES.sub(b'', written) if is_terminal else written
    allowed = '\n\r\t\b' if is_terminal else '\n'
    try:
        bad += [c for c in rest.decode() if c not in allowed and
                unicodedata.category(c) in ('Cc', 'Cf', 'Cs', 'Zl', 'Zp')]
    except UnicodeDecodeError as e:
        bad.append(str(e))
    if bad:
        print(f'{where}: {bad[:4]}', flush=True)
        troubles.append(where)


def run(where, *words, status=0):
    done = subprocess.run([flametop, *words], capture_output=True,
                          stdin=subprocess.DEVNULL)
    look(where, done.stdout + done.stderr)
    if done.returncode != status:
        print(f'{where}: exit status {done.returncode}: {done.stderr}')
        troubles.append(where)
    return done.stdout


def screen(where, words, keys, term='xterm-256color', until=b'functions',
           last=None):
    job = pseudo.Job([flametop, *words], env={'TERM': term})
    job.read(10, until=until)
    for key in keys:
        job.type(key)
        job.read(0.2)
    if last and not job.read(10, until=last):
        print(f'{where}: no {last}: {job.output[-200:]}')
        troubles.append(where)
    job.type(b'\x1b\x1bq')
    code = job.wait_report(10)
    job.read(0.2)
    if code != '0':
        print(f'{where}: exit status {code}: {job.output[-200:]}')
        troubles.append(where)
    look(where, job.output, is_terminal=True)
    job.close()


def read(path):
    with open(path, 'rb') as file:
        return file.read()


state = tempfile.mkdtemp(prefix='flametop-hostile-').encode()
folder = state + b'/ev\x1b]0;DIR\x07il\x9b;\n \xff'
program = folder + b'/\x1b[5mexe\x1b]52;c;cHduCg==\x07;\n\xe2\x80\xae'
saved = state + b'/saved.folded'
os.mkdir(folder)
shutil.copy(f'{build}/targets/hostile', program)
target = subprocess.Popen([program], stdout=subprocess.PIPE)
try:
    target.stdout.readline()
    pid = str(target.pid)
    for sampler in 'perf', 'ptrace':
        run(f'record, {sampler}', 'record', '--sampler', sampler, '-f', '-d',
            '2', '--tag', b'k=\x1b]0;a\x07\xff\n; 5', '-o', saved, pid)
        look(f'file, {sampler}', read(saved))
        if b'jit_' not in read(saved):
            troubles.append('no name at all')
    first = read(saved)
    run('report of the file', 'report', saved)
    run('report', 'report', '-d', '1', pid)
    run('plain', '--plain', '-d', '4', pid)
    run('doctor', 'doctor', pid)
    run('name', '-n', b'\x1b]0;nobody', status=4)
    run('option', b'--no\x1b]0;such', status=2)
    run('command', 'report', '-o', '-', '--', b'no\x1b]0;such', status=1)
    run('file name', 'report', program, status=1)
    run('no file', 'report', folder + b'/none', status=1)
    run('save there', 'record', '-d', '1', '-o', folder + b'/x', pid)
    run('save again', 'record', '-d', '1', '-o', folder + b'/x', pid, status=1)
    keys = [b'\x1b[B\x1b[B\x1b[B', b'T', b'2', b'\x1b[B\x1b[B', b't', b'\x1b',
            b'1', b'/RED\r', b'n']
    for term in 'xterm-256color', 'vt100', 'linux':
        screen(f'screen, {term}', [pid], keys, term)
    screen('screen of the file', [saved], keys)
    screen('screen of a bad file', [folder + b'/x'], keys)
    again = state + b'/again.folded'
    screen('saving', [saved], [b'S', b'\x15' + again + b'\r'],
           last=b'saved: ')
    if read(again) != first:
        troubles.append('a saved file is not the one that was opened')
    screen('picker', [], [b'hostile', b'\x15PWN', b'\r', b'2'],
           until=b'to filter')
finally:
    target.kill()
    target.wait()
    shutil.rmtree(state)
    os.unlink(f'/tmp/perf-{target.pid}.map')
print(f'hostile names: {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
