/// How a deployment decides whether requests come from its own apps.
public enum AppVerification: Sendable {
    /// Asks the provider of a third-party challenge about a token that a web app brings.
    /// The second argument is the client's network address.
    public typealias ProviderCheck = @Sendable (_ token: String, _ address: String, Project) -> ProviderVerdict

    /// Development mode: every request counts as proven, as with the reference emulator.
    case trustEveryone
    /// A credential is needed; tokens that are not ours go to `askProvider`.
    case required(askProvider: ProviderCheck)

    /// A credential is needed, and no challenge but our own counts.
    public static let required = AppVerification.required { _, _, _ in .notConfigured }
}

/// What the provider of a third-party challenge said about a token.
public enum ProviderVerdict: Sendable {
    case solved
    case notSolved
    case unavailable
    /// The project has no provider.
    case notConfigured
}
