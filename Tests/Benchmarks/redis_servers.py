"""Redis servers without workers: a cluster, and a server that restarts from an append-only file."""

import time

from processes import Child, free_port
from redis_client import RedisClient, encode

SLOTS = 16_384


def redis_words(folder, *settings, port=0):
    """The command of a Redis whose Unix socket and data are in the folder."""
    words = f"redis-server --port {port} --unixsocketperm 600 --appendonly no --loglevel warning --save".split()
    return [*words, "", "--unixsocket", folder / "redis.sock", "--dir", folder, *settings]


class RedisServer:
    def __init__(self, folder, *settings, port=0):
        folder.mkdir(exist_ok=True)
        self.socket = folder / "redis.sock"
        self.port = port
        self.child = Child(folder.name, redis_words(folder, *settings, port=port), folder / "redis-server.log")
        try:
            self.client = self._connect()
        except BaseException:
            self.child.stop()
            raise

    def stop(self):
        self.client.close()
        self.child.stop()

    def run(self, *words):
        return self.client.run([encode(*words)])[0]

    def wait(self, is_ready, seconds):
        deadline = time.monotonic() + seconds
        while not is_ready(self.client):
            self.child.check()
            if time.monotonic() > deadline:
                raise SystemExit(f"{self.child.name} was not ready within {seconds} seconds")
            time.sleep(0.02)

    def _connect(self):
        deadline = time.monotonic() + 20
        while True:
            self.child.check()
            try:
                return RedisClient(self.socket)
            except OSError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.02)


class RedisCluster:
    """Masters with equal shares of the slots."""

    def __init__(self, folder, count):
        self.folder = folder
        self.count = count
        self.servers = []

    def __enter__(self):
        try:
            self.folder.mkdir()
            ports = [(free_port(), free_port()) for _ in range(self.count)]
            for number, (port, bus) in enumerate(ports):
                settings = ["--bind", "127.0.0.1", "--cluster-enabled", "yes", "--cluster-port", str(bus)]
                server = RedisServer(self.folder / f"node-{number + 1}", *settings, port=port)
                self.servers.append(server)
                owned = [slot for slot in range(SLOTS) if node_of(slot, self.count) == number]
                server.run("CLUSTER", "ADDSLOTSRANGE", owned[0], owned[-1])
                server.run("CLUSTER", "MEET", "127.0.0.1", *ports[0])
            for server in self.servers:
                server.wait(self._knows_all, 60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()

    @property
    def sockets(self):
        return [server.socket for server in self.servers]

    def _knows_all(self, client):
        lines = client.run([encode("CLUSTER", "INFO")])[0].decode().splitlines()
        return {"cluster_state:ok", f"cluster_size:{self.count}"} <= set(lines)


def node_of(slot, count):
    return slot * count // SLOTS


def restart_seconds(folder, timeout=600):
    """Starts a Redis from the append-only file in the folder. Returns the seconds until the file is loaded, and the
    number of keys."""
    started = time.monotonic()
    server = RedisServer(folder, "--appendonly", "yes")
    try:
        server.wait(lambda client: client.number("persistence", "loading") == 0, timeout)
        return time.monotonic() - started, server.run("DBSIZE")
    finally:
        server.stop()
