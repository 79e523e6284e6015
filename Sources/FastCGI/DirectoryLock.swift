import Glibc

/// Holds other starting servers off a directory. It leaves no file behind, and ends with the process at the latest.
///
/// A directory that cannot be opened is not locked: binding in it then fails with the better message.
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
