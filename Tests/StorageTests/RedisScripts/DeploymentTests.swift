import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

@Suite struct DeploymentTests {
    private func store(_ test: TestStore, _ marks: DeploymentMarks, shards: ShardCount = .standard) -> Store {
        Store(TestStore.configuration(test.redis), shards: shards, projects: [], marks: { marks })
    }

    private func adopt(_ test: TestStore, _ marks: DeploymentMarks, withData: Bool = false) throws -> RedisAdoption {
        try Store.adopt(
            TestStore.configuration(test.redis),
            shards: .standard,
            marks: marks,
            withData: withData
        )
    }

    @Test("a Redis that no deployment has adopted is refused, and nothing is written")
    func unmarked() throws {
        let test = try TestStore()
        let store = store(test, .test)
        let error = #expect(throws: StoreUnavailable.self) { try store.ping() }
        #expect(error?.description.contains("run dialtone redis adopt") == true)
        #expect(throws: StoreUnavailable.self) { try store.setConfiguration() }
        #expect(try store.deploymentMismatch() == .unmarked(keys: DeploymentMarks.test.keys))
        #expect(test.keyNames().isEmpty)
        #expect(try adopt(test, .test) == .adopted)
        #expect(eventually { (try? store.ping()) != nil })
        #expect(try store.deploymentMismatch() == nil)
    }

    @Test("a Redis of another deployment is refused for reading and writing, and is never adopted")
    func foreign() throws {
        let test = try TestStore()
        #expect(try adopt(test, .test) == .adopted)
        let before = test.contents()
        let store = store(test, .other)
        let mismatch = DeploymentMismatch.keys(redis: DeploymentMarks.test.keys, keyFile: DeploymentMarks.other.keys)
        let error = #expect(throws: StoreUnavailable.self) { try store.setConfiguration() }
        #expect(error?.description.contains("belongs to the deployment 5eeda11c, the key file to 0ddba11c") == true)
        #expect(throws: StoreUnavailable.self) { try store.accounts(of: "demo", in: Shard(index: 0)) }
        #expect(try store.deploymentMismatch() == mismatch)
        for withData in [false, true] {
            #expect(try adopt(test, .other, withData: withData) == .refused(mismatch))
        }
        #expect(test.contents() == before)
    }

    @Test("a Redis with data but no mark is adopted only if its data is said to be the deployment's")
    func unmarkedData() throws {
        let test = try TestStore()
        test.redis.cli("SET", "dt:{u/1}:x", "1")
        #expect(try adopt(test, .test) == .hasData)
        #expect(test.keyNames() == ["dt:{u/1}:x"])
        #expect(try adopt(test, .test, withData: true) == .adopted)
        #expect(try adopt(test, .test) == .known)
    }

    @Test("keys that expire are no data, so what a worker counted in an emptied Redis does not prevent its adoption")
    func expiringKeys() throws {
        let test = try TestStore()
        test.redis.cli("SET", "dt:{demo}:x", "1", "PX", "60000")
        #expect(try adopt(test, .test) == .adopted)
    }

    @Test(
        "no session is opened in a Redis that was emptied since its last comparison",
        arguments: CodeSource.allCases
    )
    func emptied(codeSource: CodeSource) throws {
        let test = try TestStore()
        #expect(try adopt(test, .test) == .adopted)
        let store = store(test, .test)
        #expect(try store.indexKeyState() == .first)
        #expect(throws: Never.self) { try test.open(1, codeSource: codeSource, on: store) }
        test.redis.cli("FLUSHALL")
        let error = #expect(throws: StoreUnavailable.self) { try test.open(2, codeSource: codeSource, on: store) }
        #expect(error?.description.contains("has no deployment's mark") == true)
        #expect(test.keyNames() == [])
        #expect(try adopt(test, .test) == .adopted)
        #expect(throws: Never.self) { try test.open(2, codeSource: codeSource, on: store) }
    }

    @Test("a send reads the mark first; a known user's sign-in and token refresh do not read it")
    func reads() throws {
        let test = try TestStore()
        let first = try test.signIn(1)
        let monitor = try Monitor(test.redis)
        try test.open(2)
        guard case .success = try test.answer(2, isRight: true, request: "a") else {
            Issue.record("the code was not accepted")
            return
        }
        _ = try test.exchange(first.token, secretHash: "", audit: test.audit())
        let reads = try monitor.stop().filter { $0.contains(KeyNames.deployment) }
        #expect(reads.count == 1 && reads.allSatisfy { $0.contains("\"HGET\"") }, "\(reads)")
    }

