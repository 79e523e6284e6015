internal import CCurl
internal import Glibc

/// The sockets of one client's connections. Only the loop's thread may use them.
///
/// Before libcurl 7.88 reuses an idle TLS connection, it only checks whether the socket has input. It takes the
/// `close_notify` of a server that has closed the connection for a sign of life. The request is then lost, and it is
/// uncertain whether the server received it.
final class ConnectionSockets {
    /// The inode of each socket, by descriptor. libcurl does not report every socket that it closes, and other code may
    /// have reused the descriptor since then; a different inode shows this.
    private var inodes: [Int32: ino_t] = [:]

    func add(_ socket: Int32) { inodes[socket] = Self.inode(socket) }

    /// Shuts down the idle connections that the server has closed, so that libcurl does not reuse them.
    ///
    /// - Parameters:
    ///   - isInUse: returns whether libcurl waits for a socket.
    ///   - isInputExpected: whether a server may send on an idle connection, as over HTTP/2. Otherwise, any input means
    ///     that the connection is ending.
    func shutDownEnded(unless isInUse: (Int32) -> Bool, isInputExpected: Bool) {
        for (socket, inode) in inodes {
            guard Self.inode(socket) == inode else {
                inodes[socket] = nil
                continue
            }
            guard !isInUse(socket), isInputExpected ? Self.isEnded(socket) : Self.hasInput(socket) else { continue }
            shutdown(socket, Int32(SHUT_RDWR))
            // libcurl peeks at the next byte and must find none.
            Self.discardInput(socket)
        }
    }

    private static func inode(_ socket: Int32) -> ino_t? {
        var status = stat()
        return fstat(socket, &status) == 0 ? status.st_ino : nil
    }

    /// Returns whether the server has closed its direction, even if there is unread input.
    private static func isEnded(_ socket: Int32) -> Bool {
        var descriptor = pollfd(fd: socket, events: ccurl_poll_end, revents: 0)
        return poll(&descriptor, 1, 0) > 0
    }

    /// Returns whether the socket has input, has ended or has an error.
    private static func hasInput(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0 || errno != EAGAIN
    }

    /// Discards at most 256 KiB, the usual size of a receive buffer, because a server may send without end.
    private static func discardInput(_ socket: Int32) {
        var bytes = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<16 where recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT)) <= 0 { return }
    }
}
