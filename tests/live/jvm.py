"""On the screen, the key J has the Java VM PID write down its names."""
import sys

from pseudo import Job

build, pid, name = sys.argv[1:]
job = Job([f'{build}/flametop', pid], rows=40, columns=150)
try:
    assert job.read(20, until=b'functions'), 'no picture'
    job.read(3)
    assert name.encode() not in job.output, 'the name is there unasked'
    job.type(b'J')
    assert job.read(30, until=name.encode()), 'no name has come'
    job.type(b'q')
    assert job.wait_report(10) == '0', 'no way out'
finally:
    job.close()
