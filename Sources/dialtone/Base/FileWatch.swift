import Glibc
import Logging
import Metrics
import Synchronization

/// A file that a running process reads again when it changes.
///
/// A check takes one `stat`; the file is read only if `stat` shows a change. If the file cannot be read or used, what
/// was read before stays in use, and the error is logged once until the file changes again.
final class FileWatch: Sendable {
    /// What `stat` reports about the path.
    private enum FileState: Equatable {
        case file(FileVersion)
        case nothing(errno: Int32)
    }

    private let path: String
    private let message: Logger.Message
    private let logger: Logger
    private let adopt: @Sendable ([UInt8]) throws -> Void
    private let lastState = Mutex<FileState?>(nil)

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - message: what is logged if the file cannot be used.
    ///   - logger: where it is logged.
    ///   - adopt: puts the file's content in use.
    init(
        _ path: String,
        _ message: Logger.Message,
        _ logger: Logger,
        adopt: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.path = path
        self.message = message
        self.logger = logger
        self.adopt = adopt
    }

    /// Checks the file once.
    func look() {
        let state = self.state()
        guard lastState.withLock({ $0 != state }) else { return }
        do {
            if case .nothing(let error) = state { throw Failure("\(path): \(String(cString: strerror(error)))") }
            let content = try readFile(path)
            // The file is still being written. The next check reads it.
            guard self.state() == state else { return }
            do { try adopt(content) } catch { throw Failure("\(path): \(error)") }
            setRefused(false)
        } catch {
            setRefused(true)
            logger.error(message, metadata: ["reason": "\(error)"])
        }
        lastState.withLock { $0 = state }
    }

    private func setRefused(_ isRefused: Bool) {
        let name = path.split(separator: "/").last ?? ""
        MetricRegistry.process.gauge(.unusableFiles, "\(name)").set(isRefused ? 1 : 0)
    }

    private func state() -> FileState {
        FileVersion(of: path).map { .file($0) } ?? .nothing(errno: errno)
    }
}

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
