"""Stands in for a provider's verification URL: the form's `response` chooses what it does.

usage: provider_server.py PORT LOG. Every form is appended to LOG as a line of JSON.
"""
import json
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWERS = {
    "good": {"success": True, "challenge_ts": "2026-01-01T00:00:00Z", "hostname": "auth.example.com", "score": None},
    "elsewhere": {"success": True, "hostname": "phishing.example.net"},
    "nameless": {"success": True},
    "wrong": {"success": False, "error-codes": ["invalid-input-response"]},
    "spent": {"success": False, "error-codes": ["timeout-or-duplicate"]},
    "silent": {"success": False},
    "secret": {"success": False, "error-codes": ["invalid-input-secret"]},
    "trouble": {"success": False, "error-codes": ["internal-error"]},
    "strange": {"ok": True},
    "text": {"success": "true"},
}
released = threading.Event()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        released.set()
        self.answer(200, b"{}")

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode(), True))
        with open(sys.argv[2], "a") as log:
            log.write(json.dumps(form | {"path": self.path, "type": self.headers["Content-Type"]}) + "\n")
        # Real tokens are long; the part before the first dot is the instruction.
        response = form["response"].split(".")[0]
        if response == "hang":
            released.wait(20)
        elif response == "drip":
            # A byte now and then: no single read takes long.
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            try:
                while not released.wait(0.1):
                    self.wfile.write(b" ")
            except OSError:
                pass
            self.close_connection = True
        elif response == "close":
            self.close_connection = True
        elif response == "huge":
            self.answer(200, b" " * 1_000_000)
        elif response == "html":
            self.answer(200, b"<html>")
        elif response == "redirect":
            self.send_response(307)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif response == "500":
            self.answer(500, json.dumps(ANSWERS["good"]).encode())
        else:
            self.answer(200, json.dumps(ANSWERS[response.split("-")[0]]).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
