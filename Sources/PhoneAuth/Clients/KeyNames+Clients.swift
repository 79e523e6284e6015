internal import RedisScripts

extension KeyNames {
    /// Hash: networks from which the user of an e-mail address has signed in.
    static func knownNetworks(_ email: EmailIdentity) -> String {
        ofProject(email.project, "known-networks", email.hash)
    }
}
