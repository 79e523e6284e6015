"""All servers of the comparison, on loopback, in one temporary folder: one Redis, one nginx, Dialtone and the floor.

Requests reach each program in the same way: through the shipped nginx files, its own upstream, and a Unix socket that
all of its processes share. Dialtone runs with its defaults, including its log; only its rate limits on sends are high.
A separate worker lists all codes, because so large a response would increase the memory of the measured workers.
Another worker, in production mode and behind TLS, serves web apps. No dispatcher runs: queued messages are lost with
Redis's memory.
"""

import http.client
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from callgrind import CALLGRIND
from nginx_configuration import GUARDS, write_nginx_configuration
from processes import Child, free_port
from redis_servers import redis_words

HERE = Path(__file__).resolve().parent
SCRIPT_OF_A_SEND = next((HERE.parents[1] / "Sources").rglob("send-verification-code.lua"))

PROJECT = "demo-dialtone"
PROJECT_SETTING = "DIALTONE_PROJECT_DEMO_DIALTONE"
API_KEY = "AIzaSyD-0123456789abcdefghijklmnopqrstu"
PROCESSES = 2
THREADS = 16  # Dialtone's default
HOURLY_LIMIT, DAILY_LIMIT = 1000, 10_000
LISTING_SECONDS = 60  # the longest deadline that a request can have
PATIENT_SETTINGS = (
    f"DIALTONE_REQUEST_DEADLINE_SECONDS={LISTING_SECONDS}\n"
    "DIALTONE_REDIS_CONNECT_TIMEOUT_MILLISECONDS=10000\nDIALTONE_REDIS_COMMAND_TIMEOUT_MILLISECONDS=20000\n"
)
START_SECONDS = 60  # callgrind makes programs fifty times slower
LIMIT = 1_000_000  # never reached, but low enough that Redis keeps the counts as in production


