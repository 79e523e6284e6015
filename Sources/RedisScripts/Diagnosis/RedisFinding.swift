/// A finding about Redis, and its remedy.
public struct RedisFinding: Sendable, Equatable {
    /// The finding's severity for a deployment.
    public enum Severity: Sendable {
        /// As it should be.
        case fine
        /// Works, but could be safer.
        case advice
        /// The ACL does not permit the user to find out.
        case unknown
        /// Accounts are being lost or will be, or workers cannot serve.
        case critical
    }

    /// The subject, under Redis's name for it if there is one.
    public let subject: String
    /// The severity.
    public let severity: Severity
    /// The state and why it matters; one line.
    public let text: String
    /// The command or setting that fixes it; nil if nothing needs fixing.
    public let remedy: String?

    init(_ severity: Severity, _ subject: String, _ text: String, remedy: String? = nil) {
        self.severity = severity
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }

    static func fine(_ subject: String, _ text: String) -> RedisFinding { RedisFinding(.fine, subject, text) }

    static func unknown(_ subject: String, needs command: String) -> RedisFinding {
        RedisFinding(
            .unknown,
            subject,
            "this user lacks permission for \(command)",
            remedy: "DIALTONE_REDIS_USER=… DIALTONE_REDIS_PASSWORD=… dialtone doctor redis, with a user that has it; "
                + "if DIALTONE_REDIS_ADDRESS contains a user or a password, set DIALTONE_REDIS_ADDRESS instead"
        )
    }
}
