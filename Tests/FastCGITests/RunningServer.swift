import FastCGI
import Glibc
import Synchronization
import Threads

/// A server on its own threads. It stops when the value is released.
final class RunningServer: Sendable {
    /// Responds to each request with the result of a closure.
    struct Handler: RequestHandler {
        let answer: @Sendable (borrowing Request) -> Response
        func respond(to request: borrowing Request) -> Response { answer(request) }
    }

    let address: ListenAddress
    private let server: Server
    private let runner: WorkThread
    private let isJoined = Mutex(false)

    init(
        _ listener: Listener,
        threads: Int = 4,
        activeThreads: Int = .max,
        ioTimeout: Duration = .seconds(120),
        drainGrace: Duration = .milliseconds(200),
        maxConnections: Int = 1024,
        makeHandler: @escaping @Sendable () -> any RequestHandler
    ) throws {
        var configuration = ServerConfiguration()
        configuration.threads = threads
        configuration.activeThreads = activeThreads
        configuration.ioTimeout = ioTimeout
        configuration.drainGrace = drainGrace
        configuration.maxConnections = maxConnections
        let server = try Server(listener: listener, configuration: configuration)
        runner = try WorkThread(name: "server") {
            do throws(ServerError) {
                try server.run(makeHandler: makeHandler)
            } catch {
                fatalError("\(error)")
            }
        }
        self.server = server
        address = listener.address
    }

    /// Starts a server that by default responds to each request with its body.
    convenience init(
        _ listener: Listener,
        threads: Int = 4,
        activeThreads: Int = .max,
        ioTimeout: Duration = .seconds(120),
        drainGrace: Duration = .milliseconds(200),
        maxConnections: Int = 1024,
        answer: @escaping @Sendable (borrowing Request) -> Response = echo
    ) throws {
        try self.init(
            listener,
            threads: threads,
            activeThreads: activeThreads,
            ioTimeout: ioTimeout,
            drainGrace: drainGrace,
            maxConnections: maxConnections,
            makeHandler: { Handler(answer: answer) }
        )
    }

    deinit {
        stop()
        join()
    }

    func stop() {
        server.stop()
    }

    func join() {
        isJoined.withLock { isJoined in
            if !isJoined { runner.join() }
            isJoined = true
        }
    }
}

/// Responds with the request's body, or with the reason why there is none.
@Sendable func echo(_ request: borrowing Request) -> Response {
    guard request.parametersWithinLimits else { return Response(status: 431) }
    return switch request.body {
    case .bytes(let bytes): Response(status: 200, headers: [("Content-Type", "text/plain")], body: bytes)
    case .tooLarge: Response(status: 413)
    case .incomplete: Response(status: 400)
    }
}
