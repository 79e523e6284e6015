/// How many wrong passwords are verified. Each maximum is at least 1; a network's is that of a narrow one.
public struct WrongPasswordLimits: Hashable, Sendable {
    let perEmailAndNetworkPerHour: Int
    let perEmailPerDay: Int
    let reservedForKnownNetworks: Int
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
