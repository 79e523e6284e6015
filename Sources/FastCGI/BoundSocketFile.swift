import Glibc

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
