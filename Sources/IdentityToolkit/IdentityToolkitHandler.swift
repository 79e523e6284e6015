public import ChallengePages
public import FastCGI
public import Logging
public import Metrics
public import PhoneAuth

/// Answers the requests of one thread: path → route → guard → handler → response, and one log line.
public struct IdentityToolkitHandler: RequestHandler {
    let authenticator: Authenticator
    let readiness: Readiness
    let projects: ProjectDirectory
    let providers: ChallengeProviders
    let receiptSources: [String: ReceiptSource]
    let adminInterface: AdminInterface
    let metricsFolder: MetricsFolder?
    private var metrics = RequestMetrics()
    private let maxBodyBytes: Int
    private let requestDeadline: Duration
    private let logger: Logger
    private let router = Router()

    /// How much longer than others a request about many accounts may take: as long as a request that calls blocking
    /// hooks. So nginx, systemd and a move between index keys wait for it. The Admin SDK for Node.js waits 25 seconds.
    private static let extraTimeOfBatch = BlockingHooks.deadline

    /// Creates a handler. Only the admin interface accepts bodies of more than `maxBodyBytes`. The store operations of
    /// one request share the deadline `requestDeadline`, after which the response is 503. Without `metricsFolder`,
    /// `/metrics` reports that processes do not share their metrics. `receiptSources` are by gateway.
    public init(
        authenticator: Authenticator,
        projects: ProjectDirectory,
        providers: ChallengeProviders,
        receiptSources: [String: ReceiptSource],
        adminInterface: AdminInterface,
        readiness: Readiness,
        metricsFolder: MetricsFolder?,
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
        self.metricsFolder = metricsFolder
        self.maxBodyBytes = maxBodyBytes
        self.requestDeadline = requestDeadline
        self.logger = logger
    }

    /// Returns the response to one request.
    public mutating func respond(to request: borrowing Request) -> Response {
        let method = Method(request.parameter("REQUEST_METHOD"))
        let record = RequestRecord(requestID: request.requestID, method: method.rawValue)
        var response: Response
        do {
            response = try answer(request, method, record)
        } catch {
            let error = confirmed(error)
            record.reason = error.loggedMessage
            record.detail = error.logDetail
            record.errorWord = error.word
            response = failure(error, answering: request)
        }
        if let hosts = projects.developmentHosts { response.allowOrigin(of: request, among: hosts) }
        response.headers.append(("X-Request-Id", record.requestID))
        if let reference = record.reference { response.headers.append(("Dialtone-Reference", reference)) }
        record.write(to: logger, status: response.status)
        metrics.count(record, status: response.status)
        return response
    }

    /// Returns an error that denies the existence of a record only if Redis still is the deployment's. If Redis was
    /// emptied a moment ago, the error is 503, as for all requests a second later.
    private func confirmed(_ refusal: WireError) -> WireError {
        guard refusal.deniesExistence else { return refusal }
        do {
            try StoreUnavailable.onWire(authenticator.confirmDeployment())
            return refusal
        } catch {
            return error
        }
    }

    private func answer(
        _ request: borrowing Request,
        _ method: Method,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        guard request.parametersWithinLimits else { throw .headersTooLarge }
        try checkHost(of: request)
        guard let match = router.match(request.parameter("DOCUMENT_URI") ?? ""), isServed(match.any, to: request)
        else {
            if method == .options { return preflight(request) }
            throw .notFound
        }
        record.route = match.any.name
        record.pathParameter = match.parameter
        record.isQuiet = match.any.traits.contains(.quiet)
        let takesAnyMethod = match.any.traits.contains(.anyMethod)
        if method == .options, !takesAnyMethod { return preflight(request) }
        let answered = method == .head ? .get : method
        guard let route = match.routes.first(where: { takesAnyMethod || $0.methods.contains(answered) }) else {
            throw .methodNotAllowed
        }
        try checkSize(of: request, for: route)
        let extra: Duration = route.traits.contains(.batch) ? Self.extraTimeOfBatch : .zero
        authenticator.setDeadline(.now + requestDeadline + extra)
        if !route.handler.isOpen { try StoreUnavailable.onWire(authenticator.checkDeployment()) }
        switch route.handler {
        case .open(let handler): return try handler(self, request, record)
        case .user(_, let owner): return try callAsUser(route, owner: owner, request, record)
        case .admin(let access, let handler): return try callAsAdmin(handler, access, request, record)
        case .owner(let handler): return try callAsOwner(handler, request, record)
        }
    }

    /// Returns whether a route exists for a request. If not, the response is that of an unknown path, whatever the
    /// method.
    private func isServed(_ route: Route, to request: borrowing Request) -> Bool {
        switch route.audience {
        case .everyone: return true
        case .adminListener: return adminInterface.isServed(to: request)
        case .monitoring: return AdminInterface.isMarked(request)
        case .developmentMode: return projects.isDevelopment
        }
    }

    /// Returns an error in the form that its client can use: a page for a person, JSON for a program, or plain text for
    /// a web client that would sign its user out if it received JSON.
    private func failure(_ error: WireError, answering request: borrowing Request) -> Response {
        let traits = router.match(request.parameter("DOCUMENT_URI") ?? "")?.any.traits ?? []
        if traits.contains(.page) { return .withHeaders(of: error, page(for: error, request)) }
        let isFault = error.status.http >= 500
        let signsOut = request.parameter("HTTP_X_CLIENT_VERSION")?.contains("JsCore") == true
        return traits.contains(.plainTextFaults) && isFault && signsOut ? .plainText(error) : .error(error)
    }

    /// Rejects a request to a development server under a foreign name. Browsers always send a host.
    private func checkHost(of request: borrowing Request) throws(WireError) {
        guard let hosts = projects.developmentHosts, let host = request.parameter("HTTP_HOST") else { return }
        guard hosts.contain(host: host) else { throw .foreignHost }
    }

    private func checkSize(of request: borrowing Request, for route: Route) throws(WireError) {
        if case .admin = route.handler { return }
        guard case .bytes(let body) = request.body, body.count > maxBodyBytes else { return }
        throw .bodyTooLarge
    }

    /// Returns the context of a request's operation in a project. The requester is a user, unless an
    /// administrator has been authenticated.
    func operation(
        in project: Project,
        _ request: borrowing Request,
        _ record: RequestRecord,
        by administrator: Administrator? = nil,
        under idempotencyKey: IdempotencyKey? = nil
    ) -> OperationContext {
        let requester = Requester(
            administrator,
            in: project,
            requestID: record.requestID,
            idempotencyKey: idempotencyKey,
            clientAddress: request.clientAddress,
            client: request.parameter("HTTP_X_CLIENT_VERSION")
        )
        return authenticator.operation(in: project, for: requester)
    }

    private func preflight(_ request: borrowing Request) -> Response {
        .preflight(requestedHeaders: request.parameter("HTTP_ACCESS_CONTROL_REQUEST_HEADERS"))
    }
}
