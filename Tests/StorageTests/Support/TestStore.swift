import Encodings
import Redis
import Testing
import TestServers

@testable import PhoneAuth
@testable import PhoneNumbers
@testable import RedisScripts

/// A redis-server for one test, with a store of the standard 64 shards.
struct TestStore {
    let redis: RedisServer
    let store: Store
    let phone = PhoneIdentity(project: "demo", hash: "phonehash")
    /// The current time of Redis's own clock, from which Redis names stream entries.
    let now: Int64

    init(settings: [String] = []) throws {
        try self.init(on: RedisServer.start(settings: settings))
    }

    /// Creates another connection to a server.
    init(on redis: RedisServer) throws {
        self.redis = redis
        store = Self.store(on: redis)
        let seconds = try #require(Int64(redis.cli("TIME").prefix { $0.isNumber }))
        now = seconds * 1000
    }

    /// Returns a store of the project `demo`, over a proxy if a path is given.
    static func store(_ configuration: ConnectionConfiguration) -> Store {
        Store(configuration, shards: .standard, projects: ["demo"])
    }

    static func store(on redis: RedisServer) -> Store { store(configuration(redis)) }

    static let number = E164(digits: 16_505_550_100, region: nil, mainRegion: .nonGeographic, isValid: true)
    static let ranges = NumberRanges(project: "demo", region: "US", series: "series", block: "block")
    static let bounds = RangeBounds(
        region: 1_000_000,
        series: 1_000_000,
        block: 1_000_000,
        creditPerVerified: 233,
        halfLifeMilliseconds: 86_400_000
    )

    /// Creates a user with these ACL rules, and returns the configuration of its connections.
    func configuration(ofUserWith rules: [String]) -> ConnectionConfiguration {
        #expect(redis.cli(["ACL", "SETUSER", "dialtone", "on", ">secret"] + rules) == "OK")
        var configuration = Self.configuration(redis)
        configuration.user = "dialtone"
        configuration.password = "secret"
        return configuration
    }

    static func configuration(_ redis: RedisServer, over socketPath: String? = nil) -> ConnectionConfiguration {
        ConnectionConfiguration(
            servers: ServerList(.unix(path: socketPath ?? redis.socketPath)),
            connectTimeout: .seconds(10),
            commandTimeout: .seconds(10),
            firstRetryDelay: .milliseconds(1),
            maxRetryDelay: .milliseconds(1)
        )
    }

    /// Returns a session id of 16 bytes with this value.
    func sessionID(_ fill: UInt8) throws -> VerificationID {
        let id = VerificationID(
            project: phone.project,
            bytes: [UInt8](repeating: fill, count: VerificationID.byteCount)
        )
        return try #require(id)
    }

    /// Returns a session id that no other step and no fill has.
    func sessionID(step: Int) throws -> VerificationID {
        let bytes = [UInt8(step & 0xFF), UInt8(step >> 8)] + [UInt8](repeating: 1, count: VerificationID.byteCount - 2)
        return try #require(VerificationID(project: phone.project, bytes: bytes))
    }

    @discardableResult
    func open(
        _ fill: UInt8,
        binding: String = "client",
        codeSource: CodeSource = .derived,
        at now: Int64? = nil,
        limits: [RateLimit]? = nil,
        ranges: NumberRanges = TestStore.ranges,
        price: Int64 = 0,
        cap: Int64? = nil,
        locale: String = "en",
        on store: Store? = nil
    ) throws -> VerificationOpening {
        try open(
            try sessionID(fill),
            binding: binding,
            codeSource: codeSource,
            at: now,
            limits: limits,
            check: check(ranges, price: price, cap: cap),
            locale: locale,
            on: store
        )
    }

    /// Opens a session of its own for each step, whatever session the client has. No rate limit refuses it.
    func open(_ step: Int, _ binding: String, _ check: TollFraudCheck, at now: Int64) throws -> VerificationOpening {
        redis.cli("DEL", KeyNames.lock(phone, binding: binding))
        return try open(
            try sessionID(step: step),
            binding: binding,
            at: now,
            limits: [.messages(to: phone, .hour(100_000))],
            check: check
        )
    }

