import Encodings
import Redis
import Synchronization
import Testing
import TestServers

@testable import PhoneAuth
@testable import RedisScripts

/// Script calls that are sent again because their reply was lost, possibly after other changes in between.
@Suite struct RepeatedCallTests {
    private let test: TestStore
    private let proxy: RedisProxy
    private let network = NetworkIdentity(project: "demo", hash: "net")
    private let email = EmailIdentity(project: "demo", hash: "mailhash", shard: Shard(index: 23))

    init() throws {
        test = try TestStore()
        proxy = try RedisProxy(to: test.redis)
    }

    /// Returns a store whose calls lose their first reply and receive the second. What a test does in between must
    /// finish within the timeout, and no other reply may take as long.
    private func losingStore(
        commandTimeout: Duration = .seconds(1),
        _ confirmation: ReplicaConfirmation? = nil
    ) -> Store {
        var configuration = TestStore.configuration(test.redis, over: proxy.socketPath)
        configuration.commandTimeout = commandTimeout
        configuration.replicaConfirmation = confirmation
        let store = TestStore.store(configuration)
        store.deadline = .now + .seconds(30)
        return store
    }

    /// Makes a call whose first reply is lost, and runs `between` between its two executions. A call of several scripts
    /// in one pipeline loses all their replies. The operation may call other scripts `before` and `after` it.
    private func lose<Outcome>(
        before earlier: Int = 0,
        scripts: Int = 1,
        after later: Int = 0,
        between: @escaping @Sendable (Store) throws -> Void = { _ in },
        _ call: (Store) throws -> Outcome
    ) throws -> Outcome {
        let store = losingStore()
        // The server then knows the scripts, so the first call is executed.
        var elsewhere = TestStore.configuration(test.redis)
        elsewhere.database = 1
        _ = try? call(TestStore.store(elsewhere))
        let redis = test.redis
        let isDone = Mutex(false)
        proxy.interrupt(afterScripts: earlier + scripts, .hang) {
            let other = TestStore.store(on: redis)
            do { try between(other) } catch { Issue.record(error) }
            isDone.withLock { $0 = true }
        }
        let before = proxy.scriptCount
        let outcome = try call(store)
        #expect(isDone.withLock { $0 } && proxy.scriptCount == before + earlier + 2 * scripts + later)
        return outcome
    }

    private func events() throws -> [String] {
        var log = test.store.auditLog(of: nil, since: 0, latestFirst: false)
        var kinds: [String] = []
        while let event = try log.next() { kinds.append(event.kind) }
        return kinds
    }

    private func presented(_ signIn: TestStore.SignIn) throws -> PresentedToken {
        PresentedToken(
            session: signIn.token,
            revocation: try #require(try test.store.account(signIn.account)?.revocation),
            issuedAt: test.now / 1000,
            requestID: nil
        )
    }

    // MARK: E-mails

    @Test("a code is created and used once, and its e-mail is queued and counted once")
    func emailAction() throws {
        let action = EmailActionToQueue.example
        let now = Instant(milliseconds: test.now)
        let queued = try lose { try $0.queue(action, under: Policy(), at: now) }
        guard case .queued = queued else {
            Issue.record("\(queued)")
            return
        }
        #expect(test.redis.cli("XLEN", "dt:{demo}:mail-outbox") == "1")
        #expect(try test.store.usage(of: try #require(action.limits.first), now: test.now).events == 1)
        let use = try lose { try $0.take(action.code, requestID: "r", usedMilliseconds: 60_000, at: now) }
        #expect(use == .taken)
        let other = try test.store.take(action.code, requestID: "other", usedMilliseconds: 60_000, at: now)
        #expect(other == .unknown)
    }

    // MARK: Accounts

    @Test("an account is changed once, its released identifiers are free, and a later change is kept")
    func update() throws {
        let signIn = try test.signIn(1)
        let account = signIn.account
        let token = try presented(signIn)
        let outcome = try lose { store in
            _ = try store.updateAccount(account, AccountUpdate(fields: [.displayName: "Bea"]), audit: nil)
        } _: { store in
            let update = AccountUpdate(fields: [.displayName: "Ada"], removesNumber: true)
            return try store.updateAccount(account, update, onBehalfOf: token, audit: test.audit())
        }
        guard case .updated(let record, let former) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(record.displayName == "Bea" && record.sealedNumber == nil)
        #expect(former.map(\.claim) == [test.claim(1)] && former.map(\.sealed) == [[1, 2, 3]])
        #expect(try events() == ["sign-up", "unlink"])
    }

