import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Changes that are acknowledged only once a replica has them.
@Suite struct ConfirmedWriteTests {
    private static let hash = "hash"
    private static let accounts = ["one", "two", "three"].map {
        AccountIdentity(project: "demo", uid: $0, among: .standard)
    }
    private static let phones = accounts.map {
        PhoneIdentity(project: "demo", hash: $0.uid)
    }
    private static let claims = accounts.enumerated().map {
        IdentifierClaim(uid: $1.uid, seconds: 1, randomBytes: [0, 0, 0, 0, 0, UInt8($0)])
    }

    private static var receipt: PushReceiptID {
        get throws { try #require(PushReceiptID(shard: Shard(index: 1), bytes: [UInt8](repeating: 1, count: 16))) }
    }

    /// Returns a store whose changes wait so long for the replica.
    private func store(_ servers: ServerList, milliseconds: Int) -> Store {
        let configuration = ConnectionConfiguration(
            servers: servers,
            connectTimeout: .seconds(10),
            commandTimeout: .seconds(10),
            replicaConfirmation: ReplicaConfirmation(replicas: 1, milliseconds: milliseconds),
            firstRetryDelay: .milliseconds(1),
            maxRetryDelay: .milliseconds(1)
        )
        return TestStore.store(configuration)
    }

    private func creations(_ accounts: [AccountIdentity]) -> [AccountCreation] {
        accounts.map {
            AccountCreation(account: $0, requestID: "r", now: 1, changes: AccountUpdate(), audit: nil)
        }
    }

    /// The changes, in an order in which each has an effect, with a key that each writes.
    private func changes(_ store: Store) throws -> [(key: String, make: () throws -> Void)] {
        let token = AdminTokenRecord(project: "demo", access: "write", name: "", createdAt: 1, expiresAt: 2)
        let configuration = StoredConfiguration(document: [1], version: 1)
        let receipt = try Self.receipt
        let (accounts, phones, claims) = (Self.accounts, Self.phones, Self.claims)
        let taken = zip(accounts, zip(phones, claims)).map { account, identifier in
            TakenIdentifier(
                NamedIdentifier(identifier.0, claim: identifier.1, isFresh: true, sealed: [1]),
                isVerified: nil,
                for: account,
                provenAt: nil,
                audit: nil
            )
        }
        return [
            (KeyNames.user(accounts[2]), { _ = try store.createAccounts(creations(accounts)) }),
            (
                KeyNames.identifier(phones[2]),
                { _ = try store.claimIdentifiers(Array(zip(phones, claims)), isConfirmed: true) }
            ),
            (KeyNames.user(accounts[1]), { _ = try store.takeIdentifiers(taken) }),
            (KeyNames.adminTokens, { try store.setAdminToken(Self.hash, token) }),
            (KeyNames.adminTokens, { try store.removeAdminTokens([Self.hash]) }),
            (
                KeyNames.configuration("demo"),
                { _ = try store.setConfiguration(configuration, testNumbers: nil, of: "demo") }
            ),
            (
                KeyNames.testNumbers("demo"),
                {
                    let next = StoredConfiguration(document: [1], version: 2)
                    _ = try store.setConfiguration(next, testNumbers: [Self.hash: [1]], of: "demo")
                }
            ),
            (
                KeyNames.revokedReceipts("demo"),
                { try store.revokePushReceipts(of: "demo", bundleID: "com.example.app", before: 1) }
            ),
            (KeyNames.receipt(receipt), { _ = try store.revokePushReceipt(receipt) }),
        ]
    }

    @Test("imports and operators' changes are on a replica when they are acknowledged")
    func confirmed() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        for (key, make) in try changes(store(ServerList(.unix(path: redis.socketPath)), milliseconds: 8000)) {
            try make()
            #expect(replica.cli("DUMP", key) == redis.cli("DUMP", key), "\(key)")
        }
    }

