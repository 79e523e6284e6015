/// The clients that signed in with a number, or with an e-mail address and a password, before. Parts of the rate limits
/// are reserved for them, so that an attacker who uses up the rest does not lock the owner out (denial of service).
enum KnownClients {
    /// The maximum number of remembered clients of a number or an address, the most recent ones.
    static let maximum = 10

    /// The time for which a client is remembered.
    static let memory: Duration = .seconds(180 * 86_400)

    /// The number of password sign-ins per hour (fixed window), from one network for one e-mail address, that take
    /// precedence over those of unknown clients.
    static let passwordSignInsPerHour = 5

    /// Returns how many of the `maximum` wrong codes for a number are reserved: a tenth.
    static func reservedWrongCodes(of maximum: Int) -> Int { maximum / 10 }
}

extension OperationContext {
    /// Returns the client's networks, hashed for one use.
    func networks(of address: String, for use: StaticString) -> ClientNetworks {
        ClientNetworks(ofAddress: address, for: use, in: project, keys)
    }
}
