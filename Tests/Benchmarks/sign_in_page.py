"""What the sign-in page costs the processor of a phone, from the navigation until a number can be typed.

Chromium's own trace tells it, with the page's thread slowed down as its developer tools do it. Only processor time of
this thread counts, so other programs hardly change the result.
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
    """Milliseconds of visits, each by kind of work, with their `total`."""

    visits: list = field(default_factory=list)

    @property
    def milliseconds(self):
        return statistics.median(visit["total"] for visit in self.visits)


def measure_sign_in_page(deployment):
    """Each visit is a first one: it has no cache."""
    url = f"http://127.0.0.1:{deployment.ports['dialtone']}/__/auth/sign-in?apiKey={API_KEY}&hl=en"
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
        visit = json.dumps({"url": url, "trace": READY, "slowdown": SLOWDOWN})
        words = [sys.executable, "-B", DRIVER, port, visit]
        visits = [json.loads(subprocess.check_output(words))["mainThread"] for _ in range(1 + VISITS)]
    finally:
        chromium.stop()
    # With the first visit the browser reads its own code from the disk.
    return SignInPage(visits[1:])


def wait_for_port(file, chromium):
    for _ in range(600):
        chromium.check()
        lines = file.read_text().split("\n") if file.exists() else []
        if len(lines) > 1:
            return lines[0]
        time.sleep(0.05)
    raise SystemExit("chromium did not start within 30 seconds")


def print_sign_in_page(page):
    totals = [visit["total"] for visit in page.visits]
    print(f"\nThe sign-in page until a number can be typed, with the page's thread {SLOWDOWN} times slower")
    print(f"  {page.milliseconds:.0f} ms of the thread ({min(totals):.0f} to {max(totals):.0f}); of them")
    kinds = {name for visit in page.visits for name in visit} - {"total"}
    medians = {name: statistics.median(visit.get(name, 0) for visit in page.visits) for name in kinds}
    for name in sorted(medians, key=medians.get, reverse=True)[:KINDS]:
        print(f"  {medians[name]:6.1f} ms {name}")
