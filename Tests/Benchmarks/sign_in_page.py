"""The CPU time of the sign-in page on a phone, from the navigation until a number can be typed.

Chromium's own trace shows how much CPU time the page's main thread takes. A phone's CPU is SLOWDOWN times slower, so
the times are multiplied. The throttling of Chromium's developer tools has the same effect on a thread that computes.
But it also keeps a waiting thread busy: a synchronous request of 100 ms takes 1 ms of CPU time, and 60 to 90 ms with
throttling. So the throttled time includes waits of the main thread, such as those for fonts and storage, and more of
them if other programs use the CPU. The goal applies to both.
"""

import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from deployment import API_KEY
from processes import Child

DRIVER = Path(__file__).resolve().parents[1] / "TestBrowser/browser.py"
SLOWDOWN = 4
VISITS = 9
READY = "document.querySelector('dialtone-sign-in')?.dataset.step === 'number'"
KINDS = 6  # of work, in the report


@dataclass
class SignInPage:
    """CPU time of visits in ms on the slower CPU, by kind of work, with the `total`."""

    visits: list = field(default_factory=list)
    # Visits to a document with one line of text.
    plain: list = field(default_factory=list)
    throttled: list = field(default_factory=list)


def median_time(visits, kind="total"):
    return statistics.median(visit.get(kind, 0) for visit in visits)


def measure_sign_in_page(deployment):
    """Each visit is a first visit, without a cache."""
    server = f"http://127.0.0.1:{deployment.ports['dialtone']}"
    page = {"url": f"{server}/__/auth/sign-in?apiKey={API_KEY}&hl=en", "trace": READY}
    plain = {"url": f"{server}/healthz", "trace": "document.body"}
    profile = deployment.folder / "chromium"
    chromium = Child(
        # Chromium's engine alone: the main thread of a page waits for the rest of a whole browser, and the throttling
        # counts the waits.
        "chromium-headless-shell",
        "chromium-headless-shell --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
        "--disable-sync --disable-background-networking --disable-component-update --remote-debugging-port=0".split()
        + [f"--user-data-dir={profile}"],
        deployment.folder / "chromium.log",
    )
    try:
        port = wait_for_port(profile / "DevToolsActivePort", chromium)
        rounds = [
            (slower(trace(port, page)), slower(trace(port, plain)), trace(port, {**page, "slowdown": SLOWDOWN}))
            for _ in range(1 + VISITS)
        ]
    finally:
        chromium.stop()
    # The first round does not count: in it, the browser reads its own code from disk.
    return SignInPage(*zip(*rounds[1:]))


def trace(port, visit):
    words = [sys.executable, "-B", DRIVER, port, json.dumps(visit)]
    return json.loads(subprocess.check_output(words))["mainThread"]


def slower(times):
    return {kind: SLOWDOWN * milliseconds for kind, milliseconds in times.items()}


def wait_for_port(file, chromium):
    for _ in range(600):
        chromium.check()
        lines = file.read_text().split("\n") if file.exists() else []
        if len(lines) > 1:
            return lines[0]
        time.sleep(0.05)
    raise SystemExit("chromium did not start within 30 seconds")


def print_sign_in_page(page):
    print(f"\nThe sign-in page until a number can be typed, on a processor that is {SLOWDOWN} times slower")
    print(f"  {span(page.visits)} of the page's thread; a line of text {span(page.plain)}")
    print(f"  {span(page.throttled)} with Chromium's throttling, which counts waiting as work")
    kinds = {name for visit in page.visits for name in visit} - {"total"}
    medians = {name: median_time(page.visits, name) for name in kinds}
    for name in sorted(medians, key=medians.get, reverse=True)[:KINDS]:
        print(f"  {medians[name]:6.1f} ms {name}")


def span(visits):
    totals = [visit["total"] for visit in visits]
    return f"{median_time(visits):.0f} ms ({min(totals):.0f} to {max(totals):.0f})"
