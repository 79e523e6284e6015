public import ChallengePages
internal import Encodings
public import FastCGI
public import Logging
public import PhoneAuth
internal import PhoneNumbers
internal import RedisStore

/// Answers the requests of one thread: path → endpoint → project and fields → route → response, and one log line.
public struct IdentityToolkitHandler: RequestHandler {
    var authenticator: Authenticator
    let readiness: Readiness
    let projects: ProjectDirectory
    let providers: ChallengeProviders
    let receiptSources: ReceiptSources
    let adminInterface: AdminInterface
    private let maxBodyBytes: Int
    private let requestDeadline: Duration
    private let logger: Logger
    private let router = Router()

    /// Creates a handler. Only the admin interface accepts bodies of more than `maxBodyBytes`. Store operations of one
    /// request share the deadline `requestDeadline`; after it the response is 503.
    public init(
        authenticator: Authenticator,
        projects: ProjectDirectory,
        providers: ChallengeProviders,
        receiptSources: ReceiptSources,
        adminInterface: AdminInterface,
        readiness: Readiness,
        maxBodyBytes: Int,
        requestDeadline: Duration,
        logger: Logger
    ) {
        self.authenticator = authenticator
        self.projects = projects
        self.providers = providers
        self.receiptSources = receiptSources
        self.adminInterface = adminInterface
        self.readiness = readiness
        self.maxBodyBytes = maxBodyBytes
        self.requestDeadline = requestDeadline
        self.logger = logger
    }

    /// Returns the response to one request.
    public mutating func respond(to request: borrowing Request) -> Response {
        let requestID = requestID(of: request)
        let method = Method(request.parameter("REQUEST_METHOD"))
        var record = RequestRecord(requestID: requestID, method: method.rawValue)
        var response: Response
        do {
            response = try answer(request, method, requestID, &record)
        } catch {
            record.reason = error.loggedMessage ?? error.message
            record.detail = error.logDetail
            response = isSafeAsJSON(error, answering: request) ? .error(error) : .plainText(error)
        }
        if case .development = projects.mode { response.allowOrigin(of: request) }
        response.headers.append(("X-Request-Id", requestID))
        if let reference = record.reference { response.headers.append(("Dialtone-Reference", reference)) }
        record.write(to: logger, status: response.status)
        return response
    }

    private mutating func answer(
        _ request: borrowing Request,
        _ method: Method,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        guard request.parametersWithinLimits else { throw .headersTooLarge }
        guard let endpoint = router.endpoint(request.parameter("DOCUMENT_URI") ?? ""),
            isServed(endpoint, to: request)
        else {
            if method == .options { return preflight(request) }
            throw .notFound
        }
        record.route = endpoint.name
        if method == .options { return preflight(request) }
        guard endpoint.methods.contains(method == .head ? .get : method) else { throw .methodNotAllowed }
        try checkSize(of: request, for: endpoint)
        authenticator.setDeadline(.now + requestDeadline)
        work(for: .user, request, requestID)
        if endpoint.needsIndexKey {
            do { try authenticator.useIndexKeyInForce() } catch { throw error.wire }
        }
        return try dispatch(endpoint, request, method, requestID, &record)
    }

    /// Returns whether an endpoint exists for a request. If not, the response is that of an unknown path, whatever the
    /// method.
    private func isServed(_ endpoint: Endpoint, to request: borrowing Request) -> Bool {
        switch endpoint.audience {
        case .everyone: return true
        case .operators: return adminInterface.isServed(to: request)
        case .developers:
            guard case .development = projects.mode else { return false }
            return true
        }
    }

    /// Returns whether a web client may receive an error as JSON without losing its signed-in user.
    ///
    /// The Firebase JS SDK deletes the stored user if `lookup`, which it calls at every page load, or `token` fails
    /// with a JSON body, even if the server is only overloaded or down. With any other body it keeps the user and
    /// retries (firebase-js-sdk#9259).
    private func isSafeAsJSON(_ error: WireError, answering request: borrowing Request) -> Bool {
        guard error.httpStatus >= 500 || error.httpStatus == 429 else { return true }
        switch router.endpoint(request.parameter("DOCUMENT_URI") ?? "") {
        case .lookup, .token: return request.parameter("HTTP_X_CLIENT_VERSION")?.contains("JsCore") != true
        default: return true
        }
    }

    private func checkSize(of request: borrowing Request, for endpoint: Endpoint) throws(WireError) {
        if case .admin = endpoint { return }
        guard case .bytes(let body) = request.body, body.count > maxBodyBytes else { return }
        throw .bodyTooLarge
    }

    private mutating func dispatch(
        _ endpoint: Endpoint,
        _ request: borrowing Request,
        _ method: Method,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        switch endpoint {
        case .health: return health()
        case .readiness: return try checkReadiness()
        case .publicKeyCertificates: return publicKeyCertificates()
        case .publicKeySet: return publicKeySet()
        case .admin(let operation, let project):
            return try administer(operation, project, request, method, requestID, &record)
        case .grantAccess: return try grantAccess(request, &record)
        case .challengePage: return challengePage(request, &record)
        case .challenge: return try challenge(request, &record)
        case .challengeAnswer: return try challengeAnswer(request, requestID, &record)
        case .verifierScript: return verifierScript()
        case .deliveryReceipt(let gateway): return try deliveryReceipt(from: gateway, request, &record)
        case .verificationCodes(let id): return try verificationCodes(of: projects.developmentProject(id))
        case .accounts(let id):
            let project = try projects.developmentProject(id)
            work(for: Administrator.owner.actor(in: project), request, requestID)
            return try deleteAccounts(of: project)
        case .emulatorConfig(let id):
            let project = try projects.developmentProject(id)
            return try emulatorConfig(of: project, changing: method == .patch ? try jsonFields(of: request) : nil)
        case .oobCodes(let id):
            _ = try projects.developmentProject(id)
            return oobCodes()
        case .inbox(let id): return try inbox(of: projects.developmentProject(id))
        case .tryItAsset(let index):
            return asksForEmulatorStatus(request, index) ? emulatorStatus() : tryItAsset(index)
        case .sendVerificationCode, .signInWithPhoneNumber, .verifyClient, .token, .lookup, .signUp,
            .signInWithCustomToken, .signInWithPassword, .createAuthURI, .updateAccount, .deleteAccount,
            .secondFactor, .userSession, .checkActionCode, .projectConfig, .recaptchaParams, .recaptchaConfig,
            .notOffered:
            if let project = try developmentOwner(of: request) {
                return try callOperation(endpoint, forOwnerOf: project, request, method, requestID, &record)
            }
            return try callOperation(endpoint, request, requestID, &record)
        case .ownerOperation(let operation):
            guard let project = try developmentOwner(of: request) else { throw .notFound }
            let fields = try jsonFields(of: request)
            return try perform(operation, in: project, for: .owner, fields, request, method, requestID, &record)
        }
    }

