internal import Encodings
internal import FastCGI
public import PhoneAuth

/// The projects of this server, and the project that each API key selects.
public struct ProjectDirectory: Sendable {
    /// Which API keys are accepted.
    public enum Mode: Sendable {
        /// Any API key selects the one project, and the development endpoints are served.
        case development(Project)
        /// Known API keys only.
        case production
    }

    /// Which API keys are accepted.
    public let mode: Mode
    var isDevelopment: Bool { if case .development = mode { true } else { false } }

    /// The hosts under which a development server answers; nil in production.
    var developmentHosts: DevelopmentHosts? {
        if case .development(let project) = mode { DevelopmentHosts(named: project.namedDomains) } else { nil }
    }

    /// All projects, in no particular order.
    let all: [Project]
    private let projectOfAPIKey: [String: Project]

    /// Creates a directory for development: every API key selects `project`.
    public init(development project: Project) {
        mode = .development(project)
        all = [project]
        projectOfAPIKey = [:]
    }

    /// Creates a directory for production: each API key selects its project.
    public init(apiKeys: [String: Project]) {
        mode = .production
        all = Array(Dictionary(apiKeys.values.map { ($0.id, $0) }) { first, _ in first }.values)
        projectOfAPIKey = apiKeys
    }

    func project(ofAPIKey key: String?) throws(WireError) -> Project {
        guard let key, !key.isEmpty else { throw .missingAPIKey }
        switch mode {
        case .development(let project):
            return project
        case .production:
            // Clients are counted by their key, which must not have a second spelling.
            guard key.isASCII, let project = projectOfAPIKey[key] else { throw .unknownAPIKey }
            return project
        }
    }

    /// Returns the project with this id; nil if it does not exist.
    func project(id: String) -> Project? {
        all.first { $0.id == id }
    }

    /// Returns the description of links to a project's action page. Its host is the first authorized domain that the
    /// operator named, never one that a client names, except in development mode. Without a client's API key,
    /// it has one of the project's.
    func actionLink(
        of project: Project,
        apiKey: String? = nil,
        _ request: borrowing Request
    ) -> ActionLink {
        var origin = "https://\(project.namedDomains.first ?? "localhost")"
        if isDevelopment, let host = request.parameter("HTTP_HOST") { origin = "http://\(host)" }
        return ActionLink(
            origin: origin,
            apiKey: apiKey ?? projectOfAPIKey.filter { $0.value.id == project.id }.keys.min() ?? "fake-api-key",
            locale: Call.locale(request)
        )
    }

    /// Returns the project whose issuer has its documents at the root of a host: the only such project, because a proxy
    /// may have changed the host, or else the project of the request's host. Nil if there is none.
    func project(withIssuerAtRootOf host: String?) -> Project? {
        let candidates = all.filter { $0.ownIssuer?.isAtRoot == true }
        if candidates.count == 1 { return candidates[0] }
        return candidates.first { project in host.map { project.ownIssuer?.isAt(host: $0) == true } ?? false }
    }

    /// Returns the project of a development endpoint's path, which has its id or its number. Outside development mode
    /// the path does not exist.
    func developmentProject(_ id: String) throws(WireError) -> Project {
        guard case .development(let project) = mode else { throw .notFound }
        guard id == project.id || id == project.number else {
            throw .code(.projectNotFound, "This server's project is \(project.id).")
        }
        return project
    }
}
