"""Redis's CPU time for each script of a sign-in, compared with a script that does only the minimum of a send.

MONITOR shows the calls that a worker makes for one send and one sign-in. The calls are then repeated thousands of times
without workers, on as many connections as in the other comparisons. Values that belong to one request (ids, hashes,
shards, times) differ in each call. The same calls are made to clusters, each to the node of its key's slot.
"""

import binascii
import hashlib
import random
import re
import statistics
import string
import subprocess
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from load import CONNECTIONS
from packed import Packed, packed, plain, unpacked
from redis_client import RedisClient, encode
from redis_servers import SLOTS, RedisCluster, node_of

FLOOR = (Path(__file__).resolve().parent / "floor.lua").read_bytes()
FLOOR_DIGEST = hashlib.sha1(FLOOR).hexdigest()
# The reply that each operation must get.
OUTCOMES = {
    "floor": b"opened",
    "send": b"opened",
    "answer": b"right",
    "record-sign-in": b"signed-in",
}
OPERATIONS = tuple(OUTCOMES)
CALLS, ROUNDS = 2000, 8
CLUSTERS = (2, 3)  # numbers of nodes
# The networks, the series, and the blocks of a series, that take turns; each send has its own number.
NETWORKS, SERIES, BLOCKS = 500, 400, 10

QUOTED = re.compile(rb'"((?:[^"\\]|\\.)*)"')
ESCAPED = re.compile(rb"\\(x[0-9a-f]{2}|.)")
ESCAPES = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b"}
# Values that may belong to one request: hashes, ids, references and times; and shards.
TOKEN = re.compile(rb"[A-Za-z0-9_-]{12,}")
SHARD = re.compile(rb"\{u/\d+\}")
NETWORK = re.compile(rb"(?<=:rate:send:)([A-Za-z0-9_-]{22})(?=:)")
RANGE_KEY = re.compile(rb"dt:\{[^}]+\}:range:(series|block):(.+)")
HASH_TAG = re.compile(rb"\{([^}]+)\}")
TIME = re.compile(rb"\d{13}")
SHARDS = 64


@dataclass
class RedisCost:
    """CPU time of each operation in µs, one figure per round, and the memory that a send takes, in bytes."""

    microseconds: dict = field(default_factory=lambda: {name: [] for name in OPERATIONS})
    bytes_of_send: float = 0

    def median(self, name):
        return statistics.median(self.microseconds[name])

    def ratio(self, *names):
        """The median of the ratios to the floor in each round."""
        rounds = zip(self.microseconds["floor"], *(self.microseconds[name] for name in names))
        return statistics.median(sum(costs) / floor for floor, *costs in rounds)


def measure_redis_costs(deployment, traffic):
    """The costs by number of nodes: of the single server, and of clusters."""
    calls = captured_calls(deployment, traffic)
    traffic.forget()
    with ExitStack() as stack:
        meters = {1: Meter([deployment.redis_socket])}
        for count in CLUSTERS:
            cluster = stack.enter_context(RedisCluster(deployment.folder / f"cluster-of-{count}", count))
            meters[count] = Meter(cluster.sockets, calls["scripts"])
        for meter in meters.values():
            stack.callback(meter.close)
        return measure(meters, calls)


def measure(meters, calls):
    results = {count: RedisCost() for count in meters}
    for _ in range(ROUNDS):
        requests = [OwnValues(calls) for _ in range(CALLS)]
        for name, outcome in OUTCOMES.items():
            if name == "floor":
                trips = [[[floor_call(request)]] for request in requests]
            else:
                trips = [own_calls(calls[name], request) for request in requests]
            for count, meter in meters.items():
                used = meter.number("memory", "used_memory")
                results[count].microseconds[name].append(meter.run(trips, outcome))
                if name == "send":
                    used = meter.number("memory", "used_memory") - used
                    results[count].bytes_of_send += used / CALLS / ROUNDS
    return results


