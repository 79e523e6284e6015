import Glibc
import Synchronization
import Threads

/// A TCP server on 127.0.0.1 whose test controls every byte. Each connection has its own thread.
public final class RawServer: Sendable {
    /// One accepted connection.
    public struct Connection: Sendable {
        /// The connection's number, from 1.
        public let number: Int
        fileprivate let descriptor: Int32

        /// Reads a request with its body; nil if the connection ended before.
        public func readRequest() -> String? {
            var text = ""
            while true {
                if let head = text.firstRange(of: "\r\n\r\n") {
                    let length =
                        text.lowercased().split(separator: "content-length: ").dropFirst().first
                        .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
                    if text[head.upperBound...].utf8.count >= length { return text }
                }
                guard let part = read() else { return nil }
                text += part
            }
        }

        /// Reads the next bytes; nil at the end.
        public func read() -> String? {
            receive(from: descriptor).map { String(decoding: $0, as: UTF8.self) }
        }

        /// Sends a text. Returns false if the connection has ended.
        @discardableResult public func write(_ text: String) -> Bool {
            sendAll(Array(text.utf8), to: descriptor)
        }

        /// Responds with status 200 and keeps the connection open.
        public func answer(_ body: String = "{}") {
            write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Makes the connection end with a reset (RST) instead of a FIN.
        public func resetAtEnd() {
            var option = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        }

        /// Connects to a port on 127.0.0.1 and relays in both directions until both sides have ended.
        public func tunnel(to port: UInt16) {
            let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(other) }
            var address = loopback(port)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return }
            let back = try? WorkThread(name: "tunnel") { [descriptor] in pass(from: other, to: descriptor) }
            pass(from: descriptor, to: other)
            back?.join()
        }

        /// Closes the server's direction.
        public func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// The TCP port on 127.0.0.1.
    public let port: UInt16
    private let listener: Int32
    private let count = Mutex(0)

    /// Starts a server.
    ///
    /// - Parameter serve: serves a connection, which is closed when `serve` returns.
    /// - Throws: the error if the server cannot listen.
    public init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard bind(listener, address, size) == 0, listen(listener, 256) == 0,
                    getsockname(listener, address, &size) == 0
                else { return nil }
                return UInt16(bigEndian: pointer.pointee.sin_port)
            }
        }
        guard let port else {
            close(listener)
            throw ServerFailure(description: "cannot listen on 127.0.0.1")
        }
        self.port = port
        self.listener = listener
        try startThread { [self] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                try? startThread {
                    serve(Connection(number: number, descriptor: descriptor))
                    close(descriptor)
                }
            }
        }
    }

    /// `http://127.0.0.1:port`
    public var url: String { "http://127.0.0.1:\(port)" }
    /// The number of connections so far.
    public var connectionCount: Int { count.withLock { $0 } }

    /// Stops listening.
    public func stop() { shutdown(listener, Int32(SHUT_RDWR)) }
}

private func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
}

/// Relays bytes and the end of the stream.
private func pass(from source: Int32, to target: Int32) {
    while let bytes = receive(from: source), sendAll(bytes, to: target) {}
    shutdown(target, Int32(SHUT_WR))
}
