import Glibc

/// An IP address on which the development server listens, and its checks of ports on the address.
struct NetworkAddress {
    static let loopback = NetworkAddress(family: AF_INET, text: "127.0.0.1")
    static let loopbackIPv6 = NetworkAddress(family: AF_INET6, text: "::1")

    private let family: Int32
    let text: String

    /// Parses an address without a zone; nil if the text is not an address.
    init?(_ text: String) {
        for family in [AF_INET, AF_INET6] {
            var bytes = in6_addr()
            guard inet_pton(family, text, &bytes) == 1 else { continue }
            self.init(family: family, text: text)
            return
        }
        return nil
    }

    private init(family: Int32, text: String) {
        self.family = family
        self.text = text
    }

    /// The form in URLs and in nginx's configuration: IPv6 addresses are in brackets.
    var inURL: String { family == AF_INET6 ? "[\(text)]" : text }

    /// Whether the address stands for all addresses.
    var isWildcard: Bool { text.allSatisfy { "0.:".contains($0) } }

    /// Returns the error number if no server can listen on a port now; nil if one can.
    func fault(listeningOn port: UInt16) -> Int32? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        // As nginx does, so that a recently used port counts as free.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        return withAddress(port) { bind(descriptor, $0, $1) } == 0 ? nil : errno
    }

    /// Returns the status of `GET path`, or nil if no response arrives within a second.
    func status(of path: String, port: UInt16) -> Int? {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress(port, { connect(descriptor, $0, $1) }) == 0 else { return nil }
        guard writeAll(Array("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n".utf8), to: descriptor) else {
            return nil
        }
        var answer = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &answer, answer.count)
        guard count > 0 else { return nil }
        return String(decoding: answer[..<count], as: UTF8.self).split(separator: " ").dropFirst().first.flatMap {
            Int($0)
        }
    }

    private func withAddress(_ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        guard family == AF_INET else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(family)
            address.sin6_port = port.bigEndian
            inet_pton(family, text, &address.sin6_addr)
            return Self.pass(&address, use)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(family)
        address.sin_port = port.bigEndian
        inet_pton(family, text, &address.sin_addr)
        return Self.pass(&address, use)
    }

    private static func pass<Address>(
        _ address: inout Address,
        _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
