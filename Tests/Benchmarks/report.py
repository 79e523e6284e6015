"""Prints the figures, the goals, and where the rest of the time goes."""

import statistics
from dataclasses import dataclass, field

from accounts import AccountResults
from load import CONNECTIONS, median, microseconds, processor_count
from redis_cost import CLUSTERS, OPERATIONS, RedisCost
from sign_in_page import SignInPage, median_time, print_sign_in_page
from signing import SigningLoad
from web_sign_in import BROWSERS, WebSignIn, print_web_sign_in
from worker_cost import WorkerCost, print_costs

SEND_GOAL, SIGN_IN_GOAL, TOKEN_GOAL = 0.95, 0.70, 0.80
WEB_GOAL = 14  # round trips of a first sign-in
PAGE_GOAL = 150  # ms of the page's main thread, calculated and throttled
MEMORY_GOAL, LOADED_MEMORY_GOAL = 18, 22  # MiB
VERIFICATION_GOAL = 15_000  # per second of CPU time, including nginx's
INSTRUCTION_GOALS = {"send": 300_000, "sign-in": 560_000, "token": 400_000}
REDIS_SEND_GOAL, REDIS_SIGN_IN_GOAL = 3.0, 5.5  # times the floor
ACCOUNT_GOAL = 450  # bytes of Redis's memory
LOOKUP_GOAL = 1.2  # times the p99 among few accounts


@dataclass
class Results:
    """Loads in the order of their rounds."""

    sends: dict = field(default_factory=lambda: {"constant": [], "floor": [], "dialtone": []})
    reentered: dict = field(default_factory=lambda: {"floor": [], "dialtone": []})
    sign_ins: list = field(default_factory=list)
    refreshes: list = field(default_factory=list)
    pages: dict = field(default_factory=lambda: {"open": [], "new": [], "known": []})
    verifications_per_second: list = field(default_factory=list)
    sign_ins_among_accounts: SigningLoad | None = None
    web_sign_in: WebSignIn = field(default_factory=WebSignIn)
    sign_in_page: SignInPage = field(default_factory=SignInPage)
    redis_costs: dict[int, RedisCost] = field(default_factory=dict)  # by number of nodes
    worker_costs: dict[str, WorkerCost] = field(default_factory=dict)  # by the name of the request
    accounts: AccountResults = field(default_factory=AccountResults)
    memory_at_start: list = field(default_factory=list)
    memory_after_load: list = field(default_factory=list)


def rate_ratio(loads, compared):
    """The median of the ratios in each round."""
    return statistics.median(load.rate / other.rate for load, other in zip(loads, compared))


def signing_ratio(measured):
    return statistics.median(each.ratio for each in measured)


def signature_rate(measured):
    return statistics.median(each.signatures_per_second for each in measured)


def signing_loads(measured):
    return [each.load for each in measured]


