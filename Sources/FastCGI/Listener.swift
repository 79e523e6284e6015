import Glibc

/// A listening, non-blocking stream socket.
///
/// Copies share the socket. It closes with the last of them; the file of a unix socket that was bound here goes first.
/// Several servers, in one process or in many, may accept from one socket.
public struct Listener: Sendable {
    /// Connections the system holds ready while all threads are busy.
    static let backlog: Int32 = 1024

    /// Where it listens. For TCP with port 0 this holds the port that the system chose.
    public let address: ListenAddress
    /// Whether another process opened the socket, and so keeps the queue of connections after this one is gone.
    public let isInherited: Bool
    private let socket: Descriptor
    private let file: BoundSocketFile?

    /// The socket's descriptor, to pass on to a child process. It is closed on exec, so duplicate it there.
    public var descriptor: Int32 { socket.number }

    /// Binds the address, or takes the socket that was passed on.
    ///
    /// A unix socket gets the mode 0660. A file left behind by a server that died is replaced;
    /// one that somebody answers on is refused.
    public init(_ address: ListenAddress) throws(ListenError) {
        switch address {
        case .unix(let path):
            (socket, file) = try Self.bindUnix(path: path, for: address)
            self.address = address
            isInherited = false
        case .tcp(let host, let port):
            (socket, self.address) = try Self.bindTCP(host: host, port: port, for: address)
            file = nil
            isInherited = false
        case .inherited(let descriptor):
            socket = try Self.adopt(descriptor, for: address)
            file = nil
            self.address = address
            isInherited = true
        case .systemd:
            socket = try Self.adopt(SystemdActivation.current.descriptor(), for: address)
            file = nil
            self.address = address
            isInherited = true
        }
        try Self.setNonBlocking(socket, for: address)
    }

    private static func adopt(_ descriptor: Int32, for address: ListenAddress) throws(ListenError) -> Descriptor {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0 else {
            throw errno == ENOTSOCK
                ? .notListening(address) : .system(address, call: "getsockopt", error: errno)
        }
        guard isListening == 1 else { throw .notListening(address) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return Descriptor(owning: descriptor)
    }

    /// Siblings share the queue: a connection that one was woken for may be gone, and must not block.
    private static func setNonBlocking(_ socket: Descriptor, for address: ListenAddress) throws(ListenError) {
        let flags = fcntl(socket.number, F_GETFL)
        guard flags >= 0, fcntl(socket.number, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw .system(address, call: "fcntl", error: errno)
        }
    }
}
