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
