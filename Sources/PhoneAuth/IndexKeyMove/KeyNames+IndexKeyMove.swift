internal import RedisScripts

extension KeyNames {
    /// What is counted and remembered for an identifier across all clients, in the same order for each identifier.
    static func records(of identifier: some IdentifierIdentity) -> [String] {
        let (project, hash) = (identifier.project, identifier.hash)
        if let shard = identifier.claimShard {
            let email = EmailIdentity(project: project, hash: hash, shard: shard)
            return [RateLimit.wrongPasswords(for: email, .day(1)).key, knownNetworks(email)]
        }
        let phone = PhoneIdentity(project: project, hash: hash)
        return [
            RateLimit.messages(to: phone, .day(1)).key,
            wrongCodes(phone, isTestNumber: false), wrongCodes(phone, isTestNumber: true),
            RateLimit.wrongTestCodes(for: phone, .day(1)).key,
            knownClients(phone),
        ]
    }
}
