import ChallengePages
import PhoneAuth
import Threads

/// What stands on the challenge page.
extension SettingsReader {
    func challengeProviders(of projects: [Project], servingThreads: Int) throws(Failure) -> ChallengeProviders {
        var providers: [String: ChallengeProvider] = [:]
        for project in projects {
            providers[project.id] = try challengeProvider(of: project.id)
        }
        let budget = BlockingBudget(servingThreads: servingThreads)
        return ChallengeProviders(providers, ProviderCheck(maximumChecks: budget.challengeProviders))
    }

    /// nil for the proof of work, which is the default and needs nobody.
    private func challengeProvider(of project: String) throws(Failure) -> ChallengeProvider? {
        let key = "project.\(project).challenge"
        var choices: [String: ChallengeProvider.Kind?] = ["proof-of-work": nil]
        for kind in ChallengeProvider.Kind.allCases { choices[kind.rawValue] = kind }
        guard let kind = try choice(key, choices, or: nil) else {
            for name in ["SiteKey", "Secret", "VerifyUrl"] where source.text(key + name) != nil {
                throw wrong(key + name, "nothing, as the project has a proof of work")
            }
            return nil
        }
        let siteKey = try required(key + "SiteKey")
        let secret = ProviderSecret(try required(key + "Secret"))
        do throws(ChallengeProviderError) {
            return try ChallengeProvider(
                kind: kind,
                siteKey: siteKey,
                secret: secret,
                verificationURL: source.text(key + "VerifyUrl")
            )
        } catch {
            switch error {
            case .siteKey: throw wrong(key + "SiteKey", "letters, digits, dashes, underscores and dots")
            case .secret: throw wrong(key + "Secret", "the secret that belongs to the site key")
            case .verificationURL: throw wrong(key + "VerifyUrl", "an address that begins with https:// or http://")
            }
        }
    }
}