    /// Performs an operation of the protocol. The API key is required and selects the project.
    private mutating func callOperation(
        _ endpoint: Endpoint,
        _ request: borrowing Request,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        let apiKey = try apiKey(of: request)
        let project = try projects.project(ofAPIKey: apiKey)
        record.project = project.id
        let fields = try endpoint == .token ? tokenFields(of: request) : jsonFields(of: request)
        guard try fields.nonEmptyText("targetProjectId") == nil else { throw .adminOnly }
        return try callOperation(endpoint, in: project, apiKey: apiKey ?? "", fields, request, requestID, &record)
    }

    /// Performs a user's operation in a project that the request is allowed to call.
    func callOperation(
        _ endpoint: Endpoint,
        in project: Project,
        apiKey: String,
        _ fields: Fields,
        _ request: borrowing Request,
        _ requestID: String,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        let project = try read { () throws(StoreUnavailable) in try authenticator.configured(project) }
        record.project = project.id
        record.reference = DecisionReference(requestID: requestID).text
        let call = try Call(request, project: project, apiKey: apiKey, fields: fields, requestID: requestID)
        switch endpoint {
        case .sendVerificationCode:
            return try explained(&record) { record throws(WireError) in try sendVerificationCode(call, &record) }
        case .signInWithPhoneNumber:
            return try explained(&record) { record throws(WireError) in try signInWithPhoneNumber(call, &record) }
        case .verifyClient: return try verifyClient(call, &record)
        case .token: return try token(call, &record)
        case .lookup: return try lookup(call, &record)
        case .signUp: return try signUp(call, &record)
        case .signInWithCustomToken: return try signInWithCustomToken(call, &record)
        case .signInWithPassword: return try signInWithPassword(call, &record)
        case .createAuthURI: return try createAuthURI(call, &record)
        case .updateAccount: return try updateAccount(call, &record)
        case .deleteAccount: return try deleteAccount(call, &record)
        case .secondFactor(let operation):
            return try explained(&record) { record throws(WireError) in try callOperation(operation, call, &record) }
        case .userSession(let operation): return try callOperation(operation, call, &record)
        case .checkActionCode: return try checkActionCode(call, &record)
        case .projectConfig: return projectConfig(call)
        case .recaptchaParams: return recaptchaParams(call)
        case .recaptchaConfig: return recaptchaConfig(call)
        case .notOffered: throw .badRequest("OPERATION_NOT_ALLOWED")
        default: throw .notFound
        }
    }

    private func callOperation(
        _ operation: SecondFactorOperation,
        _ call: Call,
        _ record: inout RequestRecord
    ) throws(WireError) -> Response {
        switch operation {
        case .startEnrollment: try startEnrollment(call, &record)
        case .finishEnrollment: try finishEnrollment(call, &record)
        case .withdraw: try withdrawSecondFactor(call, &record)
        case .generateRecoveryCodes: try generateRecoveryCodes(call, &record)
        case .startSignIn: try startSecondFactorSignIn(call, &record)
        case .finishSignIn: try finishSecondFactorSignIn(call, &record)
        }
    }

    /// Stores a refusal under the response's reference, for later lookup. Messages that are sent are recorded where
    /// that is decided.
    private func explained(
        _ record: inout RequestRecord,
        _ operation: (inout RequestRecord) throws(WireError) -> Response
    ) throws(WireError) -> Response {
        do {
            return try operation(&record)
        } catch {
            authenticator.recordRefusal(
                of: record.requestID,
                record.route,
                project: record.project,
                maskedNumber: record.phone?.description,
                region: record.phone?.region?.description,
                error: error.loggedMessage ?? error.message,
                detail: error.logDetail
            )
            throw error
        }
    }

    private func preflight(_ request: borrowing Request) -> Response {
        .preflight(requestedHeaders: request.parameter("HTTP_ACCESS_CONTROL_REQUEST_HEADERS"))
    }

    func apiKey(of request: borrowing Request) throws(WireError) -> String? {
        let query = request.parameter("QUERY_STRING") ?? ""
        guard let fields = FormFields(query.utf8) else { throw .queryMalformed }
        if let key = fields["key"], !key.isEmpty { return key }
        return request.parameter("HTTP_X_GOOG_API_KEY")
    }

    /// Returns nginx's `$request_id`, or a random id if the front end sends none.
    private func requestID(of request: borrowing Request) -> String {
        if let id = request.parameter("REQUEST_ID"), (1...64).contains(id.utf8.count) { return id }
        return String(UInt64.random(in: .min ... .max), radix: 16) + String(UInt64.random(in: .min ... .max), radix: 16)
    }
}
