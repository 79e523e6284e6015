"""A network that can be partitioned: a TCP proxy in front of each server, which tells clients apart by their addresses.

Each server listens on its own address in 127.0.0.0/8, connects to others from it, and announces the address of its
proxy. Cutting a path stops its bytes in both directions and refuses no connection, like an unplugged cable: bytes that
were sent arrive when the path is restored, unless one end has given up before.

This file is also a program, because in one Python process the proxies and the clients would share a processor. It reads
`cut`, `heal` and their arguments from standard input.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

MAXIMUM_BYTES = 1 << 16


class Network:
    """The proxies, in their own process.

    `ways` has a pair for each proxy: the address and port that it listens on, and the server's.
    """

    def __init__(self, ways):
        words = [sys.executable, Path(__file__).resolve(), json.dumps(ways)]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "ready":
            raise SystemExit("the network did not start")

    def cut(self, server, sources=None):
        """Cuts the paths from some addresses, or from all, to a server's address."""
        self._tell("cut", server, sources)

    def heal(self):
        self._tell("heal")

    def stop(self):
        self.process.stdin.close()
        self.process.wait()

    def _tell(self, *words):
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        self.process.stdout.readline()


class Proxies:
    def __init__(self):
        self.cuts = {}  # server's address → sources that are cut off; None for all
        self.healed = asyncio.Event()
        self.healed.set()

    def is_cut(self, server, source):
        return server in self.cuts and (self.cuts[server] is None or source in self.cuts[server])

    async def serve(self, proxy, server):
        async def accept(reader, writer):
            source = writer.get_extra_info("peername")[0]
            await self.wait_for(server[0], source)
            try:
                onward_reader, onward_writer = await asyncio.open_connection(*server)
            except OSError:
                writer.close()
                return
            copies = (self.copy(reader, onward_writer, server[0], source),
                      self.copy(onward_reader, writer, server[0], source))
            tasks = [asyncio.ensure_future(copy) for copy in copies]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for each in (onward_writer, writer):
                each.close()
            await asyncio.gather(*tasks, return_exceptions=True)

        await asyncio.start_server(accept, *proxy)

    async def wait_for(self, server, source):
        while self.is_cut(server, source):
            await self.healed.wait()

    async def copy(self, reader, writer, server, source):
        while data := await reader.read(MAXIMUM_BYTES):
            await self.wait_for(server, source)
            writer.write(data)
            await writer.drain()
        # The end of a connection is delayed too.
        await self.wait_for(server, source)

    def obey(self, order, server=None, sources=None):
        if order == "cut":
            self.cuts[server] = sources
            self.healed.clear()
        else:
            self.cuts = {}
            self.healed.set()


async def main(ways):
    proxies = Proxies()
    for proxy, server in ways:
        await proxies.serve(tuple(proxy), tuple(server))
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    print("ready", flush=True)
    while line := await orders.readline():
        proxies.obey(*json.loads(line))
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1])))
