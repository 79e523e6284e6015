"""Redis topologies behind a network that can be partitioned, and the faults of each topology."""

import random
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Benchmarks"))

import slots
from network import Network
from processes import Child

# The settings that systemd/redis.md recommends against losing accounts, and Redis's defaults.
DURABLE = ["--min-replicas-to-write", "1", "--min-replicas-max-lag", "10", "--appendfsync", "always"]
DEFAULTS = ["--appendfsync", "everysec"]


class Server:
    """A redis-server with its own address, behind a proxy."""

    def __init__(self, folder, name, addresses, port, words):
        self.name, self.port, self.words = name, port, words
        self.address, self.proxy = addresses
        self.folder = folder / name
        self.folder.mkdir()
        self.child = None
        self.is_paused = False

    def start(self):
        self.child = Child(self.name, list(map(str, self.words)), self.folder / "log")

    def stop(self):
        if self.child:
            self.resume()
            self.child.stop()
            self.child = None

    def kill(self):
        self.child.process.kill()
        self.child.process.wait()
        self.child = None

    def pause(self):
        self.is_paused = True
        self.child.process.send_signal(19)

    def resume(self):
        if self.is_paused:
            self.child.process.send_signal(18)
        self.is_paused = False

    def command(self, *words, timeout=5):
        """Returns the reply to a command, sent without the proxy; an empty string if there is none."""
        cli = ["redis-cli", "-h", self.address, "-p", str(self.port), *map(str, words)]
        try:
            return subprocess.run(cli, capture_output=True, text=True, timeout=timeout).stdout.strip()
        except subprocess.TimeoutExpired:
            return ""

    def information(self, section):
        lines = (line.partition(":") for line in self.command("INFO", section).splitlines())
        return {name: value.strip() for name, _, value in lines if value}


class Addresses:
    """The addresses of a run, chosen at random, so that another run on this machine has others."""

    def __init__(self):
        self.prefix = f"127.{random.randrange(1, 255)}.{random.randrange(1, 255)}"
        self.count = 0

    def next(self):
        self.count += 1
        return f"{self.prefix}.{self.count}"


class Topology:
    """Servers with one or more masters, each with some `replicas`. Faults are methods that return how to end them."""

    def __init__(self, folder, is_durable, port, replicas):
        self.folder, self.port, self.replicas = folder, port, replicas
        self.addresses = Addresses()
        self.durability = DURABLE if is_durable else DEFAULTS
        self.servers = []
        self.network = None

    def stop(self):
        for server in self.servers:
            server.stop()
        if self.network:
            self.network.stop()

    def new_server(self, name, *options):
        address, proxy = self.addresses.next(), self.addresses.next()
        folder = self.folder / name
        words = [
            "redis-server", "--port", self.port, "--bind", address, "--bind-source-addr", address, "--dir", folder,
            "--protected-mode", "no", "--save", "", "--appendonly", "yes", "--loglevel", "notice",
            "--repl-diskless-sync-delay", "0", *self.durability, *(each(address, proxy) if callable(each) else each
                                                                   for each in options),
        ]
        server = Server(self.folder, name, (address, proxy), self.port, words)
        self.servers.append(server)
        return server

    def join_network(self, ways=()):
        own = [((each.proxy, self.port), (each.address, self.port)) for each in self.servers]
        self.network = Network(own + list(ways))

    def any_of(self, proxies, name):
        """Returns a server of those whose proxies a method returns, as soon as there are any: on a slow disk, servers
        do not answer for seconds, and consider each other failed."""
        address = random.choice(sorted(wait(proxies, name, 60)))
        return next(each for each in self.servers if each.proxy == address)

    def any_master(self):
        return self.any_of(self.master_proxies, "a master")

    # Faults. Each returns its name in the history and what ends it.

    def kill_master(self):
        master = self.any_master()
        master.kill()
        return f"kill {master.name}", master.start

    def pause_master(self):
        master = self.any_master()
        master.pause()
        return f"pause {master.name}", master.resume

    def isolate_master(self):
        """No one can reach the master."""
        master = self.any_master()
        self.network.cut(master.address)
        return f"isolate {master.name}", self.network.heal

    def split_master(self):
        """Clients can reach the master, its peers cannot: it does not learn that another server replaces it."""
        master = self.any_master()
        self.cut_from_peers(master)
        return f"split {master.name}", self.network.heal


