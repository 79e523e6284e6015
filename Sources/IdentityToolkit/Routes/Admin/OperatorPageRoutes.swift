internal import Encodings
internal import FastCGI
internal import OperatorPage
internal import PhoneAuth

extension IdentityToolkitHandler {
    /// The files of the operator's page. They contain nothing about the deployment.
    static let operatorPageRoutes: [Route] =
        OperatorPage.assets.map { asset in
            .open(.get, at: asset.path, name: "operatorPage", to: .adminListener) { _, _, record in
                record.reason = "found"
                return Response(
                    status: 200,
                    headers: [
                        ("Content-Type", asset.contentType),
                        ("Content-Security-Policy", OperatorPage.contentSecurityPolicy),
                        ("Cache-Control", "no-store"),
                        ("Cross-Origin-Opener-Policy", "same-origin"),
                        ("Cross-Origin-Resource-Policy", "same-origin"),
                    ],
                    body: asset.body
                )
            }
        } + [.open(.get, at: "/operator/projects", name: "admin.projects", to: .adminListener, administeredProjects)]

    /// Returns the projects that the bearer of a credential may administer, with the access to each.
    private static func administeredProjects(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        try StoreUnavailable.onWire(api.authenticator.checkDeployment())
        let administrator = try api.administrator(of: request)
        record.reason = "found"
        return .json(
            JSONWriter.object { json in
                json.array("projects") { json in
                    for project in api.projects.all.sorted(by: { $0.id < $1.id }) {
                        guard let access = AdminAccess.allCases.last(where: { administrator.may($0, in: project) })
                        else { continue }
                        json.object { json in
                            json.member("id", project.id)
                            json.member("access", access.rawValue)
                        }
                    }
                }
                json.array("auditKinds") { json in
                    for kind in AuditEventKind.allCases { json.value(kind.rawValue) }
                }
            }
        )
    }
}
