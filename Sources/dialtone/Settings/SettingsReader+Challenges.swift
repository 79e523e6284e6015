import ChallengePages
import OutgoingHTTP
import PhoneAuth
import Threads

extension [ProjectReader] {
    /// Returns the third-party challenge providers of the projects.
    func challengeProviders(servingThreads: Int, proxy: HTTPProxy?) throws(Failure) -> ChallengeProviders {
        var providers: [String: ChallengeProvider] = [:]
        for reader in self {
            providers[reader.id] = try reader.project.challengeProvider()
        }
        let budget = BlockingBudget(servingThreads: servingThreads)
        return ChallengeProviders(providers, ProviderCheck(maximumChecks: budget.challengeProviders, proxy: proxy))
    }
}

extension SettingsReader<ProjectValues> {
    /// Returns the challenge provider; nil for proof of work.
    fileprivate func challengeProvider() throws(Failure) -> ChallengeProvider? {
        guard let kind = self.challenge else {
            try refuse(
                [\.challengeSiteKey, \.challengeSecret, \.challengeVerifyURL],
                "without effect, because \(name(of: \.challenge)) is proof-of-work; remove it"
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
            case .verificationURL: throw fault(\.challengeVerifyURL, .isNot("an https:// or http:// URL"))
            }
        }
    }
}