    func open(
        _ id: VerificationID,
        binding: String,
        codeSource: CodeSource = .derived,
        at now: Int64? = nil,
        limits: [RateLimit]?,
        check: TollFraudCheck? = nil,
        locale: String = "en",
        to phone: PhoneIdentity? = nil,
        on store: Store? = nil
    ) throws -> VerificationOpening {
        let (phone, check) = (phone ?? self.phone, check ?? self.check())
        let time = Instant(milliseconds: now ?? self.now)
        let new = VerificationToOpen(
            ticket: ticket(id, codeSource),
            sealedNumber: [0, 0xFF, id.bytes[0]],
            phone: phone,
            client: VerificationClient(binding: binding, hash: binding),
            isOfAccount: false,
            message: MessageContent(purpose: .signIn, queuedAt: time, price: check.price, ending: nil, locale: locale),
            routing: MessageRouting(
                first: PricedRoute(route: .ofSettings, channel: nil, price: check.price),
                resend: nil
            ),
            decision: DecidedRequest(
                reference: DecisionReference(requestID: binding),
                operation: "sendVerificationCode",
                number: Self.number,
                region: check.ranges.region,
                proof: "none",
                at: time,
                limits: limits ?? [.messages(to: phone, .hour(5))]
            ),
            check: check
        )
        return try (store ?? self.store).openVerification(new, under: Policy())
    }

    private func ticket(_ id: VerificationID, _ codeSource: CodeSource = .derived) -> VerificationTicket {
        VerificationTicket(id: id, scope: .signIn, codeSource: codeSource, phoneNumber: Self.number.text)
    }

    private func check(
        _ ranges: NumberRanges = TestStore.ranges,
        price: Int64 = 0,
        cap: Int64? = nil
    ) -> TollFraudCheck {
        TollFraudCheck(
            ranges: ranges,
            bounds: Self.bounds,
            isEnforced: true,
            isHardProof: false,
            price: Money(micros: price),
            cap: cap.map(Money.init(micros:))
        )
    }

    /// Shortens the life of a session's lock by a minute of Redis's clock, so that the lock no longer holds.
    func endLock(binding: String = "client") {
        let lock = KeyNames.lock(phone, binding: binding)
        let life = Int(redis.cli("PTTL", lock).prefix { $0.isNumber }) ?? 0
        redis.cli("PEXPIRE", lock, String(life - 60_000))
    }

    /// Sets the test numbers of a project whose configuration was never changed. Returns whether this was so.
    func setTestNumbers(_ numbers: [String: [UInt8]]) throws -> Bool {
        try store.setConfiguration(StoredConfiguration(document: [], version: 1), testNumbers: numbers, of: "demo")
    }

    @discardableResult
    func answer(
        _ fill: UInt8,
        isRight: Bool,
        request: String,
        at now: Int64? = nil
    ) throws -> Result<IdentifierClaim?, VerificationCodeRefusal> {
        let answer = ReadAnswer(
            ticket: ticket(try sessionID(fill)),
            code: "",
            phone: Self.number,
            identity: phone,
            ranges: Self.ranges
        )
        return try store.answerVerification(
            answer,
            isRight: isRight,
            isOfAccount: false,
            testCodeHash: nil,
            claimUse: .proposed(claim(fill)),
            requestID: request,
            under: Policy(),
            at: Instant(milliseconds: now ?? self.now)
        )
    }

    /// Returns a claim identified by this value.
    func claim(_ fill: UInt8, uid: String? = nil) -> IdentifierClaim {
        IdentifierClaim(uid: uid ?? "uid-\(fill)", seconds: now / 1000, randomBytes: [0, 0, 0, 0, 0, fill])
    }

    /// Runs a complete sign-in of the account that the number has or gets.
    func signIn(_ fill: UInt8) throws -> SignIn {
        try open(fill, binding: "client\(fill)")
        guard case .success(let claim?) = try answer(fill, isRight: true, request: "r\(fill)") else {
            throw ServerFailure(description: "the answer was not right")
        }
        return try record(uid: claim.uid, fill, at: now, claim: claim)
    }

