import Glibc

/// The file of a unix socket bound by this process, removed when the listener goes.
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
        // Another server may have put its own file there meanwhile.
        var status = stat()
        if lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode { unlink(path) }
    }
}
