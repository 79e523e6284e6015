internal import Encodings
public import OutgoingHTTP
internal import Synchronization

/// Verifies widgets' tokens with their providers.
///
/// A check blocks its thread until the deadline at most. Each project has a share of the threads that checks may block.
/// A slow provider, or a flood of tokens, of one project therefore leaves the other projects theirs. Excess checks fail
/// at once, and the server's other work continues. All projects together block ``maximumChecks`` threads at most.
public final class ProviderCheck: Sendable {
    /// The number of concurrent checks that the projects with a provider share.
    public let maximumChecks: Int
    /// The time limit of a check, from connecting to the last byte of the response.
    public let deadline: Duration

    /// The number of checks under way, by project.
    private let underWay = Mutex<[String: Int]>([:])
    private let client: BoundedHTTPClient

    /// Creates a checker; one is enough for a process.
    ///
    /// - Parameters:
    ///   - maximumChecks: the number of concurrent checks that the projects with a provider share.
    ///   - deadline: the time limit of a check.
    ///   - proxy: the proxy to providers with an `https` URL; nil for none.
    public init(maximumChecks: Int = 4, deadline: Duration = .seconds(3), proxy: HTTPProxy? = nil) {
        var configuration = HTTPClientConfiguration()
        configuration.proxy = proxy
        client = BoundedHTTPClient(configuration)
        self.maximumChecks = maximumChecks
        self.deadline = deadline
    }

    /// Verifies a token with a provider. Call it from a thread that may block, never from an event loop's.
    ///
    /// - Parameters:
    ///   - response: the widget's token, as the page posted it.
    ///   - provider: the widget's provider.
    ///   - clientAddress: the network address of the client that posted the token, or nil if it is not known.
    ///   - project: the project that the provider belongs to.
    ///   - share: the project's maximum number of concurrent checks; nil for all.
    /// - Returns: the provider's verdict.
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
        // hCaptcha's secret covers all site keys of an account. Without `sitekey`, tokens of another site key would be
        // accepted.
        if provider.kind == .hCaptcha { fields.append(("sitekey", provider.siteKey)) }
        return HTTPRequest(
            postingTo: provider.verificationURL,
            headers: ["Content-Type": FormFields.mediaType, "Accept": "application/json"],
            body: Array(FormFields.encode(fields).utf8)
        )
    }

    /// A server that closes the connection early has sent an incomplete response.
    private static func failure(_ failure: TransportFailure) -> ProviderFailure {
        switch failure {
        case .timedOut: .timedOut
        case .connectionLost: .malformedAnswer
        default: .unreachable
        }
    }
}
