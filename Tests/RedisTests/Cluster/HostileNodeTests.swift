import Synchronization
import TestServers
import Testing

@testable import Redis

/// Cluster nodes that send invalid data.
@Suite struct HostileNodeTests {
    @Test("if nodes redirect to each other endlessly, the command fails and is not executed")
    func loop() throws {
        let count = Mutex(0)
        let (one, two) = (try StandInNode(), try StandInNode())
        for (node, word, port) in [(one, "MOVED", two.port), (two, "ASK", one.port)] {
            node.answer { name, _ in
                guard name == "GET" else { return nil }
                count.withLock { $0 += 1 }
                return "-\(word) 12182 127.0.0.1:\(port)\r\n"
            }
        }
        let connection = try one.connection()
        let error = #expect(throws: RedisError.self) { try connection.send(Command("GET", "foo")) }
        #expect(error?.isUnavailable == true)
        #expect(error?.description.contains("too many times") == true, "\(error as Any)")
        let received = count.withLock { $0 }
        // The first MOVED counts, and each ASK. Further MOVEDs cause waits.
        #expect(received == 10)
    }

    @Test("commands pause when a node redirects them once more")
    func disagreement() {
        let (one, two) = (Endpoint.tcp(host: "127.0.0.1", port: 1), Endpoint.tcp(host: "127.0.0.1", port: 2))
        var call = ClusterCall([Command("GET", "foo")])
        call.take([.error(ServerError(line: "MOVED 12182 127.0.0.1:2"))], from: one, Cluster())
        #expect(call.reasonToWait == nil)
        call.take([.error(ServerError(line: "MOVED 12182 127.0.0.1:1"))], from: two, Cluster())
        #expect(call.reasonToWait != nil && call.outcome == nil)
    }

    @Test("an executed command is not sent to another node if only a later command of the call is redirected")
    func laterRedirection() {
        let node = Endpoint.tcp(host: "127.0.0.1", port: 1)
        let ask = Reply.error(ServerError(line: "ASK 12182 127.0.0.1:2"))
        for (replies, isExecuted) in [([.integer(1), ask], true), ([ask, .integer(1)], false)] as [([Reply], Bool)] {
            var call = ClusterCall([Command("INCR", "foo"), Command("INCR", "bar{foo}")])
            call.take(replies, from: node, Cluster())
            #expect(call.isAnswered == isExecuted)
            #expect((call.redirectedTo == nil) == isExecuted)
        }
    }

    @Test("nodes that refuse to report the slots do not hide one that reports them")
    func refusal() throws {
        let refusing = try (0..<3).map { _ in
            try StandInNode { name, _ in name == "CLUSTER" ? "-NOPERM no\r\n" : nil }
        }
        let good = try StandInNode()
        // The order of the nodes is random.
        for _ in 0..<8 {
            #expect(try good.connection(others: refusing).send(Command("GET", "foo")) == .status("OK"))
        }
        let error = #expect(throws: RedisError.self) {
            try refusing[0].connection(others: refusing).send(Command("GET", "foo"))
        }
        #expect(error == .refused("NOPERM no"))
    }

    @Test("a command that a node keeps refusing fails at the deadline")
    func readOnly() throws {
        let node = try StandInNode { name, _ in name == "SET" ? "-READONLY You can't write\r\n" : nil }
        let connection = try node.connection()
        let start = ContinuousClock.now
        let error = #expect(throws: RedisError.self) {
            try connection.send(Command("SET", "foo", "x"), deadline: start + .milliseconds(300))
        }
        // The deadline may pass while the node responds.
        #expect(error?.isUnavailable == true || error == .timedOut, "\(error as Any)")
        // Only a call that never ends takes this long.
        #expect(start.duration(to: .now) < .seconds(30))
        node.answer { _, _ in nil }
        #expect(try connection.send(Command("SET", "foo", "x")) == .status("OK"))
    }

    @Test(
        "a malformed report about the cluster makes it unavailable",
        arguments: [
            "*0\r\n", "*-1\r\n", "$-1\r\n", "+OK\r\n", "-ERR unknown\r\n", "-LOADING\r\n", ":7\r\n", "*1\r\n*0\r\n",
            "*1\r\n*3\r\n:-1\r\n:5\r\n*2\r\n$1\r\na\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$1\r\na\r\n:1\r\n",
            "*1\r\n*3\r\n:5\r\n:4\r\n*2\r\n$1\r\na\r\n:1\r\n", "*1\r\n*3\r\n:0\r\n:5\r\n*2\r\n$1\r\na\r\n:65536\r\n",
            "*1\r\n*3\r\n:0\r\n:5\r\n*2\r\n$1\r\na\r\n:9223372036854775807\r\n",
            "*1\r\n*3\r\n:-9223372036854775808\r\n:9223372036854775807\r\n*2\r\n$1\r\na\r\n:1\r\n",
            "*1\r\n*3\r\n:0\r\n:5\r\n*0\r\n", "*1\r\n*3\r\n:0\r\n:5\r\n*2\r\n$4\r\n\u{1}\u{0} /\r\n:1\r\n",
            "HTTP/1.1 400\r\n\r\n",
        ]
    )
    func report(slots: String) throws {
        let node = try StandInNode { $0 == "CLUSTER" && $1 == "SLOTS" ? slots : nil }
        let error = #expect(throws: RedisError.self) { try node.connection().send(Command("GET", "foo")) }
        #expect(error?.isUnavailable == true, "\(error as Any)")
    }

    @Test(
        "a malformed redirection is an error and is not followed",
        arguments: [
            "MOVED", "MOVED 5", "MOVED x y", "MOVED 99999 127.0.0.1:1", "ASK 5 127.0.0.1:0", "ASK 5 :", "ASK 5 ?:7",
            "ASK 5 127.0.0.1:99999999999999999999", "MOVED -1 127.0.0.1:1", "ASK 5 a b:1", "ASK 5 [::1]:x",
        ]
    )
    func redirection(line: String) throws {
        let node = try StandInNode { name, _ in name == "GET" ? "-\(line)\r\n" : nil }
        let error = #expect(throws: RedisError.self) {
            try node.connection().send(Command("GET", "foo"), deadline: .now + .seconds(5))
        }
        #expect(error?.isUnavailable == true, "\(error as Any)")
    }

    @Test("a node that names no master for some slots is asked again when they are needed")
    func incomplete() throws {
        let node = try StandInNode()
        let port = node.port
        node.answer { name, argument in
            guard name == "CLUSTER", argument == "SLOTS" else { return nil }
            return StandInNode.slots(port).replacing("16383", with: "5")
        }
        let connection = try node.connection()
        let error = #expect(throws: RedisError.self) { try connection.send(Command("GET", "foo")) }
        #expect(error == .unavailable("no node of the cluster has the slot 12182"))
        node.answer { _, _ in nil }
        #expect(eventually { (try? connection.send(Command("GET", "foo"))) == .status("OK") })
    }
}
