import CFastCGI
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

/// A reference-counted file descriptor, closed with the last reference.
final class Descriptor: Sendable {
    let number: Int32

    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }
}

/// Why a server cannot listen. Its description is one line for the operator.
public enum ListenError: Error, Hashable {
    /// Another process listens on the address.
    case inUse(ListenAddress)
    /// The path exists and is not a socket. It is not removed.
    case notASocket(ListenAddress)
    /// The descriptor is not a listening stream socket.
    case notListening(ListenAddress)
    /// The host name does not resolve to an address.
    case unresolved(ListenAddress, reason: String)
    /// systemd passed no socket to this process, or more than one.
    case notActivated(reason: String)
    /// A system call failed.
    case system(ListenAddress, call: String, error: Int32)
}

extension ListenError: CustomStringConvertible {
    /// The address, and what is wrong with it.
    public var description: String {
        switch self {
        case .inUse(let address): "cannot listen on \(address): another process listens there"
        case .notASocket(let address): "cannot listen on \(address): the file exists and is not a socket"
        case .notListening(let address): "cannot listen on \(address): the descriptor is not a listening stream socket"
        case .unresolved(let address, let reason): "cannot listen on \(address): \(reason)"
        case .notActivated(let reason): "cannot listen on systemd: \(reason)"
        case .system(let address, let call, let error):
            "cannot listen on \(address): \(call): \(String(cString: strerror(error)))"
        }
    }
}

extension Listener {
    static func bindTCP(
        host: String,
        port: UInt16,
        for address: ListenAddress
    ) throws(ListenError) -> (Descriptor, ListenAddress) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &found)
        guard failure == 0, let found else {
            throw .unresolved(address, reason: String(cString: gai_strerror(failure)))
        }
        defer { freeaddrinfo(found) }

        let first = found.pointee
        let kind = first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(first.ai_family, kind, first.ai_protocol)
        guard descriptor >= 0 else { throw .system(address, call: "socket", error: errno) }
        let bound = Descriptor(owning: descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted connections inherit TCP_NODELAY: a response is one write, so delaying it gains nothing.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
            throw errno == EADDRINUSE ? .inUse(address) : .system(address, call: "bind", error: errno)
        }
        guard listen(descriptor, backlog) == 0 else { throw .system(address, call: "listen", error: errno) }
        return (bound, .tcp(host: host, port: boundPort(of: descriptor) ?? port))
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundPort(of descriptor: Int32) -> UInt16? {
        var name = sockaddr_in6()  // large enough for IPv4, too: its port is at the same offset
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: name.sin6_port) : nil
    }
}
