"""Very many accounts: how much memory they take, and how long a number takes to lead to its account.

The accounts are made by the product's own scripts, as sign-ins by phone make them, each with a refresh token. Only what seals
a number is random here: nothing reads it.
"""

import base64
import hashlib
import hmac
import json
import os
import random
import struct
import time
from dataclasses import dataclass, field

from deployment import PROJECT
from redis_client import RedisClient, encode

FEW = 1000
BATCH = 500
LOOKUPS, SHARE_LOOKED_UP = 20_000, 0.02
SHARDS = 64
IDLE_MILLISECONDS = 400 * 86_400_000
MARK_MILLISECONDS = 3_600_000
SEAL_BYTES = 1 + 12 + 16  # key, nonce, tag
PASSWORD_ACCOUNTS = 20_000
PASSWORD_BYTES = SEAL_BYTES + len("$argon2id$v=19$m=19456,t=2,p=1$") + 22 + 1 + 43
ADDRESS_BYTES = SEAL_BYTES + len("firstname.lastname@example.com")
LONGEST_VALUE = 1024  # what the documentation recommends for hash-max-listpack-value


@dataclass
class AccountResults:
    count: int = 0
    load_seconds: float = 0
    bytes_each: float = 0
    bytes_by_kind: dict = field(default_factory=dict)
    lookups: dict = field(default_factory=dict)  # how many accounts → (p50, p99) in µs
    password_bytes: dict = field(default_factory=dict)  # hash-max-listpack-value → bytes each