def print_report(results):
    everything = [load for loads in all_loads(results) for load in loads]
    print(f"\n{CONNECTIONS} connections, {processor_count()} processors; medians of the rounds.")
    print("The processor time is that of all processes of a kind, in µs a request.\n")
    print(f"{'':38}{'requests/s':>11}{'p50 ms':>8}{'p99 ms':>8}{'program':>9}{'nginx':>7}{'Redis':>7}  ratio")
    floor = results.sends["floor"]
    print_row("nginx, a constant", results.sends["constant"], "")
    print_row("C program, the same EVALSHA", floor, to_constant(results, "floor"))
    ratios = f"{to_floor(results):.0%} of C, {to_constant(results, 'dialtone')}"
    print_row("sendVerificationCode", results.sends["dialtone"], ratios)
    print_row("C program, re-entered", results.reentered["floor"], "")
    ratio = rate_ratio(results.reentered["dialtone"], results.reentered["floor"])
    print_row("sendVerificationCode, re-entered", results.reentered["dialtone"], f"{ratio:.0%} of C")
    sign_ins, refreshes = (signing_ratio(measured) for measured in (results.sign_ins, results.refreshes))
    print_row("signInWithPhoneNumber", signing_loads(results.sign_ins), f"{sign_ins:.0%} of openssl")
    print_row("token", signing_loads(results.refreshes), f"{refreshes:.0%} of openssl")

    pages = results.pages
    print_row("nginx, a page behind a constant 204", pages["open"], "")
    for kind in ("new", "known"):
        ratio = rate_ratio(pages[kind], pages["open"])
        print_row(f"a page behind an ID token, {kind}", pages[kind], f"{ratio:.0%} of 204")

    rate = signature_rate(results.sign_ins + results.refreshes)
    print(f"\nopenssl speed rsa2048: {rate:.0f} signatures/s a processor, {1e6 / rate:.0f} µs each")
    print_memory("idle worker after its start", results.memory_at_start)
    print_memory("idle worker after the load", results.memory_after_load)

    print("\nWhere the rest goes")
    print_processor("C program", floor)
    print_processor("sendVerificationCode", results.sends["dialtone"])
    with_floor, with_dialtone = (microseconds(results.sends[name], all_programs) for name in ("floor", "dialtone"))
    print(
        f"  {'':24}{with_dialtone:6.0f} µs with nginx and Redis, {with_floor:.0f} µs with the C program: "
        f"{with_floor / with_dialtone:.0%} of its rate where processors are all that counts"
    )
    print_processor("signInWithPhoneNumber", signing_loads(results.sign_ins), 1e6 / signature_rate(results.sign_ins))
    print_processor("token", signing_loads(results.refreshes), 1e6 / signature_rate(results.refreshes))

    print_verifications(results)

    print_costs(results.worker_costs)
    print_redis_costs(results.redis_costs)
    print_web_sign_in(results.web_sign_in)
    print_sign_in_page(results.sign_in_page)
    print_accounts(results)

    print("\nGoals")
    print_share("sendVerificationCode, of the C program's rate", to_floor(results), SEND_GOAL)
    print_share("signInWithPhoneNumber, of openssl's", sign_ins, SIGN_IN_GOAL)
    print_share("token, of openssl's", refreshes, TOKEN_GOAL)
    print_rate("known ID tokens, of a processor with nginx", verified_per_processor(pages["known"]), VERIFICATION_GOAL)
    for name, goal in INSTRUCTION_GOALS.items():
        count = results.worker_costs[name].instructions
        print_goal(f"a worker's instructions, {name}", f"≤ {goal:,}", f"{count:,.0f}", count <= goal)
    cost = results.redis_costs[1]
    trips = max(results.web_sign_in.first[kind.name].total.round_trips for kind in BROWSERS)
    print_goal("round trips of a first web sign-in", f"≤ {WEB_GOAL}", trips, trips <= WEB_GOAL)
    page = results.sign_in_page
    for name, visits in [("the sign-in page's work", page.visits), ("its thread, throttled", page.throttled)]:
        milliseconds = median_time(visits)
        print_goal(name, f"≤ {PAGE_GOAL} ms", f"{milliseconds:.0f} ms", milliseconds <= PAGE_GOAL)
    print_times("Redis, a send, of the floor", cost.ratio("send"), REDIS_SEND_GOAL)
    sign_in = cost.ratio("answer", "record-sign-in")
    print_times("Redis, a sign-in, of the floor", sign_in, REDIS_SIGN_IN_GOAL)
    accounts = results.accounts
    is_met = accounts.bytes_each <= ACCOUNT_GOAL
    print_goal("Redis's memory of an account", f"≤ {ACCOUNT_GOAL} B", f"{accounts.bytes_each:.0f} B", is_met)
    if accounts.imported:
        print_times("p99 of number to account, of that among few", lookup_ratios(accounts)[1], LOOKUP_GOAL)
    print_size("resident memory of an idle worker", results.memory_at_start, MEMORY_GOAL)
    print_size("resident memory of a worker after the load", results.memory_after_load, LOADED_MEMORY_GOAL)

    others = statistics.mean(load.others_share for load in everything)
    if others > 0.05:
        print(f"\nOther programs and machines took {others:.0%} of the processors meanwhile:")
        print("trust the ratios, not the rates.")


def all_loads(results):
    signing = results.sign_ins + results.refreshes + [results.sign_ins_among_accounts]
    return [*results.sends.values(), *results.pages.values(), *results.reentered.values(), signing_loads(signing)]


def all_programs(load):
    return load.program.total + load.nginx.total + load.redis.total


def to_floor(results):
    return rate_ratio(results.sends["dialtone"], results.sends["floor"])


def to_constant(results, server):
    return f"{rate_ratio(results.sends[server], results.sends['constant']):.0%} of nginx"


def print_row(name, loads, ratio):
    rate, p50, p99 = (median(loads, of) for of in (lambda a: a.rate, lambda a: a.p50_ms, lambda a: a.p99_ms))
    program, nginx, redis = (
        microseconds(loads, of) for of in (lambda a: a.program.total, lambda a: a.nginx.total, lambda a: a.redis.total)
    )
    print(f"{name:38}{rate:11.0f}{p50:8.2f}{p99:8.2f}{program:9.0f}{nginx:7.0f}{redis:7.0f}  {ratio}")


