import Glibc
import Synchronization
import Threads

/// A FastCGI server: a few threads that serve many persistent connections.
///
/// An idle connection belongs to no thread. All threads wait on one poller, and any free thread serves the next event,
/// so idle connections that a web server keeps open cannot starve new ones.
///
/// The threads block all signals. The program's handlers for `SIGTERM`, `SIGUSR1` and `SIGPIPE` stay in place, although
/// libfcgi would replace them.
///
/// Clients of the listening socket are trusted: FastCGI has no authentication, the client supplies the user's address
/// (`REMOTE_ADDR`), and libfcgi limits neither the size of the parameters nor the time to send them.
///
/// ```swift
/// let server = try Server(listener: Listener(address))
/// try server.run { MyHandler() }  // one handler per thread; returns after server.stop() on another thread
/// ```
public final class Server: Sendable {
    private struct Control {
        var isStarted = false
        var isStopRequested = false
        var attention: WakeUp?
        var connections: ConnectionTable?
    }

    private let listener: Listener
    private let configuration: ServerConfiguration
    private let control = Mutex(Control())

    /// Creates a server that is not yet running. It needs at least one thread and more connections than threads.
    ///
    /// Throws ``ServerError/incompatibleLibrary(expectation:)`` if the installed libfcgi does not behave as this module
    /// requires.
    public init(listener: Listener, configuration: ServerConfiguration = ServerConfiguration()) throws(ServerError) {
        precondition(configuration.threads > 0, "a server needs at least one thread")
        precondition(configuration.activeThreads > 0, "a server needs at least one active thread")
        precondition(
            configuration.maxConnections > configuration.threads,
            "a server needs more connections than threads"
        )
        precondition(
            configuration.maxBodyBytes >= 0 && configuration.maxBodyBytes < Int32.max,
            "a body limit is 0 to 2 GB"
        )
        try FCGXLibrary.start()
        self.listener = listener
        self.configuration = configuration
    }

    /// Asks the server to stop. May be called from any thread, at any time and repeatedly. ``run(makeHandler:)``
    /// returns when the requests in progress have been answered.
    ///
    /// The listen queue of an inherited socket is left to the processes that share it. A socket that was bound here is
    /// served until the grace period ends, because its queue is lost with it. Each connection closes after its next
    /// response, which tells nginx not to reuse the connection. Connections that are still idle when the grace period
    /// ends are then closed.
    public func stop() {
        control.withLock { control in
            control.isStopRequested = true
            control.attention?.signal()
        }
    }

    /// Returns whether no thread has completed a request for this long although all have one. May be called from any
    /// thread.
    public func isStuck(for duration: Duration) -> Bool {
        let connections = control.withLock { $0.connections }
        return connections?.isStuck(configuration.threads, for: duration) ?? false
    }

    /// Serves requests until ``stop()`` is called. A server can run only once.
    ///
    /// `makeHandler` is called on each thread, and its result is used on that thread only.
    public func run(makeHandler: @escaping @Sendable () -> any RequestHandler) throws(ServerError) {
        guard let attention = WakeUp(), let leave = WakeUp() else {
            throw .systemCall("eventfd", error: errno)
        }
        let poller = try Poller(listener: listener.descriptor, leave: leave)
        let connections = ConnectionTable(
            limit: configuration.maxConnections,
            acceptsWhileDraining: !listener.isInherited,
            whenEmpty: attention
        )
        control.withLock { control in
            precondition(!control.isStarted, "a server can run only once")
            control.isStarted = true
            control.attention = attention
            control.connections = connections
        }

        let activeThreads = ActiveThreads(maximum: configuration.activeThreads)
        var threads: [WorkThread] = []
        defer {
            leave.signal()
            activeThreads.close()
            for thread in threads { thread.join() }
        }
        for number in 1...configuration.threads {
            do throws(ThreadError) {
                let thread = try WorkThread(name: "fastcgi-\(number)") { [listener, configuration] in
                    var thread = RequestThread(
                        listener: listener,
                        poller: poller,
                        connections: connections,
                        activeThreads: activeThreads,
                        configuration: configuration,
                        handler: makeHandler()
                    )
                    activeThreads.run { thread.run() }
                }
                threads.append(thread)
            } catch {
                throw .systemCall("pthread_create", error: error.error)
            }
        }
        superviseUntilStopped(connections, attention)
        drain(poller, connections, attention)
    }

