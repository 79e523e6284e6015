import Glibc

/// TCP ports on 127.0.0.1 that are unused and not reserved by another test process.
///
/// Binding port 0 would find a port in the range that the system also uses for outgoing connections, of which a test
/// under load has thousands. These ports are below that range. Each stays reserved until this process ends, by an
/// abstract Unix socket whose name only one process can bind.
public enum FreePort {
    /// Returns a free port, which the server must bind itself.
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
        // Stays open on success: the reservation lasts as long as the process.
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
