"""The example's API: a user's notes, kept in memory. It needs only the Python standard library.

nginx is the only client, through a socket file that no other user of the machine can open. It has verified the ID token
and sets X-Auth-User to the user, whatever a browser sends under that name.

    GET  /api/notes                  the user's notes
    POST /api/notes {"text": "…"}    adds one
"""

import json
from collections import OrderedDict, deque
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingUnixStreamServer
from threading import Lock
from urllib.parse import unquote

MAX_BODY_BYTES = 4096
MAX_NOTE_CHARACTERS = 280
MAX_NOTES = 50  # per user; the oldest is removed first
MAX_USERS = 1000  # the user whose last note is the oldest is removed first


class Refusal(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Notes:
    def __init__(self):
        self._lock = Lock()
        self._by_user = OrderedDict()

    def of(self, user):
        with self._lock:
            return list(self._by_user.get(user, ()))

    def add(self, user, text):
        with self._lock:
            notes = self._by_user.setdefault(user, deque(maxlen=MAX_NOTES))
            notes.append(text)
            self._by_user.move_to_end(user)
            if len(self._by_user) > MAX_USERS:
                self._by_user.popitem(last=False)


class Handler(BaseHTTPRequestHandler):
    timeout = 10  # seconds

    def do_GET(self):
        self._answer(200, lambda user: None)

    def do_POST(self):
        self._answer(201, lambda user: self.server.notes.add(user, self._text()))

    def _answer(self, status, act):
        try:
            if self.path.split("?")[0] != "/api/notes":
                raise Refusal(404, "there is no such path")
            user = self._user()
            act(user)
            body = {"user": user, "notes": self.server.notes.of(user)}
        except Refusal as refusal:
            status, body = refusal.status, {"error": str(refusal)}
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _user(self):
        """Returns the uid. Dialtone percent-encodes characters that a header cannot contain."""
        user = unquote(self.headers.get("X-Auth-User", ""))
        if not user:
            raise Refusal(401, "nginx names no user")
        return user

    def _text(self):
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or int(length) > MAX_BODY_BYTES:
            raise Refusal(413, f"a body of at most {MAX_BODY_BYTES} bytes is needed")
        try:
            body = json.loads(self.rfile.read(int(length)))
            text = body.get("text") if isinstance(body, dict) else None
            str(text).encode()  # JSON can escape lone surrogates
        except (ValueError, RecursionError):
            raise Refusal(400, "the body is not JSON") from None
        if not isinstance(text, str) or not 0 < len(text.strip()) <= MAX_NOTE_CHARACTERS:
            raise Refusal(400, f"\"text\" must have 1 to {MAX_NOTE_CHARACTERS} characters")
        return text.strip()

    def log_message(self, *_):
        """Logs nothing: nginx logs requests."""


class API(ThreadingUnixStreamServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, path):
        self.notes = Notes()
        super().__init__(path, Handler)
