/// How a deployment decides whether requests come from its own apps.
public enum AppVerification: Sendable {
    /// How the provider of a third-party challenge is asked about a token that a web app brings.
    public struct ProviderCheck: Sendable {
        /// Whether the token has a form that the provider's tokens have; nil if the project has no provider. Asks
        /// nobody.
        let mayBeGood: @Sendable (_ token: String, Project) -> Bool?
        /// Asks the provider. The second argument is the client's network address.
        let verdict: @Sendable (_ token: String, _ address: String, Project) -> ProviderVerdict

        /// A check in two steps, between which the client's network is limited.
        public init(
            mayBeGood: @escaping @Sendable (_ token: String, Project) -> Bool?,
            verdict: @escaping @Sendable (_ token: String, _ address: String, Project) -> ProviderVerdict
        ) {
            self.mayBeGood = mayBeGood
            self.verdict = verdict
        }
    }

    /// Development mode: every request counts as proven, as with the reference emulator.
    case trustEveryone
    /// A credential is needed; tokens that are not ours go to `askProvider`.
    case required(askProvider: ProviderCheck)

    /// A credential is needed, and no challenge but our own counts.
    public static let required = AppVerification.required(
        askProvider: ProviderCheck(mayBeGood: { _, _ in nil }, verdict: { _, _, _ in .notConfigured })
    )
}

/// What the provider of a third-party challenge said about a token.
public enum ProviderVerdict: Sendable {
    case solved
    /// Solved on a page that is not of the project's authorized domains.
    case solvedElsewhere
    case notSolved
    case unavailable
    /// The project has no provider.
    case notConfigured
}
