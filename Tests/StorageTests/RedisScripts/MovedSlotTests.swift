import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Scripts on the master that a slot is being moved away from. While all their keys are there, the master executes
/// them, but refuses to create a key, even one that the script itself has just deleted.
@Suite struct MovedSlotTests {
    private let cluster: RedisCluster
    private let store: Store
    private let now: Int64

    init() async throws {
        cluster = try await RedisCluster.start()
        let configuration = ConnectionConfiguration(
            servers: try RedisAddress("redis+cluster://\(cluster.list)").servers,
            connectTimeout: .seconds(10),
            commandTimeout: .seconds(10),
            firstRetryDelay: .milliseconds(1),
            maxRetryDelay: .milliseconds(1)
        )
        store = TestStore.store(configuration)
        now = try #require(Int64(cluster.masters[0].cli("TIME").prefix { $0.isNumber })) * 1000
    }

    /// Moves the slot of a key to another master, and runs a step after the move has begun.
    private func whileMoving(slotOf key: String, _ step: () throws -> Void) {
        let (slot, owner) = (cluster.slot(ofKey: key), cluster.index(ofKey: key))
        let (source, target) = (cluster.masters[owner], cluster.masters[(owner + 1) % RedisCluster.masterCount])
        cluster.beginMove(slot, from: source, to: target)
        do { try step() } catch { Issue.record(error) }
        cluster.finishMove(slot, from: source, to: target)
    }

    @Test("a script whose slot is being moved loses no claim, test number or authorization code")
    func nothingIsLost() throws {
        try claims()
        try testNumbers()
        try authorizationCodes()
    }

    private func claims() throws {
        let phone = PhoneIdentity(project: "demo", hash: "phonehash")
        let claims = ([1, 2] as [UInt8]).map { fill in
            IdentifierClaim(uid: "uid", seconds: now / 1000, randomBytes: [0, 0, 0, 0, 0, fill])
        }
        let (first, second) = (claims[0], claims[1])
        #expect(try store.claimIdentifier(phone, first, replacing: nil) == first)
        whileMoving(slotOf: KeyNames.identifier(phone)) { () throws in
            #expect(try store.claimIdentifier(phone, first, replacing: nil) == first)
            #expect(try store.claimIdentifier(phone, second, replacing: first) == second)
        }
        #expect(try store.claim(of: phone) == second)
    }

    private func testNumbers() throws {
        func configure(_ version: Int64, _ numbers: [String: [UInt8]], of project: String = "demo") throws -> Bool {
            let configuration = StoredConfiguration(document: [UInt8(version)], version: version)
            return try store.setConfiguration(configuration, testNumbers: numbers, of: project)
        }
        #expect(try configure(1, ["kept": [1], "removed": [2]]))
        #expect(try configure(1, ["former": [1]], of: "other"))
        whileMoving(slotOf: KeyNames.testNumbers("demo")) {
            #expect(try configure(2, ["kept": [3], "new": [4]]))
            try store.replaceTestNumber(("former", [1]), by: ("next", [2]), of: "other")
            try store.replaceTestNumber(("next", [2]), by: ("next", [3]), of: "other")
        }
        #expect(try store.configuration(of: "demo") == StoredConfiguration(document: [2], version: 2))
        #expect(try store.testNumbers(of: "demo") == ["kept": [3], "new": [4]])
        #expect(try store.testNumbers(of: "other") == ["next": [3]])
        #expect(try configure(3, [:]) && store.testNumbers(of: "demo").isEmpty)
    }

    private func authorizationCodes() throws {
        let account = AccountIdentity(project: "demo", uid: "uid", among: store.shards)
        let session = UserSessionIdentity(project: "demo", hash: "session", shard: account.shard)
        func write(_ key: String, _ fields: String...) {
            cluster.masters[cluster.index(ofKey: key)].cli(["HSET", key] + fields)
        }
        write(KeyNames.user(account), "created", "1", "revocation", "1")
        write(KeyNames.userSession(session), "uid", "uid")
        func issue(_ hash: String) throws -> Bool {
            try store.issueAuthorizationCode(
                hash,
                of: session,
                for: AuthorizationCodeTerms(clientIDHash: "c", redirectURIHash: "r", challenge: hash),
                account: account,
                onBehalfOf: PresentedToken(session: session, revocation: 1, issuedAt: now / 1000, requestID: nil),
                lifeMilliseconds: 600_000
            )
        }
        #expect(try issue("first"))
        let key = KeyNames.authorizationCode(session)
        whileMoving(slotOf: key) { () throws in #expect(try issue("second")) }
        let fields = ["code", "client-id", "redirect-uri", "challenge"]
        let masters = cluster.masters.map { $0.cli(["HMGET", key] + fields) }
        #expect(masters.filter { $0 == "second\nc\nr\nsecond" }.count == 1)
    }
}
