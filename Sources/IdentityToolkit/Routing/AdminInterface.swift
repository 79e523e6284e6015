internal import FastCGI
internal import PhoneAuth
package import Reports

/// Whether and how this process serves the admin interface.
///
/// The admin interface needs two things: this process's settings enable it, and the web server marks the request as
/// received on the admin listener. Without the mark, admin routes do not exist, so a path that the web server fails to
/// hide is still a 404.
public struct AdminInterface: Sendable {
    /// The FastCGI parameter in which the web server names the listener of a request. Clients cannot forge it: FastCGI
    /// parameters from request headers start with `HTTP_`.
    static let listenerParameter: StaticString = "DIALTONE_LISTENER"

    /// The maximum size of a request body in bytes; enough for an import of 1000 accounts.
    public static let maximumBodyBytes = 4 * 1024 * 1024

    /// Whether the admin routes are served. If not, they return 404.
    public let isServed: Bool
    /// Accepted `aud` values of service account assertions, in addition to Google's: the URLs of Dialtone's own token
    /// endpoint.
    public let tokenAudiences: [String]
    /// The settings that reports name if an outbox has no gateway.
    private(set) var unsetGateways = UnsetGateways()

    /// Returns an admin interface that is served.
    public static func served(tokenAudiences: [String]) -> AdminInterface {
        AdminInterface(isServed: true, tokenAudiences: tokenAudiences)
    }

    /// An admin interface that is not served.
    public static let none = AdminInterface(isServed: false, tokenAudiences: [])

    /// Returns the same admin interface, whose reports name these settings.
    package func reporting(unset gateways: UnsetGateways) -> AdminInterface {
        var interface = self
        interface.unsetGateways = gateways
        return interface
    }

    /// Returns whether a request may use the admin routes.
    func isServed(to request: borrowing Request) -> Bool {
        isServed && Self.isMarked(request)
    }

    /// Returns whether the web server received a request on the admin listener.
    static func isMarked(_ request: borrowing Request) -> Bool {
        request.parameter(listenerParameter) == "admin"
    }
}

extension IdentityToolkitHandler {
    /// Calls an admin route. Authenticates and authorizes before the project is looked up, so that the response does
    /// not reveal to an attacker which projects exist.
    func callAsAdmin(
        _ handler: Route.Handler.Admin,
        _ access: AdminAccess,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let administrator = try administrator(of: request)
        let project = projects.project(id: record.pathParameter)
        try AdminRefusal.onWire(administrator.require(access, to: project))
        guard let project else { throw .code(.projectNotFound) }
        return try call(handler, for: administrator, of: project, request.jsonFields(), request, record)
    }

    /// Calls an admin route for an authorized administrator.
    func call(
        _ handler: Route.Handler.Admin,
        for administrator: Administrator,
        of project: Project,
        _ fields: Fields,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        record.project = project.id
        record.makeReference()
        let call = AdminCall(
            operation: operation(in: project, request, record, by: administrator),
            fields: fields,
            query: try request.queryFields(),
            showsSecrets: administrator.may(.write, in: project),
            actionLink: projects.actionLink(of: project, request),
            unsetGateways: adminInterface.unsetGateways,
            record: record
        )
        try fields.refuseTenants()
        // Many responses say by an empty list that an account does not exist.
        try StoreUnavailable.onWire(authenticator.confirmDeployment())
        return try handler(call)
    }

    func administrator(of request: borrowing Request) throws(WireError) -> Administrator {
        guard let token = request.bearerToken else { throw .adminOnly }
        // In development mode any bearer token is accepted as an administrator's, as in the reference emulator.
        if projects.isDevelopment { return .owner }
        return try AdminRefusal.onWire(authenticator.administrator(bearing: token))
    }
}

extension AdminRefusal: WireRefusal {
    var wire: WireError {
        switch self {
        case .credentialInvalid: .code(.unauthenticated, "The credential is invalid or has expired.")
        case .notPermitted(let explanation): .code(.permissionDenied, explanation)
        case .failed(let failure): failure.wire
        }
    }
}
