"""What the sign-in page costs the processor of a phone, from the navigation until a number can be typed.

Chromium's own trace tells how much processor time the page's thread takes. A phone's processor takes SLOWDOWN times as
much, so the times are multiplied. The throttling of Chromium's developer tools does the same to a thread that computes.
It also keeps a thread busy that waits: a synchronous request of 100 ms takes 1 ms of the processor, and 60 to 90 with
throttling. So the throttled time includes what the page's thread waits for, such as fonts and storage, and more of it
if other programs use the processors. The goal is for both.
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
KINDS = 6  # that are shown


@dataclass
class SignInPage:
    """Milliseconds of visits on the slower processor, each by kind of work, with their `total`."""

    visits: list = field(default_factory=list)
    # Of a document that is a line of text.
    plain: list = field(default_factory=list)
    throttled: list = field(default_factory=list)


def median_time(visits, kind="total"):
    return statistics.median(visit.get(kind, 0) for visit in visits)


def measure_sign_in_page(deployment):
    """Each visit is a first one: it has no cache."""
    server = f"http://127.0.0.1:{deployment.ports['dialtone']}"
    page = {"url": f"{server}/__/auth/sign-in?apiKey={API_KEY}&hl=en", "trace": READY}
    plain = {"url": f"{server}/healthz", "trace": "document.body"}
    profile = deployment.folder / "chromium"
    chromium = Child(
        "chromium",
        "chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-sync "
        "--disable-background-networking --disable-component-update --remote-debugging-port=0".split()
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
    # In the first round the browser reads its own code from the disk.
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
