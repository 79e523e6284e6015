"""Child processes: started, measured and stopped by their ids."""

import ctypes
import os
import signal
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def die_with_parent():
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """A server that this program starts. Ctrl-C does not reach it, so that servers are stopped in order."""

    def __init__(self, name, words, log, descriptors=()):
        self.name = name
        self.log = Path(log)
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=descriptors,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )

    def check(self):
        status = self.process.poll()
        if status is not None:
            last_lines = self.log.read_text(errors="replace").splitlines()[-3:]
            raise SystemExit(f"{self.name} ended with status {status}: " + " | ".join(last_lines))

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def family(self):
        """Its id and those of its children: nginx serves requests in a child."""
        own = self.process.pid
        return [own] + [int(child) for child in Path(f"/proc/{own}/task/{own}/children").read_text().split()]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Processor:
    """CPU time in seconds."""

    user: float = 0
    system: float = 0

    @property
    def total(self):
        return self.user + self.system

    def __add__(self, other):
        return Processor(self.user + other.user, self.system + other.system)

    def __sub__(self, other):
        return Processor(self.user - other.user, self.system - other.system)


def processor_time(children):
    """The CPU time that all threads of these children have used so far."""
    sum_of_all = Processor()
    for child in children:
        for process in child.family():
            # The name, in parentheses, may contain spaces; user and system time are the 14th and 15th fields.
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            sum_of_all += Processor(int(fields[11]) / TICKS_PER_SECOND, int(fields[12]) / TICKS_PER_SECOND)
    return sum_of_all


def machine_busy_seconds():
    """The CPU time that all programs of this machine have used so far, including time stolen by other guests."""
    user, nice, system, _idle, _wait, interrupt, soft_interrupt, steal = map(
        int, Path("/proc/stat").read_text().splitlines()[0].split()[1:9]
    )
    return (user + nice + system + interrupt + soft_interrupt + steal) / TICKS_PER_SECOND


@dataclass
class Memory:
    """Resident memory of a process in MiB: total, anonymous, of files, and with shared pages divided (PSS)."""

    resident: float
    own: float
    files: float
    share: float


def memory(child):
    def field(file, name):
        for line in Path(f"/proc/{child.process.pid}/{file}").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) / 1024
        raise SystemExit(f"/proc has no {name}")

    return Memory(
        field("status", "VmRSS"), field("status", "RssAnon"), field("status", "RssFile"), field("smaps_rollup", "Pss")
    )
