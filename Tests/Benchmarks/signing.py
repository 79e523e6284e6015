"""What OpenSSL makes of this machine's processors: the ceiling of everything that signs a token."""

import subprocess

from load import processor_count


def openssl_signatures_per_second():
    """RSA-2048 signatures in a second of one processor's time, while all processors sign."""
    words = ["openssl", "speed", "-mr", "-seconds", "1", "rsa2048"]
    running = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(processor_count())
    ]
    outputs = [process.communicate(timeout=30)[0] for process in running]
    rates = [rate for output in outputs for line in output.splitlines() if (rate := signing_rate(line))]
    if len(rates) != len(running):
        raise SystemExit("openssl speed gave no figures")
    return sum(rates) / len(rates)


def signing_rate(line):
    """From a line such as `+F2:2:2048:1484.8:52615.1`: an index, the key's bits, signatures and verifications a second."""
    fields = line.split(":")
    return float(fields[3]) if fields[0] == "+F2" and fields[2] == "2048" else None
