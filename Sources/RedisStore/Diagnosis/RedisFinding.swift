/// One thing that was looked at in Redis, and what is to be done about it.
public struct RedisFinding: Sendable, Equatable {
    /// What it means for a deployment.
    public enum Gravity: Sendable {
        /// It is as it should be.
        case fine
        /// It works, and could be safer.
        case advice
        /// The user that asked may not know.
        case unknown
        /// Accounts are or will be lost, or workers cannot serve.
        case grave
    }

    /// What was looked at, in Redis's own word where it has one.
    public let subject: String
    /// What it means.
    public let gravity: Gravity
    /// What is so, and why it matters; one line.
    public let text: String
    /// The line that mends it; nil where nothing is to be done.
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
