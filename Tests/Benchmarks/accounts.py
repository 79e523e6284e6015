"""Millions of accounts: how long they take to import and export, how much memory they take, how long it takes to find a
number's account, and how long Redis takes to rewrite its append-only file and to restart from it.

They are imported as an operator would, with `dialtone users import`.
"""

import base64
import functools
import hashlib
import hmac
import json
import random
import subprocess
import time
from dataclasses import dataclass, field

from deployment import PROJECT
from redis_client import RedisClient, encode
from redis_servers import restart_seconds

FEW = 10_000
LOOKUPS, MOST_KNOWN = 20_000, 50_000
SHARDS = 64
PASSWORD_ACCOUNTS = 20_000
PASSWORD = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"
LONGEST_VALUE = 1024  # what the documentation recommends for hash-max-listpack-value


@dataclass
class AccountResults:
    count: int = 0
    imported: int = 0  # after the first few
    import_seconds: float = 0
    export_seconds: float = 0
    export_bytes: int = 0
    bytes_each: float = 0
    bytes_by_kind: dict = field(default_factory=dict)
    lookups: dict = field(default_factory=dict)  # number of accounts → (p50, p99) in µs
    password_bytes: dict = field(default_factory=dict)  # hash-max-listpack-value → bytes each
    rewrite_seconds: float = 0
    append_only_bytes: int = 0
    restart_seconds: float = 0


