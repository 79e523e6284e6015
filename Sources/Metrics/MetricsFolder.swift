internal import Glibc

/// The folder through which the processes of a machine share their counts.
///
/// Each process has its own file, named `v1-` and a random name, and holds a lock on it (`flock`) until it ends. The
/// file `v1-ended` contains the sums of ended processes and the names of the files that they include. A process that
/// finds files without a lock writes a new `v1-ended` that includes them, renames it into place, and removes the files.
/// If the process is killed in between, it leaves files that the list names: they count once, and the next process
/// removes them.
///
/// Readers take no lock. They read again if `v1-ended` was replaced meanwhile.
///
/// Files of a version with another layout have another prefix and are not touched: each version counts separately.
public struct MetricsFolder: Sendable {
    let path: String

    static let prefix = "v1-"
    static let ended = "v1-ended"
    static let lock = "v1-lock"
    /// The prefix of files that are being written.
    static let newPrefix = "v1-new-"
    static let damaged = "v1-ended-damaged"
    private static let processPrefix = "v1-process-"

    /// Opens a folder, and creates it if its parent exists.
    ///
    /// - Throws: ``MetricsFolderError`` if the folder cannot be used, or if other users may write to it.
    public init(path: String) throws(MetricsFolderError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw MetricsFolderError("create \(path)", errno) }
        var status = stat()
        guard stat(path, &status) == 0 else { throw MetricsFolderError("open \(path)", errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw MetricsFolderError(description: "\(path) is not a folder")
        }
        guard status.st_uid == geteuid() else {
            throw MetricsFolderError(
                description: "\(path) belongs to the user \(status.st_uid), but the process is \(geteuid())"
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw MetricsFolderError(description: "other users may write to \(path): chmod go-w \(path)")
        }
    }

    private func path(of name: String) -> String { "\(path)/\(name)" }

    private static func randomName() -> String {
        func hexadecimal() -> String {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }
        return hexadecimal() + hexadecimal()
    }

    // MARK: Writing

    /// Adds the file of this process. `fill` sets its size and content.
    func addFile(
        _ fill: (_ descriptor: Int32) throws(MetricsFolderError) -> Void
    ) throws(MetricsFolderError) -> MetricsFile {
        // Before the file is locked, another process may take it for the file of a process that was killed, and remove
        // it.
        for _ in 0..<10 {
            let (file, name) = try newFile()
            guard file.lock() else { continue }
            do throws(MetricsFolderError) {
                try fill(file.descriptor)
            } catch {
                unlink(path(of: name))
                throw error
            }
            if rename(path(of: name), path(of: Self.processPrefix + Self.randomName())) == 0 { return file }
            guard errno == ENOENT else {
                let error = errno
                unlink(path(of: name))
                throw MetricsFolderError("rename a file in \(path)", error)
            }
        }
        throw MetricsFolderError(description: "other processes keep removing new files of \(path)")
    }

    private func newFile() throws(MetricsFolderError) -> (MetricsFile, name: String) {
        let name = Self.newPrefix + Self.randomName()
        guard let file = MetricsFile(opening: path(of: name), O_RDWR | O_CREAT | O_EXCL) else {
            throw MetricsFolderError("create a file in \(path)", errno)
        }
        return (file, name)
    }

    /// The maximum number of files that one call merges. The limit is needed because all of them are open at the same
    /// time.
    private static let batch = 64

    /// Merges the files of ended processes into `v1-ended`. Does nothing if another process is doing so, or if the disk
    /// is full: the files are then still counted one by one.
    func mergeEnded() {
        guard let lock = MetricsFile(opening: path(of: Self.lock), O_RDWR | O_CREAT), lock.lock(),
            let names = try? names(), let previous = contentsOfEnded()
        else { return }
        // A child that another thread is starting also has the descriptor, until it executes its program.
        defer { lock.unlock() }
        for name in names where name.hasPrefix(Self.newPrefix) {
            guard let file = MetricsFile(opening: path(of: name)), file.lock() else { continue }
            unlink(path(of: name))
        }
        var totals = MetricTotals()
        totals.add(previous, isRunning: false)
        var merged: Set<String> = []
        var included: [String] = []
        var open: [MetricsFile] = []
        for name in names where name.hasPrefix(Self.processPrefix) {
            if previous.merged.contains(name) {
                // The process that merged it was killed before it removed it.
                if unlink(path(of: name)) != 0 { merged.insert(name) }
                continue
            }
            guard open.count < Self.batch, let file = MetricsFile(opening: path(of: name)), file.lock() else {
                continue
            }
            open.append(file)
            if let contents = file.contents(isRunning: false) {
                totals.add(contents, isRunning: false)
            } else {
                totals.add(.refusedFiles, [], 1)
            }
            merged.insert(name)
            included.append(name)
        }
        guard !open.isEmpty, replaceEnded(by: MetricsFileContents.file(of: totals, including: merged)) else { return }
        for name in included { unlink(path(of: name)) }
    }

    private func replaceEnded(by bytes: [UInt8]) -> Bool {
        guard let (file, name) = try? newFile() else { return false }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                write(file.descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 else { break }
            written += count
        }
        if written == bytes.count, rename(path(of: name), path(of: Self.ended)) == 0 { return true }
        unlink(path(of: name))
        return false
    }

    /// Returns the sums of ended processes; nil if they cannot be read now. A damaged file is moved aside, and its
    /// counts are lost.
    private func contentsOfEnded() -> MetricsFileContents? {
        guard let file = MetricsFile(opening: path(of: Self.ended)) else {
            return errno == ENOENT ? MetricsFileContents() : nil
        }
        if let contents = file.contents(isRunning: false) { return contents }
        return rename(path(of: Self.ended), path(of: Self.damaged)) == 0 ? MetricsFileContents() : nil
    }

    // MARK: Reading

    /// Returns the counts of all processes, and merges the files of ended ones.
    /// - Throws: ``MetricsFolderError``
    public func snapshot() throws(MetricsFolderError) -> MetricsSnapshot {
        mergeEnded()
        // A repetition is needed only after a replacement, and each replacement merges an ended process.
        for _ in 0..<20 {
            if let snapshot = try snapshotUnlessReplaced() { return snapshot }
        }
        throw MetricsFolderError(description: "processes keep ending while \(path) is read")
    }

    private func snapshotUnlessReplaced() throws(MetricsFolderError) -> MetricsSnapshot? {
        let ended = MetricsFile(opening: path(of: Self.ended))
        let sums = ended?.contents(isRunning: false)
        var snapshot = MetricsSnapshot()
        if let sums { snapshot.totals.add(sums, isRunning: false) }
        let names = try names()
        guard names.count < Self.maximumFiles else {
            throw MetricsFolderError(description: "\(path) has \(Self.maximumFiles) files or more")
        }
        for name in names where name.hasPrefix(Self.processPrefix) && sums?.merged.contains(name) != true {
            guard let file = MetricsFile(opening: path(of: name)) else {
                switch errno {
                case ENOENT: return nil
                case EMFILE, ENFILE, ENOMEM: throw MetricsFolderError("open a file in \(path)", errno)
                default: snapshot.totals.add(.refusedFiles, [], 1)
                }
                continue
            }
            // A shared lock, so that readers do not take each other for owners.
            let isRunning = !file.lock(LOCK_SH)
            guard let contents = file.contents(isRunning: isRunning) else {
                snapshot.totals.add(.refusedFiles, [], 1)
                continue
            }
            snapshot.totals.add(contents, isRunning: isRunning)
            if isRunning { snapshot.processes.append((contents.role, contents.version)) }
        }
        return isCurrent(ended) ? snapshot : nil
    }

    /// Returns whether the sums are still in this file. The file is open, so no other file can have its inode.
    private func isCurrent(_ file: MetricsFile?) -> Bool {
        var status = stat()
        guard lstat(path(of: Self.ended), &status) == 0 else { return file == nil }
        return file?.status.map { $0.st_ino == status.st_ino && $0.st_dev == status.st_dev } ?? false
    }

    /// The maximum number of files that are read. If there are more, because many processes have ended, they are merged
    /// step by step.
    private static let maximumFiles = 4096

    private func names() throws(MetricsFolderError) -> [String] {
        guard let folder = opendir(path) else { throw MetricsFolderError("read \(path)", errno) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(Self.prefix) else { continue }
            names.append(name)
            if names.count == Self.maximumFiles { break }
        }
        return names.sorted()
    }
}

/// Why processes cannot share metrics in a folder.
public struct MetricsFolderError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line for a log.
    public let description: String

    init(description: String) {
        self.description = description
    }

    /// Describes a system call that failed with this error number.
    init(_ action: String, _ error: Int32) {
        description = "cannot \(action): \(String(cString: strerror(error)))"
    }
}