def own_calls(trips, request):
    return [[encode(*(packed(request.replace(word)) for word in words)) for words in trip] for trip in trips]


class OwnValues:
    """The values of one request, which replace those of the captured request."""

    def __init__(self, calls):
        self.shards = {}
        self.tokens = {}
        self.own, self.captured = calls["own"], calls["captured"]
        self.now = int(time.time() * 1000)
        self.network, series = random.randrange(NETWORKS), random.randrange(SERIES)
        captured_series, captured_block = calls["series"]
        self.series = (
            (captured_series, b"%b%04d" % (captured_series[:-4], series)),
            (captured_block, b"%b%04d" % (captured_block[:-4], series * BLOCKS + random.randrange(BLOCKS))),
        )

    def replace(self, word):
        if isinstance(word, Packed):
            return Packed(map(self.replace, word), word.is_list)
        word = TOKEN.sub(self._token, SHARD.sub(self._shard, word))
        word = NETWORK.sub(lambda found: b"%b%04d" % (found[1][:-4], self.network), word)
        for captured, own in self.series:
            word = word.replace(captured, own)
        # The ledger is divided by the last character of the series.
        return word[:-1] + self.series[0][1][-1:] if b":ledger:" in word else word

    def _shard(self, found):
        if found[0] not in self.shards:
            self.shards[found[0]] = b"{u/%d}" % random.randrange(SHARDS)
        return self.shards[found[0]]

    def _token(self, found):
        token = found[0]
        if token not in self.own:
            return token
        if TIME.fullmatch(token):
            return b"%d" % (int(token) + self.now - self.captured)
        if token not in self.tokens:
            self.tokens[token] = bytes(map(another, token))
        return self.tokens[token]


def another(byte):
    """A random byte of the same kind."""
    for kind in (string.digits, string.ascii_uppercase, string.ascii_lowercase):
        if chr(byte) in kind:
            return ord(random.choice(kind))
    return byte


def floor_call(request):
    token = "".join(random.choices(string.ascii_letters, k=22))
    keys = [f"floor:{{demo}}:lock:{token}", f"floor:{{demo}}:session:{token}", "floor:{demo}:outbox"]
    return encode("EVALSHA", FLOOR_DIGEST, 3, *keys, token, b"\1" * 41, "demo-dialtone", request.now)


class Nodes:
    """A client of each node, as one."""

    def __init__(self, paths):
        self.clients = [RedisClient(path) for path in paths]

    def close(self):
        for client in self.clients:
            client.close()

    def send(self, calls):
        parts = [[] for _ in self.clients]
        for call in calls:
            parts[self._node(call)].append(call)
        for client, part in zip(self.clients, parts):
            if part:
                client.send(part)

    def receive(self, calls):
        """The replies to calls that were sent, in their order."""
        return [self.clients[self._node(call)].receive(1)[0] for call in calls]

    def _node(self, call):
        if len(self.clients) == 1:
            return 0
        # Before the first key, a call has no braces.
        return node_of(binascii.crc_hqx(HASH_TAG.search(call)[1], 0) % SLOTS, len(self.clients))


class Meter:
    def __init__(self, paths, scripts=()):
        self.connections = [Nodes(paths) for _ in range(CONNECTIONS)]
        self.nodes = self.connections[0].clients
        for node in self.nodes:
            node.run([encode("SCRIPT", "LOAD", script) for script in (FLOOR, *scripts)])

    def close(self):
        for connection in self.connections:
            connection.close()

    def number(self, section, name):
        """The sum of a field of INFO."""
        return sum(node.number(section, name) for node in self.nodes)

    def run(self, operations, outcome):
        """Returns Redis's CPU time per operation in µs. An operation is a list of round trips with their calls.

        If there is an outcome, one reply of each operation must be the outcome or begin with it.
        """
        start = self._seconds()
        for first in range(0, len(operations), CONNECTIONS):
            group = list(zip(self.connections, operations[first : first + CONNECTIONS]))
            outcomes = [[] for _ in group]
            for number in range(len(operations[first])):
                for connection, trips in group:
                    connection.send(trips[number])
                for (connection, trips), found in zip(group, outcomes):
                    replies = connection.receive(trips[number])
                    found += [reply[0] if isinstance(reply, list) else reply for reply in replies]
            for found in outcomes:
                if outcome and outcome not in found:
                    raise SystemExit(f"Redis replied {found!r}, not {outcome!r}")
        return (self._seconds() - start) / len(operations) * 1e6

    def _seconds(self):
        fields = ("used_cpu_user_main_thread", "used_cpu_sys_main_thread")
        return sum(float(node.field("cpu", name)) for node in self.nodes for name in fields)


