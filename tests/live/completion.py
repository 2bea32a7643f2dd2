"""Type half words into bash, zsh and fish, and look what became of them.

In the place of flametop stands a function that prints its words.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import pseudo

files = os.path.abspath('docs/completion')
SHELLS = {
    'bash': (['bash', '--norc', '--noprofile', '-i'],
             f'source {files}/flametop.bash',
             'flametop() { printf "<%s>" "$@"; echo ".$((6 * 7))"; }'),
    'zsh': (['zsh', '-f', '-i'],
            'autoload -U compinit; compinit -u -D; '
            f'fpath=({files} $fpath); autoload -U flametop.zsh; '
            'compdef flametop.zsh flametop',
            'flametop() { printf "<%s>" "$@"; echo ".$((6 * 7))"; }'),
    'fish': (['fish', '--no-config', '--private', '-i'],
             f'source {files}/flametop.fish',
             'function flametop; printf "<%s>" $argv; '
             'echo .(math 6 \\* 7); end'),
}
NAME = 'flametop-tab'
HOSTILE = '$(>struck)'
CASES = (
    ('rec\t', '<record>'),
    ('--samp\tptr\t', '<--sampler>?<ptrace>|<--sampler=ptrace>'),
    ('--theme du\t', '<--theme><dusk>'),
    ('--to .sv\t', '<--to><.svg>'),
    (f'--name {NAME[:-2]}\t', f'<--name><{NAME}>'),
    ('report some\t', '<report><some file.folded>'),
    ('-o some\t', '<-o><some file.folded>'),
    ('-- basena\t', '<--><basename>'),
)


class Shell:
    """One in a terminal, with our file read in FOLDER."""

    def __init__(self, name, folder):
        argv, load, define = SHELLS[name]
        self.job = pseudo.Job(
            [shutil.which(argv[0]), *argv[1:]], columns=200,
            env={'HOME': folder, 'PS1': '$ ', 'INPUTRC': '/dev/null',
                 'TERM': 'xterm'})
        for line in f'cd {folder}', load, define, 'flametop rea""dy':
            self.job.type(line.encode() + b'\r')
        self.words_after(b'', 30)

    def words_after(self, keys, seconds=10):
        """What the function got of what was typed."""
        self.job.output = b''
        self.job.type(keys)
        self.job.read(seconds, until=b'>.42')
        found = re.findall(rb'((?:<[^<>]*>)+)\.42', self.job.output)
        return found[-1].decode() if found else repr(self.job.output[-300:])

    def complete(self, typed):
        return self.words_after(b'flametop ' + typed.encode() + b'\r')


def main():
    troubles = 0
    missing = [shell for shell in SHELLS if not shutil.which(shell)]
    if missing:
        print('not here:', *missing)
        return 77
    folder = tempfile.mkdtemp(prefix='flametop-tab-')
    sleeper = shutil.which('sleep')
    targets = []
    try:
        open(f'{folder}/some file.folded', 'w').close()
        for name in NAME, HOSTILE:
            shutil.copy(sleeper, f'{folder}/{name}')
            targets.append(subprocess.Popen([f'{folder}/{name}', '200']))
            os.unlink(f'{folder}/{name}')
        for shell in SHELLS:
            line = Shell(shell, folder)
            for typed, wanted in CASES:
                got = line.complete(typed)
                if not re.fullmatch(wanted, got):
                    print(f'completion: {shell}: {typed!r}: {got}')
                    troubles += 1
            line.job.close()
        if os.path.exists(f'{folder}/struck'):
            print("completion: a process's name was run")
            troubles += 1
    finally:
        for target in targets:
            target.kill()
        shutil.rmtree(folder)
    return troubles > 0


sys.exit(main())
