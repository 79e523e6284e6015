internal import Synchronization
internal import Threads

/// An HTTP client whose calls all end within their deadline, whatever the server does.
///
/// The client does not retry: it opens a connection once and sends a request once. Retries are up to the caller.
/// Connections are kept alive for the client's further requests and never shared with other clients. The first request
/// in a process starts one thread that carries the requests of all clients.
///
/// ```swift
/// let client = BoundedHTTPClient()
/// let answer = try await client.send(HTTPRequest(postingTo: url, body: body), within: .seconds(5))
/// guard answer.status == 200 else { return }
/// ```
public final class BoundedHTTPClient: Sendable {
    private let settings: ClientSettings
    private let loop: EventLoop
    private let isShutDown = Mutex(false)

    /// How long a blocked call waits for the loop beyond its deadline. Usually the loop ends exchanges at their
    /// deadlines.
    private static let loopDelay: Duration = .seconds(1)

    /// Creates a client, which opens connections when they are needed.
    public convenience init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
        self.init(configuration, loop: .shared)
    }

    init(_ configuration: HTTPClientConfiguration, loop: EventLoop) {
        settings = ClientSettings(configuration)
        self.loop = loop
    }

    deinit { loop.close(settings.id) {} }

    /// Sends a request and returns the whole response. If the task is cancelled, the request is cancelled.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - deadline: the maximum time from now to the response's last byte, including waiting for a connection and
    ///     connecting.
    /// - Returns: the response, whatever its status. A body of more than 16 KiB is not read, and is left empty.
    /// - Throws: ``RequestFailure``
    public func send(
        _ request: HTTPRequest,
        within deadline: Duration
    ) async throws(RequestFailure) -> HTTPAnswer {
        let id = Exchange.newID()
        let result: Exchange.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else {
                    continuation.resume(returning: .failure(RequestFailure(.cancelled, mayBeSent: false)))
                    return
                }
                start(Exchange(id, request, settings, within: deadline) { continuation.resume(returning: $0) })
                // If the task was cancelled before this line, the loop may have handled the cancellation before the
                // start.
                if Task.isCancelled { loop.cancel(id, of: settings.id) }
            }
        } onCancel: {
            loop.cancel(id, of: settings.id)
        }
        return try result.get()
    }

    /// Sends a request like ``send(_:within:)``, but blocks the calling thread. Do not call this method from a task:
    /// tasks' threads must not block. The call ends soon after the deadline even if the thread that carries requests
    /// is stuck.
    public func sendAndWait(
        _ request: HTTPRequest,
        within deadline: Duration
    ) throws(RequestFailure) -> HTTPAnswer {
        let outcome = Promise<Exchange.Outcome>()
        let id = Exchange.newID()
        start(Exchange(id, request, settings, within: deadline, finish: outcome.fulfill))
        guard let result = ActiveThreads.stepAside(while: { outcome.wait(atMost: deadline + Self.loopDelay) }) else {
            loop.cancel(id, of: settings.id)
            throw RequestFailure(.timedOut, mayBeSent: true)
        }
        return try result.get()
    }

    /// Closes all connections permanently. Pending and later requests fail as cancelled.
    public func shutDown() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }

    /// Shuts down like ``shutDown()``, but blocks the calling thread briefly.
    public func shutDownAndWait() {
        let isClosed = Promise<Void>()
        close { isClosed.fulfill(()) }
        isClosed.wait()
    }

    /// Starts the exchange under the lock, so that no exchange reaches the loop after the client has been closed there.
    private func start(_ exchange: Exchange) {
        let isStarted = isShutDown.withLock { isShutDown in
            guard !isShutDown else { return false }
            loop.start(exchange)
            return true
        }
        if !isStarted { exchange.finish(.failure(RequestFailure(.cancelled, mayBeSent: false))) }
    }

    private func close(then: @escaping @Sendable () -> Void) {
        isShutDown.withLock { isShutDown in
            isShutDown = true
            loop.close(settings.id, then: then)
        }
    }
}

/// The id and configuration of a client, for the event loop.
final class ClientSettings: Sendable {
    typealias ID = UInt64

    let id: ID
    let configuration: HTTPClientConfiguration

    private static let lastID = Atomic<ID>(0)

    init(_ configuration: HTTPClientConfiguration) {
        id = Self.lastID.add(1, ordering: .relaxed).newValue
        self.configuration = configuration
    }
}