class Accounts:
    def __init__(self, deployment):
        self.redis = RedisClient(deployment.redis_socket)
        key = json.loads((deployment.folder / "keys.json").read_text())["indexKey"]
        self.hash = hmac.new(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)), digestmod=hashlib.sha256)
        self.claim = self.redis.load("claim-identifier.lua")
        self.record = self.redis.load("account-changes.lua", "record-sign-in.lua")
        self.known = []

    def measure(self, count, say):
        results = AccountResults(count=count)
        few = min(FEW, count)
        before = self.redis.number("memory", "used_memory")
        self._make(range(few))
        results.lookups[few] = self._look_up()
        say(f"making {count} accounts")
        started = time.monotonic()
        self._make(range(few, count))
        results.load_seconds = time.monotonic() - started
        results.bytes_each = (self.redis.number("memory", "used_memory") - before) / count
        results.bytes_by_kind = self._bytes_by_kind(count)
        say(f"looking numbers up among {count} accounts")
        results.lookups[count] = self._look_up()
        return results

    def measure_passwords(self, results):
        """Accounts with an e-mail address and a password, which have longer values."""
        standard = int(self.redis.run([encode("CONFIG", "GET", "hash-max-listpack-value")])[0][1])
        count = min(PASSWORD_ACCOUNTS, results.count)
        for index, longest in enumerate((standard, LONGEST_VALUE)):
            self.redis.run([encode("CONFIG", "SET", "hash-max-listpack-value", longest)])
            before = self.redis.number("memory", "used_memory")
            first = results.count + index * count
            self._make(range(first, first + count), with_password=True)
            results.password_bytes[longest] = (self.redis.number("memory", "used_memory") - before) / count
        self.redis.run([encode("CONFIG", "SET", "hash-max-listpack-value", standard)])

    def check_count(self, count):
        lists = self.redis.run([encode("KEYS", f"dt:{{u*}}:users:{PROJECT}")])[0]
        found = sum(self.redis.run([encode("ZCARD", key) for key in lists]))
        if found != count:
            raise SystemExit(f"there are {found} accounts, not {count}: not every sign-in found its own")

    def _make(self, numbers, with_password=False):
        """While Redis does a batch the next one is written."""
        pending = 0
        commands = []
        for number in numbers:
            commands += self._sign_up(number, with_password)
            if len(commands) >= BATCH:
                self.redis.send(commands)
                self.redis.receive(pending)
                pending, commands = len(commands), []
        self.redis.send(commands)
        self._check(self.redis.receive(pending + len(commands)))

    @staticmethod
    def _check(answers):
        if any(isinstance(answer, list) and answer[:2] != [b"signed-in", 1] for answer in answers):
            raise SystemExit("an account was not made")

    def _sign_up(self, number, with_password):
        """The two steps of a sign-up; what RedisStore would name the keys."""
        kind = "email" if with_password else "phone"
        identifier = self._identifier(kind, phone_number(number))
        random_bytes = os.urandom(82)
        uid = base64.b32encode(random_bytes[:18])[:28].decode()
        claim = f"{int(time.time())}-{text(random_bytes[18:24])}"
        token = text(random_bytes[24:56])
        user = f"dt:{{u{fnv1a(f'{PROJECT}/{uid}') % SHARDS}}}"
        now = int(time.time() * 1000)
        sealed = random_bytes[:41] if not with_password else os.urandom(ADDRESS_BYTES)
        changes = ["2", "password", os.urandom(PASSWORD_BYTES), "password-updated", now] if with_password else ["0"]
        if not with_password and (len(self.known) < FEW or random.random() < SHARE_LOOKED_UP):
            self.known.append((identifier, f"{user}:user:{PROJECT}:{uid}"))
        return [
            encode("EVALSHA", self.claim, 1, identifier, "", f"{claim} {uid}"),
            encode(
                "EVALSHA", self.record, 5, f"{user}:user:{PROJECT}:{uid}", f"{user}:users:{PROJECT}",
                f"{user}:refresh:{PROJECT}:{token}", f"{user}:refreshes:{PROJECT}:{uid}", f"{user}:deleted:{PROJECT}:{uid}",
                now, uid, "password" if with_password else "phone", IDLE_MILLISECONDS, token, 100, text(random_bytes[56:72]),
                now, "", MARK_MILLISECONDS, kind, claim, 1, sealed, 0, "", *changes,
            ),
        ]

    def _identifier(self, kind, identifier):
        digest = self.hash.copy()
        digest.update(kind.encode() + part(PROJECT) + part(identifier))
        digest = digest.digest()
        shard = int.from_bytes(digest[:8], "big") % SHARDS
        return f"dt:{{{kind[0]}{shard}}}:{kind}:{PROJECT}:{text(digest[:16])}"

    def _look_up(self):
        """What a number leads to and that account, one after the other as a sign-in asks for them; p50 and p99 in µs."""
        times = []
        for _ in range(LOOKUPS):
            identifier, user = random.choice(self.known)
            started = time.perf_counter()
            claim = self.redis.run([encode("GET", identifier)])[0]
            account = self.redis.run([encode("HGETALL", user)])[0]
            times.append(time.perf_counter() - started)
            if not claim or not user.endswith(claim.decode().split(" ")[1]) or not account:
                raise SystemExit("a number does not lead to its account")
        times.sort()
        return times[len(times) // 2] * 1e6, times[len(times) * 99 // 100] * 1e6

    def _bytes_by_kind(self, count):
        """By Redis's own measure of some accounts' keys."""
        found = {"account": [], "number": []}
        for identifier, user in random.sample(self.known, min(1000, len(self.known))):
            sizes = self.redis.run([encode("MEMORY", "USAGE", key) for key in (user, identifier)])
            found["account"].append(sizes[0])
            found["number"].append(sizes[1])
        lists = self.redis.run([encode("KEYS", f"dt:{{u*}}:users:{PROJECT}")])[0]
        listed = sum(self.redis.run([encode("MEMORY", "USAGE", key, "SAMPLES", "0") for key in lists]))
        by_kind = {name: sum(sizes) / len(sizes) for name, sizes in found.items()}
        return by_kind | {"list of accounts": listed / count}


def phone_number(number):
    """Fictional: the exchange 555 of each area code, in the order in which traffic.py takes them, then of codes that nobody has."""
    from traffic import AREA_CODES

    codes = len(AREA_CODES)
    if number < codes * 10_000:
        return f"+1{AREA_CODES[number % codes]}555{number // codes:04}"
    return f"+1{number // 10_000:03}555{number % 10_000:04}"


def part(value):
    value = value.encode()
    return b"\0" + struct.pack(">I", len(value)) + value


def text(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def fnv1a(value):
    result = 0xCBF29CE484222325
    for byte in value.encode():
        result = (result ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return result
