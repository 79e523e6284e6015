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

/// The parsed content of a file in the folder.
struct MetricsFileContents: Sendable {
    /// The kind of a record that names a file whose values are included in this file.
    static let mergedKind: UInt8 = 9

    let role: String
    let version: String
    let dropped: UInt64
    private(set) var records: [MetricRecord] = []
    /// The files that are included in the values.
    private(set) var merged: Set<String> = []

    /// The content of a file that does not exist yet.
    init() {
        role = ""
        version = ""
        dropped = 0
    }

    /// Parses a file. Returns nil if any part is malformed: a file is used as a whole or not at all.
    init?(_ words: [UInt64]) {
        typealias Header = MetricArena.Header
        guard words.count >= Header.byteCount / 8, words[0] == Header.magic else { return nil }
        let used = Int(clamping: words[Header.used / 8])
        guard used % 8 == 0, (Header.byteCount...words.count * 8).contains(used) else { return nil }
        dropped = words[Header.dropped / 8]
        role = Self.text(words, at: Header.role, atMost: Header.roleBytes)
        version = Self.text(words, at: Header.version, atMost: Header.versionBytes)
        var offset = Header.byteCount
        while offset < used {
            guard let size = parseRecord(words[(offset / 8)..<(used / 8)]) else { return nil }
            offset += size
        }
    }

    private static func text(_ words: [UInt64], at offset: Int, atMost count: Int) -> String {
        words.withUnsafeBytes { bytes in
            String(decoding: bytes[offset..<offset + count].prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Parses the record at the start of `words`, and returns its size in bytes.
    private mutating func parseRecord(_ words: ArraySlice<UInt64>) -> Int? {
        guard words.count >= 2 else { return nil }
        let head = words[words.startIndex]
        let size = Int(UInt32(truncatingIfNeeded: head))
        let kind = UInt8(truncatingIfNeeded: head >> 48)
        let layout = MetricRecord.Layout(
            keyBytes: Int(UInt16(truncatingIfNeeded: head >> 32)),
            values: Int(head >> 56)
        )
        guard size == layout.byteCount, size <= words.count * 8 else { return nil }
        let shape = UInt32(truncatingIfNeeded: words[words.startIndex + 1])
        let key = words.withUnsafeBytes {
            Array($0[MetricRecord.Layout.head..<MetricRecord.Layout.head + layout.keyBytes])
        }
        if kind == Self.mergedKind {
            guard layout.values == 0 else { return nil }
            merged.insert(String(decoding: key, as: UTF8.self))
            return size
        }
        guard let kind = MetricFamily.Kind(rawValue: kind), let key = SeriesKey(parsing: key),
            kind == .histogram ? layout.values >= 2 : layout.values == 1
        else { return nil }
        let values = Array(words.dropFirst(layout.firstValue / 8).prefix(layout.values))
        records.append(MetricRecord(key: key, kind: kind, shape: shape, values: values))
        return size
    }

    /// Returns the content of a file that contains the totals of ended processes.
    static func file(of totals: MetricTotals, including merged: some Sequence<String>) -> [UInt8] {
        typealias Header = MetricArena.Header
        var bytes = [UInt8](repeating: 0, count: Header.byteCount)
        func append(_ key: String, kind: UInt8, shape: UInt32, _ values: [UInt64]) {
            let layout = MetricRecord.Layout(keyBytes: key.utf8.count, values: values.count)
            let start = bytes.count
            bytes += [UInt8](repeating: 0, count: layout.byteCount)
            bytes.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                layout.write(key, kind: kind, shape: shape, to: base + start)
                for (index, value) in values.enumerated() {
                    bytes.storeBytes(of: value, toByteOffset: start + layout.firstValue + 8 * index, as: UInt64.self)
                }
            }
        }
        for record in totals.records where record.kind != .gauge {
            append(record.key.text, kind: record.kind.rawValue, shape: record.shape, record.values)
        }
        for name in merged { append(name, kind: mergedKind, shape: 0, []) }
        let count = UInt64(bytes.count)
        bytes.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: Header.magic, as: UInt64.self)
            bytes.storeBytes(of: count, toByteOffset: Header.used, as: UInt64.self)
            bytes.storeBytes(of: totals.dropped, toByteOffset: Header.dropped, as: UInt64.self)
        }
        return bytes
    }
}
