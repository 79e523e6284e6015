"""OpenSSL's speed on this machine: the upper bound for everything that signs or verifies tokens."""

import subprocess
from dataclasses import dataclass

from load import Load, processor_count, run_load


@dataclass
class SigningLoad:
    """A load in which each request takes a signature, with OpenSSL's speed right before and after it: on a shared
    machine, the speed changes within seconds."""

    load: Load
    signatures_per_second: float

    @property
    def ratio(self):
        """The signatures made, relative to those that OpenSSL makes in the CPU time that the workers used in total."""
        return self.load.requests / (self.load.program.total * self.signatures_per_second)


def beside_openssl(deployment, target, seconds):
    before = openssl_signatures_per_second()
    load = run_load(deployment, target, seconds)
    return SigningLoad(load, (before + openssl_signatures_per_second()) / 2)


def openssl_signatures_per_second():
    """RSA-2048 signatures per second of CPU time, while all processors sign."""
    return openssl_rates()[0]


def openssl_rates():
    """RSA-2048 signatures and verifications per second of CPU time, while all processors work."""
    words = ["openssl", "speed", "-mr", "-seconds", "1", "rsa2048"]
    running = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(processor_count())
    ]
    outputs = [process.communicate(timeout=30)[0] for process in running]
    rates = [rates for output in outputs for line in output.splitlines() if (rates := rates_of(line))]
    if len(rates) != len(running):
        raise SystemExit("openssl speed gave no figures")
    return [sum(each) / len(rates) for each in zip(*rates)]


def rates_of(line):
    """From a line such as `+F2:2:2048:1484.8:52615.1`: index, bits, signatures and verifications per second."""
    fields = line.split(":")
    return [float(field) for field in fields[3:5]] if fields[0] == "+F2" and fields[2] == "2048" else None
