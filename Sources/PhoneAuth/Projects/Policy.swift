/// Lifetimes and rate limits, which the operator sets. `RateLimit.swift` says which limits are sliding windows and
/// which are rates. Values that the protocol or the design fixes are constants of the types that they concern, such as
/// ``IDToken/lifetime``.
public struct Policy: Hashable, Sendable {
    /// What development mode allows; nil in production, so that none of it can be enabled there.
    public var development: DevelopmentPolicy?
    /// The lifetime of a verification code. NIST SP 800-63B allows at most 10 minutes.
    public var verificationLifetime: Duration = .seconds(600)
    /// The time in which repeated sends return the same session without another message.
    public var lockLifetime: Duration = .seconds(60)
    /// The remaining lifetime that a session must have to be resent. Below it, the code would expire while the user
    /// types it, so a new session is opened.
    var leastLifeToResend: Duration { min(lockLifetime, verificationLifetime / 10) }
    /// The maximum duration of a second factor's enrollment.
    var longestEnrollment: Duration { max(verificationLifetime, Self.longestTOTPEnrollment) }
    /// The maximum duration of an authenticator app's (TOTP) enrollment.
    static let longestTOTPEnrollment: Duration = .seconds(600)
    /// The time for which an ended session still explains why it ended.
    public var tombstoneLifetime: Duration = .seconds(600)
    /// The idle lifetime of a refresh token; each use restarts it.
    public var refreshTokenIdleLifetime: Duration = .seconds(400 * 86_400)
    /// Whether refresh tokens rotate: each is single use and is exchanged for its next generation. "Refresh token
    /// rotation" in <doc:Sessions> says why this is off by default.
    public var rotatesRefreshTokens = false
    /// The time for which a refresh token's previous generation stays valid: a client may not have received the
    /// response.
    public var refreshTokenGrace: Duration = .seconds(60)
    /// The maximum age of a recent sign-in. ``IDTokenOperation`` lists the operations that require one.
    public var recentSignIn: Duration = .seconds(300)
    /// The number of codes that are verified per session (limits brute force).
    public var attemptsPerVerification = 5
    /// The rate limit on messages to one number, per hour.
    public var sendsPerNumberPerHour = 5
    /// The rate limit on messages to one number, per 24 hours.
    public var sendsPerNumberPerDay = 10
    /// The rate limit on messages that the clients of one network (an IPv4 address or an IPv6 /64) request, per hour.
    /// Every per-network limit applies to the IPv6 /56 and /48 too, as a multiple (``NetworkWidth``). No network gets
    /// more than a tenth of a project's limits.
    public var sendsPerNetworkPerHour = 150
    /// The number of a network's tokens that the challenge provider is asked to check in ``ChallengeDemand/window``: a
    /// third of the messages that the network may request per hour, because invalid tokens count, too.
    var providerChecksPerNetwork: Int { max(10, sendsPerNetworkPerHour / 3) }
    /// The rate limit on messages that one app credential (the push receipts of one device) requests, per hour. A
    /// challenge token is valid for one message.
    public var sendsPerAppCredentialPerHour = 10
    /// The rate limit on messages that one app credential requests, per 24 hours.
    public var sendsPerAppCredentialPerDay = 30
    /// The rate limit on messages that a project sends, per hour; 0 for no limit.
    public var sendsPerProjectPerHour = 250
    /// The rate limit on messages that a project sends, per 24 hours; 0 for no limit. The default bounds what SMS
    /// pumping costs a deployment whose operator has set neither regions nor a spend cap: 300 a day on average, at 0.30
    /// for a message to an expensive region.
    public var sendsPerProjectPerDay = 1000
    /// The rate limit on e-mails to one address, per hour, and twice as many per 24 hours; 0 for no limit.
    public var mailsPerAddressPerHour = 5
    /// The rate limit on e-mails that the clients of one network request, per hour; 0 for no limit.
    public var mailsPerNetworkPerHour = 50
    /// The rate limit on e-mails that a project sends, per hour; 0 for no limit.
    public var mailsPerProjectPerHour = 250
    /// The rate limit on e-mails that a project sends, per 24 hours; 0 for no limit.
    public var mailsPerProjectPerDay = 1000
    /// The lifetime of codes that reset a password or sign in.
    public var emailActionLifetime: Duration = .seconds(3600)
    /// The number of wrong codes for a number that are verified before a correct one. NIST SP 800-63B allows at most
    /// 100.
    public var wrongCodesPerNumber = 100
    /// The number of wrong codes for a number after which a client must wait before its next attempt (exponential
    /// backoff): first a second, then twice as long each time.
    public var wrongCodesBeforeWait = 10
    /// The longest wait before a client's next attempt.
    public var longestWrongCodeWait: Duration = .seconds(3600)
    /// The number of wrong passwords for an e-mail address from one network that are verified, per hour.
    public var wrongPasswordsPerEmailAndNetworkPerHour = 10
    /// The number of wrong passwords for an e-mail address that are verified, per 24 hours. NIST SP 800-63B allows 100
    /// consecutive ones.
    public var wrongPasswordsPerEmailPerDay = 100
    /// The number of wrong passwords from one network, for any address, that are verified, per hour (password spraying,
    /// credential stuffing).
    public var wrongPasswordsPerNetworkPerHour = 100
    /// The rate limit on attempts of one network's clients to get an account or to claim an e-mail address, per hour,
    /// whatever the outcome; 0 for no limit.
    public var signUpsPerNetworkPerHour = 100
    /// The rate limit on accounts that the clients of one network create, per 24 hours, except by phone or with a
    /// custom token; 0 for only a tenth of the project's, which is the most in any case. An IPv6 /56 and /48 get 2 and
    /// 4 times as many (``NetworkWidth/maximumOfShare(_:)``).
    public var newAccountsPerNetworkPerDay = 250
    /// The rate limit on accounts that the clients of a project create, per 24 hours, except by phone or with a custom
    /// token; 0 for no limit.
    public var signUpsPerProjectPerDay = 10_000
    /// The rate limit on accounts that the custom tokens of a project create, per 24 hours; 0 for no limit.
    public var customTokenSignUpsPerProjectPerDay = 10_000
    /// The rate limit on password hashes for the clients of one network, per hour; 0 for no limit.
    public var passwordHashesPerNetworkPerHour = 600
    /// The time for which a client waits for its silent push before it falls back to the challenge page.
    public var pushTimeout: Duration = .seconds(5)
    /// The idle lifetime of a push receipt; each use restarts it.
    public var pushReceiptLifetime: Duration = .seconds(30 * 86_400)
    /// The rate limit on silent pushes to one device, per hour; APNs throttles more than a few.
    public var pushesPerDevicePerHour = 3
    /// The rate limit on silent pushes to the devices of one network, per hour.
    public var pushesPerNetworkPerHour = 150
    /// The number of pushes, of ``pushesPerNetworkPerHour``, that may be pending at a time for devices that APNs has
    /// not accepted a push for. A token that APNs rejects as bad counts for an hour.
    var unprovenPushesPerNetwork: Int { max(10, pushesPerNetworkPerHour / 10) }
    /// When sends to new clients are stepped up (SMS pumping).
    public var tollFraud = TollFraudPolicy()
    /// The gateways of each number.
    public var routing = RoutingPolicy.none
    /// The time for which verifiers may cache the public keys: the `max-age` of their endpoints (RFC 9111 § 5.2.2.1).
    public var publicKeyCacheLifetime: Duration = .seconds(3600)
    /// The time for which a new signing key is published before it signs: the cache lifetime of a verifier plus a
    /// tenth, at least two seconds more. Workers read the key file up to a second later, clocks differ, and machines
    /// receive the file at different times.
    public var signingKeyLead: Duration { publicKeyCacheLifetime + max(publicKeyCacheLifetime / 10, .seconds(2)) }
    /// The retention of the audit log; zero for no audit log.
    public var auditRetention: Duration = .seconds(90 * 86_400)
    /// The approximate maximum number of events in the audit log; the oldest are evicted first.
    public var auditEvents = 1_000_000

