internal import Encodings
public import OutgoingHTTP
public import Threads

/// Verifies widgets' tokens with their providers.
///
/// A check blocks its thread at most until the deadline. Each project has a share of the threads that checks may block.
/// Excess checks fail at once.
public final class ProviderCheck: Sendable {
    /// The time limit of a check, from connecting to the last byte of the response.
    public let deadline: Duration

    private let threads: CountingGate
    private let client: BoundedHTTPClient

    /// Creates a checker; one is enough for a process.
    ///
    /// - Parameters:
    ///   - threads: the threads that checks may block.
    ///   - deadline: the time limit of a check.
    ///   - proxy: the proxy to providers with an `https` URL; nil for none.
    public init(
        threads: CountingGate = CountingGate(maximum: 4),
        deadline: Duration = .seconds(3),
        proxy: HTTPProxy? = nil
    ) {
        var configuration = HTTPClientConfiguration()
        configuration.proxy = proxy
        client = BoundedHTTPClient(configuration)
        self.threads = threads
        self.deadline = deadline
    }

    /// Verifies a token with a provider. Call it from a thread that may block, never from an event loop's.
    ///
    /// - Parameters:
    ///   - response: the widget's token, as the page posted it.
    ///   - provider: the widget's provider.
    ///   - clientAddress: the network address of the client that posted the token, or nil if it is not known.
    ///   - project: the project that the provider belongs to.
    /// - Returns: the provider's verdict.
    public func check(
        _ response: String,
        with provider: ChallengeProvider,
        clientAddress: String? = nil,
        of project: String = ""
    ) -> ProviderCheckResult {
        threads.run(for: project) { ask(Self.request(response, provider, clientAddress)) } ?? .unavailable(.busy)
    }

    private func ask(_ request: HTTPRequest) -> ProviderCheckResult {
        do throws(RequestFailure) {
            let answer = try client.sendAndWait(request, within: deadline)
            return ProviderAnswer.read(status: answer.status, answer.body)
        } catch {
            return .unavailable(Self.failure(error.reason))
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
            postingTo: provider.verificationURL.text,
            headers: ["Content-Type": FormFields.mediaType, "Accept": "application/json"],
            body: Array(FormFields.encode(fields).utf8)
        )
    }

    /// Returns the failure of a check. A server that closes the connection early has sent an incomplete response.
    private static func failure(_ failure: TransportFailure) -> ProviderFailure {
        switch failure {
        case .timedOut: .timedOut
        case .connectionLost: .malformedAnswer
        default: .unreachable
        }
    }
}

/// The result of verifying a widget's token with its provider.
public enum ProviderCheckResult: Sendable, Equatable {
    /// Solved by a person, according to the provider, on a page of this host.
    case solved(hostname: String?)
    /// Solved on a page that is not the project's, or that is unknown.
    case solvedElsewhere
    /// The token is invalid, already used, expired or of another site key.
    case notSolved
    /// The provider did not respond in time or not as documented, so the token is not verified.
    case unavailable(ProviderFailure)
}

/// The reason why a token could not be verified, for the log.
public enum ProviderFailure: String, Sendable, CaseIterable {
    /// The maximum number of checks is in progress; another check might block the server's other work.
    case busy
    /// No complete response before the deadline.
    case timedOut
    case unreachable
    /// A status other than 200, or not the documented JSON.
    case malformedAnswer
    /// The provider rejects the secret: the configuration must be corrected.
    case secretRefused
}

/// The JSON response of all providers: `success`, `hostname` and `error-codes`.
enum ProviderAnswer {
    static func read(status: Int, _ body: [UInt8]) -> ProviderCheckResult {
        guard status < 500, let answer = JSONObject(parsing: body, maximumDepth: 8),
            case .bool(let isSuccess) = answer["success"]
        else { return .unavailable(.malformedAnswer) }
        guard !isSuccess else { return .solved(hostname: answer["hostname"]?.text) }
        let codes = answer["error-codes"]?.elements ?? []
        if codes.contains(where: secretCodes.contains) { return .unavailable(.secretRefused) }
        return codes.contains(.string("internal-error")) ? .unavailable(.malformedAnswer) : .notSolved
    }

    private static let secretCodes: [JSONValue] = [
        "missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch",
    ].map { .string($0) }
}
