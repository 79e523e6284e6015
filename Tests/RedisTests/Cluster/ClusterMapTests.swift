import Testing

@testable import Redis

/// Nodes' reports about the cluster, without a server.
@Suite struct ClusterMapTests {
    private let asked = Endpoint.tcp(host: "node.example", port: 6379)

    private func text(_ text: String) -> Reply { .bytes(Array(text.utf8)) }

    private func range(_ first: Int64, _ last: Int64, _ host: Reply, _ port: Int64, _ more: [Reply] = []) -> Reply {
        .array([.integer(first), .integer(last), .array([host, .integer(port), text("id")] + more)])
    }

    @Test("a map has the master of each slot")
    func owners() throws {
        let reply = Reply.array([
            range(0, 99, text("10.0.0.1"), 1), range(100, 199, text(""), 2), range(300, 300, .null, 3),
            range(400, 16_383, text("10.0.0.1"), 1), range(200, 200, text("::1"), 4),
        ])
        let map = try ClusterMap(reply, from: asked)
        func owner(_ slot: Int) -> Endpoint? { Slot(slot).flatMap(map.owner) }
        #expect(map.masters.count == 4)
        #expect(owner(0) == .tcp(host: "10.0.0.1", port: 1))
        #expect(owner(16_383) == .tcp(host: "10.0.0.1", port: 1))
        // Without a host in the report, the host is the one that was asked.
        #expect(owner(100) == .tcp(host: "node.example", port: 2))
        #expect(owner(300) == .tcp(host: "node.example", port: 3))
        #expect(owner(200) == .tcp(host: "::1", port: 4))
        #expect(owner(250) == nil)
    }

    @Test("a node without its preferred host name has its IP address")
    func unknownName() throws {
        let metadata = Reply.array([text("ip"), text("10.0.0.9")])
        let map = try ClusterMap(.array([range(0, 16_383, text("?"), 7, [metadata])]), from: asked)
        #expect(map.masters == [.tcp(host: "10.0.0.9", port: 7)])
    }

    @Test("a malformed report is rejected")
    func malformed() {
        let host = text("a")
        for ranges in [
            [range(-1, 5, host, 1)], [range(0, 16_384, host, 1)], [range(9, 8, host, 1)], [range(0, 1, host, 0)],
            [range(0, 1, host, 65_536)], [range(0, 1, text("a b"), 1)], [.array([.integer(0), .integer(1)])], [.null],
            (0..<1001).map { range($0, $0, host, $0 + 1) }, [],
        ] as [[Reply]] { #expect(throws: RedisError.self) { try ClusterMap(.array(ranges), from: asked) } }
        #expect(throws: RedisError.self) { try ClusterMap(.status("OK"), from: asked) }
    }

    @Test("a report of a node that sees a working cluster is best, and of several the one with the latest epoch")
    func reports() throws {
        func report(_ information: String) throws -> ClusterReport {
            try ClusterReport(
                information: text(information),
                slots: .array([range(0, 16_383, text("a"), 1)]),
                from: asked
            )
        }
        let stale = try report("cluster_state:ok\r\ncluster_current_epoch:7\r\n")
        let current = try report("cluster_state:ok\r\ncluster_current_epoch:8\r\n")
        let lonely = try report("cluster_state:fail\r\ncluster_current_epoch:9\r\n")
        let silent = try report("")
        #expect(current.isBetter(than: stale) && stale.isBetter(than: lonely) && lonely.isBetter(than: silent))
        #expect(!stale.isBetter(than: current) && !lonely.isBetter(than: stale) && !silent.isBetter(than: silent))
        for epoch in ["-1", "x", "", "99999999999999999999"] {
            #expect(try report("cluster_state:ok\ncluster_current_epoch:\(epoch)").map.epoch == 0)
        }
    }

    @Test("only slots that the node itself exports or imports are noticed")
    func moves() {
        let node = "07c37df 127.0.0.1:30004@31004 master - 0 1426238317239 4 connected 0-5460"
        let own = "e7d1eec 127.0.0.1:30001@31001 myself,master - 0 0 1 connected 5461-10922"
        #expect(!NodeLayout.showsMoves("\(node)\n\(own)\n"))
        #expect(NodeLayout.showsMoves("\(node)\n\(own) [93->-292f8b3]\n"))
        #expect(!NodeLayout.showsMoves("\(node) [93->-292f8b3]\n\(own)\n"))
        for text in ["", "\n", "myself", "a b myself d e f g h", "a b myself d e f g h ["] {
            #expect(NodeLayout.showsMoves(text) == text.hasSuffix("["))
        }
    }

    @Test("a moved slot changes the map, and replaced masters are counted")
    func changes() throws {
        let (a, b) = (Endpoint.tcp(host: "a", port: 1), Endpoint.tcp(host: "b", port: 1))
        let map = try ClusterMap(.array([range(0, 16_383, text("a"), 1)]), from: asked)
        let slot = try #require(Slot(7))
        let moved = map.moving(slot, to: b)
        #expect(moved.owner(of: slot) == b)
        #expect(try moved.owner(of: #require(Slot(8))) == a)
        #expect(moved.moving(slot, to: b) === moved)
        #expect(!moved.hasSameOwners(as: map))
        #expect(moved.moving(slot, to: a).hasSameOwners(as: map))
        #expect(moved.replacedMasters(since: map) == 0)
        let promoted = try ClusterMap(.array([range(0, 16_383, text("c"), 1)]), from: asked)
        #expect(promoted.replacedMasters(since: map) == 1)
    }

    @Test(
        "redirections are parsed",
        arguments: [
            ("MOVED 7 10.0.0.1:6381", .moved(Slot(7)!, to: .tcp(host: "10.0.0.1", port: 6381))),
            ("MOVED 7 :6381", .moved(Slot(7)!, to: .tcp(host: "node.example", port: 6381))),
            ("MOVED 7 2001:db8::1:6381", .moved(Slot(7)!, to: .tcp(host: "2001:db8::1", port: 6381))),
            ("MOVED 7 ?:6381", .moved(Slot(7)!, to: nil)),
            ("MOVED 7 a:0", .moved(Slot(7)!, to: nil)),
            ("ASK 7 a:6381", .ask(.tcp(host: "a", port: 6381))),
            ("TRYAGAIN Multiple keys request", .tryAgain), ("READONLY You can't write", .notMaster),
            ("MOVED 16384 a:1", nil), ("MOVED", nil), ("MOVED 7", nil), ("ASK 7 a:65536", nil), ("ERR MOVED", nil),
        ] as [(String, Redirection?)]
    )
    func redirections(line: String, expected: Redirection?) {
        #expect(Redirection(.error(ServerError(line: line)), from: asked) == expected)
    }
}
