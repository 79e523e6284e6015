public import RedisStore

/// The fixed values of rate limits, in addition to the operator's settings.
extension Policy {
    /// The half-life of the count of a number's wrong codes. An attacker who wants to lock out a number's new clients
    /// needs 62 wrong codes a day, which requires more messages than the number's rate limit allows.
    public static let wrongCodeHalfLife: Duration = .seconds(86_400)

    /// The half-life of the count of a test number's wrong codes.
    public static let wrongTestCodeHalfLife: Duration = .seconds(900)

    /// The time after the last wrong TOTP or recovery code at which the count of an account's wrong codes is reset.
    /// Until then at most a hundred are verified (NIST SP 800-63B). With a half-life, an attacker who knows the
    /// password could go on guessing indefinitely.
    public static let wrongSecondFactorMemory: Duration = .seconds(30 * 86_400)

    /// Returns how many of the `maximum` messages to a number in a window are reserved for clients that signed in with
    /// the number before: three tenths, so 2 of 5 and 3 of 10. Otherwise anyone who requests all messages locks the
    /// owner out (denial of service).
    static func sendsReservedForKnownClients(of maximum: Int) -> Int { min(maximum - 1, (3 * maximum + 5) / 10) }

    /// Returns how many of the `maximum` wrong passwords for an e-mail address are reserved for networks from which the
    /// user signed in before: the same share as for messages. They are also reserved for unknown addresses, or the
    /// limit would reveal which addresses have accounts (user enumeration).
    static func wrongPasswordsReservedForKnownClients(of maximum: Int) -> Int {
        sendsReservedForKnownClients(of: maximum)
    }

    /// Returns the default of ``newAccountsPerNetworkPerDay``: a fortieth of the project's limit, so that an IPv6 /48
    /// uses up at most a tenth of the project's limit, but at least ten, because people share networks.
    public static func newAccountsPerNetworkPerDay(ofProject signUps: Int) -> Int {
        signUps == 0 ? 0 : max(10, signUps / 40)
    }

    /// The rate limits on wrong passwords (brute force).
    public var wrongPasswordLimits: WrongPasswordLimits {
        WrongPasswordLimits(
            perEmailAndNetworkPerHour: wrongPasswordsPerEmailAndNetworkPerHour,
            perEmailPerDay: wrongPasswordsPerEmailPerDay,
            reservedForKnownNetworks: Self.wrongPasswordsReservedForKnownClients(of: wrongPasswordsPerEmailPerDay),
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }

    /// The share of a number's wrong codes that is reserved for clients that signed in with the number before, a tenth:
    /// an attacker who uses up the rest does not lock the owner out.
    public static let knownClientsShareOfWrongCodes = 10

    /// The maximum number of clients that are remembered for having signed in with a number, the most recent ones.
    public static let maximumKnownClients = 10

    /// The number of password sign-ins per hour (fixed window), from one network for one e-mail address, that take
    /// precedence over those of unknown clients.
    public static let knownPasswordSignInsPerHour = 5

    /// The time for which a client that signed in with a number, or with an e-mail address and a password, is
    /// remembered.
    public static let knownClientMemory: Duration = .seconds(180 * 86_400)

    /// The time for which a device and a receipt that APNs has not confirmed are remembered after the dispatcher gave
    /// up on the push.
    public static let unprovenPushMemory: Duration = .seconds(60)

    /// The window in which a network's challenges and provider checks are counted. The challenges (fixed window)
    /// decide the difficulty of the next one; the provider checks are rate limited (sliding window).
    public static let challengeWindow: Duration = .seconds(600)

    /// The share of Redis's `maxmemory`, in percent, above which no new accounts are created. The rest is reserved for
    /// existing users.
    public static let fullMemoryPercent: Int64 = 90

    /// The retry delay for clients that got no account because memory is nearly full.
    public static let fullMemoryRetry: Duration = .seconds(60)
}