    /// Creates a policy with the documented defaults.
    public init() {}
}

extension Policy {
    /// The maximum clock skew between two workers: each may differ from Redis's clock by 30 seconds. A solved challenge
    /// is remembered for this much longer, so that a worker whose clock is behind does not accept a replay.
    static let workerClockSkew: Duration = .seconds(60)
}

/// Values that derive from the operator's settings of rate limits.
extension Policy {
    /// Returns a network's maximum of what a project's networks share: at most a tenth of the project's `quota` (0: no
    /// limit), so that no IPv4 address and no IPv6 /48 uses it up for all, but at least one.
    static func maximum(_ ofNetwork: Int, ofQuota quota: Int) -> Int {
        quota == 0 ? ofNetwork : min(ofNetwork, max(1, quota / 10))
    }

    /// Returns how many messages these projects together may send in 24 hours on average, and what one segment of each
    /// may cost: the highest price of the regions that its project sends to. Returns nil if the number has no limit.
    /// The cost is nil if no gateway has prices.
    public func messagesPerDay(of projects: [Project]) -> (count: Int, cost: Money?)? {
        let maxima = [sendsPerProjectPerDay, 24 * sendsPerProjectPerHour].filter { $0 > 0 }
        guard let maximum = maxima.min() else { return nil }
        let prices = projects.compactMap { tollFraud.prices.highest(in: $0.smsRegions) }
        let cost = prices.reduce(0) { $0 + Double($1.micros) * Double(maximum) }
        return (projects.count * maximum, prices.isEmpty ? nil : Money(micros: Int64(min(cost, 1e18))))
    }

    /// The rate limits on wrong passwords (brute force).
    public var wrongPasswordLimits: WrongPasswordLimits {
        WrongPasswordLimits(
            perEmailAndNetworkPerHour: wrongPasswordsPerEmailAndNetworkPerHour,
            perEmailPerDay: wrongPasswordsPerEmailPerDay,
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }
}

/// What a development server allows beyond production. Anyone who reaches such a server may act as any user.
public struct DevelopmentPolicy: Hashable, Sendable {
    /// Whether ID tokens and session cookies have no signature (`alg: none`). firebase-admin for Node accepts no others
    /// from an emulator.
    public var issuesUnsignedTokens: Bool

    /// Creates a policy.
    public init(issuesUnsignedTokens: Bool = false) {
        self.issuesUnsignedTokens = issuesUnsignedTokens
    }
}
