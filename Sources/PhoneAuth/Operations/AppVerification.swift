public import Encodings

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

/// Why an app credential is invalid. The client learns only that it is invalid; the log has the reason.
public enum InvalidAppCredential: String, Error {
    /// The request does not name an app that is registered in the project.
    case appUnknown = "the app is not registered in the project"
    /// The receipt is not ours, or the secret is not that of the receipt for this app.
    case secretWrong = "the receipt and the secret do not match, or belong to another app"
    /// The secret is that of the receipt, but the store no longer accepts the receipt.
    case receiptUnknown = "the receipt has expired or was revoked"
    /// The token was used (replay), has expired, or is another app's.
    case challengeTokenUnknown = "the challenge token was used, has expired or belongs to another app"
    /// The client's network exceeded its rate limit on token checks; the provider was not asked.
    case tooManyProviderChecks = "too many tokens from this network were sent to the challenge provider"
    /// The token is invalid, used, expired or of another site key, or not in the form of a provider's token.
    case providerRefused = "the challenge provider rejected the token"
    /// The challenge was solved on a page other than the project's.
    case solvedElsewhere = "the challenge was solved on a page outside the project's authorized domains"
    /// The token is not verified: the provider did not respond in time, or not as documented.
    case providerUnavailable = "the challenge provider did not respond"
    /// The request has a token of SafetyNet, which Google has shut down.
    case safetyNetUnsupported = "SafetyNet is not supported"
    /// The app is registered, but without the settings that its tokens need. It uses the challenge page.
    case integrityNotConfigured = "the app has no settings for Play Integrity"
    /// The token does not have the format of a Play Integrity token, or was not created with the app's keys.
    case integrityTokenInvalid = "the Play Integrity token is malformed, altered or for other response keys"
    /// Another app requested the token, or Google recognized another app on the device.
    case integrityPackageOther = "the Play Integrity token is for another package"
    /// The app was signed with a certificate that is not registered.
    case integrityCertificateOther = "the app's signing certificate is not among its CERTIFICATE_DIGESTS"
    /// The token is bound to another number.
    case integrityNonceOther = "the Play Integrity token was requested for another number"
    /// The token is too old, or from the future.
    case integrityTimeOutside = "the Play Integrity token is too old, or a clock is wrong"
    /// A verdict that the operator requires is missing.
    case integrityVerdictMissing = "the Play Integrity token lacks a verdict that PLAY_INTEGRITY_VERDICTS requires"
    /// The device requested more tokens than a person would.
    case integrityDeviceTooActive = "the device requested too many Play Integrity tokens in the last hour"
    /// The token was used (replay).
    case integrityTokenUsed = "the Play Integrity token was used before"
    /// Google's server did not respond as documented, or its circuit breaker is open.
    case integrityUnavailable = "Google's server did not decode the Play Integrity token"
    /// Google's server refuses the service account.
    case integrityAccountRefused = "Google's server rejects the service account for Play Integrity"
}

/// A request to verify a Play Integrity token.
public struct IntegrityTokenRequest: Sendable, Confidential {
    /// The maximum age of a token. The SDK requests a token for each message, and sends it at once.
    public static let maximumAge: Duration = .seconds(300)
    /// How far Google's clock may be ahead.
    public static let clockTolerance: Duration = .seconds(60)
    /// The time for which a used token is remembered: longer than any worker accepts it. The clocks of two workers may
    /// differ by a minute.
    static let usedMemory = maximumAge + clockTolerance + Policy.workerClockSkew

    /// The token.
    public let token: String
    /// The package name of the app that sent it.
    public let packageName: String
    /// What the token may be bound to: its nonce is the hash of one of these texts.
    public let subjects: [String]
    /// The current time.
    public let now: Instant

    /// Creates a request.
    public init(token: String, packageName: String, subjects: [String], now: Instant) {
        self.token = token
        self.packageName = packageName
        self.subjects = subjects
        self.now = now
    }
}
