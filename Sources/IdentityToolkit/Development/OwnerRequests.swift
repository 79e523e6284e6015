internal import FastCGI
internal import PhoneAuth

/// Requests with `Authorization: Bearer owner` on paths without a project, as test suites for the reference emulator
/// send them. They exist in development mode only: the project comes from ``ProjectDirectory/Mode/development(_:)``,
/// which a production worker does not have.
extension IdentityToolkitHandler {
    /// Returns the project that a request on the admin listener administers without an API key; nil in production mode.
    func developmentOwner(of request: borrowing Request) throws(WireError) -> Project? {
        guard case .development(let project) = projects.mode, adminInterface.isServed(to: request),
            bearerToken(of: request) != nil, try apiKey(of: request) == nil
        else { return nil }
        return project
    }

    /// Performs the admin operation that corresponds to an endpoint. If none exists, or the request has a user's
    /// credential, performs the user's operation. An administrator deletes accounts by uid only. Any `targetProjectId`
    /// selects the project, as any API key does.
    mutating func callOperation(
        _ endpoint: Endpoint,
        forOwnerOf project: Project,
        _ request: borrowing Request,
        _ method: Method,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        let fields = try endpoint == .token ? tokenFields(of: request) : jsonFields(of: request)
        let isUsers = try fields.hasUserCredential
        if let operation = endpoint.adminOperation, operation == .delete || !isUsers {
            return try perform(operation, in: project, for: .owner, fields, request, method, requestID, &record)
        }
        return try callOperation(endpoint, in: project, apiKey: "", fields, request, requestID, &record)
    }
}

extension Endpoint {
    /// The admin operation of the same name.
    fileprivate var adminOperation: AdminOperation? {
        switch self {
        case .signUp: .createAccount
        case .lookup: .lookup
        case .updateAccount: .update
        case .deleteAccount: .delete
        default: nil
        }
    }
}

extension Fields {
    /// Whether the request acts for the user of an ID token or of an action code.
    fileprivate var hasUserCredential: Bool {
        get throws(WireError) {
            if try nonEmptyText("idToken") != nil { return true }
            return try nonEmptyText("oobCode") != nil
        }
    }
}
