/// How many wrong passwords are judged. Each maximum is at least 1.
public struct WrongPasswordLimits: Hashable, Sendable {
    let perEmailAndNetworkPerHour: Int
    let perEmailPerDay: Int
    let perNetworkPerHour: Int

    /// So many for an e-mail address by one network in any hour, for an address in any 24 hours, by a network in any hour.
    public init(perEmailAndNetworkPerHour: Int, perEmailPerDay: Int, perNetworkPerHour: Int) {
        self.perEmailAndNetworkPerHour = perEmailAndNetworkPerHour
        self.perEmailPerDay = perEmailPerDay
        self.perNetworkPerHour = perNetworkPerHour
    }

    subscript(counter: PasswordAttempt.Counter) -> (windowMilliseconds: Int64, maximum: Int) {
        switch counter {
        case .emailAndNetwork: (3_600_000, perEmailAndNetworkPerHour)
        case .email: (86_400_000, perEmailPerDay)
        case .network: (3_600_000, perNetworkPerHour)
        }
    }
}