    @Test("a change that revokes its own token succeeds and revokes once")
    func ownRevocation() throws {
        let signIn = try test.signIn(1)
        let token = try presented(signIn)
        let before = try #require(try test.store.account(signIn.account)?.revocation)
        let update = AccountUpdate(fields: [.validSince: String(test.now / 1000)])
        let outcome = try lose { try $0.updateAccount(signIn.account, update, onBehalfOf: token, audit: test.audit()) }
        guard case .updated(let record, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(record.revocation == before + 1)
        #expect(try events() == ["sign-up", "tokens-revoked"])
    }

    @Test(
        "a change reports if its token or account ended concurrently",
        arguments: ["revoked", "session ended", "deleted"]
    )
    func endedInBetween(event: String) throws {
        let signIn = try test.signIn(1)
        let (account, now) = (signIn.account, test.now)
        let token = try presented(signIn)
        let outcome = try lose { store in
            switch event {
            case "revoked":
                let revocation = AccountUpdate(fields: [.validSince: String(now / 1000)])
                _ = try store.updateAccount(account, revocation, audit: nil)
            case "deleted":
                _ = try store.deleteAccount(account, requestID: "other", markMilliseconds: 60_000, audit: nil)
            default:
                _ = try store.endSession(signIn.token.hash, of: account, onBehalfOf: nil, audit: nil)
            }
        } _: { store in
            let update = AccountUpdate(fields: [.displayName: "Ada"])
            return try store.updateAccount(account, update, onBehalfOf: token, audit: test.audit())
        }
        switch outcome {
        case .tokenRevoked: #expect(event != "deleted")
        case .noAccount: #expect(event == "deleted")
        default: Issue.record("\(outcome)")
        }
    }

    @Test("an account is deleted once with its identifiers, and a new account with its uid is kept")
    func deletion() throws {
        let account = try test.signIn(1).account
        let creation = AccountCreation(
            account: account,
            requestID: "create",
            now: test.now,
            changes: AccountUpdate(),
            audit: nil
        )
        let outcome = try lose { store in
            _ = try store.createAccount(creation)
        } _: { store in
            try store.deleteAccount(account, requestID: "r", markMilliseconds: 60_000, audit: test.audit())
        }
        guard case .deleted(let identifiers) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(identifiers.map(\.claim) == [test.claim(1)] && identifiers.map(\.sealed) == [[1, 2, 3]])
        #expect(try test.store.account(account) != nil)
        #expect(try events() == ["sign-up", "account-deleted"])
    }

    @Test("a session is ended once, even with its own token")
    func endSession() throws {
        let signIn = try test.signIn(1)
        let token = try presented(signIn)
        let ending = try lose {
            try $0.endSession(signIn.token.hash, of: signIn.account, onBehalfOf: token, audit: test.audit())
        }
        #expect(ending == .ended)
        #expect(try events() == ["sign-up", "session-ended"])
        let next = try test.store.endSession(signIn.token.hash, of: signIn.account, onBehalfOf: nil, audit: nil)
        #expect(next == .noSession)
    }

    private static let terms = AuthorizationCodeTerms(clientIDHash: "c", redirectURIHash: "r", challenge: "s")

    private static func exchange(
        _ code: String,
        of session: UserSessionIdentity,
        on terms: AuthorizationCodeTerms = terms,
        _ request: String,
        at now: Int64,
        _ audit: AuditContext,
        with store: Store
    ) throws -> AuthorizationCodeOutcome {
        try store.exchangeAuthorizationCode(
            code,
            of: session,
            on: terms,
            secretHash: "secret of \(request)",
            requestID: request,
            now: now,
            idleMilliseconds: 60_000,
            usedMilliseconds: 60_000,
            audit: audit
        )
    }

    @Test("an authorization code is issued and exchanged once, and a replay in between ends the session")
    func authorizationCode() throws {
        let signIn = try test.signIn(1)
        let (session, token) = (signIn.token, try presented(signIn))
        let (now, audit) = (test.now, test.audit())
        let isIssued = try lose {
            try $0.issueAuthorizationCode(
                "hash",
                of: session,
                for: Self.terms,
                account: signIn.account,
                onBehalfOf: token,
                lifeMilliseconds: 60_000
            )
        }
        #expect(isIssued)
        let exchanged = try lose { try Self.exchange("hash", of: session, "a", at: now, audit, with: $0) }
        guard case .exchanged = exchanged else {
            Issue.record("the code was not exchanged")
            return
        }
        let key = "dt:{u/\(session.shard.index)}:session:demo:\(session.hash)"
        #expect(test.redis.cli("HGET", key, "secret") == "secret of a")
        #expect(try events() == ["sign-up"])
        let outcome = try lose { store in
            _ = try Self.exchange("hash", of: session, "b", at: now, audit, with: store)
        } _: { store in
            try Self.exchange("hash", of: session, "a", at: now, audit, with: store)
        }
        guard case .ended = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(test.redis.cli("EXISTS", key) == "0")
        #expect(try events() == ["sign-up", "token-reused"])
    }

    @Test("an exchange with wrong parameters ends the session once, and its outcome is the same again")
    func wrongTerms() throws {
        let signIn = try test.signIn(1)
        let (session, token) = (signIn.token, try presented(signIn))
        let (now, audit) = (test.now, test.audit())
        _ = try test.store.issueAuthorizationCode(
            "hash",
            of: session,
            for: Self.terms,
            account: signIn.account,
            onBehalfOf: token,
            lifeMilliseconds: 60_000
        )
        let wrong = AuthorizationCodeTerms(clientIDHash: "c", redirectURIHash: "r", challenge: "other")
        let outcome = try lose { try Self.exchange("hash", of: session, on: wrong, "a", at: now, audit, with: $0) }
        guard case .mismatch(.challenge) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try events() == ["sign-up", "session-ended"])
    }

