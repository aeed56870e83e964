"""Reads files one after the other with pathlib: the peer of a snapshot.

    read_files.py ROOT LIST

LIST names one file a line, relative to ROOT. Each line on standard input is a number of rounds; the answer is one
line with the median nanoseconds of a round.
"""

import statistics
import sys
import time
from pathlib import Path

root = Path(sys.argv[1])
files = [root / line for line in Path(sys.argv[2]).read_text().splitlines()]


def read_all():
    start = time.perf_counter_ns()
    for file in files:
        file.read_text()
    return time.perf_counter_ns() - start


for line in sys.stdin:
    print(round(statistics.median(read_all() for _ in range(int(line)))), flush=True)
