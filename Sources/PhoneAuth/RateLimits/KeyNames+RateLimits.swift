internal import RedisScripts

extension KeyNames {
    /// Marks an event as counted in rate limits.
    static func countedEvent(_ id: String, of project: String) -> String { ofProject(project, "counted", id) }

    /// Hash: networks from which the user of an e-mail address has signed in.
    static func knownNetworks(_ email: EmailIdentity) -> String {
        ofProject(email.project, "known-networks", email.hash)
    }
}