    @Test("of deployments that adopt a Redis at the same time, one succeeds, and no mark of another one is stored")
    func race() throws {
        let test = try TestStore()
        let other = DeploymentMarks(keys: DeploymentMarks.other.keys, indexKeys: [1: "a", 2: "b"])
        let configuration = TestStore.configuration(test.redis)
        let adoptions = try inParallel(8) { racer in
            try Store.adopt(
                configuration,
                shards: .standard,
                marks: racer.isMultiple(of: 2) ? .test : other,
                withData: false
            )
        }
        #expect(adoptions.contains(.adopted))
        let isOther = test.redis.cli("HGET", KeyNames.deployment, "keys") == other.keys
        let fields = ["index-1", "keys", "shards"] + (isOther ? ["index-2"] : [])
        #expect(Set(test.redis.cli("HKEYS", KeyNames.deployment).split(separator: "\n")) == Set(fields.map { $0[...] }))
        #expect(try store(test, isOther ? other : .test).deploymentMismatch() == nil)
    }

    @Test("marks are compared once a second with a connection that stays open, too")
    func replacedData() throws {
        let test = try TestStore()
        #expect(try adopt(test, .test) == .adopted)
        let store = store(test, .test)
        #expect(try store.indexKeyState() == .first)
        test.redis.cli("HSET", KeyNames.deployment, "keys", DeploymentMarks.other.keys)
        #expect(throws: StoreUnavailable.self) { try store.indexKeyState() }
        test.redis.cli("FLUSHALL")
        let error = #expect(throws: StoreUnavailable.self) { try store.indexKeyState() }
        #expect(error?.description.contains("has no deployment's mark") == true)
    }

    @Test("an index key that differs from the one that was in force under its id is refused; an unused one is not")
    func indexKeys() throws {
        let test = try TestStore()
        #expect(try adopt(test, .test) == .adopted)
        func marks(_ second: String) -> DeploymentMarks {
            DeploymentMarks(keys: DeploymentMarks.test.keys, indexKeys: [1: "1dea1dea1dea1dea", 2: second])
        }
        let (one, two) = (store(test, marks("11111111")), store(test, marks("22222222")))
        for store in [one, two] { try store.ping() }
        try one.recordIndexKey(2)
        #expect(try one.indexKeyState() == .first)
        let error = #expect(throws: StoreUnavailable.self) { try two.indexKeyState() }
        #expect(error?.description.contains("knows index-2 as 11111111, the key file as 22222222") == true)
        #expect(throws: StoreUnavailable.self) { try two.recordIndexKey(2) }
    }

    @Test("the index key in force and that of an incomplete move are read from their text", arguments: ["2", "1>2"])
    func indexKeyState(text: String) throws {
        let state = try #require(IndexKeyState(text: text))
        #expect(state.text == text && state.next == (text == "2" ? nil : 2))
        for wrong in ["", ">", "1>", ">2", "1>2>3", "256", "x"] { #expect(IndexKeyState(text: wrong) == nil) }
    }

    @Test("a store whose number of shards differs from the deployment's is refused on each new connection")
    func shardCount() throws {
        let test = try TestStore()
        #expect(try adopt(test, .test) == .adopted)
        let other = store(test, .test, shards: try #require(ShardCount(128)))
        let error = #expect(throws: StoreUnavailable.self) { try other.ping() }
        #expect(error?.description.contains("64 shards, but 128") == true)
        #expect(throws: StoreUnavailable.self) { try other.accounts(of: "demo", in: Shard(index: 0)) }
        let store = store(test, .test)
        try store.ping()
        test.redis.cli("HSET", KeyNames.deployment, "shards", "128")
        try store.ping()
        test.redis.cli("CLIENT", "KILL", "TYPE", "normal")
        #expect(throws: StoreUnavailable.self) { try store.ping() }
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
        let id = try #require(VerificationID(project: "demo", bytes: bytes))
        #expect(VerificationID(project: "demo", text: Array(id.text.utf8)) == id)
        #expect(KeyNames.verificationID(ofKey: KeyNames.verification(id), of: "demo") == id)
        for count in [0, 15, 17] {
            #expect(VerificationID(project: "demo", bytes: [UInt8](repeating: 0, count: count)) == nil)
        }
        for key in ["", "dt:{demo}:sess", "dt:{other}:sess:\(id.text)", "dt:{demo}:sess:x"] {
            #expect(KeyNames.verificationID(ofKey: key, of: "demo") == nil)
        }
    }
}

extension Store {
    /// Writes something.
    fileprivate func setConfiguration() throws(StoreUnavailable) {
        _ = try send("SET", KeyNames.configuration("demo"), "x")
    }
}
