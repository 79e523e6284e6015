internal import Encodings
internal import Glibc
public import RedisScripts

/// The limits on wrong codes for a number since the last correct one, against brute force.
///
/// Not a ``RateLimit``: a correct code resets the count, the count decays by half-lives instead of leaving a window,
/// and each client also waits after its own wrong codes.
struct WrongCodeLimits: Equatable, Sendable {
    /// After this many wrong codes, codes are rejected without verification until the count has decayed.
    let maximum: Int
    /// After this many wrong codes, a client must wait before each further one: a second, then twice as long each time.
    let perClientBeforeWait: Int
    /// The longest such wait.
    let longestWait: Duration
    /// The half-life of the count of wrong codes.
    let halfLife: Duration
    /// The wrong codes of new clients that are verified in any 24 hours, whatever correct codes reset or time decays; 0
    /// for no such limit.
    let newClientsPerDay: Int

    /// Creates the limits of a number. The code of a test number is fixed, costs no message, and belongs to no one's
    /// phone. So its wrong codes are limited per client, loosely across known clients, whose count decays quickly, and
    /// strictly across new clients.
    init(_ policy: Policy, isTestNumber: Bool) {
        maximum = isTestNumber ? 10 * policy.wrongCodesPerNumber : policy.wrongCodesPerNumber
        perClientBeforeWait = policy.wrongCodesBeforeWait
        // An attacker who wants to lock out a number's new clients needs 62 wrong codes a day, which requires more
        // messages than the number's rate limit allows.
        halfLife = .seconds(isTestNumber ? 900 : 86_400)
        longestWait = min(policy.longestWrongCodeWait, halfLife)
        newClientsPerDay = isTestNumber ? 2 * policy.wrongCodesPerNumber : 0
    }

    /// How many of the ``maximum`` are reserved for known clients: clients that have entered the number's correct code.
    var reservedForKnownClients: Int { KnownClients.reservedWrongCodes(of: maximum) }

    /// The time after which the count is reset: eight half-lives after the last wrong code, as in
    /// `answer-verification.lua`.
    var memory: Duration { halfLife * 8 }

    /// Returns how many of `count` wrong codes are left after a time. A partly decayed wrong code still counts as one.
    func left(of count: Double, after milliseconds: Int64) -> Int {
        let halfLives = Double(max(0, milliseconds)) / Double(halfLife.milliseconds)
        return Int((count * exp2(-halfLives) - 1e-6).rounded(.up))
    }
}

/// Why a code was rejected without verification.
public struct WrongCodeBlock: Hashable, Sendable, CustomStringConvertible {
    /// Whether only this client must wait, and not all clients.
    public let isOfClient: Bool
    /// The number of wrong codes, of this client or of all clients.
    public let wrongCodes: Int
    /// How long until a code is verified again.
    public let retryAfter: Duration

    /// The wrong codes that caused it, for operators.
    public var description: String {
        "\(wrongCodes) wrong codes for the number" + (isOfClient ? " from this client" : ", the maximum")
    }
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
    func wrongCodes(
        for phone: PhoneIdentity,
        isTestNumber: Bool,
        _ limits: WrongCodeLimits,
        now: Int64
    ) throws(StoreUnavailable) -> WrongCodeUsage {
        let stored = try send("HGETALL", KeyNames.wrongCodes(phone, isTestNumber: isTestNumber)).fields(from: 0)
        let fields = stored.integers
        guard let last = fields["last"], now < last + limits.memory.milliseconds else {
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
            forgottenAt: last + limits.memory.milliseconds,
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
        return min(1000 << min(Int64(excess), 40), longestWait.milliseconds)
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
