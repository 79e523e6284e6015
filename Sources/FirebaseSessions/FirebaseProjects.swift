public import Encodings
public import OutgoingHTTP
public import PhoneAuth
public import Threads

/// A Firebase project whose users' sessions are taken over.
public struct FirebaseProject: Sendable, Confidential {
    /// The project's id, which is the audience of its ID tokens.
    let id: String
    /// An API key of the project.
    let apiKey: String
    /// The server that exchanges refresh tokens and publishes keys; nil for Google's servers.
    let url: ServiceURL?
    /// When the takeover ends.
    let end: Instant

    /// Describes a project.
    public init(id: String, apiKey: String, url: ServiceURL?, end: Instant) {
        self.id = id
        self.apiKey = apiKey
        self.url = url
        self.end = end
    }
}

/// The Firebase projects that the users of a deployment's projects come from.
public struct FirebaseProjects: FirebaseTokenExchange {
    private let servers: [String: (end: Instant, server: SecureTokenServer)]
    private let threads: CountingGate

    /// Creates the list, by the ids of the deployment's projects. `threads` limits how many threads may wait for
    /// Google's servers.
    public init(_ projects: [String: FirebaseProject], proxy: HTTPProxy?, waitingOn threads: CountingGate) {
        servers = projects.mapValues { ($0.end, SecureTokenServer($0, proxy: proxy)) }
        self.threads = threads
    }

    /// See ``FirebaseTokenExchange/end(in:)``.
    public func end(in project: Project) -> Instant? { servers[project.id]?.end }

    /// See ``FirebaseTokenExchange/exchange(_:in:at:)``.
    public func exchange(_ refreshToken: String, in project: Project, at now: Instant) -> FirebaseTokenOutcome {
        guard let server = servers[project.id]?.server else { return .unavailable("no settings") }
        let outcome = threads.run(for: "\(project.id)/firebase") { server.exchange(refreshToken, at: now) }
        return outcome ?? .unavailable("too many requests are waiting for Google's servers")
    }
}
