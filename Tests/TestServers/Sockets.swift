import Glibc

/// Listens on a Unix socket.
func listenOnUnixSocket(_ path: String) throws(ServerFailure) -> Int32 {
    let descriptor = unixSocket()
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 64) == 0 else {
        close(descriptor)
        throw ServerFailure(description: "cannot listen on \(path)")
    }
    return descriptor
}

/// Connects to a Unix socket.
func connectToUnixSocket(_ path: String) throws(ServerFailure) -> Int32 {
    let descriptor = unixSocket()
    guard withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
        close(descriptor)
        throw ServerFailure(description: "cannot connect to \(path)")
    }
    return descriptor
}

/// Returns the next bytes; nil at the end of the connection.
func receive(from descriptor: Int32) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
        count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    return bytes.isEmpty ? nil : bytes
}

/// Sends all bytes. Returns false if the connection has ended.
package func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

private func unixSocket() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
}

private func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
    }
}
