/// A finding about Redis, and its remedy.
public struct RedisFinding: Sendable, Equatable {
    /// The finding's severity for a deployment.
    public enum Gravity: Sendable {
        /// As it should be.
        case fine
        /// Works, but could be safer.
        case advice
        /// The user has no right to find out.
        case unknown
        /// Accounts are being lost or will be, or workers cannot serve.
        case grave
    }

    /// The subject, under Redis's own name if it has one.
    public let subject: String
    /// The severity.
    public let gravity: Gravity
    /// The state and why it matters; one line.
    public let text: String
    /// The command or setting that fixes it; nil if nothing needs fixing.
    public let remedy: String?

    init(_ gravity: Gravity, _ subject: String, _ text: String, remedy: String? = nil) {
        self.gravity = gravity
        self.subject = subject
        self.text = text
        self.remedy = remedy
    }

    static func fine(_ subject: String, _ text: String) -> RedisFinding { RedisFinding(.fine, subject, text) }

    static func unknown(_ subject: String, needs command: String) -> RedisFinding {
        RedisFinding(
            .unknown,
            subject,
            "cannot tell, because this user may not ask for it (\(command))",
            remedy: "DIALTONE_REDIS_USER=… DIALTONE_REDIS_PASSWORD=… dialtone doctor redis, as a user who may"
        )
    }
}
