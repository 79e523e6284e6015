internal import Encodings
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

    /// Whether every project has the proof of work.
    public var isEmpty: Bool { providers.isEmpty }

    /// The provider of a project; nil where it has the proof of work.
    public func provider(of project: Project) -> ChallengeProvider? {
        providers[project.id]
    }

    /// The site key with which a web app shows the operator's own reCAPTCHA; nil where there is none.
    public func recaptchaSiteKey(of project: Project) -> String? {
        guard let provider = providers[project.id], provider.kind.isRecaptcha else { return nil }
        return provider.siteKey
    }

    /// Whether a project's provider may have made a token: nil if the project has none. It asks nobody, and refuses
    /// what no provider makes.
    public func mayBeGood(_ token: String, in project: Project) -> Bool? {
        provider(of: project).map { _ in
            Self.tokenLengths.contains(token.utf8.count) && token.utf8.allSatisfy(Self.isInTokens)
        }
    }

    /// hCaptcha's and Turnstile's test tokens are the shortest, with 20 and some; the longest tokens have a few
    /// thousand characters.
    private static let tokenLengths = 20...8192

    /// All providers' tokens are made of base64url and dots.
    private static func isInTokens(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-_.".utf8.contains(byte)
    }

    /// Asks a project's provider; blocks the thread until the check's deadline at most. A token counts if it was made
    /// on a page of one of the project's authorized domains: a provider's keys may be good for more pages than the
    /// project's.
    public func check(
        _ response: String,
        with provider: ChallengeProvider,
        clientAddress: String?,
        in project: Project
    ) -> ProviderCheckResult {
        guard mayBeGood(response, in: project) == true else { return .notSolved }
        let share = max(1, providerCheck.maximumChecks / max(1, providers.count))
        let result = providerCheck.check(
            response,
            with: provider,
            clientAddress: clientAddress,
            of: project.id,
            share: share
        )
        guard case .solved(let hostname) = result else { return result }
        let isOwn = hostname.map { host in project.authorizedDomains.contains { $0.lowercased() == host.lowercased() } }
        return isOwn == true ? result : .solvedElsewhere
    }

    /// What a project's provider says of a token that a web app's own widget gave; blocks the thread like a check.
    public func verdict(on token: String, clientAddress: String, in project: Project) -> ProviderVerdict {
        guard let provider = provider(of: project) else { return .notConfigured }
        switch check(token, with: provider, clientAddress: clientAddress, in: project) {
        case .solved: return .solved
        case .solvedElsewhere: return .solvedElsewhere
        case .notSolved: return .notSolved
        case .unavailable: return .unavailable
        }
    }
}
