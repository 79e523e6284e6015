import Glibc

/// The development server's checks of ports on 127.0.0.1.
enum Loopback {
    /// Returns whether a server can listen on a port now.
    static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // As nginx does, so that a recently used port counts as free.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        return withAddress(port) { bind(descriptor, $0, $1) } == 0
    }

    /// Returns the status of `GET path`, or nil if no response arrives within a second.
    static func status(of path: String, port: UInt16) -> Int? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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

    private static func withAddress(_ port: UInt16, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, size) }
        }
    }
}
