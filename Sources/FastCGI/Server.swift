import Synchronization
import Threads

/// A FastCGI server: a few threads that answer the requests of many kept connections.
///
/// A connection that waits for its next request belongs to no thread. All threads wait on one poller, and whichever
/// is free serves what comes, so a web server's cached idle connections cannot starve its new ones.
///
/// The threads block all signals. The program's handlers for `SIGTERM`, `SIGUSR1` and `SIGPIPE` stay as they are,
/// although libfcgi would replace them.
///
/// Whoever can connect to the listening socket is trusted: FastCGI has no authentication, the client says who the
/// user is (`REMOTE_ADDR`), and libfcgi bounds neither the parameters' size nor how slowly they come.
public final class Server: Sendable {
    private struct Control {
        var isStarted = false
        var isStopRequested = false
        var attention: WakeUp?
    }

    private let listener: Listener
    private let configuration: ServerConfiguration
    private let control = Mutex(Control())

    /// A server that is not running yet. There must be at least one thread and more connections than threads.
    ///
    /// Throws ``ServerError/incompatibleLibrary(expectation:)`` if the installed libfcgi does not do what this module
    /// relies on.
    public init(listener: Listener, configuration: ServerConfiguration = ServerConfiguration()) throws(ServerError) {
        precondition(configuration.threads > 0, "a server needs a thread")
        precondition(configuration.activeThreads > 0, "a server needs an active thread")
        precondition(configuration.maxConnections > configuration.threads, "more connections than threads are needed")
        precondition(configuration.maxBodyBytes >= 0 && configuration.maxBodyBytes < Int32.max, "0 to 2 GB of body")
        try FCGXLibrary.start()
        self.listener = listener
        self.configuration = configuration
    }

    /// Asks the server to stop, from any thread, at any time, once or more. ``run(makeHandler:)`` then returns when
    /// the requests in hand are answered.
    ///
    /// An inherited socket's queue is left to the processes that share it. A socket that was bound here is served
    /// until the grace ends, because its queue dies with it. Each connection closes after its next answer, which tells
    /// nginx not to send another request there; those that are still idle when the grace ends close then.
    public func stop() {
        control.withLock { control in
            control.isStopRequested = true
            control.attention?.signal()
        }
    }

    /// Serves until ``stop()``. It can run once.
    ///
    /// `makeHandler` is called on each thread, and its handler is used on that thread only.
    public func run(makeHandler: @escaping @Sendable () -> any RequestHandler) throws(ServerError) {
        let attention = try WakeUp()
        let leave = try WakeUp()
        let poller = try Poller(listener: listener.descriptor, leave: leave)
        let connections = ConnectionTable(
            limit: configuration.maxConnections,
            acceptsWhileDraining: !listener.isInherited,
            whenEmpty: attention
        )
        control.withLock { control in
            precondition(!control.isStarted, "a server runs once")
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

    /// Drops clients that connect and stay silent, until the server is asked to stop.
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