class Accounts:
    def __init__(self, deployment):
        self.deployment = deployment
        self.file = deployment.folder / "accounts.jsonl"
        self.redis = RedisClient(deployment.redis_socket)
        key = json.loads((deployment.folder / "keys.json").read_text())["indexKeys"][0]["key"]
        self.hash = hmac.new(base64.urlsafe_b64decode(key + "=" * (-len(key) % 4)), digestmod=hashlib.sha256)
        self.known = []

    def measure(self, count, say):
        few = min(FEW, count)
        results = AccountResults(count=count, imported=count - few)
        before = self.redis.number("memory", "used_memory")
        self._import(range(few), count)
        results.lookups[few] = self._look_up()
        if results.imported:
            say(f"importing {count} accounts")
            results.import_seconds = self._import(range(few, count), count)
        results.bytes_each = (self.redis.number("memory", "used_memory") - before) / count
        results.bytes_by_kind = self._bytes_by_kind(count)
        if results.imported:
            say(f"looking numbers up among {count} accounts")
            results.lookups[count] = self._look_up()
        say(f"exporting {count} accounts")
        results.export_seconds, results.export_bytes = self._export(count)
        return results

    def measure_passwords(self, results):
        """Measures accounts with an e-mail address and a password, which have longer values."""
        standard = int(self.redis.run([encode("CONFIG", "GET", "hash-max-listpack-value")])[0][1])
        count = min(PASSWORD_ACCOUNTS, results.count)
        for index, longest in enumerate((standard, LONGEST_VALUE)):
            self.redis.run([encode("CONFIG", "SET", "hash-max-listpack-value", longest)])
            first = results.count + index * count
            numbers = range(first, first + count)
            self._import(numbers, count, with_password=True)
            # Redis's own figures for keys, because its hash table of keys may just have grown.
            keys = []
            for number in random.sample(numbers, min(1000, count)):
                keys += [account_key(uid(number)), self._key("email", address(number))]
            sizes = self.redis.run([encode("MEMORY", "USAGE", key) for key in keys])
            results.password_bytes[longest] = 2 * sum(sizes) / len(sizes)
        self.redis.run([encode("CONFIG", "SET", "hash-max-listpack-value", standard)])

    def measure_restart(self, results):
        """Measures how long Redis takes to rewrite its append-only file, and to load the file when it starts.

        Redis is empty afterwards, so that the memory suffices for the server that loads the file.
        """

        def persistence(name):
            return self.redis.field("persistence", name)

        started = time.monotonic()
        self.redis.run([encode("CONFIG", "SET", "appendonly", "yes")])
        while persistence("aof_rewrite_in_progress") != "0" or persistence("aof_rewrite_scheduled") != "0":
            time.sleep(0.02)
        results.rewrite_seconds = time.monotonic() - started
        if persistence("aof_last_bgrewrite_status") != "ok":
            raise SystemExit("Redis could not rewrite its append-only file")
        results.append_only_bytes = int(persistence("aof_base_size"))
        self.redis.run([encode("CONFIG", "SET", "appendonly", "no")])
        self.deployment.forget()
        folder = self.deployment.folder / "restarted"
        folder.mkdir()
        (self.deployment.folder / "appendonlydir").rename(folder / "appendonlydir")
        results.restart_seconds, keys = restart_seconds(folder)
        # Each account has a key, and so has its number.
        if keys < 2 * results.count:
            raise SystemExit(f"{keys} keys were loaded for {results.count} accounts")

    def check_count(self, count):
        pages = self.redis.run([encode("KEYS", f"dt:{{u*}}:users:{PROJECT}:page:*")])[0]
        found = sum(self.redis.run([encode("ZCARD", key) for key in pages]))
        if found != count:
            raise SystemExit(f"there are {found} accounts, not {count}: not every sign-in found its own")

    def _import(self, numbers, count, with_password=False):
        """Writes a file and imports it. Returns the seconds that the import took."""
        share_known = MOST_KNOWN / max(count, MOST_KNOWN)
        with open(self.file, "w") as file:
            for number in numbers:
                account = {"localId": uid(number), "createdAt": str(int(time.time() * 1000))}
                if with_password:
                    account |= {"email": address(number), "passwordHash": PASSWORD}
                else:
                    account["phoneNumber"] = phone_number(number)
                    if number < FEW or random.random() < share_known:
                        self.known.append((phone_number(number), account["localId"]))
                file.write(json.dumps(account) + "\n")
        return self._dialtone("import", self.file)

    def _export(self, count):
        output = self.deployment.folder / "exported.jsonl"
        seconds = self._dialtone("export", "--with-password-hashes", "--output", output)
        with open(output, "rb") as file:
            lines = sum(1 for _ in file)
        if lines != count:
            raise SystemExit(f"{lines} accounts were exported, not {count}")
        return seconds, output.stat().st_size

    def _dialtone(self, *words):
        settings = ["--config", self.deployment.folder / "dialtone.conf"]
        started = time.monotonic()
        finished = subprocess.run(
            [self.deployment.dialtone, "users", *words, *settings],
            capture_output=True, text=True, stdin=subprocess.DEVNULL,
        )
        if finished.returncode != 0:
            raise SystemExit(f"dialtone users {words[0]}: {finished.stderr.strip()[-400:]}")
        return time.monotonic() - started

    def _look_up(self):
        """Reads a number's claim, then its account, as a sign-in does. Returns p50 and p99 in µs."""
        times = []
        for _ in range(LOOKUPS):
            number, account = random.choice(self.known)
            identifier, user = self._key("phone", number), account_key(account)
            started = time.perf_counter()
            claim = self.redis.run([encode("GET", identifier)])[0]
            found = self.redis.run([encode("HGETALL", user)])[0]
            times.append(time.perf_counter() - started)
            if not claim or claim.decode().split(" ")[1] != account or not found:
                raise SystemExit("a number does not lead to its account")
        times.sort()
        return times[len(times) // 2] * 1e6, times[len(times) * 99 // 100] * 1e6

    def _bytes_by_kind(self, count):
        """The bytes of an account by kind of key, from Redis's own figures for a sample of keys."""
        found = {"account": [], "number": []}
        for number, account in random.sample(self.known, min(1000, len(self.known))):
            keys = (account_key(account), self._key("phone", number))
            sizes = self.redis.run([encode("MEMORY", "USAGE", key) for key in keys])
            found["account"].append(sizes[0])
            found["number"].append(sizes[1])
        lists = self.redis.run([encode("KEYS", f"dt:{{u*}}:users:{PROJECT}:*")])[0]
        listed = sum(self.redis.run([encode("MEMORY", "USAGE", key, "SAMPLES", "0") for key in lists]))
        by_kind = {name: sum(sizes) / len(sizes) for name, sizes in found.items()}
        return by_kind | {"list of accounts": listed / count}

    def _key(self, kind, identifier):
        digest = self.hash.copy()
        digest.update(kind.encode() + part(PROJECT) + part(identifier))
        digest = digest.digest()
        if kind == "phone":
            return f"dt:{{{PROJECT}}}:{kind}:{text(digest[:16])}"
        shard = int.from_bytes(digest[:8], "big") % SHARDS
        return f"dt:{{{kind[0]}{shard}}}:{kind}:{PROJECT}:{text(digest[:16])}"


def account_key(account):
    return f"dt:{{u/{fnv1a(f'{PROJECT}/{account}') % SHARDS}}}:user:{PROJECT}:{account}"


def uid(number):
    return f"user{number:024}"


def address(number):
    return f"firstname.lastname{number}@example.com"


def phone_number(number):
    """A fictional number, one of ten million: the exchange 555 of each area code, in traffic.py's order, then of the
    other codes."""
    from traffic import AREA_CODES

    codes = len(AREA_CODES)
    if number < codes * 10_000:
        return f"+1{AREA_CODES[number % codes]}555{number // codes:04}"
    return f"+1{other_codes()[number // 10_000 - codes]}555{number % 10_000:04}"


@functools.cache
def other_codes():
    from traffic import AREA_CODES

    return [code for code in (f"{code:03}" for code in range(1000)) if code not in AREA_CODES]


def part(value):
    value = value.encode()
    return b"\0" + len(value).to_bytes(4, "big") + value


def text(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def fnv1a(value):
    result = 0xCBF29CE484222325
    for byte in value.encode():
        result = (result ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return result