def captured_calls(deployment, traffic):
    """The round trips by operation, under "own" the parts of them that another request does not have, and the scripts.
    """
    # From then on, Redis has all scripts.
    traffic.forget()
    deployment.redis_command("SCRIPT", "FLUSH")
    with Monitor(deployment) as monitor:
        traffic.sign_in("+16505550100")
        scripts = monitor.loaded_scripts(deployment)
    captured = int(time.time() * 1000)
    numbers = ("+16505550101", "+16505550102")
    first, second = (capture(deployment, traffic, number) for number in numbers)

    def tokens(calls):
        return {
            token
            for trips in calls.values()
            for trip in trips
            for words in trip
            for word in plain(words)
            for token in TOKEN.findall(word)
        }

    own = tokens(first) - tokens(second)
    return first | {"own": own, "captured": captured, "series": series(first["send"][0]), "scripts": scripts}


def series(calls):
    """The hashes of the series and the block that a send counts."""
    keys = (RANGE_KEY.fullmatch(word) for word in calls[0] if not isinstance(word, Packed))
    hashes = {key[1]: key[2] for key in keys if key}
    return hashes[b"series"], hashes[b"block"]


def capture(deployment, traffic, number):
    """The calls of a new user's sign-in, by operation and round trip; of the next sign-in; and of a refresh."""
    traffic.forget()
    calls = {}
    with Monitor(deployment) as monitor:
        traffic.sign_in(number)
        for words in monitor.calls():
            keys = words[3 : 3 + int(words[2])]
            if any(b":outbox" in key for key in keys):
                calls["send"] = [[words]]
            elif any(b":sess:" in key for key in keys):
                calls["answer"] = [[words]]
            else:
                calls["record-sign-in"] = [[words]]
                break
        token = traffic.sign_in(number)
        calls["record-known"] = [[next(words for words in monitor.calls() if is_of_user(words))]]
        traffic.refresh(token)
        calls["refresh"] = [[next(words for words in monitor.calls() if is_of_user(words))]]
    return calls


def is_of_user(words):
    """Whether a script's keys are those of an account."""
    return b":user:" in words[3] or b":session:" in words[3]


class Monitor:
    """Shows the scripts that Redis executes."""

    def __init__(self, deployment):
        words = ["redis-cli", "-s", deployment.redis_socket, "MONITOR"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE)

    def __enter__(self):
        self.process.stdout.readline()  # from then on it shows every command
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()

    def calls(self):
        """The words of each call since the last one."""
        return ([unpacked(word) for word in words] for words in self._commands() if words[0] == b"EVALSHA")

    def loaded_scripts(self, deployment):
        """The scripts that were loaded since the last call."""
        deployment.redis_command("ECHO", "end")
        commands = takewhile(lambda words: words != [b"ECHO", b"end"], self._commands())
        return {words[2] for words in commands if words[:2] == [b"SCRIPT", b"LOAD"]}

    def _commands(self):
        for line in self.process.stdout:
            words = [ESCAPED.sub(unescape, word[1]) for word in QUOTED.finditer(line)]
            if words:
                yield words


def unescape(found):
    code = found[1]
    return bytes([int(code[1:], 16)]) if code[:1] == b"x" and len(code) == 3 else ESCAPES.get(code, code)
