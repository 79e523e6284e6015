internal import Encodings
internal import FastCGI
internal import PhoneAuth
internal import RedisStore

/// One call of an operator's operation.
struct AdminCall {
    let project: Project
    let fields: Fields
    /// Of the address, for those that send no body.
    let query: FormFields
    let method: Method
    let requestID: String
    /// Whether the administrator may read secrets, such as the codes of test numbers: those who may write can.
    let showsSecrets: Bool

    /// A parameter of the address; old Admin SDKs put it into the body.
    func parameter(_ name: String) throws(WireError) -> String? {
        if let text = query[name] { return text.isEmpty ? nil : text }
        return try fields.nonEmptyText(name)
    }
}

extension IdentityToolkitHandler {
    /// Who calls is asked first: the answer tells a stranger nothing of a project.
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

    /// Performs an operation for an administrator who may.
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
        // In development mode any bearer token is an administrator's, as with the reference emulator.
        if case .development = projects.mode { return .owner }
        do {
            return try authenticator.administrator(bearing: token)
        } catch {
            throw error.wire
        }
    }

    /// The credential of an `Authorization: Bearer` header; its scheme is case-insensitive (RFC 9110 § 11.1).
    func bearerToken(of request: borrowing Request) -> String? {
        guard let header = request.parameter("HTTP_AUTHORIZATION") else { return nil }
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1])
    }

    /// Reads accounts; a store that is away is the caller's 503.
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
    /// No credential at all: the reference emulator's words.
    static let adminOnly = badRequest(
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    )

    /// A credential that is not good, or not any more.
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
