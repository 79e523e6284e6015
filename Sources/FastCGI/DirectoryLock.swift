import Glibc

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
