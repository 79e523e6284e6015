import CFastCGI
import Glibc
import Threads

/// An accepted connection in the hands of exactly one thread.
///
/// It is not copyable, and closes when it goes out of scope unless it was handed over. A descriptor closed twice would
/// be somebody else's connection the second time: here that does not compile.
struct Connection: ~Copyable {
    private let descriptor: Int32
    /// Whether the poller knows it already.
    let isRegistered: Bool

    init(owning descriptor: Int32, isRegistered: Bool) {
        self.descriptor = descriptor
        self.isRegistered = isRegistered
    }

    deinit {
        close(descriptor)
    }

    /// Its descriptor's number, to look at and not to close.
    var number: Int32 { descriptor }

    /// Hands the descriptor over: from here on, somebody else closes it.
    consuming func release() -> Int32 {
        let number = descriptor
        discard self
        return number
    }

    /// Bounds each blocking read and write.
    borrowing func setTimeout(_ timeout: Duration) {
        var limit = timeval(timeout)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    /// Whether a read would find bytes, or the end, without waiting.
    borrowing func isReadable() -> Bool {
        peek() >= 0 || errno != EAGAIN
    }

    /// Whether bytes have arrived that nobody has read.
    borrowing func hasBytes() -> Bool {
        peek() > 0
    }

    /// Whether the peer has closed the connection, so that no one is there to read an answer.
    ///
    /// The connection itself says so, where a time of arrival would need clocks that agree: it holds for a web server
    /// on another machine, too.
    borrowing func isClosedByPeer() -> Bool {
        cfastcgi_is_closed_by_peer(descriptor) != 0
    }

    private borrowing func peek() -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
    }

    /// Lets the peer's next write fail (on a unix socket), so that what it could send before is all there is to answer.
    borrowing func refuseRequests() {
        shutdown(descriptor, Int32(SHUT_RD))
    }

    /// Sends all bytes; false when the peer is gone or takes none within the time-out.
    ///
    /// The system takes most answers at once. The rest of a long one waits for the peer to read, which no other request should.
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

    /// Tells the peer that nothing more comes, and reads away what it still sends.
    ///
    /// A socket that closes on unread bytes resets the connection, and the peer may lose the answer on its way.
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
