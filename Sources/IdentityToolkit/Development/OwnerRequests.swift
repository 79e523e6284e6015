internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// Requests with `Authorization: Bearer owner` on paths without a project, as test suites for the reference emulator
/// send them. They exist in development mode only: the project comes from ``ProjectDirectory/Mode/development(_:)``,
/// which a production worker does not have.
extension IdentityToolkitHandler {
    /// Returns the project that a request on the admin listener administers without an API key; nil in production mode.
    func developmentOwner(of request: borrowing Request) throws(WireError) -> Project? {
        guard case .development(let project) = projects.mode, adminInterface.isServed(to: request),
            request.bearerToken != nil, try request.apiKey() == nil
        else { return nil }
        return project
    }

    /// Calls a route that only the owner may use.
    func callAsOwner(
        _ handler: Route.Handler.Admin,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        guard let project = try developmentOwner(of: request) else { throw .notFound }
        return try call(handler, for: .owner, of: project, request.jsonFields(), request, record)
    }

    /// Calls the owner's handler of a route. If none exists, or the request has a user's credential, calls the user's
    /// handler. An administrator deletes accounts by uid only. Any `targetProjectId` selects the project, as any API
    /// key does.
    func callAsUserOrOwner(
        _ route: Route,
        owner: Route.Handler.Admin?,
        of project: Project,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        let fields = try fields(of: request, for: route)
        let isUsers = try fields.hasUserCredential
        if let owner, route.traits.contains(.ownerFirst) || !isUsers {
            return try call(owner, for: .owner, of: project, fields, request, record)
        }
        return try callAsUser(route, in: project, apiKey: "", fields, request, record)
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
