"""The requests that are sent, and checks in Redis that each took the intended path."""

import base64
import hashlib
import json
import secrets
from pathlib import Path

from deployment import API_KEY, PROJECT
from load import CONNECTIONS, Target

BEARERS = Path(__file__).resolve().parent / "bearers.lua"

SEND = f"/v1/accounts:sendVerificationCode?key={API_KEY}"
SIGN_IN = f"/v1/accounts:signInWithPhoneNumber?key={API_KEY}"
TOKEN = f"/v1/token?key={API_KEY}"
FORM = "application/x-www-form-urlencoded"

# The exchange 555 is hardly used, and no message ever leaves this machine: there is no dispatcher, and the queue is
# lost with its Redis. Each area code has 10,000 numbers; together they last for a round, so that no number is repeated
# while its lock lives.
AREA_CODES = (
    "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 "
    "219 224 225 228 229 231 234 239 240 248 251 252 253 254"
).split()
FEW_NUMBERS = 64

COUNT_MESSAGES = """
local count = 0
for _, key in ipairs(redis.call('KEYS', 'dt:*:outbox')) do count = count + redis.call('XLEN', key) end
return count
"""
COUNT_REFRESH_TOKENS = "return #redis.call('KEYS', 'dt:*:session:*')"
# The data that a request left in Redis: each key without numbers, with its length, type, TTL in tens of seconds and the
# lengths of its values.
DESCRIBE = """
local lines = {}
for _, key in ipairs(redis.call('KEYS', 'dt:{PROJECT}:*')) do
  local plain = string.gsub(key, ':%d+$', ':#')
  local kind = redis.call('TYPE', key).ok
  local line = string.match(plain, '^dt:{[%a-]+}:[%a-]+') .. ' ' .. #plain .. ' ' .. kind
  line = line .. ' ' .. math.floor(redis.call('PTTL', key) / 10000 + 0.5)
  local values = {}
  if kind == 'hash' then values = redis.call('HGETALL', key) end
  if kind == 'stream' then values = redis.call('XRANGE', key, '-', '+')[1][2] end
  local fields = {}
  for i = 1, #values, 2 do
    local field, value = values[i], values[i + 1]
    -- A field may be a block's hash.
    if kind == 'hash' and #field == 16 then field = '#' end
    fields[#fields + 1] = field .. '=' .. #value
  end
  table.sort(fields)
  lines[#lines + 1] = line .. ' ' .. table.concat(fields, ',')
end
table.sort(lines)
return table.concat(lines, '\\n')
""".replace("PROJECT", PROJECT)


