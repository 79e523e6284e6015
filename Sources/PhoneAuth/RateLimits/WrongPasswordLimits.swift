/// The limits on wrong passwords, against brute force. Each maximum is at least 1; a network's is that of a narrow one.
///
/// Parts of `perEmailPerDay` and `perNetworkPerHour` are reserved for known networks: those from which the address's
/// user has signed in. They are also reserved for unknown addresses, or the limits would reveal which addresses have
/// accounts (user enumeration).
public struct WrongPasswordLimits: Hashable, Sendable {
    /// For an e-mail address from one network in any hour.
    public let perEmailAndNetworkPerHour: Int
    /// For an e-mail address in any 24 hours.
    let perEmailPerDay: Int
    /// For a network in any hour.
    let perNetworkPerHour: Int
}

extension WrongPasswordLimits {
    /// For an e-mail address from all unknown networks, in any 24 hours.
    public var perEmailForUnknownNetworks: Int { perEmailPerDay - ofDay.reserved }

    private var ofDay: RateLimit.Window { .day(perEmailPerDay).withReserve }

    /// The largest part of ``perEmailForUnknownNetworks`` for any one network, three fifths. Otherwise one attacker
    /// could use up all of it and lock users out of networks that are new to them.
    public var largestShareOfNetwork: Int { max(1, perEmailForUnknownNetworks * 3 / 5) }

    /// The wrong passwords for an e-mail address in any 24 hours that an attacker with one IPv6 /48 or one IPv4 address
    /// would have without ``largestShareOfNetwork``.
    public var perEmailAndNetworkPerDayUnbounded: Int {
        NetworkWidth.slash48.maximumOfShare(perEmailAndNetworkPerHour)
    }

    /// Returns the limits of a password for an e-mail address, in the order in which they are checked: for the address
    /// from each network, for the address, and for any address from each network.
    func limits(for email: EmailIdentity, by networks: ClientNetworks) -> [RateLimit] {
        let all = networks.all
        var limits: [RateLimit] = []
        for network in all {
            let windows = perEmail(by: network.width, isWidest: networks.wider.isEmpty)
            let limit = RateLimit.wrongPasswords(for: email, by: network, windows[0])
            limits.append(limit)
            for window in windows.dropFirst() { limits.append(limit.also(in: window)) }
        }
        limits.append(.wrongPasswords(for: email, ofDay))
        return limits + all.map { .wrongPasswords(by: $0, .hour($0.width.maximum(perNetworkPerHour)).withReserve) }
    }

    /// Returns the windows for an e-mail address from one of the client's networks, the longest one last.
    ///
    /// An IPv6 client has a daily limit in its wider networks. An IPv4 address has no wider network, so it gets the
    /// daily limit of a /48 itself: the hourly limit alone would allow 24 times as much in a day.
    private func perEmail(by width: NetworkWidth, isWidest: Bool) -> [RateLimit.Window] {
        func ofDay(_ width: NetworkWidth) -> RateLimit.Window {
            .day(min(width.maximumOfShare(perEmailAndNetworkPerHour), largestShareOfNetwork))
        }
        guard width == .narrow else { return [ofDay(width)] }
        return [.hour(perEmailAndNetworkPerHour)] + (isWidest ? [ofDay(.slash48)] : [])
    }
}
