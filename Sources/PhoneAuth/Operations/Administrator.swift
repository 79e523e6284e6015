internal import Encodings

/// Why an administrator was denied access.
public enum AdminRefusal: OperationRefusal {
    /// The credential was not made by this deployment, or has expired.
    case credentialInvalid
    /// The credential is for another project, or read-only.
    case notPermitted(String)
    case failed(OperationFailure)
}

/// An authenticated administrator. ``require(_:to:)`` authorizes each access.
public struct Administrator: Sendable {
    private enum Scope: Sendable {
        case project(String, AdminAccess, tokenID: String)
        /// ``ServiceAccount/mark``.
        case serviceAccount(String)
        case everything
    }

    private let scope: Scope

    /// A developer on their own machine. For development mode only.
    public static let owner = Administrator(scope: .everything)

    /// Creates the administrator of an admin token.
    init(token: AdminTokenRecord, id: String) throws(AdminRefusal) {
        guard let access = AdminAccess(rawValue: token.access) else { throw .credentialInvalid }
        scope = .project(token.project, access, tokenID: id)
    }

    init(serviceAccount mark: String) {
        scope = .serviceAccount(mark)
    }

    private init(scope: Scope) {
        self.scope = scope
    }

    /// Authorizes the administrator for an access to a project; nil is a project that does not exist.
    /// - Throws: ``AdminRefusal/notPermitted(_:)``.
    public func require(_ access: AdminAccess, to project: Project?) throws(AdminRefusal) {
        switch scope {
        case .everything:
            return
        case .project(let id, let granted, _):
            guard id == project?.id else { throw .notPermitted("The token is for another project.") }
            guard granted.includes(access) else { throw .notPermitted("The token is for reading only.") }
        case .serviceAccount(let mark):
            guard let project, project.customTokenIssuers.accounts.contains(where: { $0.mark == mark }) else {
                throw .notPermitted("The project does not know the service account.")
            }
        }
    }
}

extension Administrator {
    /// Returns whether ``require(_:to:)`` would authorize the administrator for an access to a project.
    public func may(_ access: AdminAccess, in project: Project) -> Bool {
        do {
            try require(access, to: project)
            return true
        } catch {
            return false
        }
    }

    /// Returns the administrator's name in a project's audit log: a token's id, a service account's name, or the owner
    /// of the machine.
    public func actor(in project: Project) -> AuditActor {
        switch scope {
        case .everything: .administrator("owner")
        case .project(_, _, let tokenID): .administrator(tokenID)
        case .serviceAccount(let mark):
            .serviceAccount(project.customTokenIssuers.accounts.first { $0.mark == mark }?.email ?? "-")
        }
    }
}

/// The record of an admin token. Times are milliseconds since the Unix epoch.
public struct AdminTokenRecord: Sendable, Equatable {
    /// The project that the token is for.
    public let project: String
    /// The token's access rights.
    public let access: String
    /// The name that the operator gave the token.
    public let name: String
    /// When the token was created.
    public let createdAt: Int64
    /// When the token expires.
    public let expiresAt: Int64
}

extension AdminTokenRecord {
    var text: [UInt8] {
        JSONWriter.object { json in
            json.member("project", project)
            json.member("access", access)
            json.member("name", name)
            json.member("created", createdAt)
            json.member("expires", expiresAt)
        }
    }

    init?(text: [UInt8]) {
        guard let fields = JSONObject(parsing: text), let project = fields["project"]?.text,
            let access = fields["access"]?.text, let name = fields["name"]?.text,
            let createdAt = fields["created"]?.integer, let expiresAt = fields["expires"]?.integer
        else { return nil }
        self.init(project: project, access: access, name: name, createdAt: createdAt, expiresAt: expiresAt)
    }
}

/// What an administrator may do to a project.
public enum AdminAccess: String, Sendable, CaseIterable {
    /// Look up and list accounts.
    case read
    /// Read access, and everything that changes accounts or creates credentials.
    case write

    /// Returns whether this access is sufficient for an operation that needs `needed`.
    func includes(_ needed: AdminAccess) -> Bool { self == .write || needed == .read }
}
