import Glibc

/// The identity of a file's version. It changes with each write and each replacement of the file at its path.
struct FileVersion: Equatable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modified: Moment
    private let changed: Moment

    private struct Moment: Equatable {
        let seconds: Int
        let nanoseconds: Int
    }

    /// Reads the current version of the file at a path; nil if `stat` fails, with the reason in `errno`.
    init?(of path: String) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        device = information.st_dev
        inode = information.st_ino
        size = information.st_size
        modified = Moment(seconds: information.st_mtim.tv_sec, nanoseconds: information.st_mtim.tv_nsec)
        changed = Moment(seconds: information.st_ctim.tv_sec, nanoseconds: information.st_ctim.tv_nsec)
    }
}
