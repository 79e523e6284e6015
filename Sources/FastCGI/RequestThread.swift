import CFastCGI
import Glibc
import Threads

/// The loop of one request thread: it waits on the shared poller and handles each event.
struct RequestThread: ~Copyable {
    /// The pause after descriptors or memory are exhausted, in which others may release some.
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

    /// Runs until the server signals its threads to leave.
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
            // Another thread was faster, or the client closed the connection: both are normal.
            if error != EAGAIN && error != ECONNABORTED && error != EINTR { usleep(Self.pauseMicroseconds) }
            return
        }
        let connection = Connection(owning: descriptor, isRegistered: false)
        connection.setTimeout(ioTimeout)
        // Usually the request has already arrived. If not, the poller waits for it.
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
            case .announcedClose(let connection): next = end(connection)
            }
        }
    }

    /// Passes the connection to the poller, or ends it if the server is closing its connections.
    private func park(_ connection: consuming Connection, isFresh: Bool) -> Connection? {
        guard connections.park(connection.number, isFresh: isFresh) else { return end(connection) }
        let isRegistered = connection.isRegistered
        let descriptor = connection.release()
        // Once the connection is armed, another thread may own it.
        if !poller.arm(descriptor, isRegistered: isRegistered) {
            _ = connections.claim(descriptor)
            connections.closed()
        }
        return nil
    }

    /// Closes the connection, or returns it if the client has already sent another request.
    private func end(_ connection: consuming Connection) -> Connection? {
        connection.refuseRequests()
        if connection.hasBytes() { return connection }
        connections.closed()
        return nil
    }
}
