internal import CCurl
internal import Glibc

/// The sockets of one client's connections. For the loop's thread only.
///
/// Before libcurl 7.88 uses a kept TLS connection again, it looks only whether there is something to read. The
/// `close_notify` of a server that has closed the connection passes for a sign of life, and the request is lost:
/// whether the server received it is then uncertain.
final class ConnectionSockets {
    /// By descriptor. libcurl does not report every socket that it closes, and another part of the process may have
    /// opened the same descriptor since; the inode tells them apart.
    private var inodes: [Int32: ino_t] = [:]

    func add(_ socket: Int32) { inodes[socket] = Self.inode(socket) }

    /// Shuts down the idle connections that have ended, so that libcurl finds them closed.
    ///
    /// - Parameters:
    ///   - isInUse: whether libcurl waits for a socket.
    ///   - isInputExpected: whether a server may send something on an idle connection, as it may over HTTP/2. Otherwise
    ///     input can only be the beginning of the connection's end.
    func shutDownEnded(unless isInUse: (Int32) -> Bool, isInputExpected: Bool) {
        for (socket, inode) in inodes {
            guard Self.inode(socket) == inode else {
                inodes[socket] = nil
                continue
            }
            guard !isInUse(socket), isInputExpected ? Self.isEnded(socket) : Self.hasInput(socket) else { continue }
            shutdown(socket, Int32(SHUT_RDWR))
            // libcurl looks at the next byte: there must be none.
            Self.discardInput(socket)
        }
    }

    private static func inode(_ socket: Int32) -> ino_t? {
        var status = stat()
        return fstat(socket, &status) == 0 ? status.st_ino : nil
    }

    /// Whether the server has ended its direction, also if there is something to read before the end.
    private static func isEnded(_ socket: Int32) -> Bool {
        var descriptor = pollfd(fd: socket, events: ccurl_poll_end, revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Also for the end and for an error.
    private static func hasInput(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// Reads no more than a receive buffer usually has: a server may send without end.
    private static func discardInput(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<16 where recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT)) <= 0 { return }
    }
}
