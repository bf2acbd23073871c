"""Prints the period that FTIO finds in each byte series: a line "NAME SECONDS", or "NAME -".

Usage: python ftio_periods.py DIRECTORY. A series is DIRECTORY/NAME.csv, a line "begin,end,bytes" for
each phase, in seconds. FTIO is ftio-hpc from PyPI, in a virtual environment.
"""

import pathlib
import sys

import numpy as np
from ftio.cli.ftio_core import core
from ftio.parse.args import parse_args

HERTZ = 10


def period(file):
    phases = np.loadtxt(file, delimiter=",", ndmin=2)
    time = np.arange(0, phases[-1, 1], 1 / HERTZ)
    bandwidth = np.zeros(len(time))
    for begin, end, count in phases:
        bandwidth[(time >= begin) & (time < end)] += count / (end - begin)
    total = int(phases[:, 2].sum())
    series = {"time": time, "bandwidth": bandwidth, "total_bytes": total, "ranks": 1}
    prediction, _ = core(series, parse_args(["-e", "no", "-f", str(HERTZ)], "ftio"))
    frequency = prediction.get_dominant_freq()
    return 1 / frequency if np.size(frequency) and float(frequency) > 0 else None


for file in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
    try:
        found = period(file)
    except Exception as e:  # an answer like any other: FTIO could not tell
        print(f"{file.stem}: {e}", file=sys.stderr)
        found = None
    print("ftio", file.stem, f"{found:.3f}" if found else "-")