    /// Runs the second step of a sign-in.
    func record(
        uid: String,
        _ fill: UInt8,
        at now: Int64,
        maximumSessions: Int = 10,
        secretHash: String = "secret",
        claim: IdentifierClaim? = nil,
        isFresh: Bool = true,
        mayCreate: Bool = true,
        recycledNumbers: RecycledNumberRule? = nil,
        number: PhoneIdentity? = nil,
        email: EmailIdentity? = nil,
        audited: AuditedIdentifiers = AuditedIdentifiers(),
        audit: AuditContext?? = nil
    ) throws -> SignIn {
        let account = identity(uid)
        let token = UserSessionIdentity(project: "demo", hash: "token\(fill)", shard: account.shard)
        var request = TokenRequest(account: account, provider: .phone, signedInAt: Instant(milliseconds: now))
        request.maker = mayCreate ? "maker\(fill)" : ""
        request.maximumSessions = maximumSessions
        request.identifier = claim.map { claim in
            email.map { NamedIdentifier($0, claim: claim, isFresh: isFresh, sealed: [1, 2, 3]) }
                ?? NamedIdentifier(number ?? phone, claim: claim, isFresh: isFresh, sealed: [1, 2, 3])
        }
        request.recycledNumbers = recycledNumbers
        let record = SignInRecord(
            request,
            token,
            secretHash: secretHash,
            firstRevocation: 1 << 48,
            client: nil,
            under: Policy(),
            at: request.signedInAt,
            audit: audit ?? self.audit(at: now, about: audited)
        )
        return SignIn(account: account, token: token, outcome: try store.recordSignIn(record))
    }

    /// Queues a push, which takes no more than a minute.
    static func makePushReceipt(
        for push: RequestedPush,
        _ requestID: String,
        at now: Int64,
        with store: Store
    ) throws -> PushReceiptOutcome {
        var policy = Policy()
        policy.pushTimeout = .seconds(60)
        return try store.makePushReceipt(
            for: push,
            requestID: requestID,
            under: policy,
            at: Instant(milliseconds: now)
        )
    }

    /// Exchanges a refresh token of a session.
    func exchange(
        _ session: UserSessionIdentity,
        secretHash: String = "secret",
        generation: UInt32 = 0,
        at now: Int64? = nil,
        under policy: Policy = Policy(),
        audit: AuditContext? = nil
    ) throws -> RefreshTokenOutcome {
        try store.exchangeRefreshToken(
            session: session,
            secretHash: secretHash,
            generation: generation,
            under: policy,
            at: Instant(milliseconds: now ?? self.now),
            audit: audit
        )
    }

    /// Creates an account as an operator does.
    func create(_ uid: String, request: String) throws -> AccountRecord? {
        try store.createAccount(
            AccountCreation(
                account: identity(uid),
                requestID: request,
                now: now,
                changes: AccountUpdate(),
                audit: nil
            )
        )
    }

    func identity(_ uid: String) -> AccountIdentity {
        AccountIdentity(project: "demo", uid: uid, among: store.shards)
    }

    /// Returns the properties that the events of a call share.
    func audit(
        _ actor: AuditActor = .user,
        at now: Int64? = nil,
        events: Int = 64_000,
        about identifiers: AuditedIdentifiers = AuditedIdentifiers()
    ) -> AuditContext {
        AuditContext(
            now: now ?? self.now,
            project: "demo",
            actor: actor,
            reference: DecisionReference(requestID: "r"),
            networkHash: "net",
            identifiers: identifiers,
            retention: AuditContext.Retention(milliseconds: 7_776_000_000, events: events, among: .standard)
        )
    }

    /// The result of a sign-in.
    struct SignIn {
        let account: AccountIdentity
        let token: UserSessionIdentity
        let outcome: SignInRecord.Outcome
    }

    /// Returns every key with its value as Redis dumps it.
    func contents() -> [String: String] {
        Dictionary(uniqueKeysWithValues: keyNames().map { ($0, redis.cli("DUMP", $0)) })
    }

    /// Returns the stored counts of a range, see number-ranges.lua.
    func counts(of range: NumberRange) -> String {
        let script = "return string.format('%g %g %d', struct.unpack('<ddd', redis.call('GET', KEYS[1])))"
        return redis.cli("EVAL", script, "1", range.key)
    }

    /// Stores counts of a range.
    func store(_ sent: Double, _ verified: Double, at: Int64, of range: NumberRange) {
        let script = "return redis.call('SET', KEYS[1], struct.pack('<ddd', unpack(ARGV)))"
        redis.cli("EVAL", script, "1", range.key, String(sent), String(verified), String(at))
    }

    func keyNames(matching pattern: String = "*") -> [String] {
        redis.cli("KEYS", pattern).split(whereSeparator: \.isNewline).map(String.init).sorted()
    }
}

extension NumberRanges {
    func range(_ kind: RangeKind) -> NumberRange {
        switch kind {
        case .region: .region(region, of: project)
        case .series: .series(series, of: project)
        case .block: .block(block, of: project)
        }
    }
}

extension Store {
    /// Creates a store that uses a Redis without marks, too.
    convenience init(_ configuration: ConnectionConfiguration, shards: ShardCount, projects: [String] = []) {
        self.init(configuration, shards: shards, projects: projects, marks: nil)
    }
}
