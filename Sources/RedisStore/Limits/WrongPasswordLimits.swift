/// How many wrong passwords are verified. Each maximum is at least 1; a network's is that of a narrow one.
public struct WrongPasswordLimits: Hashable, Sendable {
    /// For an e-mail address by one network in any hour.
    public let perEmailAndNetworkPerHour: Int
    /// For an e-mail address in any 24 hours.
    public let perEmailPerDay: Int
    /// How many of those are kept for networks from which the address's user signed in before.
    public let reservedForKnownNetworks: Int
    let perNetworkPerHour: Int

    /// Fixed numbers for an e-mail address by one network in any hour, for an address in any 24 hours, by a network in
    /// any hour. So many of those for an address are kept for networks from which its user signed in before.
    public init(
        perEmailAndNetworkPerHour: Int,
        perEmailPerDay: Int,
        reservedForKnownNetworks: Int,
        perNetworkPerHour: Int
    ) {
        self.perEmailAndNetworkPerHour = perEmailAndNetworkPerHour
        self.perEmailPerDay = perEmailPerDay
        self.reservedForKnownNetworks = reservedForKnownNetworks
        self.perNetworkPerHour = perNetworkPerHour
    }
}

extension WrongPasswordLimits {
    /// For an e-mail address by all networks that its user has not signed in from, in any 24 hours.
    public var perEmailForUnknownNetworks: Int { perEmailPerDay - reservedForKnownNetworks }

    /// The most that any network may have of ``perEmailForUnknownNetworks``, three fifths: one attacker must not use
    /// them up and so keep users out of networks that are new to them.
    public var largestShareOfNetwork: Int { max(1, perEmailForUnknownNetworks * 3 / 5) }

    /// What an attacker with one network would have of an e-mail address's wrong passwords in any 24 hours if there
    /// were no ``largestShareOfNetwork``: one with an IPv6 /48, or with an IPv4 address.
    public var perEmailAndNetworkPerDayUnbounded: Int {
        NetworkWidth.slash48.maximumOfShare(perEmailAndNetworkPerHour)
    }

    /// The windows and maxima for an e-mail address by one of the client's networks, the longest window last.
    ///
    /// An IPv6 client has a day's share in its wider networks. An IPv4 address has no wider one: it has the share of a
    /// /48 itself, because an hour's limit alone is 24 times as much in a day.
    func perEmail(by width: NetworkWidth, isWidest: Bool) -> [(windowMilliseconds: Int64, maximum: Int)] {
        let hour: Int64 = 3_600_000
        func ofDay(_ width: NetworkWidth) -> (windowMilliseconds: Int64, maximum: Int) {
            (24 * hour, min(width.maximumOfShare(perEmailAndNetworkPerHour), largestShareOfNetwork))
        }
        guard width == .narrow else { return [ofDay(width)] }
        return [(hour, perEmailAndNetworkPerHour)] + (isWidest ? [ofDay(.slash48)] : [])
    }
}
