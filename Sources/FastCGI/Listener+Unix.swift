import CFastCGI
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

/// The file of a Unix socket that this process bound. It is removed with the listener.
final class BoundSocketFile: Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    deinit {
        // Another server may have replaced the file.
        var status = stat()
        if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode { unlink(path) }
    }
}

/// A lock on a directory that excludes other starting servers. It leaves no file behind, and is released at the latest
/// when the process ends.
///
/// If the directory cannot be opened, there is no lock; binding a socket in it then fails with a better error message.
struct DirectoryLock {
    private let directory: Int32

    init(holding path: String) {
        let parent =
            switch path.lastIndex(of: "/") {
            case nil: "."
            case path.startIndex: "/"
            case let slash?: String(path[..<slash])
            }
        directory = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 { flock(directory, LOCK_EX) }
    }

    func unlock() {
        if directory >= 0 { close(directory) }
    }
}
