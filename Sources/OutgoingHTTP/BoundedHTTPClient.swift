internal import Synchronization
internal import Threads

/// An HTTP client whose every call comes to an end in time, whatever the server does.
///
/// Who tries again, and when, is for the caller to say: it opens a connection once and sends a request once.
/// Connections are kept for the client's further requests and never shared with another client's. The first request of
/// a process starts a thread that carries the requests of all clients; before it there is none.
public final class BoundedHTTPClient: Sendable {
    private let settings: ClientSettings
    private let loop = EventLoop.shared
    private let isShutDown = Mutex(false)

    /// Makes a client, which opens its connections when they are needed.
    public init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
        settings = ClientSettings(configuration)
    }

    deinit { loop.close(settings.id) {} }

    /// Sends a request and reads the whole answer. If the task is cancelled, the request is given up.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - deadline: how long to wait for the answer's last byte, from now on: waiting for a connection and connecting
    ///     included.
    /// - Returns: the answer, whatever its status. A body of more than 16 KiB is not read and left empty.
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
                // A cancellation before this line may have come before the exchange was known to the loop.
                if Task.isCancelled { loop.cancel(id, of: settings.id) }
            }
        } onCancel: {
            loop.cancel(id, of: settings.id)
        }
        return try result.get()
    }

    /// Sends a request like ``send(_:within:)``, and blocks the thread meanwhile. Call it from a thread that may block,
    /// never from a task's.
    public func sendAndWait(
        _ request: HTTPRequest,
        within deadline: Duration
    ) throws(RequestFailure) -> HTTPAnswer {
        let outcome = Outcome()
        start(Exchange(Exchange.newID(), request, settings, within: deadline, finish: outcome.set))
        return try ActiveThreads.stepAside { outcome.wait() }.get()
    }

    /// Closes all connections for good. Requests under way, and those that are sent from now on, fail as cancelled.
    public func shutDown() async {
        await withCheckedContinuation { continuation in close { continuation.resume() } }
    }

    /// Shuts down like ``shutDown()``, and blocks the thread meanwhile, which is not for long.
    public func shutDownAndWait() {
        let isClosed = Semaphore()
        close { isClosed.signal() }
        isClosed.wait()
    }

    /// Under the lock, so that no exchange reaches the loop after the client was closed there.
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

/// The result of an exchange, for a thread that waits for it.
private final class Outcome: Sendable {
    private let result = Mutex<Exchange.Outcome?>(nil)
    private let isSet = Semaphore()

    func set(_ value: Exchange.Outcome) {
        result.withLock { $0 = value }
        isSet.signal()
    }

    func wait() -> Exchange.Outcome {
        isSet.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("a signalled outcome is set") }
        return result
    }
}
