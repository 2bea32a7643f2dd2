"""Files to open that are large, cut, hostile or no files at all.

    profiles.py BUILD
"""
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zlib

import pseudo

build = sys.argv[1]
flametop = os.path.abspath(f'{build}/flametop')
troubles = []
MIB = 1 << 20


def trouble(where, what):
    print(f'{where}: {what}', flush=True)
    troubles.append(what)


def report(name, path, says=None, shows=None, seconds=120):
    """The file is refused with the word SAYS, or its report has SHOWS."""
    began = time.monotonic()
    done = subprocess.run([flametop, 'report', path], capture_output=True,
                          stdin=subprocess.DEVNULL)
    took = time.monotonic() - began
    if done.returncode != (1 if says else 0):
        trouble(name, f'exit status {done.returncode}: {done.stderr[-300:]}')
    if says and says not in done.stderr.decode():
        trouble(name, f'says {done.stderr[-300:]}')
    if shows and shows not in done.stdout.decode():
        trouble(name, f'has no {shows}')
    if took > seconds:
        trouble(name, f'took {took:.0f} s')


def file_of(name, content=b'', size=None):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        file.write(content)
        if size:
            file.truncate(size)
    return path


def bomb(chunk, count):
    """A gzip file of COUNT times CHUNK, each packed once."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    part = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    last = zlib.compressobj(9, zlib.DEFLATED, -15).flush()
    return b'\x1f\x8b\x08\0\0\0\0\0\0\x03' + part * count + last + b'\0' * 8


def stacks(count, depth):
    return b''.join(
        b';'.join(b'f%d' % (i // 3 ** d % 97) for d in range(depth)) +
        b' %d\n' % (i % 7 + 1) for i in range(count))


def leave_early(path):
    """How far it has been read is shown, and q works meanwhile."""
    job = pseudo.Job([flametop, path])
    if not job.read(10, until=b'reading '):
        trouble('leaving early', repr(job.output[-200:]))
    if not job.read(20, until=b' %'):
        trouble('leaving early', 'no progress: ' + repr(job.output[-200:]))
    job.type(b'q')
    if job.wait_report(5) != '0':
        trouble('leaving early', 'q does nothing')
    job.close()


def position(pid, path):
    """How far one of PID's children has read PATH."""
    for child in pseudo.children(pid):
        try:
            for fd in os.listdir(f'/proc/{child}/fd'):
                if os.readlink(f'/proc/{child}/fd/{fd}') == path:
                    with open(f'/proc/{child}/fdinfo/{fd}') as info:
                        return int(info.readline().split()[1])
        except OSError:
            pass
    return 0


def shorten(path, is_input):
    """A file that is cut while it is read is not a smaller profile."""
    size = os.path.getsize(path)
    with open(path) as file:
        job = subprocess.Popen(
            [flametop, 'report', '-' if is_input else path], text=True,
            stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while job.poll() is None and not 0 < position(job.pid, path) < size // 2:
        time.sleep(0.001)
    os.truncate(path, MIB)
    said = job.communicate()[1]
    if job.returncode != 1 or 'became shorter' not in said:
        trouble('shortened', f'exit status {job.returncode}: {said[-300:]}')


def look(name, path):
    """The screen on it takes keys and ends."""
    job = pseudo.Job([flametop, path])
    if not job.read(60, until=b'functions'):
        trouble(name, 'no picture: ' + repr(job.output[-200:]))
    for key in b'jj', b'\r', b'\x7f', b'/f1\r', b'n', b'2', b'>', b'T', b'1':
        job.type(key)
        job.read(0.1)
    job.type(b'\x1b\x1bq')
    if job.wait_report(20) != '0':
        trouble(name, 'did not end by q')
    job.close()


folder = tempfile.mkdtemp(prefix='flametop-profiles-')
try:
    small = stacks(1000, 6)
    os.mkfifo(f'{folder}/pipe')
    report('pipe', f'{folder}/pipe', says='is a pipe')
    report('directory', folder, says='is a directory')
    report('device', '/dev/zero', says='is a device')
    report('empty', file_of('empty'), says='nothing in it')
    report('sparse', file_of('sparse', size=2048 * MIB), says='too large')
    report('zeros', file_of('zeros', size=64 * MIB), says='binary')
    report('zeros, packed', file_of('z.gz', bomb(b'\0' * 16 * MIB, 640)),
           says='binary')
    report('lines, packed', file_of('l.gz', bomb(b'a;b 1\n' * MIB, 1600)),
           says='inflates')
    report('cut', file_of('cut.gz', gzip.compress(small)[:-400]),
           says='cut short')
    report('more behind it', file_of('more.gz', gzip.compress(small) +
                                     b'and more'), shows='f0')
    report('long name', file_of('name', b'a;' + b'x' * 20 * MIB + b' 5\n'),
           shows='xxx')
    report('long line', file_of('line', b'a;' * 2 * MIB + b'z 5\n'),
           shows='z')
    deep = file_of('deep', b';'.join(b'f%d' % i for i in range(100000)) +
                   b' 5\n' + small)
    report('deep', deep, shows='f99999')
    look('deep', deep)
    wide = file_of('wide', b''.join(b'root%d 1\n' % i for i in range(70000)))
    report('wide', wide, shows='root1')
    look('wide', wide)
    many = file_of('many', stacks(400000, 14))
    report('many', many, shows='f0')
    leave_early(many)
    with open(f'{folder}/growing', 'wb') as file:
        file.write(small[:2000])
        file.flush()
        report('growing', f'{folder}/growing', shows='f0')
    lines = b''.join(b'main;f%d;g%d 1\n' % (i % 997, i)
                     for i in range(3000000))
    for is_input in False, True:
        shorten(file_of('shortened', lines), is_input)
finally:
    shutil.rmtree(folder)
print(f'profiles: {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
