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
        /// Whether the pinned public keys include a backup. Only if public keys are pinned.
        case pins
        /// Whether the session can be read.
        case store
        /// The app's entitlement for silent pushes. Only for registered apps, like the next two checks.
        case entitlement
        /// The APNs device token.
        case deviceToken
        /// Whether the device token and the app belong to the same APNs environment.
        case pushEnvironment
        /// How the app is verified.
        case appVerification
        /// The user's session.
        case session
    }

    /// What was checked.
    public let check: Check
    /// Whether the check passed.
    public let isFine: Bool
    /// What was found, and what to do. Contains no secrets.
    public let detail: String

    init(_ check: Check, isFine: Bool = true, _ detail: String) {
        self.check = check
        self.isFine = isFine
        self.detail = detail
    }

    /// One line for a log.
    public var description: String { "\(isFine ? "ok" : "FAILED") \(check.rawValue): \(detail)" }
}
