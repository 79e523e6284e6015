internal import Encodings
public import OutgoingHTTP
internal import Synchronization

/// Asks providers what they say of their widgets' answers.
///
/// A check blocks the thread that makes it, until the deadline at most. Each project has a share of threads that its
/// provider may hold, so that a slow provider, or a flood of tokens, of one project leaves the others theirs. Further
/// checks fail at once, and whatever else the server does goes on. All projects together hold ``maximumChecks`` threads
/// at most.
public final class ProviderCheck: Sendable {
    /// How many checks the projects with a provider share.
    public let maximumChecks: Int
    /// How long a check may take, from connecting to the last byte of the answer.
    public let deadline: Duration

    /// By project.
    private let underWay = Mutex<[String: Int]>([:])
    private let client: BoundedHTTPClient

    /// Makes a checker; one is enough for a process.
    ///
    /// - Parameters:
    ///   - maximumChecks: how many checks the projects with a provider share.
    ///   - deadline: how long a check may take.
    ///   - proxy: through which proxy providers with an `https` URL are reached; nil for none.
    public init(maximumChecks: Int = 4, deadline: Duration = .seconds(3), proxy: HTTPProxy? = nil) {
        var configuration = HTTPClientConfiguration()
        configuration.proxy = proxy
        client = BoundedHTTPClient(configuration)
        self.maximumChecks = maximumChecks
        self.deadline = deadline
    }

    /// Asks a provider. To be called from a thread that may block, never from an event loop's.
    ///
    /// - Parameters:
    ///   - response: what the widget answered, as the page posted it.
    ///   - provider: whose widget it was.
    ///   - clientAddress: the network address of the client that posted it, or nil if it is not known.
    ///   - project: whose provider it is.
    ///   - share: how many checks of the project may be under way at once; nil for all.
    /// - Returns: what the provider says.
    public func check(
        _ response: String,
        with provider: ChallengeProvider,
        clientAddress: String? = nil,
        of project: String = "",
        share: Int? = nil
    ) -> ProviderCheckResult {
        guard takeSlot(of: project, share ?? maximumChecks) else { return .unavailable(.busy) }
        defer { releaseSlot(of: project) }
        do throws(RequestFailure) {
            let answer = try client.sendAndWait(Self.request(response, provider, clientAddress), within: deadline)
            return ProviderAnswer.read(status: answer.status, answer.body)
        } catch {
            return .unavailable(Self.failure(error.reason))
        }
    }

    private func takeSlot(of project: String, _ share: Int) -> Bool {
        underWay.withLock { underWay in
            let own = underWay[project] ?? 0
            guard own < share, underWay.values.reduce(0, +) < maximumChecks else { return false }
            underWay[project] = own + 1
            return true
        }
    }

    private func releaseSlot(of project: String) {
        underWay.withLock { underWay in
            let own = underWay[project] ?? 0
            underWay[project] = own > 1 ? own - 1 : nil
        }
    }

    private static func request(
        _ response: String,
        _ provider: ChallengeProvider,
        _ clientAddress: String?
    ) -> HTTPRequest {
        var fields = [(name: "secret", value: provider.secret.text), (name: "response", value: response)]
        if let clientAddress { fields.append(("remoteip", clientAddress)) }
        // Its secret is one for all site keys of an account: without this, another one's answers would count.
        if provider.kind == .hCaptcha { fields.append(("sitekey", provider.siteKey)) }
        return HTTPRequest(
            postingTo: provider.verificationURL,
            headers: ["Content-Type": FormFields.mediaType, "Accept": "application/json"],
            body: Array(FormFields.encode(fields).utf8)
        )
    }

    /// A server that ends the connection answers with less than what is agreed.
    private static func failure(_ failure: TransportFailure) -> ProviderFailure {
        switch failure {
        case .timedOut: .timedOut
        case .connectionLost: .malformedAnswer
        default: .unreachable
        }
    }
}
