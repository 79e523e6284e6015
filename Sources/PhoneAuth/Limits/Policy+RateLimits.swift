public import RedisStore

/// Values that derive from the operator's settings of rate limits.
extension Policy {
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
            reservedForKnownNetworks: KnownClients.reservedWrongPasswords(of: wrongPasswordsPerEmailPerDay),
            perNetworkPerHour: wrongPasswordsPerNetworkPerHour
        )
    }
}
