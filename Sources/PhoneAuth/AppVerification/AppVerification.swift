/// How a deployment decides whether requests come from its own apps.
public enum AppVerification: Sendable {
    /// How a third-party challenge provider verifies a token from a web app.
    public struct ProviderCheck: Sendable {
        /// Returns whether the token has the format of the provider's tokens; nil if the project has no provider. Does
        /// not call the provider.
        let mayBeValid: @Sendable (_ token: String, Project) -> Bool?
        /// Calls the provider. The second argument is the client's network address.
        let verdict: @Sendable (_ token: String, _ address: String, Project) -> ProviderVerdict

        /// Creates a check in two steps, between which the rate limit of the client's network applies.
        public init(
            mayBeValid: @escaping @Sendable (_ token: String, Project) -> Bool?,
            verdict: @escaping @Sendable (_ token: String, _ address: String, Project) -> ProviderVerdict
        ) {
            self.mayBeValid = mayBeValid
            self.verdict = verdict
        }
    }

    /// How the Play Integrity tokens of Android apps are verified.
    public struct IntegrityCheck: Sendable {
        /// Returns whether the token has the format of a Play Integrity token; nil if the app has no settings for Play
        /// Integrity. Does not decode the token.
        let mayBeValid: @Sendable (_ token: String, _ packageName: String, Project) -> Bool?
        /// Decodes the token, and returns why it does not prove the app; nil if it does. May call Google's server.
        let refusal: @Sendable (IntegrityTokenRequest, Project) -> InvalidAppCredential?

        /// Creates a check in two steps, between which the rate limit of the client's network applies.
        public init(
            mayBeValid: @escaping @Sendable (_ token: String, _ packageName: String, Project) -> Bool?,
            refusal: @escaping @Sendable (IntegrityTokenRequest, Project) -> InvalidAppCredential?
        ) {
            self.mayBeValid = mayBeValid
            self.refusal = refusal
        }

        /// A check for deployments in which no app has settings for Play Integrity.
        public static let none = IntegrityCheck(
            mayBeValid: { _, _, _ in nil },
            refusal: { _, _ in .integrityNotConfigured }
        )
    }

    /// Development mode: every request counts as proven, as with the reference emulator.
    case trustEveryone
    /// A credential is required. Tokens of challenges that are not ours are verified by `askProvider`.
    case required(askProvider: ProviderCheck, verifyIntegrity: IntegrityCheck = .none)

    /// A credential is required, and only push receipts and our own challenge are accepted.
    public static let required = AppVerification.required(
        askProvider: ProviderCheck(mayBeValid: { _, _ in nil }, verdict: { _, _, _ in .notConfigured })
    )
}

/// The challenge provider's verdict on a token.
public enum ProviderVerdict: Sendable {
    case solved
    /// Solved on a page outside the project's authorized domains.
    case solvedElsewhere
    case notSolved
    case unavailable
    /// The project has no provider.
    case notConfigured
}
