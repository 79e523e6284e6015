public import PhoneAuth

/// Which projects have a third party's challenge in place of the proof of work, and what it says of its answers.
public struct ChallengeProviders: Sendable {
    private let providers: [String: ChallengeProvider]
    private let providerCheck: ProviderCheck

    /// Takes the providers by the ids of their projects.
    public init(_ providers: [String: ChallengeProvider], _ providerCheck: ProviderCheck = ProviderCheck()) {
        self.providers = providers
        self.providerCheck = providerCheck
    }

    /// The provider of a project; nil where it has the proof of work.
    public func provider(of project: Project) -> ChallengeProvider? {
        providers[project.id]
    }

    /// The site key with which a web app shows the operator's own reCAPTCHA; nil where there is none.
    public func recaptchaSiteKey(of project: Project) -> String? {
        guard let provider = providers[project.id], provider.kind.isRecaptcha else { return nil }
        return provider.siteKey
    }

    /// Asks a provider; blocks the thread until the check's deadline at most.
    public func check(
        _ response: String,
        with provider: ChallengeProvider,
        clientAddress: String?
    ) -> ProviderCheckResult {
        providerCheck.check(response, with: provider, clientAddress: clientAddress)
    }

    /// What a project's provider says of a token that a web app's own widget gave; blocks the thread like a check.
    public func verdict(on token: String, clientAddress: String, in project: Project) -> ProviderVerdict {
        guard let provider = provider(of: project) else { return .notConfigured }
        switch check(token, with: provider, clientAddress: clientAddress) {
        case .solved: return .solved
        case .notSolved: return .notSolved
        case .unavailable: return .unavailable
        }
    }
}