    @Test("a second factor is reverted once")
    func revert() throws {
        let account = try test.signIn(1).account
        let factor = SecondFactorRecord(
            id: "factor",
            kind: .totp,
            sealed: [1],
            number: nil,
            displayName: nil,
            enrolledAt: test.now,
            requestID: "e"
        )
        var enrolment = AccountUpdate()
        enrolment.secondFactors = [factor]
        _ = try test.store.updateAccount(account, enrolment, audit: test.audit())
        let before = try #require(try test.store.account(account)?.revocation)
        let reverted = try lose {
            try $0.revertSecondFactor(
                "factor",
                of: account,
                validSince: test.now / 1000,
                requestID: "r",
                audit: test.audit()
            )
        }
        #expect(reverted?.secondFactors.isEmpty == true && reverted?.revocation == before + 1)
        #expect(try events().filter { $0 == "second-factor-withdrawn" || $0 == "tokens-revoked" }.count == 2)
    }

    @Test("an identifier is released once, and another request's claim is kept")
    func release() throws {
        let account = try test.signIn(1).account
        let (phone, later) = (test.phone, test.claim(2, uid: account.uid))
        try lose { store in
            _ = try store.claimIdentifier(phone, later, replacing: nil)
        } _: { store in
            try store.releaseIdentifier(phone, test.claim(1))
        }
        #expect(try test.store.claim(of: phone) == later)
    }

    // MARK: Counters

    @Test("work counts once, and is taken back once")
    func admission() throws {
        let narrow = ClientNetworks(narrowest: network).all[0]
        let limits = [RateLimit.signUps(by: narrow, .hour(5)), .signUps(ofProject: "demo", .hour(5))]
        func count(_ store: Store, _ event: String) throws -> RateLimitDecision {
            try store.decide(RateLimitTransaction(of: "demo", refundable: limits, eventID: event), now: test.now)
        }
        // The second execution cannot tell whether the first was the same call, so there is no refund.
        guard case .allowed(nil) = try lose({ try count($0, "r") }) else {
            Issue.record("a refund")
            return
        }
        for limit in limits { #expect(try test.store.usage(of: limit, now: test.now).events == 1) }
        guard case .allowed(let refund?) = try count(test.store, "other") else {
            Issue.record("no refund")
            return
        }
        try lose { try $0.refund(refund, now: test.now) }
        #expect(try limits.map { try test.store.usage(of: $0, now: test.now).events } == [1, 1])
    }

    @Test("a known network's sign-in, a challenge and a provider check count once")
    func counts() throws {
        try test.store.rememberKnownNetwork(
            network,
            of: email,
            now: test.now,
            maximum: 10,
            lifeMilliseconds: 60_000
        )
        #expect(try lose { try $0.useKnownNetwork(network, of: email, now: test.now, maximumPerHour: 2) })
        #expect(try test.store.useKnownNetwork(network, of: email, now: test.now, maximumPerHour: 2))
        #expect(try !test.store.useKnownNetwork(network, of: email, now: test.now, maximumPerHour: 2))

        let networks = ClientNetworks(narrowest: network)
        #expect(try lose { try $0.countChallenge(of: networks, windowMilliseconds: 60_000).count } == 0)
        #expect(try test.store.countChallenge(of: networks, windowMilliseconds: 60_000).count == 1)

        func check(_ store: Store, _ request: String) throws -> RateLimitDecision {
            let limit = RateLimit.providerChecks(by: networks.all[0], .hour(2))
            return try store.decide(RateLimitTransaction(of: "demo", [limit], eventID: request), now: test.now)
        }
        func isAllowed(_ decision: RateLimitDecision) -> Bool { if case .allowed = decision { true } else { false } }
        #expect(try isAllowed(lose { try check($0, "a") }))
        #expect(try isAllowed(check(test.store, "b")))
        #expect(try !isAllowed(check(test.store, "c")))
    }

    // MARK: App verification

    private func receiptID(_ fill: UInt8) throws -> PushReceiptID {
        try #require(PushReceiptID(shard: Shard(index: 9), bytes: [UInt8](repeating: fill, count: 16)))
    }

    private static func makePushReceipt(
        _ id: PushReceiptID,
        _ requestID: String,
        at now: Int64,
        atMost maximum: Int = 10,
        with store: Store
    ) throws -> PushReceiptOutcome {
        let network = NetworkIdentity(project: "demo", hash: "net")
        let networks = ClientNetworks(narrowest: network)
        let device = DeviceIdentity(project: "demo", hash: "device", shard: id.shard)
        let push = RequestedPush(
            id: id,
            device: device,
            networks: networks,
            challengedNetwork: network,
            bundleID: "com.example.app",
            sealedToken: [1],
            environment: .production,
            limits: [
                .pushes(to: device, RateLimit.Window(milliseconds: 60_000, maximum: maximum)),
                .pushes(by: networks.all[0], RateLimit.Window(milliseconds: 60_000, maximum: 10)),
            ]
        )
        return try TestStore.makePushReceipt(for: push, requestID, at: now, with: store)
    }

    private func pushes() throws -> [Int] {
        let networks = ClientNetworks(narrowest: network)
        let limit = RateLimit.pushes(by: networks.all[0], RateLimit.Window(milliseconds: 60_000, maximum: 10))
        return [
            try test.store.usage(of: limit, now: test.now).events,
            try #require(
                Int(test.redis.cli("ZCARD", KeyNames.unprovenPushes(network, bundleID: "com.example.app")))
            ),
            try #require(Int(test.redis.cli("XLEN", KeyNames.outbox(.pushes, of: "demo")))),
        ]
    }

