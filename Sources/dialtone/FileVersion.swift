import Glibc

/// What tells a file from the one that was at its path before: it changes with each writing and each replacement.
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

    /// The version at a path now; nil where there is none, with the reason in `errno`.
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