class SentinelTopology(Topology):
    """A master with its replicas and three Sentinels."""

    FAULTS = ("kill_master", "pause_master", "isolate_master", "split_master", "hide_master", "hand_over")

    def __init__(self, folder, is_durable, port, replicas=2):
        super().__init__(folder, is_durable, port, replicas)
        for i in range(1 + replicas):
            self.new_server(f"redis-{i + 1}")
        for server in self.servers:
            server.words += ["--replica-announce-ip", server.proxy, "--replica-announce-port", self.port]
        for server in self.servers[1:]:
            server.words += ["--replicaof", f"{self.servers[0].proxy} {self.port}"]
        self.sentinels = [self._new_sentinel(f"sentinel-{i + 1}") for i in range(3)]

    def start(self):
        self.join_network()
        for each in self.servers + self.sentinels:
            each.start()

    def stop(self):
        for sentinel in self.sentinels:
            sentinel.stop()
        super().stop()

    @property
    def url(self):
        return "redis+sentinel://" + ",".join(f"{each.address}:{each.port}" for each in self.sentinels) + "/main"

    def master_proxies(self):
        for sentinel in self.sentinels:
            words = sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main").split()
            if words:
                return {words[0]}
        return set()

    def slots_of_masters(self):
        """The slots of each master, by its proxy."""
        return {proxy: slots.ALL for proxy in self.master_proxies()}

    def is_sound(self):
        """Whether all servers run, with one master and replicas that have what it has."""
        roles = [server.information("replication") for server in self.servers]
        masters = [role for role in roles if role.get("role") == "master"]
        replicas = [role for role in roles if role.get("master_link_status") == "up"]
        if len(masters) != 1 or len(replicas) != self.replicas:
            return False
        if masters[0].get("connected_slaves") != str(self.replicas):
            return False
        states = [dict(zip(*[iter(each.command("SENTINEL", "MASTER", "main").splitlines())] * 2))
                  for each in self.sentinels]
        return all(each.get("flags") == "master" and each.get("num-slaves") == str(self.replicas) for each in states)

    def cut_from_peers(self, master):
        others = [each.address for each in self.servers + self.sentinels if each is not master]
        self.network.cut(master.address, others)
        # The master connects to no one, and its replicas' paths to it are cut.

    def hand_over(self):
        """A planned failover."""
        self.sentinels[0].command("SENTINEL", "FAILOVER", "main")
        return "hand over", lambda: None

    def hide_master(self):
        """The Sentinels cannot reach the master; clients and replicas can."""
        master = self.any_master()
        self.network.cut(master.address, [each.address for each in self.sentinels])
        return f"hide {master.name}", self.network.heal

    def _new_sentinel(self, name):
        address = self.addresses.next()
        sentinel = Server(self.folder, name, (address, address), self.port, [])
        settings = sentinel.folder / "sentinel.conf"
        settings.write_text(
            f"port {self.port}\nbind {address}\nbind-source-addr {address}\ndir {sentinel.folder}\n"
            f"sentinel monitor main {self.servers[0].proxy} {self.port} 2\n"
            "sentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 6000\n"
            f"sentinel parallel-syncs main {self.replicas}\nprotected-mode no\n"
        )
        sentinel.words = ["redis-server", settings, "--sentinel"]
        return sentinel


