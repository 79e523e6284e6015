"""Serves pages from a folder as the real server would. A test chooses its responses to /__/auth/verify and
/__/auth/challenge.

usage: page_server.py PORT FOLDER. The query's `case` names the page: CASE.html and CASE.headers (JSON). `answer`
chooses the response of /verify: "reject", "limit", "fail" (503), "elsewhere", "garbage" or "hang up". Without it, the
altcha package verifies the solution.
"""
import json
import pathlib
import re
import sys
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import altcha

port, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])


def envelope(code, message):
    return code, {"error": {"code": code, "message": message}}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def split(self):
        parts = urllib.parse.urlsplit(self.path)
        return parts.path, dict(urllib.parse.parse_qsl(parts.query))

    def do_GET(self):
        path, query = self.split()
        if path == "/healthz":
            return self.answer(200, b"{}", [("Access-Control-Allow-Origin", "*")])
        script = re.fullmatch(r"/__/auth/(verifier|dialtone)[.]js", path)
        name = script[1] if script else query.get("case", "")
        file = folder / f"{name}.html"
        if not name.isalnum() or not file.exists():
            return self.answer(404, b"", [])
        headers = json.loads((folder / f"{name}.headers").read_text())
        return self.answer(200, file.read_bytes(), headers)

    def do_POST(self):
        path, query = self.split()
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with open(folder / "posts", "a") as log:
            log.write(json.dumps([path, query, body]) + "\n")
        if path == "/__/auth/challenge":
            return self.json(200, json.loads((folder / "challenge.json").read_text()))
        answer = query.get("answer")
        if answer == "hang up":
            return self.connection.close()
        if answer == "garbage":
            return self.answer(502, b"<h1>Bad gateway</h1>", [])
        return self.json(*self.verify(answer, query, body))

    def verify(self, answer, query, body):
        if answer == "reject":
            return envelope(400, "CAPTCHA_CHECK_FAILED : Wrong.")
        if answer == "limit":
            return envelope(400, "TOO_MANY_ATTEMPTS_TRY_LATER")
        if answer == "fail":
            return envelope(503, "UNAVAILABLE")
        if answer == "elsewhere":
            return 200, {"location": "https://example.com/steal"}
        if "response" in body:
            is_good = body["response"] == "good"
        else:
            is_good, _ = altcha.verify_solution_v1(body["solution"], (folder / "key").read_text())
        if not is_good:
            return envelope(400, "CAPTCHA_CHECK_FAILED")
        if query.get("authType") == "verifyApp":
            return 200, {"location": (folder / "location").read_text()}
        return 200, {"token": "a token of the test"}

    def json(self, status, value):
        self.answer(status, json.dumps(value).encode(),
                    [("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*")])


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
