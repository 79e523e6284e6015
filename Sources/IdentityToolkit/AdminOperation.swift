internal import PhoneAuth

/// An admin operation on a project: `/v1/projects/{project}…`, and `/v2/projects/{project}/config`.
enum AdminOperation: String, Hashable, Sendable, CaseIterable {
    case createAccount
    case lookup
    case update
    case delete
    case batchGet
    case batchCreate
    case batchDelete
    case query
    case createSessionCookie
    /// An extension: the protocol has no list of sessions.
    case listSessions
    case endSession
    case config

    /// The part of the path after the project id.
    var path: String {
        switch self {
        case .createAccount: "/accounts"
        case .createSessionCookie: ":createSessionCookie"
        case .config: "/config"
        default: "/accounts:" + rawValue
        }
    }

    /// The parts of the path before the project id.
    private var prefixes: [String] {
        switch self {
        case .config: ["/v2/projects/", "/admin/v2/projects/"]
        default: ["/v1/projects/"]
        }
    }

    var methods: [Method] {
        switch self {
        case .batchGet: [.get]
        case .config: [.get, .patch]
        default: [.post]
        }
    }

    /// Returns the access that an administrator needs for the operation with this HTTP method.
    func access(_ method: Method) -> AdminAccess {
        switch self {
        case .lookup, .batchGet, .query, .listSessions: .read
        case .config: method == .patch ? .write : .read
        case .createAccount, .update, .delete, .batchCreate, .batchDelete, .createSessionCookie, .endSession: .write
        }
    }

    /// Returns the operation and the project of a normalized path, with or without the production host's name as a
    /// prefix. Returns nil if the path is not an admin operation's.
    static func parse(_ path: String) -> (operation: AdminOperation, project: String)? {
        let path = ProductionHost.identityToolkit.removed(from: path) ?? path[...]
        for operation in allCases {
            for prefix in operation.prefixes where path.hasPrefix(prefix) {
                let rest = path.dropFirst(prefix.count)
                let project = rest.prefix { $0 != "/" && $0 != ":" }
                guard !project.isEmpty, operation.path == rest.dropFirst(project.count) else { continue }
                return (operation, String(project))
            }
        }
        return nil
    }
}
