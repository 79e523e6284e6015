import Glibc

/// TCP ports on 127.0.0.1 that nothing uses and that no other test process is about to use.
///
/// Binding port 0 would find a port, but one from the range that the system also gives to outgoing connections, which a test under load has
/// thousands of. These ports lie below that range, and each stays reserved until this process ends: by an abstract Unix socket, whose
/// name the system lets only one process have.
public enum FreePort {
    /// Finds a port. The server that is to use it must bind it itself.
    public static func next() -> UInt16 {
        for _ in 0..<10_000 {
            let port = UInt16.random(in: 12_000..<32_000)
            if reserve(port), isFree(port) { return port }
        }
        fatalError("no free port on 127.0.0.1")
    }

    private static func reserve(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array("dialtone-test-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        // Left open on success: the reservation lasts as long as the process.
        if bindSocket(descriptor, &address, length) { return true }
        close(descriptor)
        return false
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return bindSocket(descriptor, &address, socklen_t(MemoryLayout<sockaddr_in>.size))
    }

    private static func bindSocket<Address>(_ descriptor: Int32, _ address: inout Address, _ length: socklen_t) -> Bool
    {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
    }
}
