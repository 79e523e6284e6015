internal import Encodings
internal import FastCGI
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// Calls a user's route. The API key is required and selects the project.
    func callAsUser(
        _ route: Route,
        owner: Route.Handler.Admin?,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        if let project = try developmentOwner(of: request) {
            return try callAsUserOrOwner(route, owner: owner, of: project, request, record)
        }
        var apiKey = try request.apiKey()
        if apiKey == nil { apiKey = try clientID(of: request, for: route) }
        let project = try projects.project(ofAPIKey: apiKey)
        record.project = project.id
        let fields = try fields(of: request, for: route)
        guard try fields.nonEmptyText("targetProjectId") == nil else { throw .adminOnly }
        return try callAsUser(route, in: project, apiKey: apiKey ?? "", fields, request, record)
    }

    /// Returns the API key of an OAuth client, which sends it as `client_id` in a form (RFC 6749 § 3.2.1).
    private func clientID(of request: borrowing Request, for route: Route) throws(WireError) -> String? {
        guard route.traits.contains(.form) else { return nil }
        return try fields(of: request, for: route).nonEmptyText("client_id")
    }

    func fields(of request: borrowing Request, for route: Route) throws(WireError) -> Fields {
        try route.traits.contains(.form) ? request.tokenFields() : request.jsonFields()
    }

    /// Calls a user's route in a project that the request is allowed to call.
    func callAsUser(
        _ route: Route,
        in project: Project,
        apiKey: String,
        _ fields: Fields,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        guard case .user(let handler, _) = route.handler else { throw .notFound }
        let key = route.traits.contains(.keyed) ? try request.idempotencyKey(of: route) : nil
        let operation = try StoreUnavailable.onWire(operation(in: project, request, record, under: key).configured())
        record.project = project.id
        record.makeReference()
        let call = try Call(
            request,
            in: operation,
            apiKey: apiKey,
            fields: fields,
            providers: providers,
            projects: projects,
            record
        )
        do {
            return try handler(call)
        } catch {
            if route.traits.contains(.explained) { explain(error, record) }
            throw error
        }
    }

    /// Stores a refusal under the response's reference, for later lookup. Decisions to send a message are recorded
    /// where they are made.
    private func explain(_ error: WireError, _ record: RequestRecord) {
        authenticator.recordRefusal(
            of: record.requestID,
            record.route,
            project: record.project,
            phone: record.phone,
            error: error.loggedMessage,
            detail: error.logDetail
        )
    }
}
