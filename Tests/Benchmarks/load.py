"""One load: wrk against one server for some seconds, with the CPU time that each program used for it."""

import json
import resource
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from processes import Processor, machine_busy_seconds, processor_time

CONNECTIONS = 16
REPLAY = Path(__file__).resolve().parent / "replay.lua"


@dataclass
class Target:
    """What to send, and where. `once`: each body is used for one request only."""

    server: str
    path: str
    bodies: Path
    once: bool
    content_type: str = "application/json"
    script: Path = REPLAY


@dataclass
class Load:
    requests: int
    rate: float
    p50_ms: float
    p99_ms: float
    program: Processor
    nginx: Processor
    redis: Processor
    others_share: float


def run_load(deployment, target, seconds):
    """Runs a load. Ends the whole benchmark if any request fails."""
    program = {"dialtone": deployment.workers, "guarded": deployment.workers, "floor": deployment.floor}.get(
        target.server, []
    )
    groups = (program, [deployment.nginx], [deployment.redis])
    url = f"http://127.0.0.1:{deployment.ports[target.server]}"
    words = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "10s", "-s", target.script, url, "--"]
    words += [target.path, target.content_type, target.bodies, "once" if target.once else "again and again"]

    started, busy, load_tool = time.monotonic(), machine_busy_seconds(), children_seconds()
    before = [processor_time(group) for group in groups]
    finished = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 60)
    used = [processor_time(group) - start for group, start in zip(groups, before)]
    load_tool = children_seconds() - load_tool
    others = machine_busy_seconds() - busy - sum(each.total for each in used) - load_tool
    available = (time.monotonic() - started) * processor_count()

    try:
        result = json.loads(finished.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise SystemExit(f"wrk failed: {finished.stdout} {finished.stderr}")
    what = f"{target.path} on {target.server}"
    if result["errors"] or "Non-2xx" in finished.stdout or not result["requests"]:
        raise SystemExit(f"{what}: not every request was answered with 2xx: {result}")
    if result["exhausted"]:
        raise SystemExit(f"{what}: {target.bodies.name} has too few bodies for this machine")
    return Load(
        requests=result["requests"],
        rate=result["requests"] / result["seconds"],
        p50_ms=result["p50"] / 1000,
        p99_ms=result["p99"] / 1000,
        program=used[0],
        nginx=used[1],
        redis=used[2],
        others_share=max(0, others / available),
    )


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_count():
    with open("/proc/stat") as lines:
        return sum(line.startswith("cpu") for line in lines) - 1


def median(loads, of):
    return statistics.median(of(load) for load in loads)


def microseconds(loads, of):
    """CPU time per request in µs; `of` picks whose."""
    return median(loads, lambda load: of(load) / load.requests * 1e6)