    @Test("a push counts and is queued once if the replies are lost, and a refused push counts nowhere")
    func push() throws {
        let (receipt, now) = (try receiptID(1), test.now)
        let outcome = try lose(after: 1) { try Self.makePushReceipt(receipt, "a", at: now, with: $0) }
        guard case .queued(receipt) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(try pushes() == [1, 1, 1])
        let refused = try lose {
            try Self.makePushReceipt(try receiptID(2), "b", at: now, atMost: 1, with: $0)
        }
        guard case .limited(let exceeded) = refused, exceeded.limit.scope == .device else {
            Issue.record("\(refused)")
            return
        }
        #expect(try pushes() == [1, 1, 1])
    }

    @Test("a push request that is repeated after any of its steps queues one push and counts once", arguments: 0...2)
    func interruptedPush(scripts: Int) throws {
        _ = try Self.makePushReceipt(try receiptID(9), "first", at: test.now, with: test.store)
        let (first, second, now) = (try receiptID(1), try receiptID(2), test.now)
        let store = losingStore()
        // Without a deadline, nothing is sent twice.
        store.deadline = nil
        proxy.interrupt(afterScripts: scripts)
        #expect(throws: StoreUnavailable.self) { try Self.makePushReceipt(first, "r", at: now, with: store) }
        #expect(proxy.hasInterrupted())
        let outcome = try Self.makePushReceipt(second, "r", at: now, with: test.store)
        guard case .queued(let id) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(id == (scripts == 0 ? second : first))
        #expect(try pushes() == [2, 2, 2])
    }

    @Test("the first use of a push receipt still counts as the first if its reply is lost")
    func pushReceiptUse() throws {
        let receipt = try receiptID(1)
        _ = try Self.makePushReceipt(receipt, "a", at: test.now, with: test.store)
        func use(_ store: Store, _ requestID: String) throws -> Bool? {
            try store.usePushReceipt(
                receipt,
                of: "demo",
                bundleID: "com.example.app",
                now: test.now,
                earliestIssue: 0,
                lifeMilliseconds: 60_000,
                requestID: requestID
            )?.isFirstUse
        }
        #expect(try lose { try use($0, "first") } == true)
        #expect(try lose { try use($0, "second") } == false)
        #expect(try use(test.store, "first") == false)
    }

    // MARK: Replicas

    @Test("checking a claim again waits for replicas")
    func confirmed() throws {
        let uid = try test.signIn(1).account.uid
        let replica = try test.redis.startReplica()
        let confirmation = ReplicaConfirmation(replicas: 1, milliseconds: 1900)
        let (store, claim) = (losingStore(commandTimeout: .seconds(2), confirmation), test.claim(1, uid: uid))
        func isHeld() throws -> Bool {
            try store.holdsClaim(claim, of: .phone, isFresh: true, in: "demo", markMilliseconds: 60_000, audit: nil)
        }
        #expect(try isHeld())
        #expect(test.keyNames(matching: "*:mark").isEmpty)
        proxy.interrupt(afterScripts: 1, .hang)
        #expect(try isHeld())
        #expect(proxy.hasInterrupted())
        #expect(replica.cli("KEYS", "*:mark").hasSuffix("}:mark"))
    }
}
