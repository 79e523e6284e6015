"""A Redis client over a Unix socket, which pipelines commands."""

import socket


class RedisClient:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(str(path))
        self.answers = self.socket.makefile("rb", buffering=1 << 20)

    def close(self):
        self.answers.close()
        self.socket.close()

    def send(self, commands):
        self.socket.sendall(b"".join(commands))

    def receive(self, count):
        return [self._answer() for _ in range(count)]

    def run(self, commands):
        self.send(commands)
        return self.receive(len(commands))

    def number(self, section, name):
        return int(self.field(section, name))

    def field(self, section, name):
        """A field of INFO."""
        for line in self.run([encode("INFO", section)])[0].decode().splitlines():
            if line.startswith(name + ":"):
                return line.split(":")[1]
        raise SystemExit(f"Redis tells no {name}")

    def _answer(self):
        line = self.answers.readline()
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise SystemExit(f"Redis: {rest.decode()}")
        if kind == b"$":
            return None if rest == b"-1" else self.answers.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return [self._answer() for _ in range(int(rest))]
        return int(rest) if kind == b":" else rest


def encode(*words):
    parts = [b"*%d\r\n" % len(words)]
    for word in words:
        word = word if isinstance(word, bytes) else str(word).encode()
        parts.append(b"$%d\r\n%b\r\n" % (len(word), word))
    return b"".join(parts)
