internal import Encodings
internal import RedisStore

/// The networks from which an e-mail address's user signed in before. Their passwords are hashed before those of
/// strangers, so that a flood from many networks does not keep users out, and a part of the address's wrong passwords
/// is kept for them.
extension Authenticator {
    /// Whether a client is one of these. It counts each time: so somebody with an account and many requests is a
    /// stranger soon.
    func useKnownPasswordClient(
        of email: EmailIdentity,
        from address: String,
        in project: Project
    ) -> Bool {
        let isKnown = try? store.useKnownNetwork(
            knownPasswordNetwork(address, in: project),
            of: email,
            now: environment.now().milliseconds,
            maximumPerHour: Policy.knownPasswordSignInsPerHour
        )
        return isKnown ?? false
    }

    /// Remembers the network of a client that has just given the right password, or made the account.
    func rememberPasswordClient(of email: EmailIdentity, from address: String, in project: Project) {
        // The user is signed in, whether or not it is remembered from where.
        try? store.rememberKnownNetwork(
            knownPasswordNetwork(address, in: project),
            of: email,
            now: environment.now().milliseconds,
            maximum: Policy.maximumKnownClients,
            lifeMilliseconds: Policy.knownClientMemory.milliseconds
        )
    }

    /// As it is remembered.
    func knownPasswordNetwork(_ address: String, in project: Project) -> NetworkIdentity {
        NetworkIdentity(ofAddress: address, for: "known-network", in: project, keys, among: store.shards)
    }
}
