import ChallengePages
import PhoneAuth

extension [ProjectReader] {
    /// Returns the third-party challenge providers, by project, without those that have faults.
    func challengeProviders() -> [String: ChallengeProvider] {
        var providers: [String: ChallengeProvider] = [:]
        for reader in self {
            providers[reader.id] = reader.project.collect(try reader.project.challengeProvider()) ?? nil
        }
        return providers
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the challenge provider; nil for the proof of work.
    fileprivate func challengeProvider() throws(FaultySetting) -> ChallengeProvider? {
        try check(\.challenge)
        guard let kind = self.challenge else {
            refuse(
                [\.challengeSiteKey, \.challengeSecret, \.challengeVerifyURL],
                "has no effect because \(name(of: \.challenge)) is proof-of-work; remove it"
            )
            return nil
        }
        let siteKey = try required(\.challengeSiteKey)
        let secret = ProviderSecret(try required(\.challengeSecret))
        do throws(ChallengeProviderError) {
            return try ChallengeProvider(
                kind: kind,
                siteKey: siteKey,
                secret: secret,
                verificationURL: self.challengeVerifyURL
            )
        } catch {
            switch error {
            case .siteKey: throw fault(\.challengeSiteKey, .isNot("letters, digits, dashes, underscores and dots"))
            case .secret: throw fault(\.challengeSecret, .isNot("the secret that belongs to the site key"))
            case .verificationURL:
                let form = "an https URL, or an http URL with a loopback address, without user name or fragment"
                throw fault(\.challengeVerifyURL, .isNot(form))
            }
        }
    }
}