    @Test("imports and operators' changes that no replica confirms fail, although Redis has them")
    func unconfirmed() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        let store = store(ServerList(.unix(path: redis.socketPath)), milliseconds: 300)
        try store.ping()
        replica.pause()
        defer { replica.resume() }
        let expected = StoreUnavailable(description: "Redis has the change, but 0 of 1 replicas confirmed it in time")
        for (key, make) in try changes(store) {
            #expect(throws: expected, "\(key)") { try make() }
        }
        #expect(redis.cli("EXISTS", KeyNames.user(Self.accounts[0])) == "1")
        #expect(redis.cli("HGET", KeyNames.configuration("demo"), "version") == "2")
        #expect(redis.cli("EXISTS", KeyNames.adminTokens) == "0")
    }

    @Test("a revocation that no replica confirmed is confirmed by repeating it, although it then writes nothing")
    func repeated() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        func newStore() -> Store { store(ServerList(.unix(path: redis.socketPath)), milliseconds: 300) }
        let receipt = try Self.receipt
        redis.cli("HSET", KeyNames.adminTokens, Self.hash, "")
        redis.cli("SET", KeyNames.receipt(receipt), "")
        let revocations: [(Store) throws -> Void] = [
            { try $0.removeAdminTokens([Self.hash]) }, { try $0.removeAdminTokens([]) },
            { _ = try $0.revokePushReceipt(receipt) }, { _ = try $0.revokePushReceipt(receipt) },
            { try $0.confirmChanges(of: Self.accounts, numbers: Self.phones, emails: []) },
        ]
        do {
            replica.pause()
            defer { replica.resume() }
            for revoke in revocations { #expect(throws: StoreUnavailable.self) { try revoke(newStore()) } }
        }
        #expect(redis.cli("EXISTS", KeyNames.adminTokens, KeyNames.receipt(receipt)) == "0")
        for revoke in revocations { #expect(eventually { (try? revoke(newStore())) != nil }) }
    }

    /// Revokes a push receipt while the servers do not know the script of the mark that follows the removal.
    private func expectOneRemoval(_ address: ServerList, _ servers: [RedisServer]) throws {
        let store = store(address, milliseconds: 8000)
        #expect(eventually { (try? store.ping()) != nil })
        let receipt = try Self.receipt
        for server in servers {
            // The other nodes of a cluster refuse the key.
            server.cli("SET", KeyNames.receipt(receipt), "")
            server.cli("SCRIPT", "FLUSH")
        }
        #expect(try store.revokePushReceipt(receipt), "the first execution found the receipt")
        #expect(try !store.revokePushReceipt(receipt))
    }

    @Test("a confirmed command is executed once, even if the server does not know the mark's script")
    func unknownMark() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        try expectOneRemoval(ServerList(.unix(path: redis.socketPath)), [redis])
        #expect(replica.cli("EXISTS", KeyNames.receipt(try Self.receipt)) == "0")
    }

    @Test("in a cluster, a confirmed command is executed once, even if its node does not know the mark's script")
    func unknownMarkInCluster() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true)
        try expectOneRemoval(try RedisAddress("redis+cluster://\(cluster.list)").servers, cluster.masters)
    }

    @Test("a batch fails if its connection ends before replicas have confirmed it")
    func lostConnection() throws {
        let redis = try RedisServer.start()
        let replica = try redis.startReplica()
        let proxy = try RedisProxy(to: redis)
        let store = store(ServerList(.unix(path: proxy.socketPath)), milliseconds: 8000)
        store.deadline = .now + .seconds(60)
        // Redis then knows the scripts.
        _ = try store.createAccounts(creations(Self.accounts))
        let others = Self.accounts.map { AccountIdentity(project: "other", uid: $0.uid, among: .standard) }
        proxy.interrupt(afterScripts: others.count, .goOn) { _ = redis.cli("CLIENT", "KILL", "TYPE", "normal") }
        #expect(throws: StoreUnavailable.self) { try store.createAccounts(creations(others)) }
        #expect(proxy.hasInterrupted())
        #expect(try store.createAccounts(creations(others)).allSatisfy { $0 != nil })
        #expect(replica.cli("EXISTS", KeyNames.user(others[2])) == "1")
    }

    @Test("in a cluster, a batch of changes fails if one of its nodes has no replica that confirms them")
    func cluster() async throws {
        let cluster = try await RedisCluster.start(hasReplicas: true)
        let store = store(try RedisAddress("redis+cluster://\(cluster.list)").servers, milliseconds: 5000)
        #expect(eventually { (try? store.ping()) != nil })
        /// Returns accounts on the masters with these indices.
        func accounts(_ masters: [Int], _ name: String) throws -> [AccountIdentity] {
            try masters.map { master in
                let found = (0..<1000).lazy
                    .map { AccountIdentity(project: "demo", uid: "\(name)-\($0)", among: .standard) }
                    .first { cluster.index(ofKey: KeyNames.user($0)) == master }
                return try #require(found)
            }
        }
        let first = try store.createAccounts(creations(accounts([0, 1, 2], "a")))
        #expect(first.allSatisfy { $0 != nil })
        cluster.replicas[1].pause()
        defer { cluster.replicas[1].resume() }
        let failing = try creations(accounts([0, 1, 2], "b"))
        #expect(throws: StoreUnavailable.self) { try store.createAccounts(failing) }
        let others = try store.createAccounts(creations(accounts([0, 2], "c")))
        #expect(others.allSatisfy { $0 != nil })
    }
}