class ClusterTopology(Topology):
    """Three masters with their replicas."""

    FAULTS = ("kill_master", "pause_master", "isolate_master", "split_master", "hand_over", "move_slots", "restart")

    def __init__(self, folder, is_durable, port, replicas=1):
        super().__init__(folder, is_durable, port, replicas)
        self.bus = self.port + 1
        for i in range(3 + 3 * replicas):
            server = self.new_server(f"redis-{i + 1}")
            server.words += [
                "--cluster-enabled", "yes", "--cluster-node-timeout", "1500", "--cluster-port", self.bus,
                "--cluster-announce-ip", server.proxy, "--cluster-announce-port", self.port,
                "--cluster-announce-bus-port", self.bus, "--cluster-replica-validity-factor", "0",
            ]

    def start(self):
        self.join_network([((each.proxy, self.bus), (each.address, self.bus)) for each in self.servers])
        for each in self.servers:
            each.start()
        wait(lambda: all(each.command("PING") == "PONG" for each in self.servers), "the servers", 20)
        nodes = [f"{each.proxy}:{self.port}" for each in self.servers]
        made = subprocess.run(
            ["redis-cli", "--cluster", "create", *nodes, "--cluster-replicas", str(self.replicas),
             "--cluster-yes"],
            capture_output=True, text=True, timeout=60,
        )
        if made.returncode != 0:
            raise SystemExit(f"the cluster was not created: {made.stdout[-500:]}{made.stderr[-500:]}")

    @property
    def url(self):
        return "redis+cluster://" + ",".join(f"{each.proxy}:{each.port}" for each in self.servers)

    def nodes(self):
        """The nodes as a member of the majority sees them: id, flags, address of the proxy, and ranges of slots."""
        for server in self.servers:
            if not server.child or server.is_paused:
                continue
            lines = [line.split() for line in server.command("CLUSTER", "NODES", timeout=2).splitlines()]
            if lines and "cluster_state:ok" in server.command("CLUSTER", "INFO", timeout=2):
                return [(words[0], words[2].split(","), words[1].split(":")[0], words[8:]) for words in lines]
        return []

    def master_proxies(self):
        return {address for _, flags, address, ranges in self.nodes()
                if "master" in flags and ranges and not {"fail", "fail?"} & set(flags)}

    def replica_proxies(self):
        return {address for _, flags, address, _ in self.nodes() if "slave" in flags}

    def slots_of_masters(self):
        """The slots of each master, by its proxy. A master that fails and is not replaced stays a master."""
        return {address: [[int(end) for end in (each.split("-") * 2)[:2]] for each in ranges if each[0] != "["]
                for _, flags, address, ranges in self.nodes() if "master" in flags and ranges}

    def is_sound(self):
        if any(each.is_paused or not each.child for each in self.servers):
            return False
        for server in self.servers:
            if "cluster_state:ok" not in server.command("CLUSTER", "INFO"):
                return False
            lines = [line.split() for line in server.command("CLUSTER", "NODES").splitlines()]
            if len(lines) != len(self.servers) or any(
                {"fail", "fail?", "noaddr", "handshake"} & set(words[2].split(",")) or words[7] != "connected"
                for words in lines
            ):
                return False
        states = [each.information("replication") for each in self.servers]
        masters = [each for each in states if each.get("role") == "master"]
        return len(masters) == 3 and all(
            int(each.get("connected_slaves", 0)) >= 1 for each in masters
        ) and all(each.get("master_link_status") == "up" for each in states if each.get("role") == "slave")

    def cut_from_peers(self, master):
        # Traffic of the cluster bus and of replicas comes from the other servers' addresses.
        others = [each.address for each in self.servers if each is not master]
        self.network.cut(master.address, others)
        for each in self.servers:
            if each is not master:
                self.network.cut(each.address, [master.address])

    def hand_over(self):
        server = self.any_of(self.replica_proxies, "a replica")
        server.command("CLUSTER", "FAILOVER")
        return f"hand over to {server.name}", lambda: None

    def move_slots(self):
        """Moves 300 slots to another master while clients sign in."""
        nodes = wait(self.nodes, "the nodes", 60)
        masters = [node for node, flags, _, ranges in nodes if "master" in flags and ranges]
        source, target = random.sample(masters, 2)
        subprocess.run(
            ["redis-cli", "--cluster", "reshard", f"{self.servers[0].proxy}:{self.port}", "--cluster-from", source,
             "--cluster-to", target, "--cluster-slots", "300", "--cluster-yes"],
            capture_output=True, text=True, timeout=120,
        )
        return "move 300 slots", lambda: None

    def restart(self):
        server = random.choice(self.servers)
        server.stop()
        server.start()
        return f"restart {server.name}", lambda: None


def wait(read, name, seconds):
    """Returns the first value that is neither false nor empty."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := read():
            return value
        time.sleep(0.1)
    raise SystemExit(f"{name}: not ready within {seconds} seconds")
