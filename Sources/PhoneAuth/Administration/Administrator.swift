internal import Encodings
internal import RedisScripts

/// Why an administrator was denied access.
public enum AdminRefusal: Error {
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

extension Authenticator {
    /// Authenticates an administrator by a bearer credential (RFC 6750 § 2.1).
    /// - Throws: ``AdminRefusal``.
    public func administrator(bearing credential: String) throws(AdminRefusal) -> Administrator {
        let now = environment.now()
        if let token = AdminAccessToken(credential, keys) {
            guard now.seconds < token.expiresAt else { throw .credentialInvalid }
            return Administrator(serviceAccount: token.mark)
        }
        guard let token = AdminToken(credential) else { throw .credentialInvalid }
        let record = try AdminRefusal.wrapping(store.adminToken(token.hash))
        guard let record, now.milliseconds < record.expiresAt else { throw .credentialInvalid }
        return try Administrator(token: record, id: AdminToken.id(ofHash: token.hash))
    }
}
