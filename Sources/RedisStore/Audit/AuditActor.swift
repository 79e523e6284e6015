/// The author of a change in the audit log.
public enum AuditActor: Sendable, Hashable {
    /// The account's own user.
    case user
    /// One of the operator's servers, through a custom token or as an administrator; the service account's name.
    case serviceAccount(String)
    /// The holder of an admin token; the token's id.
    case administrator(String)
    /// An operator on the command line: the user and the host, or "" if unknown.
    case commandLine(String)
    /// Dialtone itself, by a rule that the operator set.
    case server

    /// Whether the log records all changes of fields, and not only those that affect how a user signs in.
    var isOperator: Bool {
        switch self {
        case .serviceAccount, .administrator, .commandLine: true
        case .user, .server: false
        }
    }

    /// The actor as written in the log.
    public var text: String {
        switch self {
        case .user: "user"
        case .serviceAccount(let name): "service-account \(name)"
        case .administrator(let name): "administrator \(name)"
        case .commandLine(let name): name.isEmpty ? "command-line" : "command-line \(name)"
        case .server: "server"
        }
    }
}
