internal import Glibc
internal import Synchronization

/// An open file of the folder, closed in `deinit`. Closing releases its lock, unless the file is mapped.
final class MetricsFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Opens a file; nil if it does not exist, is a symbolic link or cannot be opened.
    convenience init?(opening path: String, _ flags: Int32 = O_RDONLY) {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor)
    }

    /// Takes the lock unless another process holds it. A lock is released when its process ends, in whatever way.
    func lock(_ kind: Int32 = LOCK_EX) -> Bool { flock(descriptor, kind | LOCK_NB) == 0 }

    /// Releases the lock, even if the file is still mapped, or open in another process.
    func unlock() { flock(descriptor, LOCK_UN) }

    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// The maximum size of a file of ended processes in bytes.
    static let maximumBytes = 1 << 25

    /// Reads what a process has counted; nil if the content is malformed.
    ///
    /// The values of a running process are loaded one by one from its memory, because a copy by `read` could contain
    /// half of a value from before a change. If the owner truncated the file meanwhile, this process would be killed
    /// (SIGBUS), but owners never do, and no other user can write to the folder.
    func contents(isRunning: Bool) -> MetricsFileContents? {
        guard let status, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            case let size = Int(status.st_size), (MetricArena.Header.byteCount...Self.maximumBytes).contains(size)
        else { return nil }
        let isAllocated = Int(status.st_blocks) * 512 >= size
        guard let words = isRunning && isAllocated ? loadWords(size) : readWords(size) else { return nil }
        return MetricsFileContents(words)
    }

    private func loadWords(_ size: Int) -> [UInt64]? {
        guard let memory = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
            return nil
        }
        defer { munmap(memory, size) }
        return MetricArena.words(at: memory.assumingMemoryBound(to: Atomic<UInt64>.self), ofAtMost: size)
    }

    private func readWords(_ size: Int) -> [UInt64]? {
        var words = [UInt64](repeating: 0, count: size / 8)
        let count = words.withUnsafeMutableBytes { bytes in
            var count = 0
            while count < bytes.count {
                let read = pread(descriptor, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(count))
                guard read > 0 else { break }
                count += read
            }
            return count
        }
        return count == words.count * 8 ? words : nil
    }
}
