internal import Encodings
public import PhoneAuth

/// The projects with a CAPTCHA provider in place of the proof of work, and the verification of its tokens.
public struct ChallengeProviders: Sendable {
    private let providers: [String: ChallengeProvider]
    private let providerCheck: ProviderCheck

    /// Creates the list of providers by project id.
    public init(_ providers: [String: ChallengeProvider], _ providerCheck: ProviderCheck = ProviderCheck()) {
        self.providers = providers
        self.providerCheck = providerCheck
    }

    /// Whether every project uses the proof of work.
    public var isEmpty: Bool { providers.isEmpty }

    /// Returns the provider of a project; nil if the project uses the proof of work.
    public func provider(of project: Project) -> ChallengeProvider? {
        providers[project.id]
    }

    /// Returns the site key with which a web app shows the operator's own reCAPTCHA; nil if there is none.
    public func recaptchaSiteKey(of project: Project) -> String? {
        guard let provider = providers[project.id], provider.kind.isRecaptcha else { return nil }
        return provider.siteKey
    }

    /// Returns whether a token has the form of a provider's token; nil if the project has no provider. It sends no
    /// request.
    public func mayBeValid(_ token: String, in project: Project) -> Bool? {
        provider(of: project).map { _ in
            Self.tokenLengths.contains(token.utf8.count) && token.utf8.allSatisfy(Self.isInTokens)
        }
    }

    /// hCaptcha's and Turnstile's test tokens are the shortest, with just over 20 characters; the longest tokens have a
    /// few thousand.
    private static let tokenLengths = 20...8192

    /// Returns whether a byte may be in a token: all providers' tokens consist of base64url characters and dots.
    private static func isInTokens(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "-_.".utf8.contains(byte)
    }

    /// Verifies a token with a project's provider; blocks the thread at most until the check's deadline. A token counts
    /// only if its page is on one of the project's authorized domains, because a provider's keys may be valid on more
    /// domains than the project's.
    public func check(
        _ response: String,
        with provider: ChallengeProvider,
        clientAddress: String?,
        in project: Project
    ) -> ProviderCheckResult {
        guard mayBeValid(response, in: project) == true else { return .notSolved }
        let result = providerCheck.check(response, with: provider, clientAddress: clientAddress, of: project.id)
        guard case .solved(let hostname) = result else { return result }
        // Providers report the host without the port.
        let hosts = project.authorizedDomains.map { AuthorizedDomain.host(of: $0) }
        return hostname.map { hosts.contains($0.lowercased()) } == true ? result : .solvedElsewhere
    }

    /// Verifies a token of a web app's own widget with the project's provider; blocks the thread like a check.
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
