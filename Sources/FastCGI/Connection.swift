import CFastCGI
import Glibc
import Threads

/// An accepted connection that exactly one thread owns.
///
/// A connection is not copyable. It closes when it goes out of scope, unless it was released. If a descriptor is closed
/// twice, the second close may hit another connection; here, closing twice does not compile.
struct Connection: ~Copyable {
    private let descriptor: Int32
    /// Whether the connection is registered with the poller.
    let isRegistered: Bool

    init(owning descriptor: Int32, isRegistered: Bool) {
        self.descriptor = descriptor
        self.isRegistered = isRegistered
    }

    deinit {
        close(descriptor)
    }

    /// The descriptor, which the connection still owns.
    var number: Int32 { descriptor }

    /// Releases the descriptor: the caller must close it.
    consuming func release() -> Int32 {
        let number = descriptor
        discard self
        return number
    }

    /// Sets the timeout of each blocking read and write.
    borrowing func setTimeout(_ timeout: Duration) {
        var limit = timeval(timeout)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Returns whether a read would return at once, with bytes, the end or an error.
    borrowing func isReadable() -> Bool {
        peek() >= 0 || errno != EAGAIN
    }

    /// Returns whether there are unread bytes.
    borrowing func hasBytes() -> Bool {
        peek() > 0
    }

    /// Returns whether the peer has closed the connection, so that no one would read a response.
    ///
    /// This also works if the web server is on another machine. Comparing arrival times would require synchronized
    /// clocks.
    borrowing func isClosedByPeer() -> Bool {
        cfastcgi_is_closed_by_peer(descriptor) != 0
    }

    private borrowing func peek() -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    }

    /// Makes the peer's next write fail (on a Unix socket), so that only requests that were already sent remain to be
    /// answered.
    borrowing func refuseRequests() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Sends all bytes. Returns false if the peer has closed the connection or reads nothing within the timeout.
    ///
    /// The kernel buffers most responses at once. While the rest of a long one waits for the peer to read, the thread
    /// steps aside, so that other requests do not wait.
    borrowing func send(_ bytes: [UInt8]) -> Bool {
        let descriptor = descriptor
        return bytes.withUnsafeBytes { bytes in
            let sent = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            if sent == bytes.count { return true }
            guard sent >= 0 || errno == EAGAIN else { return false }
            var rest = UnsafeRawBufferPointer(rebasing: bytes[max(0, sent)...])
            return ActiveThreads.stepAside {
                while !rest.isEmpty {
                    let sent = Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
                    guard sent > 0 else { return false }
                    rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
                }
                return true
            }
        }
    }

    /// Closes the write direction, and discards what the peer still sends.
    ///
    /// Closing a socket with unread bytes resets the connection, and the peer may lose the response.
    borrowing func drain(for limit: Duration) {
        let descriptor = descriptor
        shutdown(descriptor, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + limit
        ActiveThreads.stepAside {
            withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { trash in
                while recv(descriptor, trash.baseAddress, trash.count, 0) > 0, ContinuousClock.now < deadline {}
            }
        }
    }
}