    /// Closes connections that send nothing, until the server is asked to stop.
    private func superviseUntilStopped(_ connections: ConnectionTable, _ attention: WakeUp) {
        while !control.withLock({ $0.isStopRequested }) {
            attention.wait(atMost: configuration.ioTimeout / 4)
            connections.retireSilent(for: configuration.ioTimeout)
        }
    }

    private func drain(_ poller: Poller, _ connections: ConnectionTable, _ attention: WakeUp) {
        let deadline = ContinuousClock.now + configuration.drainGrace
        connections.beginDraining()
        if listener.isInherited { poller.stopListening() }
        while connections.openCount > 0, ContinuousClock.now < deadline {
            attention.wait(atMost: deadline - .now)
        }
        connections.beginClosing()
        poller.stopListening()
        while connections.openCount > 0 { attention.wait() }
    }
}

/// The sizes and limits of a ``Server``.
public struct ServerConfiguration: Sendable, Hashable {
    /// The maximum number of requests in progress. An idle connection holds no thread.
    public var threads: Int
    /// The maximum number of threads that are active at once. While an active thread waits for its handler, or for a
    /// web server that reads the response slowly, it steps aside, and another thread becomes active.
    public var activeThreads: Int
    /// The maximum size of a request body. Larger bodies are not read; the handler receives
    /// ``Request/Body-swift.enum/tooLarge``.
    public var maxBodyBytes: Int
    /// The maximum number of parameters. If there are more, the handler receives none; see
    /// ``Request/parametersWithinLimits``.
    public var maxParameters: Int
    /// The maximum size of all parameters, names and values together. If it is exceeded, the handler receives none.
    public var maxParameterBytes: Int
    /// The timeout of one read or write, of a new connection that sends nothing, and approximately of reading a whole
    /// body.
    public var ioTimeout: Duration
    /// The period in which a stopping server still serves requests that the web server may be sending.
    public var drainGrace: Duration
    /// The maximum number of open connections. At the limit, the connection that has been idle longest is closed for a
    /// new one. The default is the sum of 512 requests in progress, which is the maximum of `DIALTONE_THREADS`, and 512
    /// idle connections: those of eight nginx processes, which keep 64 each (`keepalive` in `nginx/dialtone.conf`).
    public var maxConnections: Int

    /// Creates a configuration. The defaults suit a worker with short requests behind one web server.
    public init(
        threads: Int = 16,
        activeThreads: Int = .max,
        maxBodyBytes: Int = 65_536,
        maxParameters: Int = 128,
        maxParameterBytes: Int = 32_768,
        ioTimeout: Duration = .seconds(10),
        drainGrace: Duration = .milliseconds(200),
        maxConnections: Int = 1024
    ) {
        self.threads = threads
        self.activeThreads = activeThreads
        self.maxBodyBytes = maxBodyBytes
        self.maxParameters = maxParameters
        self.maxParameterBytes = maxParameterBytes
        self.ioTimeout = ioTimeout
        self.drainGrace = drainGrace
        self.maxConnections = maxConnections
    }
}

/// Why a server cannot start.
public enum ServerError: Error, Hashable, CustomStringConvertible {
    /// A system call failed with this `errno`, usually because descriptors or memory are exhausted.
    case systemCall(String, error: Int32)
    /// The installed libfcgi does not behave as this server requires.
    case incompatibleLibrary(expectation: String)

    /// One line for the operator.
    public var description: String {
        let reason =
            switch self {
            case .systemCall(let call, let error): "\(call): \(String(cString: strerror(error)))"
            case .incompatibleLibrary(let expectation):
                "the installed libfcgi does not behave like version 2.4.2; expected: \(expectation)"
            }
        return "cannot start the FastCGI server: \(reason)"
    }
}
