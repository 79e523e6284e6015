/// The result of one check of ``Auth/diagnose()``.
public struct AuthDiagnosis: Sendable, Equatable, CustomStringConvertible {
    /// What is checked.
    public enum Check: String, Sendable, CaseIterable {
        /// The options of the app.
        case configuration
        /// Whether the server responds.
        case server
        /// Whether the server knows the API key.
        case apiKey
        /// The device's clock.
        case clock
        /// Whether there is a backup among the pinned public keys. Only if public keys are pinned.
        case pins
        /// Whether the session can be read.
        case store
        /// The app's entitlement for silent pushes. Only of registered apps, as the next two.
        case entitlement
        /// The APNs device token.
        case deviceToken
        /// Whether device token and app are of the same environment of APNs.
        case pushEnvironment
        /// How the app is verified.
        case appVerification
        /// The user's session.
        case session
    }

    /// What was checked.
    public let check: Check
    /// Whether it is as it must be.
    public let isFine: Bool
    /// What was found, and what to do. It has no secrets.
    public let detail: String

    init(_ check: Check, isFine: Bool = true, _ detail: String) {
        self.check = check
        self.isFine = isFine
        self.detail = detail
    }

    /// One line for a log.
    public var description: String { "\(isFine ? "ok" : "FAILED") \(check.rawValue): \(detail)" }
}
