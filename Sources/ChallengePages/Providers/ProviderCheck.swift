internal import AsyncHTTPClient
internal import Encodings
internal import NIOCore
internal import NIOHTTP1
internal import OutgoingHTTP
internal import Synchronization
internal import Threads

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

    /// Answers of real providers have a few hundred bytes.
    static let maximumAnswerBytes = 16_384

    /// By project.
    private let underWay = Mutex<[String: Int]>([:])
    /// Made for the first check: without a provider there are no further threads and no connections.
    private let client = Mutex<HTTPClient?>(nil)

    /// Makes a checker; one is enough for a process.
    public init(maximumChecks: Int = 4, deadline: Duration = .seconds(3)) {
        self.maximumChecks = maximumChecks
        self.deadline = deadline
    }

    deinit { client.withLock { try? $0?.syncShutdown() } }

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
        guard let request = try? Self.request(response, provider, clientAddress) else {
            return .unavailable(.unreachable)
        }
        let accumulator = ResponseAccumulator(request: request, maxBodySize: Self.maximumAnswerBytes)
        let limit = NIODeadline.now() + .nanoseconds(Int64(deadline / .nanoseconds(1)))
        do {
            let task = sharedClient().execute(request: request, delegate: accumulator, deadline: limit)
            let answer = try ActiveThreads.stepAside { try task.wait() }
            let body = answer.body.map { Array($0.readableBytesView) } ?? []
            return ProviderAnswer.read(status: answer.status.code, body)
        } catch {
            return .unavailable(Self.failure(error))
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

    private func sharedClient() -> HTTPClient {
        client.withLock { client in
            if let client { return client }
            let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .outgoing())
            client = made
            return made
        }
    }

    private static func request(
        _ response: String,
        _ provider: ChallengeProvider,
        _ clientAddress: String?
    ) throws -> HTTPClient.Request {
        var fields = [(name: "secret", value: provider.secret.text), (name: "response", value: response)]
        if let clientAddress { fields.append(("remoteip", clientAddress)) }
        // Its secret is one for all site keys of an account: without this, another one's answers would count.
        if provider.kind == .hCaptcha { fields.append(("sitekey", provider.siteKey)) }
        let headers: HTTPHeaders = ["Content-Type": FormFields.mediaType, "Accept": "application/json"]
        return try HTTPClient.Request(
            url: provider.verificationURL,
            method: .POST,
            headers: headers,
            body: .string(FormFields.encode(fields))
        )
    }

    private static func failure(_ error: any Error) -> ProviderFailure {
        switch error {
        case let error as HTTPClientError
        where [.deadlineExceeded, .connectTimeout, .readTimeout].contains(error): .timedOut
        case is HTTPClientError, is ResponseAccumulator.ResponseTooBigError: .malformedAnswer
        default: .unreachable
        }
    }
}
