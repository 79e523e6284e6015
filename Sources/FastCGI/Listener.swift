import Glibc

/// A listening, non-blocking stream socket.
///
/// Copies share the socket, which closes with the last copy. The file of a Unix socket that was bound here is removed
/// before that. Several servers, in one or several processes, may accept from one socket.
public struct Listener: Sendable {
    /// The maximum length of the listen queue.
    static let backlog: Int32 = 1024

    /// The address. For TCP with port 0, the port is the one that the system chose.
    public let address: ListenAddress
    /// Whether another process opened the socket, so that the listen queue outlives this process.
    public let isInherited: Bool
    private let socket: Descriptor
    private let file: BoundSocketFile?

    /// The socket's descriptor, to pass to a child process. It is close-on-exec, so duplicate it in the child.
    public var descriptor: Int32 { socket.number }

    /// Binds the address, or adopts the inherited socket.
    ///
    /// A Unix socket gets mode 0660. A stale socket file is replaced. If another process listens on the path, the
    /// initializer throws ``ListenError/inUse(_:)``.
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

    /// Makes the socket non-blocking: another thread or process may accept a connection first, and `accept` must not
    /// block then.
    private static func setNonBlocking(_ socket: Descriptor, for address: ListenAddress) throws(ListenError) {
        let flags = fcntl(socket.number, F_GETFL)
        guard flags >= 0, fcntl(socket.number, F_SETFL, flags | O_NONBLOCK) == 0 else {
            throw .system(address, call: "fcntl", error: errno)
        }
    }
}
