import PhoneAuth
@testable import Redis
import Testing
import TestServers

@testable import RedisScripts

/// Snapshots of a real Redis, and their restoration.
@Suite struct SnapshotTests {
    /// Creates values of each type, small and large, compressible and not, with an outbox in use, and keys of others.
    private func fill(_ redis: RedisServer) {
        let script = """
            local prefix = 'dt:{a long and compressible aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa}:'
            redis.call('SET', prefix .. 'text', 'value')
            redis.call('SET', prefix .. 'number', '-70000')
            redis.call('SET', prefix .. 'compressible', string.rep('abc', 3000))
            redis.call('SET', prefix .. 'expiring', 'x', 'PX', 9000000)
            for _, count in ipairs({1, 3, 1000}) do
              for i = 1, count do
                local item = i % 2 == 0 and i or i .. string.rep('x', i % 90)
                redis.call('RPUSH', prefix .. 'list' .. count, item)
                redis.call('SADD', prefix .. 'set' .. count, item)
                redis.call('SADD', prefix .. 'numbers' .. count, i)
                redis.call('ZADD', prefix .. 'sorted' .. count, i / 3, item)
                redis.call('HSET', prefix .. 'hash' .. count, item, string.rep(i, 20))
                redis.call('XADD', prefix .. 'stream' .. count, i .. '-1', 'name', item)
              end
              redis.call('XGROUP', 'CREATE', prefix .. 'stream' .. count, 'group', '0')
              redis.call('XREADGROUP', 'GROUP', 'group', 'one', 'COUNT', 2, 'STREAMS', prefix .. 'stream' .. count, '>')
              redis.call('XREADGROUP', 'GROUP', 'group', 'two', 'COUNT', 1, 'STREAMS', prefix .. 'stream' .. count, '>')
              redis.call('XDEL', prefix .. 'stream' .. count, '1-1')
            end
            redis.call('SET', '12345', 'of another application')
            redis.call('LPUSH', 'other', 'of another application')
            """
        redis.cli("EVAL", script, "0")
        redis.cli("-n", "1", "SET", "dt:{a}:other-database", "1")
        redis.cli("FUNCTION", "LOAD", "#!lua name=f\nredis.register_function('f', function() return 1 end)")
    }

    private func server(isDiskless: Bool = true, isSmall: Bool = true) throws -> RedisServer {
        let encodings = [
            "list-max-listpack-size 2", "set-max-intset-entries 1", "hash-max-listpack-entries 1",
            "zset-max-listpack-entries 1", "stream-node-max-entries 2",
        ]
        return try RedisServer.start(
            settings: ["repl-diskless-sync \(isDiskless ? "yes" : "no")", "repl-diskless-sync-delay 0"]
                + (isSmall ? encodings : [])
        )
    }

    private func adopt(_ redis: RedisServer, withData: Bool = false) throws -> RedisAdoption {
        let configuration = TestStore.configuration(redis)
        return try Store.adopt(configuration, shards: .standard, marks: .test, withData: withData)
    }

    private func entries(of store: Store) throws -> [SnapshotEntry] {
        var (scan, entries) = (try SnapshotScan(store) { _ in false }, [SnapshotEntry]())
        while let entry = try scan.next() { entries.append(entry) }
        #expect(scan.count == scan.total)
        return entries
    }

    @Test(
        "a snapshot has each key of Dialtone with its value as DUMP returns it, and with the time when it expires",
        arguments: [true, false],
        [true, false]
    )
    func everyType(isDiskless: Bool, isSmall: Bool) throws {
        let redis = try server(isDiskless: isDiskless, isSmall: isSmall)
        fill(redis)
        let store = TestStore.store(on: redis)
        let entries = try entries(of: store)
        let keys = redis.cli("KEYS", "dt:*").split(separator: "\n").map(String.init)
        #expect(keys.count > 20 && Set(entries.map(\.key)) == Set(keys) && entries.count == keys.count)
        for entry in entries {
            let dump = try #require(try store.send("DUMP", entry.key).bytes)
            // The version at the end may be another one, and with it the checksum.
            #expect(entry.payload.dropLast(10) == dump.dropLast(10), "\(entry.key)")
            let expiry = try store.send("PEXPIRETIME", entry.key).integer()
            #expect(entry.expiry == (expiry == -1 ? nil : expiry), "\(entry.key)")
        }
    }

    @Test("a restored Redis has the same values, and gets the deployment's mark last", arguments: [true, false])
    func restored(isSmall: Bool) throws {
        let source = try server(isSmall: isSmall)
        fill(source)
        #expect(try adopt(source, withData: true) == .adopted)
        let entries = try entries(of: TestStore.store(on: source))
        let mark = try #require(entries.first { $0.isDeploymentMark })
        let target = try server(isSmall: !isSmall)
        let restoration = RedisRestoration(TestStore.configuration(target), shards: .standard, marks: .test)
        #expect(try restoration.obstacle(to: "backup") == nil)
        #expect(try restoration.begin("backup", attempt: "1", mark: mark) == nil)
        try restoration.write(Array(entries.prefix(9)))
        #expect(try adopt(target, withData: true) == .isBeingRestored)

        // It is interrupted, and repeated by another process.
        let other = RedisRestoration(TestStore.configuration(target), shards: .standard, marks: .test)
        #expect(try other.obstacle(to: "other") == .hasOtherBackup)
        #expect(try other.obstacle(to: "backup") == nil)
        #expect(try other.begin("backup", attempt: "2", mark: mark) == nil)
        // The first one was only slow.
        #expect(throws: StoreUnavailable.self) { try restoration.write(entries) }
        try other.write(entries)
        #expect(target.cli("EXISTS", KeyNames.deployment) == "0")
        try other.finish()
        #expect(throws: StoreUnavailable.self) { try restoration.write(entries) }
        #expect(throws: StoreUnavailable.self) { try restoration.finish() }
        #expect(try other.obstacle(to: "backup") == .hasData)
        #expect(contents(of: target) == contents(of: source))
    }