def print_processor(name, loads, signature=None):
    user, system = (microseconds(loads, of) for of in (lambda a: a.program.user, lambda a: a.program.system))
    line = f"  {name:24}{user + system:6.0f} µs a request: {system:4.0f} in the kernel, "
    if signature:
        line += f"{signature:4.0f} the signature by OpenSSL's measure, {user - signature:4.0f} the program's own"
    else:
        line += f"{user:4.0f} the program's own"
    print(line)


def verified_per_processor(loads):
    """Verifications per second of CPU time, of workers and nginx together."""
    return statistics.median(load.requests / (load.program.total + load.nginx.total) for load in loads)


def print_verifications(results):
    openssl = 1e6 / statistics.median(results.verifications_per_second)
    print_processor("a new ID token", results.pages["new"])
    print(f"  {'':24}{openssl:6.0f} µs of them the verification by OpenSSL's measure")
    print_processor("a known ID token", results.pages["known"])


def print_memory(name, memories):
    largest = max(memories, key=lambda each: each.resident)
    print(
        f"{name}: {largest.resident:.1f} MiB resident ({largest.own:.1f} its own, {largest.files:.1f} of files), "
        f"{largest.share:.1f} MiB with shared pages divided"
    )


def print_accounts(results):
    accounts = results.accounts
    print(f"\n{accounts.count:,} accounts with a number")
    if accounts.imported:
        imported = accounts.imported / accounts.import_seconds
        print(f"  {accounts.imported:,} of them imported in {accounts.import_seconds:.0f} s ({imported:,.0f}/s)")
    exported = accounts.count / accounts.export_seconds
    print(f"  exported in {accounts.export_seconds:.0f} s ({exported:,.0f}/s, {accounts.export_bytes / 1e6:,.0f} MB)")
    parts = ", ".join(f"{size:.0f} {name}" for name, size in accounts.bytes_by_kind.items())
    rest = accounts.bytes_each - sum(accounts.bytes_by_kind.values())
    print(f"  {accounts.bytes_each:.0f} bytes of Redis's memory each: {parts}, {rest:.0f} tables of keys")
    for longest, size in accounts.password_bytes.items():
        print(f"  {size:.0f} bytes for account and address with a password, where hash-max-listpack-value is {longest}")
    for count, (p50, p99) in sorted(accounts.lookups.items()):
        print(f"  from number to account among {count:,}: p50 {p50:.0f} µs, p99 {p99:.0f} µs")
    if accounts.imported:
        p50, p99 = lookup_ratios(accounts)
        few, many = sorted(accounts.lookups)
        print(f"  {many:,} against {few:,}: {p50:.2f} times the p50, {p99:.2f} times the p99")
    rewritten, restarted = accounts.rewrite_seconds, accounts.restart_seconds
    print(f"  append-only file ({accounts.append_only_bytes / 1e6:,.0f} MB) rewritten in {rewritten:.1f} s")
    print(f"  loaded by a restarted Redis in {restarted:.1f} s")
    sign_ins = results.sign_ins_among_accounts
    rates = f"{sign_ins.load.rate:.0f}/s, {sign_ins.ratio:.0%} of openssl"
    print(f"  signInWithPhoneNumber among them: {rates}; p99 {sign_ins.load.p99_ms:.2f} ms")


def lookup_ratios(accounts):
    """p50 and p99 among all accounts, of those among few."""
    few, many = sorted(accounts.lookups)
    return [accounts.lookups[many][i] / accounts.lookups[few][i] for i in range(2)]


def print_redis_costs(costs):
    cost = costs[1]
    print("\nRedis's processor time by script; in clusters, the sum of all nodes")
    for name in OPERATIONS:
        clusters = "".join(f", {costs[count].median(name):.1f} µs on {count} nodes" for count in CLUSTERS)
        print(f"  {name:24}{cost.median(name):6.1f} µs, {cost.ratio(name):.2f} times the floor{clusters}")
    print(f"  {'memory of a send':24}{cost.bytes_of_send:6.0f} bytes")


def print_times(name, ratio, goal):
    print_goal(name, f"≤ {goal}", f"{ratio:.2f}", ratio <= goal)


def print_share(name, share, goal):
    print_goal(name, f"≥ {goal:.0%}", f"{share:.1%}", share >= goal)


def print_rate(name, rate, goal):
    print_goal(name, f"≥ {goal}/s", f"{rate:.0f}/s", rate >= goal)


def print_size(name, memories, goal):
    resident = max(each.resident for each in memories)
    print_goal(name, f"≤ {goal} MiB", f"{resident:.1f} MiB", resident <= goal)


def print_goal(name, goal, reached, is_met):
    print(f"  {name:48}{goal:>10}{reached:>12}  {'met' if is_met else 'MISSED'}")
