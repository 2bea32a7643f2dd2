# SPDX-License-Identifier: MIT
# work.py - Python: recursion, json, re, sorting with keys, for ten minutes.
import json
import re
import time


def deep(n):
    return sum(range(100)) if n == 0 else deep(n - 1) + n


def sort(n):
    words = [str(i * 37 % n) for i in range(n)]
    return len(sorted(words, key=lambda w: (len(w), w)))


end = time.time() + 600
total = 0
while time.time() < end:
    total += deep(20) + sort(50)
    total += len(re.sub("[0-9]+", "x", json.dumps({"words": list(range(50))})))
print(total)
