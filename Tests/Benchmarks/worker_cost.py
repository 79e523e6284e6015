"""Instructions and allocations of a worker in production mode for each request of a sign-in, counted by callgrind.

The counts of a send include the proof of the app: its challenge token is redeemed.
"""

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from callgrind import CALLGRIND, Profiler, calls_to, instructions, strip_debug
from deployment import Deployment
from traffic import Traffic

BUDGETS = Path(__file__).resolve().parent / "budgets"
TOLERANCE = 1.03
REQUESTS, BATCH = 40, 8
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"}
SIGNATURE = {"EVP_PKEY_sign"}
# What a worker reads once a second, so how often in a batch depends on the machine: `Store.projectSettings(of:)`,
# `Store.indexKeyState()`, `Store.memoryUse()`.
READS_OF_EACH_SECOND = {
    "$s12RedisScripts5StoreC9PhoneAuthE15projectSettings2ofAD013StoredProjectG0VSS_tAA0C11UnavailableVYKF",
    "$s12RedisScripts5StoreC13indexKeyStateAA05IndexeF0VyAA0C11UnavailableVYKF",
    "$s12RedisScripts5StoreC9memoryUseAA06MemoryE0VSgyAA0C11UnavailableVYKF",
}


@dataclass
class WorkerCost:
    """Of one request, without the RSA signature, which costs ten times as much as the rest.

    The instructions are also without what a worker reads once a second.
    """

    instructions: float
    allocations: float


def measure_worker_costs(program):
    """Returns costs by the request's name."""
    with tempfile.TemporaryDirectory(prefix="dialtone-cost-") as folder:
        stripped, profile = Path(folder) / "dialtone", Path(folder) / "profile"
        strip_debug(program, stripped)
        runner = [*CALLGRIND, f"--callgrind-out-file={profile}"]
        with Deployment(stripped, processes=1, runner=runner, mode="production") as deployment:
            traffic, profiler = Traffic(deployment), Profiler(deployment.workers[0], profile)
            _count(traffic, profiler)  # fills the worker's caches, and opens its connections
            return _count(traffic, profiler)


def _count(traffic, profiler):
    traffic.forget()
    sends = [(f"+1650555{line:04}", traffic.challenge_token()) for line in range(REQUESTS)]
    tokens = []

    def cost(use, values):
        batches = []
        for first in range(0, REQUESTS, BATCH):
            profiler.zero()
            for value in values[first : first + BATCH]:
                use(value)
            profile = profiler.dump()
            own = instructions(profile) - calls_to(profile, SIGNATURE | READS_OF_EACH_SECOND)[1]
            batches.append((own / BATCH, calls_to(profile, ALLOCATORS)[0] / BATCH))
        # The median, because the worker also has other periodic work.
        return WorkerCost(*map(statistics.median, zip(*batches)))

    return {
        "send": cost(lambda send: traffic.send(*send), sends),
        "sign-in": cost(lambda answer: tokens.append(traffic.refresh_token(answer)), traffic.answers()),
        "token": cost(traffic.refresh, tokens),
    }


def print_costs(costs):
    print("\nA worker's cost of a request, without the kernel's and the RSA signature's")
    for name, cost in costs.items():
        print(f"  {name:24}{cost.instructions:12,.0f} instructions{cost.allocations:8,.0f} allocations")


def over_budget(costs):
    """Returns a line for each count that exceeds its budget by more than the tolerance."""
    lines = (line.split() for line in BUDGETS.read_text().splitlines() if not line.startswith("#"))
    budgets = {name: WorkerCost(*map(float, counts)) for name, *counts in lines}
    excesses = []
    for name, cost in costs.items():
        for unit in ("instructions", "allocations"):
            count, budget = getattr(cost, unit), getattr(budgets[name], unit)
            if count > budget * TOLERANCE:
                excess = f"{count / budget - 1:.1%} above the budget of {budget:,.0f}"
                excesses.append(f"{name}: {count:,.0f} {unit}, {excess}")
    return excesses
