"""Clients that sign in through nginx and record their requests and the responses.

If a response was lost or is a server error, the client records the outcome as unknown. Clients decide nothing:
`checker.py` does, from the history alone.
"""

import http.client
import json
import random
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import slots

SEND = "/v1/accounts:sendVerificationCode?key=chaos"
SIGN_IN = "/v1/accounts:signInWithPhoneNumber?key=chaos"
TOKEN = "/v1/token?key=chaos"

GUESSES = 9
MESSAGE_SECONDS = 6
CODE = re.compile(r"\b\d{6}\b")


class History:
    """Lines of JSON, with times in seconds of one clock."""

    def __init__(self, path):
        self.file = open(path, "w", buffering=1)
        self.lock = threading.Lock()

    def add(self, kind, **values):
        line = json.dumps({"kind": kind, **values})
        with self.lock:
            self.file.write(line + "\n")


class Gateway:
    """Receives the messages that the dispatcher posts, and passes the codes to the clients."""

    def __init__(self, history):
        self.codes = {}
        self.has_new = threading.Condition()
        gateway = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                gateway.take(message, history)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def take(self, message, history):
        code = CODE.search(message["text"]).group()
        history.add("message", at=time.monotonic(), number=message["to"], id=message["id"], code=code)
        with self.has_new:
            self.codes.setdefault(message["to"], []).append((time.monotonic(), code))
            self.has_new.notify_all()

    def code(self, number, since, seconds):
        """Returns the last code for a number: of a message since a time, or if none arrives, of an earlier message,
        because the session may have been open. None if there was no message."""
        deadline = time.monotonic() + seconds
        with self.has_new:
            while True:
                codes = self.codes.get(number, [])
                if codes and codes[-1][0] >= since:
                    return codes[-1][1]
                left = deadline - time.monotonic()
                if left <= 0:
                    return codes[-1][1] if codes else None
                self.has_new.wait(left)


class Numbers:
    """Fictional numbers, each of which is used by one client at a time."""

    AREA_CODES = "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228".split()

    def __init__(self):
        self.fresh = (f"+1{code}555{line:04}" for line in range(10_000) for code in self.AREA_CODES)
        self.used = []
        self.lock = threading.Lock()

    def take(self, is_known):
        with self.lock:
            if is_known and self.used:
                return self.used.pop(random.randrange(len(self.used)))
            return next(self.fresh)

    def give_back(self, number):
        with self.lock:
            self.used.append(number)


class Client(threading.Thread):
    """Performs one action after another until `is_done` is set."""

    def __init__(self, name, project, port, gateway, numbers, history):
        super().__init__(name=name, daemon=True)
        self.project, self.port, self.gateway, self.numbers, self.history = project, port, gateway, numbers, history
        self.is_done = threading.Event()

    def run(self):
        while not self.is_done.is_set():
            number = self.numbers.take(is_known=random.random() < 0.3)
            action = random.choices([self.sign_in, self.answer_twice, self.guess, self.send_twice], [6, 2, 1, 1])[0]
            action(number)
            self.numbers.give_back(number)
            self.is_done.wait(random.uniform(0, 0.1))

    def sign_in(self, number):
        session, since = self.send(number)
        if session and (code := self.gateway.code(number, since, MESSAGE_SECONDS)):
            self.answer(number, session, code)

    def answer_twice(self, number):
        session, since = self.send(number)
        if session and (code := self.gateway.code(number, since, MESSAGE_SECONDS)):
            at_once([lambda: self.answer(number, session, code)] * 2)

    def guess(self, number):
        session, since = self.send(number)
        if session and (code := self.gateway.code(number, since, MESSAGE_SECONDS)):
            wrong = [f"{(int(code) + i + 1) % 1_000_000:06}" for i in range(GUESSES)]
            at_once([lambda guess=guess: self.answer(number, session, guess) for guess in wrong])
            self.answer(number, session, code)

    def send_twice(self, number):
        answers = at_once([lambda: self.send(number)] * 2)
        sessions = [answer for answer in answers if answer[0]]
        if sessions and (code := self.gateway.code(number, min(since for _, since in sessions), MESSAGE_SECONDS)):
            self.answer(number, sessions[0][0], code)

    def send(self, number):
        """Returns the session or None, and the time of the request."""
        start = time.monotonic()
        body = {"phoneNumber": number, "recaptchaToken": "none", "clientType": "CLIENT_TYPE_WEB"}
        status, answer = self.request(SEND, body)
        session = answer.get("sessionInfo") if status == 200 else None
        self.record("send", start, status, answer, number=number, session=session)
        return session, start

    def answer(self, number, session, code):
        start = time.monotonic()
        status, answer = self.request(SIGN_IN, {"sessionInfo": session, "code": code})
        uid = answer.get("localId")
        self.record(
            "answer", start, status, answer, number=number, session=session, code=code, uid=uid,
            slot=uid and slots.of_account(self.project, uid), isNew=answer.get("isNewUser"),
            refreshToken=answer.get("refreshToken"),
        )
        return answer if status == 200 else None

    def check_account(self, number):
        """Signs in with a number once more after the faults, to record which account has it."""
        for _ in range(40):
            session, since = self.send(number)
            code = session and self.gateway.code(number, since, MESSAGE_SECONDS)
            if code and self.answer(number, session, code):
                return
            time.sleep(0.5)

    def check_token(self, number, uid, token):
        """Refreshes a session, to record whether it still exists."""
        for _ in range(40):
            start = time.monotonic()
            status, answer = self.request(TOKEN, f"grant_type=refresh_token&refresh_token={token}")
            self.record("refresh", start, status, answer, number=number, uid=uid)
            if status and status < 500:
                return
            time.sleep(0.5)

    def record(self, kind, start, status, answer, **values):
        error = answer.get("error")
        if isinstance(error, dict):
            error = error.get("message", "")
        self.history.add(
            kind, start=start, end=time.monotonic(), client=self.name,
            outcome="ok" if status == 200 else "unknown" if not status or status >= 500 else "refused",
            status=status, error=error, **values,
        )

    def request(self, path, body):
        """Returns the status and the JSON object of a response; status 0 if there was none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        is_form = isinstance(body, str)
        headers = {"Content-Type": "application/x-www-form-urlencoded" if is_form else "application/json"}
        try:
            connection.request("POST", path, body if is_form else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        except (OSError, ValueError, http.client.HTTPException):
            return 0, {}
        finally:
            connection.close()


def at_once(actions):
    """Runs actions in threads, and returns their results in order."""
    results = [None] * len(actions)

    def run(i):
        results[i] = actions[i]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
