internal import CCurl
internal import Glibc

/// The sockets of one client's HTTP/1.1 connections. For the loop's thread only.
///
/// Before libcurl 7.88 uses a kept TLS connection again, it looks only whether there is something to read. The
/// `close_notify` of a server that has closed the connection passes for a sign of life, and the request is lost:
/// whether the server received it is then uncertain.
final class ConnectionSockets {
    /// By descriptor. libcurl does not report every socket that it closes, and another part of the process may have
    /// opened the same descriptor since; the inode tells them apart.
    private var inodes: [Int32: ino_t] = [:]

    func add(_ socket: Int32) { inodes[socket] = Self.inode(socket) }

    /// Shuts down the idle connections on which something has arrived, so that libcurl finds them closed.
    ///
    /// A server has nothing to say on an idle HTTP/1.1 connection, except that it ends.
    ///
    /// - Parameter isInUse: whether libcurl waits for a socket.
    func shutDownEnded(unless isInUse: (Int32) -> Bool) {
        for (socket, inode) in inodes {
            guard Self.inode(socket) == inode else {
                inodes[socket] = nil
                continue
            }
            guard !isInUse(socket), Self.hasInput(socket) else { continue }
            shutdown(socket, Int32(SHUT_RDWR))
            // libcurl looks at the next byte: there must be none.
            Self.discardInput(socket)
        }
    }

    private static func inode(_ socket: Int32) -> ino_t? {
        var status = stat()
        return fstat(socket, &status) == 0 ? status.st_ino : nil
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
