import Glibc

extension Listener {
    static func bindUnix(
        path: String,
        for address: ListenAddress
    ) throws(ListenError) -> (Descriptor, BoundSocketFile?) {
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: name.sun_path) else {
            throw .system(address, call: "bind", error: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }

        // The lock keeps two servers that start at the same time from removing each other's new file as stale.
        let lock = DirectoryLock(holding: path)
        defer { lock.unlock() }
        try removeStaleFile(path, name, for: address)

        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system(address, call: "socket", error: errno) }
        let bound = Descriptor(owning: descriptor)
        // The file is created with the socket's mode minus the umask, so it is never world-accessible. The chmod below
        // then restores the bits that the umask removed.
        guard fchmod(descriptor, 0o660) == 0 else { throw .system(address, call: "fchmod", error: errno) }
        guard withSocketAddress(name, { bind(descriptor, $0, $1) }) == 0 else {
            throw .system(address, call: "bind", error: errno)
        }
        let file = BoundSocketFile(path: path)
        guard chmod(path, 0o660) == 0 else { throw .system(address, call: "chmod", error: errno) }
        guard listen(descriptor, backlog) == 0 else { throw .system(address, call: "listen", error: errno) }
        return (bound, file)
    }

    /// Removes a stale socket file, on which no process listens.
    private static func removeStaleFile(
        _ path: String,
        _ name: sockaddr_un,
        for address: ListenAddress
    ) throws(ListenError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .system(address, call: "lstat", error: errno)
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(address) }
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
            0
        )
        guard descriptor >= 0 else { throw .system(address, call: "socket", error: errno) }
        defer { close(descriptor) }
        // EAGAIN means a full listen queue: a server exists, but is busy.
        if withSocketAddress(name, { connect(descriptor, $0, $1) }) == 0 || errno == EAGAIN { throw .inUse(address) }
        guard errno == ECONNREFUSED else { throw .system(address, call: "connect", error: errno) }
        guard unlink(path) == 0 || errno == ENOENT else { throw .system(address, call: "unlink", error: errno) }
    }

    private static func withSocketAddress(
        _ name: sockaddr_un,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
