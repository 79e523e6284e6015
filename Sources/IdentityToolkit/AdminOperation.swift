internal import PhoneAuth

/// What operators ask of a project: `/v1/projects/{project}…`.
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

    /// What follows the project's id in the path.
    var path: String {
        switch self {
        case .createAccount: "/accounts"
        case .createSessionCookie: ":createSessionCookie"
        default: "/accounts:" + rawValue
        }
    }

    var access: AdminAccess {
        switch self {
        case .lookup, .batchGet, .query: .read
        case .createAccount, .update, .delete, .batchCreate, .batchDelete, .createSessionCookie: .write
        }
    }

    /// The operation and the project of a path; nil where it is none.
    static func parse(_ path: String) -> (operation: AdminOperation, project: String)? {
        let prefix = "/v1/projects/"
        guard path.hasPrefix(prefix) else { return nil }
        let rest = path.dropFirst(prefix.count)
        let project = rest.prefix { $0 != "/" && $0 != ":" }
        guard !project.isEmpty, let operation = allCases.first(where: { $0.path == rest.dropFirst(project.count) })
        else { return nil }
        return (operation, String(project))
    }
}
