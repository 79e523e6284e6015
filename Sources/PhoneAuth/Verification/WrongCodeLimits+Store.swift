internal import Glibc
internal import Redis
public import RedisScripts

/// The limits on wrong codes for a number since the last correct one, against brute force.
///
/// Not a ``RateLimit``: a correct code resets the count, the count decays by half-lives instead of leaving a window,
/// and each client also waits after its own wrong codes.
public struct WrongCodeLimits: Hashable, Sendable {
    /// After this many wrong codes, codes are rejected without verification until the count has decayed.
    public let maximum: Int
    /// After this many wrong codes, a client must wait before each further one: a second, then twice as long each time.
    public let perClientBeforeWait: Int
    /// The longest such wait.
    public let longestWaitMilliseconds: Int64
    /// The half-life of the count of wrong codes.
    public let halfLifeMilliseconds: Int64
    /// How many of the ``maximum`` are reserved for known clients: clients that have entered the number's correct code.
    public let reservedForKnownClients: Int
    /// The wrong codes of new clients that are verified in any 24 hours, whatever correct codes reset or time decays; 0
    /// for no such limit.
    public let newClientsPerDay: Int
    /// How many known clients are remembered: the latest ones.
    public let knownClients: Int
    /// How long a known client is remembered.
    public let knownClientMilliseconds: Int64

    /// Creates limits. The counts are at least 1, except the reserved part and `newClientsPerDay`, which may be 0.
    public init(
        maximum: Int,
        perClientBeforeWait: Int,
        longestWaitMilliseconds: Int64,
        halfLifeMilliseconds: Int64,
        reservedForKnownClients: Int,
        newClientsPerDay: Int = 0,
        knownClients: Int,
        knownClientMilliseconds: Int64
    ) {
        self.maximum = maximum
        self.perClientBeforeWait = perClientBeforeWait
        self.longestWaitMilliseconds = longestWaitMilliseconds
        self.halfLifeMilliseconds = halfLifeMilliseconds
        self.reservedForKnownClients = reservedForKnownClients
        self.newClientsPerDay = newClientsPerDay
        self.knownClients = knownClients
        self.knownClientMilliseconds = knownClientMilliseconds
    }
}

extension WrongCodeLimits {
    /// The time after which the count is reset: eight half-lives after the last wrong code, as in
    /// `answer-verification.lua`.
    var memoryMilliseconds: Int64 { 8 * halfLifeMilliseconds }

    /// Returns how many of `count` wrong codes are left after a time. A partly decayed wrong code still counts as one.
    func left(of count: Double, after milliseconds: Int64) -> Int {
        Int((count * exp2(-Double(max(0, milliseconds)) / Double(halfLifeMilliseconds)) - 1e-6).rounded(.up))
    }
}

/// Why a code was rejected without verification.
public struct WrongCodeBlock: Hashable, Sendable {
    /// Whether only this client must wait, and not all clients.
    public let isOfClient: Bool
    /// The number of wrong codes, of this client or of all clients.
    public let wrongCodes: Int
    /// How long until a code is verified again.
    public let retryAfterMilliseconds: Int64
}

/// The wrong codes for a number since the last correct one.
public struct WrongCodeUsage: Sendable {
    /// The number of wrong codes that still count.
    public let wrongCodes: Int
    /// When the count is reset, in milliseconds since the Unix epoch; nil if there are none.
    public let forgottenAt: Int64?
    /// The end of the wait of each client that must wait, in milliseconds since the Unix epoch.
    public let clientsWaitUntil: [Int64]
}

extension Store {
    /// Returns the wrong codes for a number, or for the number as a test number, at `now`, in milliseconds since the
    /// Unix epoch. Changes nothing.
    /// - Throws: ``StoreUnavailable``.
    public func wrongCodes(
        for phone: PhoneIdentity,
        isTestNumber: Bool,
        _ limits: WrongCodeLimits,
        now: Int64
    ) throws(StoreUnavailable) -> WrongCodeUsage {
        let stored = try send("HGETALL", KeyNames.wrongCodes(phone, isTestNumber: isTestNumber)).fields(from: 0)
        let fields = stored.integers
        guard let last = fields["last"], now < last + limits.memoryMilliseconds else {
            return WrongCodeUsage(wrongCodes: 0, forgottenAt: nil, clientsWaitUntil: [])
        }
        let ofClients = fields.filter { $0.key.hasPrefix("all:") }
        let ends = ofClients.compactMap { name, count -> Int64? in
            let client = name.dropFirst("all:".count)
            let width = [NetworkWidth.slash56, .slash48].first { client.hasPrefix($0.wrongCodesPrefix) } ?? .narrow
            return limits.waitMilliseconds(afterWrongCodes: Int(count), of: width)
                .map { (fields["last:" + client] ?? 0) + $0 }
        }
        return WrongCodeUsage(
            wrongCodes: limits.left(of: stored.text("all").flatMap { Double($0) } ?? 0, after: now - last),
            forgottenAt: last + limits.memoryMilliseconds,
            clientsWaitUntil: ends.filter { now < $0 }.sorted()
        )
    }

    /// Returns whether clients are known for a number. Otherwise, none of its messages are reserved.
    /// - Throws: ``StoreUnavailable``.
    public func hasKnownClients(_ phone: PhoneIdentity) throws(StoreUnavailable) -> Bool {
        try send("EXISTS", KeyNames.knownClients(phone)).integer() == 1
    }

    /// Resets the counters of a number: its messages, its wrong codes, and its wrong codes as a test number.
    /// - Returns: whether there were any.
    /// - Throws: ``StoreUnavailable``; a retry is harmless.
    public func forgetLimits(of phone: PhoneIdentity) throws(StoreUnavailable) -> Bool {
        try send(
            "DEL",
            RateLimit.messages(to: phone, .day(1)).key,
            KeyNames.wrongCodes(phone, isTestNumber: false),
            KeyNames.wrongCodes(phone, isTestNumber: true),
            RateLimit.wrongTestCodes(for: phone, .day(1)).key
        ).integer() > 0
    }
}

extension WrongCodeLimits {
    /// Returns the wait as `answer-verification.lua` computes it, or nil if the client or network need not wait.
    fileprivate func waitMilliseconds(afterWrongCodes count: Int, of width: NetworkWidth) -> Int64? {
        let excess = count - width.maximumOfShare(perClientBeforeWait)
        guard excess >= 0 else { return nil }
        return excess < 40 ? min(1000 << Int64(excess), longestWaitMilliseconds) : longestWaitMilliseconds
    }
}

extension [ClientNetworks.Network] {
    /// The networks that contain the client's, as a session stores them: `answer-verification.lua` counts wrong codes
    /// under these names, the narrower network first.
    var namesOfWrongCodes: String {
        map { $0.width.wrongCodesPrefix + $0.identity.hash }.joined(separator: " ")
    }
}

extension NetworkWidth {
    fileprivate var wrongCodesPrefix: String { self == .narrow ? "" : "\(maximumOfShare(1))*" }
}

extension WrongCodeBlock: CustomStringConvertible {
    /// The wrong codes that caused it, for operators.
    public var description: String {
        "\(wrongCodes) wrong codes for the number" + (isOfClient ? " from this client" : ", the maximum")
    }

    /// How long until a code is verified again.
    public var retryAfter: Duration { .milliseconds(retryAfterMilliseconds) }
}
