import Redis
import TestServers
import Testing

@testable import RedisStore

@Suite struct DeploymentTests {
    @Test("a store whose number of shards differs from the deployment's is rejected")
    func shardCount() throws {
        let test = try TestStore()
        try test.store.ping()
        #expect(test.redis.cli("GET", "dt:{settings}:shards") == "64")
        let other = Store(TestStore.configuration(test.redis), shards: try #require(ShardCount(128)))
        let error = #expect(throws: StoreUnavailable.self) { try other.ping() }
        #expect(error?.description.contains("64 shards, but 128") == true)
        #expect(throws: StoreUnavailable.self) { try other.accounts(of: "demo", in: Shard(index: 0)) }
        #expect(test.redis.cli("GET", "dt:{settings}:shards") == "64")
        try Store(TestStore.configuration(test.redis), shards: .standard).ping()
        try test.store.ping()
    }

    @Test("the number of shards is checked on each new connection")
    func newConnection() throws {
        let test = try TestStore()
        try test.store.ping()
        test.redis.cli("SET", "dt:{settings}:shards", "128")
        try test.store.ping()
        test.redis.cli("CLIENT", "KILL", "TYPE", "normal")
        #expect(throws: StoreUnavailable.self) { try test.store.ping() }
    }

    @Test("the number of shards is 1 to 4096", arguments: [Int.min, -1, 0, 4097, .max])
    func bounds(count: Int) {
        #expect(ShardCount(count) == nil)
        #expect(ShardCount(1)?.shards.count == 1)
        #expect(ShardCount(4096)?.shards.last == Shard(index: 4095))
    }

    @Test("an account has the same shard on every machine and in every release")
    func stableShards() {
        // The 64-bit FNV-1a hashes of "demo/…", computed independently.
        let expected: [(uid: String, shard: UInt16)] = [
            ("", 27), ("a", 14), ("uid", 39), ("0123456789ABCDEFabcdefghijkl", 55), ("é", 19),
        ]
        for (uid, shard) in expected {
            #expect(AccountIdentity(project: "demo", uid: uid, among: .standard).shard.index == shard)
        }
    }

    @Test("accounts are spread over all shards")
    func spread() {
        var counts = [Int](repeating: 0, count: 64)
        for number in 0..<6400 {
            let account = AccountIdentity(project: "demo", uid: "uid-\(number)", among: .standard)
            counts[Int(account.shard.index)] += 1
        }
        #expect(counts.allSatisfy { (50...150).contains($0) })
    }

    @Test("a session id has 16 bytes, and its text round-trips")
    func sessionIDs() throws {
        let bytes = (0..<16).map { UInt8($0 * 16) }
        let id = try #require(SessionID(shard: Shard(index: 5), bytes: bytes))
        #expect(SessionID(shard: Shard(index: 5), text: Array(id.text.utf8)) == id)
        #expect(KeyNames.sessionID(ofKey: KeyNames.session(id)) == id)
        for count in [0, 15, 17] {
            #expect(SessionID(shard: id.shard, bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
        for key in ["", "dt:{p5}:sess", "dt:{px}:sess:\(id.text)", "dt:{p5}:sess:x", "dt:{p99999}:sess:\(id.text)"] {
            #expect(KeyNames.sessionID(ofKey: key) == nil)
        }
    }
}
