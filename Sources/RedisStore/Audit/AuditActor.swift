/// Who made a change that the audit log tells of.
public enum AuditActor: Sendable, Hashable {
    /// The account's own user.
    case user
    /// One of the operator's servers, by a custom token or as an administrator; the service account's name.
    case serviceAccount(String)
    /// Whoever has an admin token; the token's id.
    case administrator(String)
    /// An operator on the command line.
    case commandLine
    /// Dialtone by itself, by a rule of the operator's.
    case server

    /// Whether all changes of fields are told, and not only those that matter to how a user signs in.
    var isOperator: Bool {
        switch self {
        case .serviceAccount, .administrator, .commandLine: true
        case .user, .server: false
        }
    }

    /// As it stands in the log.
    public var text: String {
        switch self {
        case .user: "user"
        case .serviceAccount(let name): "service-account \(name)"
        case .administrator(let name): "administrator \(name)"
        case .commandLine: "command-line"
        case .server: "server"
        }
    }
}
