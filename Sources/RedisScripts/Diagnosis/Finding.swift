/// A finding about one part of a deployment, and its remedy.
public struct Finding: Sendable, Equatable {
    /// The finding's severity for a deployment.
    public enum Severity: Sendable {
        /// As it should be.
        case fine
        /// Works, but could be safer.
        case advice
        /// The user may not find out.
        case unknown
        /// Users are or will be refused, or accounts or secrets are or will be lost.
        case critical
    }

    /// The subject, under the name that Redis, the settings or the system have for it.
    public let subject: String
    /// The severity.
    public let severity: Severity
    /// The state and why it matters; one line.
    public let text: String
    /// The command or setting that fixes it; nil if nothing needs fixing.
    public let remedy: String?

    /// Creates a finding.
    public init(_ severity: Severity, _ subject: String, _ text: String, remedy: String? = nil) {
        self.severity = severity
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }

    /// Returns the finding that a subject is as it should be.
    public static func fine(_ subject: String, _ text: String) -> Finding { Finding(.fine, subject, text) }
}