    /// Returns each key with its sorted value and the time when it expires.
    private func contents(of redis: RedisServer) -> [String: [Substring]] {
        let commands = [
            "string": ["GET"], "hash": ["HGETALL"], "list": ["LRANGE", "0", "-1"], "set": ["SMEMBERS"],
            "zset": ["ZRANGE", "0", "-1", "WITHSCORES"], "stream": ["XRANGE", "-", "+"],
        ]
        let keys = redis.cli("KEYS", "dt:*").split(separator: "\n").map(String.init)
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let command = commands[redis.cli("TYPE", key)] ?? ["DUMP"]
                let value = redis.cli([command[0], key] + command.dropFirst())
                let groups = redis.cli("XPENDING", key, "group")
                let parts = [value, groups, redis.cli("PEXPIRETIME", key)]
                return (key, parts.joined(separator: "\n").split(separator: "\n").sorted())
            }
        )
    }

    @Test("a backup that does not match the key file or the number of shards changes nothing")
    func mismatch() throws {
        let source = try server()
        #expect(try adopt(source) == .adopted)
        let mark = try #require(entries(of: TestStore.store(on: source)).first { $0.isDeploymentMark })
        let target = try server()
        let configuration = TestStore.configuration(target)
        let keyless = DeploymentMarks(keys: DeploymentMarks.test.keys, indexKeys: [2: "2dea"])
        let fewer = try #require(ShardCount(8))
        for (shards, marks) in [(.standard, .other), (.standard, keyless), (fewer, DeploymentMarks.test)] {
            let restoration = RedisRestoration(configuration, shards: shards, marks: marks)
            #expect(try restoration.begin("backup", attempt: "1", mark: mark) != nil)
            #expect(target.cli("DBSIZE") == "0")
        }
        let own = RedisRestoration(TestStore.configuration(source), shards: .standard, marks: .test)
        #expect(try own.obstacle(to: "backup") == .hasData)
        let others = RedisRestoration(TestStore.configuration(source), shards: .standard, marks: .other)
        guard case .mismatch(.keys) = try others.obstacle(to: "backup") else {
            Issue.record("another deployment's Redis is accepted")
            return
        }
        target.cli("SET", "dt:{u/1}:x", "1")
        #expect(try RedisRestoration(configuration, shards: .standard, marks: .test).obstacle(to: "backup") == .hasData)
    }

    @Test("a user who may not read snapshots learns which permissions are missing")
    func permissions() throws {
        let test = try TestStore()
        for missing in ["sync", "replconf"] {
            let configuration = test.configuration(ofUserWith: ["~dt:*", "+@all", "-\(missing)"])
            var scan = try SnapshotScan(Store(configuration, shards: .standard)) { _ in false }
            let error = #expect(throws: StoreUnavailable.self) { _ = try scan.next() }
            #expect(
                error?.description.hasSuffix("the user needs +sync +replconf") == true,
                "\(String(describing: error))"
            )
        }
    }

    @Test("a truncated or damaged snapshot is rejected, in whatever pieces it arrives")
    func damage() throws {
        let redis = try server()
        fill(redis)
        let stream = try Connection(TestStore.configuration(redis)).snapshot(of: #require(NodeLayout.single.first))
        var snapshot: [UInt8] = []
        var recording = SnapshotReader(database: 0) { () throws(StoreUnavailable) in
            let bytes = try StoreUnavailable.wrapping(stream.next())
            snapshot += bytes
            return bytes
        }
        while try recording.next() != nil {}
        #expect(try read(snapshot, inPiecesOf: 1) > 20)
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            var damaged = snapshot
            if Bool.random(using: &random) {
                damaged.removeLast(Int.random(in: 100..<snapshot.count, using: &random))
            } else {
                let index = Int.random(in: 0..<snapshot.count - 100, using: &random)
                damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            }
            let size = Int.random(in: 1...5000, using: &random)
            #expect(throws: StoreUnavailable.self) { try read(damaged, inPiecesOf: size) }
        }
    }

    /// Reads a snapshot that arrives in pieces, and returns the number of keys.
    private func read(_ snapshot: [UInt8], inPiecesOf size: Int) throws -> Int {
        var rest = snapshot[...]
        var reader = SnapshotReader(database: 0) { () throws(StoreUnavailable) in
            guard !rest.isEmpty else { throw StoreUnavailable(description: "the end") }
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var count = 0
        while try reader.next() != nil { count += 1 }
        return count
    }
}

extension NodeLayout {
    /// The only server of a deployment without a cluster.
    fileprivate static var single: [ServerNode] { NodeLayout(map: nil, isChanging: false).nodes }
}
