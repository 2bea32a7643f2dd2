"""flametop with too little memory.

    memory.py BUILD
"""
import os
import sys

import pseudo

build = sys.argv[1]
flametop = os.path.abspath(f'{build}/flametop')
troubles = []


def trouble(where, what):
    if what:
        print(f'{where}: {what}', flush=True)
        troubles.append(what)


def run(sampler, mib, target):
    where = f'{sampler}, {mib} MiB'
    job = pseudo.Job(['/usr/bin/env', 'prlimit', f'--as={mib << 20}',
                      flametop, '--sampler', sampler, '-F', '499',
                      str(target.pid)])
    job.read(1, until=b'functions')
    code = job.wait_report(1)
    if code is None:
        job.type(b'2q')
        code = job.wait_report(10)
    job.read(0.2)
    if code not in ('0', '1', '127'):       # 127: no room to load it
        trouble(where, f'exit status {code}')
    if code == '1' and b'flametop: ' not in job.output.split(b'\x1b[?25h')[-1]:
        trouble(where, f'no word about it: {job.output[-100:]}')
    trouble(where, job.modes_trouble())
    trouble(where, job.screen_trouble())
    trouble(where, pseudo.target_trouble(target.pid, 0.2))
    job.close()


target = pseudo.start_target([f'{build}/targets/shares', '2', '290'])
try:
    for sampler in 'perf', 'ptrace':
        for mib in range(6, 34, 2):
            run(sampler, mib, target)
finally:
    target.kill()
print(f'little memory: {len(troubles)} troubles')
sys.exit(1 if troubles else 0)
