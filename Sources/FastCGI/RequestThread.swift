import CFastCGI
import Glibc
import Threads

/// What one request thread does: it waits with its siblings for the next thing to happen, and does it.
struct RequestThread: ~Copyable {
    /// Out of descriptors or memory: nothing here can help, so the next attempt waits for others to give some back.
    private static let pauseMicroseconds: UInt32 = 20_000

    private let listener: Int32
    private let poller: Poller
    private let connections: ConnectionTable
    private let activeThreads: ActiveThreads
    private let ioTimeout: Duration
    private var exchange: Exchange
    private var handler: any RequestHandler

    init(
        listener: Listener,
        poller: Poller,
        connections: ConnectionTable,
        activeThreads: ActiveThreads,
        configuration: ServerConfiguration,
        handler: any RequestHandler
    ) {
        self.listener = listener.descriptor
        self.poller = poller
        self.connections = connections
        self.activeThreads = activeThreads
        ioTimeout = configuration.ioTimeout
        exchange = Exchange(limits: configuration, connections: connections)
        self.handler = handler
    }

    /// Returns when the server wants its threads to leave.
    mutating func run() {
        while true {
            activeThreads.restIfCrowded()
            switch poller.wait() {
            case .leave: return
            case .newConnection: acceptConnection()
            case .connection(let descriptor): serve(connections.claim(descriptor))
            }
        }
    }

    private mutating func acceptConnection() {
        guard connections.admit() else { return }
        let descriptor = cfastcgi_accept(listener)
        guard descriptor >= 0 else {
            let error = errno
            connections.closed()
            // A sibling was faster, or the client has gone again: both are everyday matters.
            if error != EAGAIN && error != ECONNABORTED && error != EINTR { usleep(Self.pauseMicroseconds) }
            return
        }
        let connection = Connection(owning: descriptor, isRegistered: false)
        connection.setTimeout(ioTimeout)
        // Its request has mostly come along already. If not, waiting for it is the poller's work.
        if connection.isReadable() {
            serve(connection)
        } else if let connection = park(connection, isFresh: true) {
            serve(connection)
        }
    }

    private mutating func serve(_ connection: consuming Connection) {
        var next: Connection? = connection
        while let connection = next.take() {
            switch exchange.serve(connection, with: &handler) {
            case .closed: connections.closed()
            case .kept(let connection): next = park(connection, isFresh: false)
            case .saidGoodbye(let connection): next = end(connection)
            }
        }
    }

    /// Leaves the connection to the poller; when the server is closing its connections, ends it.
    private func park(_ connection: consuming Connection, isFresh: Bool) -> Connection? {
        guard connections.park(connection.number, isFresh: isFresh) else { return end(connection) }
        let isRegistered = connection.isRegistered
        let descriptor = connection.release()
        // From the moment it is armed, it may be another thread's.
        if !poller.arm(descriptor, isRegistered: isRegistered) {
            _ = connections.claim(descriptor)
            connections.closed()
        }
        return nil
    }

    /// Closes the connection, unless the client has already sent a request: then it comes back, to be served.
    private func end(_ connection: consuming Connection) -> Connection? {
        connection.refuseRequests()
        if connection.hasBytes() { return connection }
        connections.closed()
        return nil
    }
}
