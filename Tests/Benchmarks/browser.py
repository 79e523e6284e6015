"""What a browser sends for a page's requests, with preflights and caches as in the Fetch standard and RFC 9111.

It implements only what these requests need: no cookies, redirects or ranges. The caller sets the clock.
"""

import copy
import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from http2_client import Answer, Connection

PAGE_ORIGIN = "https://app.example.com"
SAFE_HEADERS = ("accept", "accept-language", "content-language")
SAFE_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
SAFE_METHODS = ("GET", "HEAD", "POST")
# The headers that Chromium adds to each request of a page.
CONSTANT_HEADERS = [
    (
        "user-agent",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36",
    ),
    ("sec-ch-ua-platform", '"Linux"'),
    ("sec-ch-ua", '"Chromium";v="143", "Not A(Brand";v="24", "Google Chrome";v="143"'),
    ("sec-ch-ua-mobile", "?0"),
    ("accept", "*/*"),
    ("origin", PAGE_ORIGIN),
    ("sec-fetch-site", "same-site"),
    ("accept-encoding", "gzip, deflate, br, zstd"),
    ("accept-language", "en-US,en;q=0.9"),
]


@dataclass
class Cost:
    """The cost of a step. Only round trips that the page waits for count."""

    round_trips: int = 0
    preflights: int = 0
    sent: int = 0
    received: int = 0

    def __add__(self, other):
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__)
        return Cost(*(one + two for one, two in pairs))


@dataclass
class Kind:
    """A kind of browser: how long it caches preflights, and whether it has stale-while-revalidate (RFC 5861)."""

    name: str
    preflight_seconds: int
    revalidates_later: bool


@dataclass
class Browser:
    kind: Kind
    port: int
    now: int = 0
    preflights: dict = field(default_factory=dict)  # URL → time of expiry, header names
    stored: dict = field(default_factory=dict)  # URL → time of storage, response
    connection: Connection | None = None
    session: object = None

    def later(self, seconds):
        """Returns the same browser some seconds later, with its caches and its TLS session."""
        return Browser(
            self.kind,
            self.port,
            self.now + seconds,
            copy.deepcopy(self.preflights),
            copy.deepcopy(self.stored),
            session=self.session,
        )

    def connect(self):
        """None of these requests has credentials, so they share a connection: a round trip each for TCP and TLS 1.3."""
        self.connection = Connection(self.port, "auth.example.com", self.session)
        return Cost(2, 0, self.connection.sent, self.connection.received)

    def disconnect(self):
        self.session = self.connection.session
        self.connection.close()

    def fetch(self, method, url, headers=(), body=None, is_script=False, is_stored=True):
        """Returns the response and its cost. `headers` are the page's, with names in lower case."""
        cost = Cost()
        unsafe = sorted(name for name, value in headers if not is_safe(name, value))
        if unsafe or method not in SAFE_METHODS:
            cost += self._preflight(method, url, unsafe)
        kind = "script" if is_script else "empty"
        own = [("sec-fetch-mode", "cors"), ("sec-fetch-dest", kind), ("priority", "u=1, i")]
        usual = [*CONSTANT_HEADERS, *own, *headers]
        # The preflight comes before the cache lookup.
        if method == "GET" and is_stored and url in self.stored:
            since, stored = self.stored[url]
            age, control = self.now - since, stored.headers.get("cache-control", "")
            if age < seconds(control, "max-age"):
                return stored, cost
            usual.append(("if-none-match", stored.headers.get("etag", "")))
            answer, asked = self._ask(method, url, [each for each in usual if each[1]], body)
            if self.kind.revalidates_later and age < seconds(control, "max-age") + seconds(
                control, "stale-while-revalidate"
            ):
                asked.round_trips = 0
        else:
            answer, asked = self._ask(method, url, usual, body)
        if answer.status == 304:
            answer = Answer(200, stored.headers | answer.headers, stored.body)
        if answer.status != 200:
            raise SystemExit(f"{url}: {answer.status} {answer.body[:200]!r}")
        self._check_origin(url, answer)
        if method == "GET" and is_stored and "no-store" not in answer.headers.get("cache-control", "no-store"):
            self.stored[url] = (self.now, answer)
        return answer, cost + asked

    def _preflight(self, method, url, unsafe):
        end, allowed = self.preflights.get(url, (0, ()))
        if self.now < end and set(unsafe) <= set(allowed):
            return Cost()
        wanted = [("access-control-request-method", method), ("access-control-request-headers", ",".join(unsafe))]
        leaves_out = ("sec-ch-ua", "sec-ch-ua-mobile", "sec-ch-ua-platform")
        usual = [each for each in CONSTANT_HEADERS if each[0] not in leaves_out]
        own = [("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty"), ("priority", "u=1, i")]
        answer, cost = self._ask("OPTIONS", url, [*usual, *own, *wanted], None)
        self._check_origin(url, answer)
        allowed = re.split(r"\s*,\s*", answer.headers.get("access-control-allow-headers", "").lower())
        if answer.status not in (200, 204) or not set(unsafe) <= set(allowed):
            raise SystemExit(f"{url}: the preflight got {answer.status} and allows {allowed}")
        told = int(answer.headers.get("access-control-max-age", 5))
        self.preflights[url] = (self.now + min(told, self.kind.preflight_seconds), allowed)
        cost.preflights = 1
        return cost

    def _ask(self, method, url, headers, body):
        parts = urlsplit(url)
        sent, received = self.connection.sent, self.connection.received
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        length = [("content-length", str(len(body)))] if body is not None else []
        answer = self.connection.request(method, parts.netloc, target, [*length, *headers], body)
        return answer, Cost(1, 0, self.connection.sent - sent, self.connection.received - received)

    @staticmethod
    def _check_origin(url, answer):
        if answer.headers.get("access-control-allow-origin") not in ("*", PAGE_ORIGIN):
            raise SystemExit(f"{url}: a browser would keep the answer from the page")


def is_safe(name, value):
    """Whether a header of the page needs no preflight (a `CORS-safelisted request-header`)."""
    if name == "content-type":
        return value.split(";")[0].strip().lower() in SAFE_TYPES
    return name in SAFE_HEADERS


def seconds(cache_control, directive):
    found = re.search(rf"(?:^|[ ,]){directive}=(\d+)", cache_control)
    return int(found[1]) if found else 0