class Deployment:
    def __init__(self, dialtone, processes=PROCESSES, runner=(), mode="development", profiles_redis=False):
        """`runner` is a command, as a list of words, that runs the measured workers; `mode` is theirs. In production
        mode, no floor runs.

        With `profiles_redis`, Redis runs under callgrind, which writes dumps to `redis_profile`.
        """
        self.children = []
        self.folder = Path(tempfile.mkdtemp(prefix="dialtone-bench-"))
        self.dialtone = dialtone
        self.processes = processes
        self.runner = list(runner)
        self.mode = mode
        self.redis_profile = self.folder / "redis-profile" if profiles_redis else None
        self.redis_socket = self.folder / "redis.sock"
        self.ports = {name: free_port() for name in ("constant", "floor", "dialtone", "codes", "web", *GUARDS)}

    def __enter__(self):
        try:
            self.redis = self._start_redis()
            self._make_keys()
            self._adopt_redis()
            # A profiled worker is slow.
            settings = PATIENT_SETTINGS if self.runner else ""
            self.workers = self._start_workers("dialtone", self.processes, self.runner, self.mode, settings)
            # Listing the codes takes longer than a request may, if it scans the keys of millions of accounts.
            self._start_workers("codes", 1, settings=f"DIALTONE_REQUEST_DEADLINE_SECONDS={LISTING_SECONDS}\n")
            self._start_workers("web", 1, mode="production")
            self.nginx = self._start_nginx()
            self._wait(lambda: self.request("dialtone", "GET", "/readyz")[0] == 200, "nginx and the workers")
            self.floor = self._start_floor() if self.mode == "development" else []
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for child in reversed(self.children):
            child.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def request(self, server, method, path, body=None, content_type="application/json"):
        """Sends a request on its own connection. Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[server], timeout=1.5 * LISTING_SECONDS)
        try:
            headers = {"Content-Type": content_type, "X-Firebase-Locale": "en"} if body else {}
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()
        finally:
            connection.close()

    def redis_command(self, *words):
        finished = subprocess.run(
            ["redis-cli", "-s", self.redis_socket, *map(str, words)], capture_output=True, text=True, timeout=60
        )
        answer = finished.stdout.strip()
        if finished.returncode != 0 or answer.startswith(("ERR", "(error)")):
            raise SystemExit(f"redis-cli {words[0]}: {answer or finished.stderr.strip()}")
        return answer

    def _start(self, name, words, **options):
        child = Child(name, words, self.folder / f"{name.split()[0]}.log", **options)
        self.children.append(child)
        return child

    def _start_redis(self):
        words = redis_words(self.folder)
        if self.redis_profile:
            words = [*CALLGRIND, f"--callgrind-out-file={self.redis_profile}", *words]
        child = self._start("redis-server", words)
        self._wait(self.redis_socket.exists, "Redis")
        return child

    def _start_floor(self):
        program = self.folder / "floor"
        subprocess.run(["gcc", "-O2", "-o", program, HERE / "floor.c", "-lfcgi", "-lhiredis", "-lpthread"], check=True)
        script = self.folder / "send.lua"
        script.write_bytes(self._script_of_a_send())
        with listening_socket(self.folder / "floor.sock") as listener:
            number = listener.fileno()
            words = list(map(str, [program, number, self.redis_socket, script, THREADS, PROJECT]))
            return [self._start(f"floor {i + 1}", words, descriptors=(number,)) for i in range(PROCESSES)]

    def _script_of_a_send(self):
        """Returns the script of a send as a worker loads it into Redis."""
        from traffic import SEND, send_body

        words = ["redis-cli", "-s", self.redis_socket, "MONITOR"]
        ending = SCRIPT_OF_A_SEND.read_bytes().splitlines()[-1]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as monitor:
            monitor.stdout.readline()  # from then on it shows every command
            self.request("dialtone", "POST", SEND, send_body("+16505550100"))
            load = '"SCRIPT" "LOAD" "'
            sources = (line.split(load, 1)[1].rsplit('"', 1)[0] for line in monitor.stdout if load in line)
            scripts = (source.encode().decode("unicode_escape").encode("latin-1") for source in sources)
            script = next(each for each in scripts if b"local isSent" in each and each.strip().endswith(ending))
            monitor.terminate()
        self.forget()
        return script

    def forget(self):
        """Empties Redis."""
        self.redis_command("FLUSHALL", "SYNC")
        self._adopt_redis()

    def _make_keys(self):
        words = [self.dialtone, "keys", "generate", "--output", self.folder / "keys.json"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def _adopt_redis(self):
        """Makes an empty Redis the keys' deployment's."""
        settings = self.folder / "adopt.conf"
        settings.write_text(
            f"DIALTONE_MODE=development\nDIALTONE_PROJECTS={PROJECT}\nDIALTONE_KEY_FILE={self.folder}/keys.json\n"
            f"DIALTONE_LISTEN=fd:3\nDIALTONE_REDIS_ADDRESS=unix:{self.redis_socket}\n"
        )
        words = [self.dialtone, "redis", "adopt", "--config", settings]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    def _start_workers(self, name, count, runner=(), mode="development", settings=""):
        file = self.folder / f"{name}.conf"
        with listening_socket(self.folder / f"{name}.sock") as listener:
            number = listener.fileno()
            file.write_text(
                f"DIALTONE_MODE={mode}\nDIALTONE_PROJECTS={PROJECT}\nDIALTONE_KEY_FILE={self.folder}/keys.json\n"
                f"{PROJECT_SETTING}_API_KEYS={API_KEY}\n"
                # Of the clients' Host and Origin headers, which development mode checks.
                f"{PROJECT_SETTING}_AUTHORIZED_DOMAINS=auth.example.com,app.example.com\n"
                f"DIALTONE_LISTEN=fd:{number}\nDIALTONE_REDIS_ADDRESS=unix:{self.redis_socket}\n"
                f"DIALTONE_SENDS_PER_NUMBER_PER_HOUR={HOURLY_LIMIT}\nDIALTONE_SENDS_PER_NUMBER_PER_DAY={DAILY_LIMIT}\n"
                f"DIALTONE_SENDS_PER_NETWORK_PER_HOUR={LIMIT}\n"
                f"DIALTONE_SENDS_PER_PROJECT_PER_HOUR={10 * LIMIT}\nDIALTONE_SENDS_PER_PROJECT_PER_DAY={10 * LIMIT}\n"
                f"DIALTONE_SMS_BREAKER=record\nDIALTONE_THREADS={THREADS}\nDIALTONE_DRAIN_SECONDS=0\n"
                # The default in production. With second factors, each send would also read the number's account.
                f"{PROJECT_SETTING}_SECOND_FACTORS=off\n" + settings
            )
            words = [*runner, self.dialtone, "worker", "--config", file]
            return [self._start(f"{name} {i + 1}", words, descriptors=(number,)) for i in range(count)]

    def _start_nginx(self):
        sockets = {name: self.folder / f"{name}.sock" for name in ("floor", "dialtone", "codes", "web")}
        words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split()
        words += ["-subj", "/CN=auth.example.com", "-keyout", self.folder / "key.pem", "-out", self.folder / "web.pem"]
        subprocess.run(words, check=True, stderr=subprocess.DEVNULL)
        patient = ("codes", "dialtone") if self.runner else ("codes",)
        timeouts = dict.fromkeys(patient, int(1.5 * LISTING_SECONDS))
        write_nginx_configuration(self.folder, self.ports, sockets, timeouts)
        return self._start("nginx", ["nginx", "-p", self.folder, "-c", self.folder / "nginx.conf", "-e", "stderr"])

    def _wait(self, is_ready, name):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            for child in self.children:
                child.check()
            try:
                if is_ready():
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise SystemExit(f"{name} did not answer within {START_SECONDS} seconds")


def listening_socket(path):
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen(1024)
    return listener
