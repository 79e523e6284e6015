import Encodings
import Glibc
import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Requirements on keys, from Redis Cluster and for the use of memory.
@Suite struct KeyTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func runEveryScript() throws -> AccountIdentity {
        try test.open(1)
        try test.open(2, binding: "other")
        try test.answer(2, isRight: false, request: "a")
        let signIn = try test.signIn(3)
        _ = try test.exchange(signIn.token, audit: test.audit())
        try runEveryScriptOfAuthorizationCodes(signIn)
        try runEveryScriptOfClaims(signIn.account)
        try runEveryScriptOfEmails()
        #expect(try test.setTestNumbers(["hash": [1]]))
        // An account in the same shard, so that the keys that its deletion leaves are checked as well.
        let other = try accountOfShard(signIn.account.shard)
        _ = try test.record(uid: other.uid, 4, at: test.now)
        _ = try test.store.deleteAccount(other, requestID: "r", markMilliseconds: 60_000, audit: test.audit())
        try test.open(5, binding: "third")
        try test.answer(5, isRight: false, request: "b")
        return signIn.account
    }

    private func runEveryScriptOfAuthorizationCodes(_ signIn: TestStore.SignIn) throws {
        let terms = AuthorizationCodeTerms(clientIDHash: "c", redirectURIHash: "r", challenge: "s")
        let revocation = try #require(try test.store.account(signIn.account)?.revocation)
        let isIssued = try test.store.issueAuthorizationCode(
            "hash",
            of: signIn.token,
            for: terms,
            account: signIn.account,
            onBehalfOf: PresentedToken(
                session: signIn.token,
                revocation: revocation,
                issuedAt: test.now / 1000,
                requestID: nil
            ),
            lifeMilliseconds: 60_000
        )
        #expect(isIssued)
        let outcome = try test.store.exchangeAuthorizationCode(
            "hash",
            of: signIn.token,
            on: terms,
            secretHash: "other",
            requestID: "r",
            now: test.now,
            idleMilliseconds: 86_400_000,
            usedMilliseconds: 600_000,
            audit: test.audit()
        )
        guard case .exchanged = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    private func runEveryScriptOfEmails() throws {
        let action = EmailActionToQueue.example
        let now = Instant(milliseconds: test.now)
        guard case .queued = try test.store.queue(action, under: Policy(), at: now) else {
            Issue.record("the e-mail was not queued")
            return
        }
        #expect(try test.store.take(action.code, requestID: "r", usedMilliseconds: 60_000, at: now) == .taken)
    }

    private func runEveryScriptOfClaims(_ account: AccountIdentity) throws {
        let currentClaim = try #require(try test.store.claim(of: test.phone))
        let second = test.claim(200, uid: account.uid)
        try test.store.releaseIdentifier(test.phone, second)
        #expect(try test.store.proposeIdentifier(.phone, [1], second, to: account) == .proposed)
        #expect(try test.store.claimIdentifier(test.phone, second, replacing: currentClaim) == second)
        let isHeld = try test.store.holdsClaim(
            second,
            of: .phone,
            isFresh: true,
            in: "demo",
            markMilliseconds: 60_000,
            audit: test.audit()
        )
        #expect(isHeld)
        _ = try test.store.updateAccount(account, AccountUpdate(fields: [.displayName: "Ada"]), audit: test.audit())
        let number = NamedIdentifier(test.phone, claim: second, isFresh: true, sealed: [1])
        guard
            case .taken = try test.store.takeIdentifier(
                TakenIdentifier(
                    number,
                    isVerified: nil,
                    for: account,
                    provenAt: test.now,
                    audit: test.audit()
                )
            )
        else {
            Issue.record("the number was not taken")
            return
        }
        let creation = AccountCreation(
            account: account,
            requestID: "c",
            now: test.now,
            changes: AccountUpdate(),
            audit: test.audit()
        )
        let isThere = try test.store.createAccount(creation) == nil
        #expect(isThere)
        let proof = try #require(TemporaryProofID(project: "demo", bytes: [UInt8](repeating: 1, count: 16)))
        _ = try test.store.useTemporaryProof(
            proof,
            of: test.phone,
            requestID: "r",
            markMilliseconds: 60_000,
            proposed: nil
        )
    }

    private func accountOfShard(_ shard: Shard) throws -> AccountIdentity {
        let candidates = (0..<10_000).lazy.map { AccountIdentity(project: "demo", uid: "other\($0)", among: .standard) }
        return try #require(candidates.first { $0.shard == shard })
    }

    @Test("all keys of sends and answers share the project's hash tag, and all keys of an account share its shard's")
    func tags() throws {
        let account = try runEveryScript()
        let tags = Dictionary(grouping: test.keyNames()) { key in
            key.prefix(through: key.firstIndex(of: "}") ?? key.startIndex)
        }
        let users = "dt:{u/\(account.shard.index)}"
        #expect(Set(tags.keys.map(String.init)) == ["dt:{demo}", users])
        let kinds = Set((tags["dt:{demo}"] ?? []).map { $0.split(separator: ":")[2] })
        #expect(
            kinds == [
                "sess", "lock", "sends", "outbox", "send-decisions", "phone", "wrong-codes", "known-clients",
                "used-proof", "range", "ledger", "test-numbers", "configuration", "email-action",
                "current-email-action", "mail-outbox", "mails", "counted",
            ]
        )
        #expect(
            Set((tags[Substring(users)] ?? []).map { $0.split(separator: ":")[2] }) == [
                "user", "users", "session", "sessions", "deleted", "audit", "executed", "authorization-code",
            ]
        )
    }

    @Test("a script uses keys of one slot only, including the keys whose names it builds")
    func slots() throws {
        let commands = try monitored { _ = try runEveryScript() }
        var scripts: [[String]] = []
        for line in commands {
            if line.contains("\"EVALSHA\"") { scripts.append([]) }
            guard !line.contains("\"SCRIPT\""), !scripts.isEmpty else { continue }
            let isOfScript = line.contains(" lua] ") || line.contains("\"EVALSHA\"")
            if isOfScript { scripts[scripts.count - 1] += tags(in: line) }
        }
        let touching = scripts.filter { !$0.isEmpty }
        #expect(touching.count >= 8)
        for tags in touching { #expect(Set(tags).count == 1, "\(tags)") }
        let inScripts = commands.filter { $0.contains(" lua] ") }
        #expect(inScripts.count > 30)
        for line in inScripts { #expect(!tags(in: line).isEmpty) }
    }

    @Test("a call or a command with keys of two slots stops a debug build")
    func severalSlots() async {
        #expect(KeyNames.shareSlot(["dt:{p1}:a", "dt:{p1}:b", "dt:{p1}:c:"]) && KeyNames.shareSlot([]))
        #expect(!KeyNames.shareSlot(["dt:{p1}:a", "dt:{p1}:b", "dt:{p17}:a"]))
        // No server listens there, so a call that is not stopped throws.
        await #expect(processExitsWith: .failure) {
            let nowhere = ConnectionConfiguration(servers: ServerList(.unix(path: "/nonexistent")))
            _ = try? Store(nowhere, shards: .standard).send("EXISTS", "dt:{p1}:a", "dt:{p2}:b")
            exit(0)
        }
        await #expect(processExitsWith: .failure) {
            let nowhere = ConnectionConfiguration(servers: ServerList(.unix(path: "/nonexistent")))
            let keys: NamedValues<String> = ["accountKey": "dt:{u/1}:a", "deletedKey": "dt:{u/2}:b"]
            let arguments: NamedValues<Argument> = [
                "kind": "", "claim": "", "isFresh": 0, "markLife": 0, "uid": "", "provenBefore": "",
            ]
            _ = try? Store(nowhere, shards: .standard).run(ScriptCall(.checkClaim, keys: keys, arguments))
            exit(0)
        }
        await #expect(processExitsWith: .success) {
            let nowhere = ConnectionConfiguration(servers: ServerList(.unix(path: "/nonexistent")))
            _ = try? Store(nowhere, shards: .standard).send("EXISTS", "dt:{p1}:a", "dt:{p1}:b")
            exit(0)
        }
    }

    @Test("sessions, locks, counters and tokens expire; numbers, accounts, outboxes and settings do not")
    func timesToLive() throws {
        _ = try runEveryScript()
        test.store.record(
            DecisionRecord(
                at: test.now,
                operation: "send",
                project: "demo",
                maskedNumber: nil,
                region: nil,
                outcome: "INVALID_PHONE_NUMBER",
                detail: nil
            ),
            as: DecisionReference(requestID: "r"),
            about: test.phone
        )
        let longest: [String: Int64] = [
            "sess": 600_000, "lock": 600_000, "sends": 3_600_000,
            "session": 34_560_000_000, "sessions": 34_560_000_000, "deleted": 60_000, "send-decisions": 86_400_000,
            "wrong-codes": 2_592_000_000,
            "known-clients": 15_552_000_000, "used-proof": 60_000, "range": 345_600_000, "audit": 7_776_000_000,
            "ledger": 3_110_400_000, "executed": 60_000, "authorization-code": 600_000,
            "email-action": 60_000, "current-email-action": 3_600_000, "mails": 3_600_000, "counted": 3_600_000,
            "decisions": 86_400_000, "refusals": 86_400_000,
        ]
        var seen: Set<String> = []
        for key in test.keyNames() {
            let kind = String(key.split(separator: ":")[2])
            let timeToLive = try #require(Int64(test.redis.cli("PTTL", key)))
            if let longest = longest[kind] {
                seen.insert(kind)
                #expect((1...longest).contains(timeToLive), "\(key)")
            } else {
                let lasting = [
                    "outbox", "mail-outbox", "phone", "user", "users", "shards", "configuration", "test-numbers",
                ]
                #expect(lasting.contains(kind))
                #expect(timeToLive == -1, "\(key)")
            }
        }
        #expect(seen == Set(longest.keys))
    }

    @Test(
        "no project shares a hash tag with a shard or with the deployment",
        arguments: ["u5", "e5", "r5", "settings", "deployment", "-"]
    )
    func hashTags(project: String) {
        let reference = DecisionReference(requestID: "r")
        let shard = Shard(index: 5)
        let email = EmailIdentity(project: project, hash: "hash", shard: shard)
        for other in [
            KeyNames.deployment, KeyNames.adminTokens, KeyNames.decisions(of: nil, reference),
            KeyNames.users(shard, project), KeyNames.identifier(email), KeyNames.devicePrefix(shard, project),
        ] {
            #expect(!KeyNames.shareSlot([KeyNames.decisions(of: project, reference), other]), "\(other)")
        }
    }

    @Test("rates are in the project's slot, and expire with their window")
    func rates() throws {
        let network = ClientNetworks(narrowest: NetworkIdentity(project: "demo", hash: "net")).all[0]
        let device = DeviceIdentity(project: "demo", hash: "device", shard: Shard(index: 9))
        try test.open(
            1,
            limits: [
                .messages(to: test.phone, .hour(5)), .messages(by: network, .hour(5)),
                .messages(provenBy: device, .hour(5)), .messages(ofProject: "demo", .hour(5)),
            ]
        )
        let rates = test.keyNames(matching: "*:rate:*")
        #expect(
            rates == [
                "dt:{demo}:rate:send:all::3600000", "dt:{demo}:rate:send:device:device:3600000",
                "dt:{demo}:rate:send:net:3600000",
            ]
        )
        for key in rates {
            let timeToLive = try #require(Int64(test.redis.cli("PTTL", key)))
            #expect((1...3_600_000).contains(timeToLive), "\(key)")
        }
    }

    @Test("the remains of an ended session expire, and its lock is removed immediately")
    func tombstones() throws {
        try test.open(1)
        for attempt in 1...5 {
            try test.answer(1, isRight: false, request: "\(attempt)")
        }
        #expect(test.keyNames(matching: "*:lock:*") == [])
        let session = try #require(test.keyNames(matching: "*:sess:*").first)
        #expect(try (1...600_000).contains(#require(Int64(test.redis.cli("PTTL", session)))))
        let lines = test.redis.cli("GET", session).split(whereSeparator: \.isNewline)
        #expect(lines == ["exhausted", "5", ";1 4;2 3;3 2;4 1;5 0"])
    }

    /// Returns what Redis executes during an operation, as MONITOR prints it.
    private func monitored(_ operation: () throws -> Void) throws -> [String] {
        let monitor = try Monitor(test.redis)
        try operation()
        return try monitor.stop()
    }

    /// Returns the hash tags of the keys in a line of MONITOR.
    private func tags(in line: String) -> [String] {
        line.split(separator: "\"").filter { $0.hasPrefix("dt:{") }.map { String($0.prefix { $0 != "}" }) }
    }
}
