internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// One call of an admin operation.
struct AdminCall {
    let project: Project
    let fields: Fields
    /// The URL's query, for requests without a body.
    let query: FormFields
    let method: Method
    let requestID: String
    /// Whether the administrator may read secrets, such as the codes of test numbers. Write access is required.
    let showsSecrets: Bool

    /// Returns a query parameter; old Admin SDKs send it in the body.
    func parameter(_ name: String) throws(WireError) -> String? {
        if let text = query[name] { return text.isEmpty ? nil : text }
        return try fields.nonEmptyText(name)
    }
}

extension IdentityToolkitHandler {
    /// Authenticates and authorizes before the project is looked up, so that the response does not reveal to an
    /// attacker which projects exist.
    mutating func administer(
        _ operation: AdminOperation,
        _ projectID: String,
        _ request: borrowing Request,
        _ method: Method,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        let administrator = try administrator(of: request)
        let project = projects.project(id: projectID)
        do {
            try administrator.require(operation.access(method), to: project)
        } catch {
            throw error.wire
        }
        guard let project else { throw .projectUnknown }
        return try perform(
            operation,
            in: project,
            for: administrator,
            jsonFields(of: request),
            request,
            method,
            requestID,
            &record
        )
    }

    /// Performs an operation for an authorized administrator.
    mutating func perform(
        _ operation: AdminOperation,
        in project: Project,
        for administrator: Administrator,
        _ fields: Fields,
        _ request: borrowing Request,
        _ method: Method,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        record.project = project.id
        record.reference = DecisionReference(requestID: requestID).text
        guard let query = FormFields((request.parameter("QUERY_STRING") ?? "").utf8) else { throw .queryMalformed }
        let call = AdminCall(
            project: project,
            fields: fields,
            query: query,
            method: method,
            requestID: requestID,
            showsSecrets: administrator.may(.write, in: project)
        )
        guard try call.fields.nonEmptyText("tenantId") == nil else { throw .badRequest("UNSUPPORTED_TENANT_OPERATION") }
        work(for: administrator.actor(in: project), request, requestID)
        switch operation {
        case .createAccount: return try createAccount(call, &record)
        case .lookup: return try lookUpAccounts(call, &record)
        case .update: return try changeAccount(call, &record)
        case .delete: return try removeAccount(call, &record)
        case .batchGet: return try listAccounts(call, &record)
        case .batchCreate: return try importAccounts(call, &record)
        case .batchDelete: return try removeAccounts(call, &record)
        case .query: return try queryAccounts(call, &record)
        case .createSessionCookie: return try createSessionCookie(call, &record)
        case .listSessions: return try listSessions(call, &record)
        case .endSession: return try endSession(call, &record)
        case .config: return try configuration(call, &record)
        }
    }

    private func administrator(of request: borrowing Request) throws(WireError) -> Administrator {
        guard let token = bearerToken(of: request) else { throw .adminOnly }
        // In development mode any bearer token is accepted as an administrator's, as in the reference emulator.
        if case .development = projects.mode { return .owner }
        do {
            return try authenticator.administrator(bearing: token)
        } catch {
            throw error.wire
        }
    }

    /// Returns the credential of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110 § 11.1).
    func bearerToken(of request: borrowing Request) -> String? {
        guard let header = request.parameter("HTTP_AUTHORIZATION") else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// Runs a store read; if the store is unavailable, the response is 503.
    func read<Value>(_ operation: () throws(StoreUnavailable) -> Value) throws(WireError) -> Value {
        do {
            return try operation()
        } catch {
            throw .unavailable(logDetail: error.description)
        }
    }
}

extension AdminRefusal {
    fileprivate var wire: WireError {
        switch self {
        case .credentialInvalid: .unauthenticated
        case .notPermitted(let explanation):
            WireError(
                httpStatus: 403,
                status: "PERMISSION_DENIED",
                message: "PERMISSION_DENIED : \(explanation)",
                reason: "forbidden"
            )
        case .failed(let failure): failure.wire
        }
    }
}

extension WireError {
    /// The reference emulator's message for a request without a credential.
    static let adminOnly = badRequest(
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    )

    /// The credential is invalid or has expired.
    fileprivate static let unauthenticated = WireError(
        httpStatus: 401,
        status: "UNAUTHENTICATED",
        message: "UNAUTHENTICATED : The credential is invalid or has expired.",
        reason: "authError"
    )

    fileprivate static let projectUnknown = WireError(
        httpStatus: 404,
        status: "NOT_FOUND",
        message: "PROJECT_NOT_FOUND",
        reason: "notFound"
    )
}
