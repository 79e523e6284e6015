"""Profiles of a program that runs under callgrind, whose counts do not depend on other load on the machine."""

import re
import subprocess
from pathlib import Path

# Uncompressed, each dump contains the names of its functions.
CALLGRIND = "valgrind -q --tool=callgrind --compress-strings=no --demangle=no".split()
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def strip_debug(program, stripped):
    """Copies a program without Swift's debug information, which is too much for valgrind."""
    subprocess.run(["objcopy", "--strip-debug", program, stripped], check=True)


class Profiler:
    """Dumps what a process executed."""

    def __init__(self, child, profile):
        self.process, self.profile, self.dumps = str(child.process.pid), profile, 0

    def zero(self):
        self._control("--zero")

    def dump(self):
        """Returns the profile since the last dump, and zeroes the counts."""
        self._control("--dump")
        self.dumps += 1
        return Path(f"{self.profile}.{self.dumps}")

    def _control(self, word):
        subprocess.run(["callgrind_control", word, self.process], check=True, **QUIET)


def instructions(profile):
    lines = profile.read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("totals:")))


def calls_to(profile, functions):
    """How often the functions were called, and the instructions of these calls."""
    count = cost = 0
    lines = iter(profile.read_text().splitlines())
    for line in lines:
        # callgrind numbers the levels of a recursion.
        if line.startswith("cfn=") and re.sub(r"'\d+$", "", line[4:]) in functions:
            calls = next(line for line in lines if line.startswith("calls="))
            count += int(calls[len("calls=") :].split()[0])
            cost += int(next(lines).split()[1])
    return count, cost
