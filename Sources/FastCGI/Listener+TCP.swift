import Glibc

extension Listener {
    static func bindTCP(
        host: String,
        port: UInt16,
        for address: ListenAddress
    ) throws(ListenError) -> (Descriptor, ListenAddress) {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = getaddrinfo(host, String(port), &hints, &found)
        guard failure == 0, let found else {
            throw .unresolved(address, reason: String(cString: gai_strerror(failure)))
        }
        defer { freeaddrinfo(found) }

        let first = found.pointee
        let descriptor = socket(first.ai_family, first.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), first.ai_protocol)
        guard descriptor >= 0 else { throw .system(address, call: "socket", error: errno) }
        let bound = Descriptor(owning: descriptor)
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        // Accepted connections inherit TCP_NODELAY: a response is one write, so delaying it gains nothing.
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        guard bind(descriptor, first.ai_addr, first.ai_addrlen) == 0 else {
            throw errno == EADDRINUSE ? .inUse(address) : .system(address, call: "bind", error: errno)
        }
        guard listen(descriptor, backlog) == 0 else { throw .system(address, call: "listen", error: errno) }
        return (bound, .tcp(host: host, port: boundPort(of: descriptor) ?? port))
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func boundPort(of descriptor: Int32) -> UInt16? {
        var name = sockaddr_in6()  // large enough for IPv4, too: its port is at the same offset
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        return result == 0 ? UInt16(bigEndian: name.sin6_port) : nil
    }
}
