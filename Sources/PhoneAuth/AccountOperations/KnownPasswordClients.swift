internal import Encodings

/// The networks from which an e-mail address's user signed in before. Their passwords are hashed before those of
/// unknown clients, so that a flood from many networks does not lock users out. A part of the limit on the address's
/// wrong passwords is reserved for these networks.
extension OperationContext {
    /// Returns whether a client's network is known. Each call counts, so an attacker who has an account and sends many
    /// requests is soon treated as unknown.
    func useKnownPasswordClient(of email: EmailIdentity, from address: String) -> Bool {
        let isKnown = bestEffort(
            "find a known network",
            try store.useKnownNetwork(
                knownPasswordNetwork(address),
                of: email,
                now: now.milliseconds,
                maximumPerHour: KnownClients.passwordSignInsPerHour
            )
        )
        return isKnown ?? false
    }

    /// Remembers the network of a client that has just entered the correct password or created the account.
    func rememberPasswordClient(of email: EmailIdentity, from address: String) {
        // The user is signed in, whether or not the network is remembered.
        bestEffort(
            "remember a known network",
            try store.rememberKnownNetwork(
                knownPasswordNetwork(address),
                of: email,
                now: now.milliseconds,
                maximum: KnownClients.maximum,
                lifeMilliseconds: KnownClients.memory.milliseconds
            )
        )
    }

    /// Returns the identity under which a known network is stored.
    func knownPasswordNetwork(_ address: String) -> NetworkIdentity {
        NetworkIdentity(ofAddress: address, for: "known-network", in: project, keys)
    }
}
