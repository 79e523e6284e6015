"""A web sign-in as the Firebase JS SDK sends it: a browser's requests, round trips and bytes.

The SDK is in production mode and `connectDialtone` has set its hosts, as MovingApps.md says. Its version is 12; App
Check is not used. All requests go to a worker in production mode; the user enters the code while the connection is
still open.
"""

import base64
import hashlib
import json
from dataclasses import dataclass, field

from browser import Browser, Cost, Kind
from deployment import API_KEY
from traffic import compact, open_sessions

HOST = "https://auth.example.com"
BROWSERS = [Kind("Chromium", 7200, True), Kind("Firefox", 86_400, True), Kind("Safari", 600, False)]
LATER = {"10 minutes": 599, "90 minutes": 5400, "a day": 86_400 - 60}

# The SDK's own headers. It also sends heartbeats, with the first request of a day.
CLIENT = [
    ("x-client-version", "Chrome/JsCore/12.6.0/FirebaseCore-web"),
    ("x-firebase-gmpid", "1:123456789012:web:0123456789abcdef012345"),
    ("content-type", "application/json"),
]
AGENT = (
    "fire-core/0.14.6 fire-core-esm2020/0.14.6 fire-js/ fire-auth/1.11.1 fire-auth-esm2020/1.11.1 "
    "fire-js-all-app/12.6.0"
)
HEARTBEATS = {"version": 2, "heartbeats": [{"agent": AGENT, "dates": ["2026-11-23"]}]}


@dataclass
class Visit:
    """The costs of the steps, by name."""

    steps: dict = field(default_factory=dict)

    @property
    def total(self):
        return sum(self.steps.values(), Cost())


@dataclass
class WebSignIn:
    """Visits of each kind of browser: the first one, and later ones that follow only the first."""

    first: dict = field(default_factory=dict)
    later: dict = field(default_factory=dict)


def measure_web_sign_in(deployment):
    results = WebSignIn()
    for kind in BROWSERS:
        deployment.forget()
        browser = Browser(kind, deployment.ports["web"])
        results.first[kind.name] = visit(deployment, browser, "+16505550101")
        results.later[kind.name] = {
            name: visit(deployment, browser.later(seconds), f"+1650555{number:04}")
            for number, (name, seconds) in enumerate(LATER.items(), 102)
        }
    return results


def visit(deployment, browser, number):
    """Loads the page and signs a user in."""
    played = Visit()
    is_first_of_day = browser.now == 0

    def step(name, *request, **options):
        answer, cost = browser.fetch(*request, **options)
        played.steps[name] = cost
        return answer.body

    def sdk(name, method, path, body=None, headers=()):
        content = None if body is None else compact(body).encode()
        return step(name, method, f"{HOST}{path}key={API_KEY}", [*headers, *CLIENT], content)

    def verifier(name, body):
        # As `verifier.js` does: it sends bytes, without a Content-Type.
        return json.loads(step(name, "POST", f"{HOST}/__/auth/{name}?apiKey={API_KEY}", [], compact(body).encode()))

    played.steps["connection"] = browser.connect()
    # The SDK's own scripts are the app's, and do not count.
    step("dialtone.js", "GET", f"{HOST}/__/auth/dialtone.js", is_script=True)
    step("healthz", "GET", f"{HOST}/healthz", is_stored=False)

    beats = base64.urlsafe_b64encode(compact(HEARTBEATS).encode()).rstrip(b"=").decode()
    sdk(
        "recaptchaConfig",
        "GET",
        "/v2/recaptchaConfig?clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE&",
        headers=[("x-firebase-client", beats)] if is_first_of_day else [],
    )
    token = verifier("verify", {"solution": solved(verifier("challenge", {}))})["token"]
    sent = sdk(
        "sendVerificationCode",
        "POST",
        "/v1/accounts:sendVerificationCode?",
        {
            "phoneNumber": number,
            "clientType": "CLIENT_TYPE_WEB",
            "captchaResponse": "NO_RECAPTCHA",
            "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
            "recaptchaToken": token,
        },
    )
    session = json.loads(sent)["sessionInfo"]
    answer = {"sessionInfo": session, "code": code_of(deployment, number)}
    signed_in = sdk("signInWithPhoneNumber", "POST", "/v1/accounts:signInWithPhoneNumber?", answer)
    users = sdk("lookup", "POST", "/v1/accounts:lookup?", {"idToken": json.loads(signed_in)["idToken"]})
    if json.loads(users)["users"][0]["phoneNumber"] != number:
        raise SystemExit(f"lookup: not the user who signed in: {users[:200]!r}")
    browser.disconnect()
    return played


def solved(challenge):
    for number in range(challenge["maxnumber"] + 1):
        if hashlib.sha256(f"{challenge['salt']}{number}".encode()).hexdigest() == challenge["challenge"]:
            named = {name: challenge[name] for name in ("algorithm", "challenge", "salt", "signature")}
            return base64.b64encode(compact(named | {"number": number}).encode()).decode()
    raise SystemExit("the challenge has no solution")


def code_of(deployment, number):
    codes = [each["code"] for each in open_sessions(deployment) if each["phoneNumber"] == number]
    if len(codes) != 1:
        raise SystemExit(f"{len(codes)} codes for the number")
    return codes[0]


def print_web_sign_in(results):
    """Prints the steps of Chromium's first visit and of a later one, then the totals of all visits."""
    ages = ["first visit", "90 minutes"]
    visits = [results.first["Chromium"], results.later["Chromium"]["90 minutes"]]
    print("\nA web sign-in as the Firebase JS SDK sends it, by HTTP/2 and TLS 1.3: round trips, and bytes of TCP")
    print(f"  {'':24}" + "".join(f"{'Chromium, ' + age:>40}" for age in ages))
    print(f"  {'':24}" + f"{'round trips':>13}{'preflights':>11}{'sent':>7}{'received':>9}" * 2)
    for name in visits[0].steps:
        print(f"  {name:24}" + "".join(cost_columns(each.steps[name]) for each in visits))
    print(f"  {'sum':24}" + "".join(cost_columns(each.total) for each in visits))
    print(f"  {'round trips':24}" + "".join(f"{name:>13}" for name in ["first visit", *LATER]))
    for kind in BROWSERS:
        played = [results.first[kind.name], *results.later[kind.name].values()]
        print(f"  {kind.name:24}" + "".join(f"{each.total.round_trips:13}" for each in played))
    print("  The bytes of the connection are with nginx's own small certificate; public ones take about 3,000 more.")


def cost_columns(cost):
    return f"{cost.round_trips:13}{cost.preflights:11}{cost.sent:7}{cost.received:9}"
