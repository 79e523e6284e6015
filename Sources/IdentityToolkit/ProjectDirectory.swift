public import PhoneAuth

/// Which project a request means.
public struct ProjectDirectory: Sendable {
    /// Who may call.
    public enum Mode: Sendable {
        /// Any API key means the one project, and the development endpoints answer.
        case development(Project)
        /// Known API keys only.
        case production
    }

    /// Who may call.
    public let mode: Mode
    /// Every project, in no order.
    let all: [Project]
    private let projectOfAPIKey: [String: Project]

    /// For development: every API key means `project`.
    public init(development project: Project) {
        mode = .development(project)
        all = [project]
        projectOfAPIKey = [:]
    }

    /// For production: each API key means its project.
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
            guard let project = projectOfAPIKey[key] else { throw .unknownAPIKey }
            return project
        }
    }

    /// The project called `id`; nil where there is none.
    func project(id: String) -> Project? {
        all.first { $0.id == id }
    }

    /// The project of a development endpoint's path. Outside development mode there is no such path.
    func developmentProject(_ id: String) throws(WireError) -> Project {
        guard case .development(let project) = mode else { throw .notFound }
        guard id == project.id else {
            throw WireError(
                httpStatus: 404,
                status: "NOT_FOUND",
                message: "PROJECT_NOT_FOUND : This server's project is \(project.id).",
                reason: "notFound"
            )
        }
        return project
    }
}