class Traffic:
    """Files of bodies in the deployment's folder, and checks of what Redis contains afterwards."""

    def __init__(self, deployment):
        self.deployment = deployment
        self.folder = deployment.folder
        new_numbers = (f"+1{code}555{line:04}" for line in range(10_000) for code in AREA_CODES)
        few_numbers = (f"+1650555{line:04}" for line in range(FEW_NUMBERS))
        before, after = send_body("+0").split("+0")
        self.new_numbers = self._write("new-numbers", (before + number + after for number in new_numbers))
        self.few_numbers = self._write("few-numbers", (before + number + after for number in few_numbers))

    def sends(self, server):
        return Target(server, SEND, self.new_numbers, once=server != "constant")

    def reentered_sends(self, server):
        return Target(server, SEND, self.few_numbers, once=False)

    def sign_ins(self, answers):
        return Target("dialtone", SIGN_IN, self._write("answers", answers), once=True)

    def refreshes(self, tokens):
        return Target("dialtone", TOKEN, self._write("tokens", map(refresh_body, tokens)), False, FORM)

    def pages(self, server, tokens):
        """Requests to a page, each with one of the tokens."""
        return Target(server, "/", self._write("bearers", tokens), False, script=BEARERS)

    def answers(self):
        """A sign-in body for each open session, with the code from the emulator's list."""
        return [
            compact({"sessionInfo": each["sessionInfo"], "code": each["code"]})
            for each in open_sessions(self.deployment)
        ]

    def sign_in(self, number):
        """Sends and verifies a code, while no other session is open. Returns the refresh token."""
        self.send(number)
        return self.refresh_token(self.answers()[0])

    def send(self, number, token="none"):
        """Sends a code. Workers in production mode require a challenge token."""
        status, _, body = self.deployment.request("dialtone", "POST", SEND, send_body(number, token))
        if status != 200:
            raise SystemExit(f"{SEND}: {status} {body[:200]!r}")

    def challenge_token(self):
        """A token as the challenge page gives it, stored without solving a challenge, which takes long in Python."""
        token = secrets.token_bytes(24)
        key = f"dt:{{{PROJECT}}}:challenge-token:{base64url(hashlib.sha256(token).digest())}"
        self.deployment.redis_command("HSET", key, "holder", "web", "challenge", "ordinary")
        return base64url(b"\1" + token)

    def refresh(self, token):
        status, _, answer = self.deployment.request("dialtone", "POST", TOKEN, refresh_body(token), FORM)
        if status != 200:
            raise SystemExit(f"{TOKEN}: {status} {answer[:200]!r}")

    def refresh_token(self, answer):
        return self.signed_in(answer)["refreshToken"]

    def signed_in(self, answer):
        status, _, body = self.deployment.request("dialtone", "POST", SIGN_IN, answer)
        if status != 200:
            raise SystemExit(f"{SIGN_IN}: {status} {body[:200]!r}")
        return json.loads(body)

    def check_guarded(self):
        """Checks that the page requires a verification: without a token it is not served."""
        status = self.deployment.request("guarded", "GET", "/")[0]
        if status != 401:
            raise SystemExit(f"a request without a token got {status} in place of 401")

    def forget(self):
        self.deployment.forget()

    def check_each_sent(self, load):
        """Checks that each request queued one message: no send was re-entered, limited or omitted."""
        self._check("messages", COUNT_MESSAGES, load.requests)

    def check_each_signed_in(self, load):
        self._check("refresh tokens", COUNT_REFRESH_TOKENS, load.requests)

    def check_reentered(self):
        messages = int(self.deployment.redis_command("EVAL", COUNT_MESSAGES, 0))
        if messages != FEW_NUMBERS:
            raise SystemExit(f"{messages} messages for {FEW_NUMBERS} numbers: the sends were not re-entered")

    def check_same_work(self):
        """Checks that the floor leaves the same data in Redis as Dialtone, and that its response is as large."""
        traces = {}
        for server in ("dialtone", "floor", "constant"):
            self.forget()
            body = send_body("+16505550100")
            status, headers, answer = self.deployment.request(server, "POST", SEND, body)
            # nginx's constant response has no reference, because it is the result of no decision, and no Vary.
            names = sorted({name.lower() for name in headers} - {"dialtone-reference", "vary"})
            seen = (status, names, headers.get("Content-Type"), len(answer))
            traces[server] = (seen, self.deployment.redis_command("EVAL", DESCRIBE, 0))
        if traces["dialtone"] != traces["floor"] or traces["constant"][0] != traces["floor"][0]:
            lines = "\n".join(f"{server}: {trace}" for server, trace in traces.items())
            raise SystemExit(f"the programs do not do the same, so comparing them says nothing:\n{lines}")

    def _check(self, what, script, requests):
        found = int(self.deployment.redis_command("EVAL", script, 0))
        # wrk does not count the requests that were in progress when it stopped.
        if not requests <= found <= requests + CONNECTIONS:
            raise SystemExit(f"{found} {what} for {requests} requests")

    def _write(self, name, bodies):
        path = Path(self.folder / name)
        path.write_text("\n".join(bodies) + "\n")
        return path


def open_sessions(deployment):
    """The emulator's list of open sessions, with numbers and codes."""
    path = f"/emulator/v1/projects/{PROJECT}/verificationCodes"
    status, _, body = deployment.request("codes", "GET", path)
    if status != 200:
        raise SystemExit(f"{path}: {status} {body[:200]!r}")
    return json.loads(body)["verificationCodes"]


def send_body(number, token="none"):
    return compact({"phoneNumber": number, "recaptchaToken": token, "clientType": "CLIENT_TYPE_WEB"})


def refresh_body(token):
    return f"grant_type=refresh_token&refresh_token={token}"


def base64url(value):
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def compact(value):
    return json.dumps(value, separators=(",", ":"))
