internal import FastCGI
internal import PhoneAuth

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
            record: record
        )
        try fields.refuseTenants()
        // Many responses say by an empty list that an account does not exist.
        try StoreUnavailable.onWire(authenticator.confirmDeployment())
        return try handler(call)
    }

    private func administrator(of request: borrowing Request) throws(WireError) -> Administrator {
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
