internal import Glibc
internal import Synchronization

/// The memory of a process's series, which other processes can read: a header, and records that are only appended.
///
/// It begins as anonymous memory. ``share(through:)`` maps a file at the same addresses, so pointers stay valid. It is
/// never unmapped, because ``Counter``, ``Gauge`` and ``Histogram`` keep pointers.
///
/// Numbers have the machine's byte order, because the files do not outlive a reboot.
///
/// `@unchecked Sendable`: the base address never changes, values change atomically, and only the owner appends records,
/// under its lock. `used` is stored after a record is complete, and loaded before records are read.
final class MetricArena: @unchecked Sendable {
    typealias Word = UnsafeMutablePointer<Atomic<UInt64>>

    /// Offsets in the header.
    enum Header {
        static let magic: UInt64 = 0x3158_544d_4c41_4944
        static let used = 8
        static let dropped = 16
        static let role = 24
        static let version = 40
        static let byteCount = 80
        static let roleBytes = 16
        static let versionBytes = 40
    }

    /// The maximum size of a process's file in bytes.
    static let maximumBytes = 1 << 20
    /// The size of a new file, and the increment by which it grows, in bytes.
    static let step = 1 << 16

    private let base: UnsafeMutableRawPointer
    /// The number of bytes that may be written: all of the anonymous memory, or what the file system has allocated.
    private var writable = maximumBytes
    private var descriptor: Int32?

    /// Allocates anonymous memory. The system provides its pages on first use.
    init() {
        let memory = mmap(nil, Self.maximumBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("no memory for metrics") }
        base = memory
        base.storeBytes(of: Header.magic, as: UInt64.self)
        word(at: Header.used).pointee.store(UInt64(Header.byteCount), ordering: .releasing)
    }

    /// The number of bytes in use.
    private var used: Int { Int(word(at: Header.used).pointee.load(ordering: .acquiring)) }

    /// The number of series that did not fit.
    var dropped: Word { word(at: Header.dropped) }

    /// The current content of the memory; nil if it is malformed.
    var contents: MetricsFileContents? {
        Self.words(at: word(at: 0), ofAtMost: Self.maximumBytes).flatMap { MetricsFileContents($0) }
    }

    /// Copies the words in use of an arena; nil if they have more than `byteCount` bytes. The owner may append a record
    /// meanwhile, so the header of the copy contains the end of the copy.
    static func words(at start: Word, ofAtMost byteCount: Int) -> [UInt64]? {
        let used = Int(clamping: start[Header.used / 8].load(ordering: .acquiring))
        guard (Header.byteCount...byteCount).contains(used) else { return nil }
        var words = (0..<used / 8).map { start[$0].load(ordering: .relaxed) }
        words[Header.used / 8] = UInt64(used)
        return words
    }

    /// Writes the process's data into the header.
    func describe(role: String, version: String) {
        write(role, at: Header.role, atMost: Header.roleBytes)
        write(version, at: Header.version, atMost: Header.versionBytes)
    }

    private func write(_ text: String, at offset: Int, atMost count: Int) {
        for (index, byte) in text.utf8.prefix(count).enumerated() {
            base.storeBytes(of: byte, toByteOffset: offset + index, as: UInt8.self)
        }
    }

    /// Appends a series with values of 0, and returns the first value's address; nil if there is no room.
    func append(_ key: String, _ family: MetricFamily) -> Word? {
        let record = MetricRecord.Layout(keyBytes: key.utf8.count, values: family.valueCount)
        let start = used
        guard reserve(start + record.byteCount) else { return nil }
        record.write(key, kind: family.kind.rawValue, shape: family.shape, to: base + start)
        word(at: Header.used).pointee.store(UInt64(start + record.byteCount), ordering: .releasing)
        return word(at: start + record.firstValue)
    }

    /// Maps a file of at least ``step`` bytes, and copies the memory's content into it. Must be called before threads
    /// use the series.
    /// - Throws: ``MetricsFolderError``; the memory is then unchanged.
    func share(through descriptor: Int32) throws(MetricsFolderError) {
        let size = (used + Self.step - 1) / Self.step * Self.step
        try allocate(descriptor, from: 0, count: size)
        var written = 0
        while written < used {
            let count = pwrite(descriptor, base + written, used - written, off_t(written))
            guard count > 0 else { throw MetricsFolderError("write", errno) }
            written += count
        }
        let shared = mmap(
            base,
            Self.maximumBytes,
            PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_FIXED,
            descriptor,
            0
        )
        guard shared != MAP_FAILED else { throw MetricsFolderError("map", errno) }
        writable = size
        self.descriptor = descriptor
    }

    /// Allocates space in advance: if the disk were full, a write to a new page would kill the process (SIGBUS).
    private func allocate(_ descriptor: Int32, from: Int, count: Int) throws(MetricsFolderError) {
        let fault = posix_fallocate(descriptor, off_t(from), off_t(count))
        guard fault == 0 else { throw MetricsFolderError("allocate \(count) bytes", fault) }
    }

    private func reserve(_ end: Int) -> Bool {
        if end <= writable { return true }
        guard let descriptor, end <= Self.maximumBytes else { return false }
        let size = (end + Self.step - 1) / Self.step * Self.step
        guard (try? allocate(descriptor, from: writable, count: size - writable)) != nil else { return false }
        writable = size
        return true
    }

    private func word(at offset: Int) -> Word {
        (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
    }
}

/// A series in a file: its key and its values.
struct MetricRecord: Sendable {
    let key: SeriesKey
    let kind: MetricFamily.Kind
    let shape: UInt32
    var values: [UInt64]

    /// The offsets of the parts of a record: `size: UInt32`, `key length: UInt16`, `kind: UInt8`, `values: UInt8`,
    /// `shape: UInt32`, four unused bytes, the key, and, at the next multiple of 8, the values.
    struct Layout {
        static let head = 16
        let keyBytes: Int
        let values: Int

        var firstValue: Int { Self.head + (keyBytes + 7) / 8 * 8 }
        var byteCount: Int { firstValue + 8 * values }

        /// Writes everything but the values.
        func write(_ key: String, kind: UInt8, shape: UInt32, to start: UnsafeMutableRawPointer) {
            start.storeBytes(of: UInt32(byteCount), as: UInt32.self)
            start.storeBytes(of: UInt16(keyBytes), toByteOffset: 4, as: UInt16.self)
            start.storeBytes(of: kind, toByteOffset: 6, as: UInt8.self)
            start.storeBytes(of: UInt8(values), toByteOffset: 7, as: UInt8.self)
            start.storeBytes(of: shape, toByteOffset: 8, as: UInt32.self)
            for (index, byte) in key.utf8.enumerated() {
                start.storeBytes(of: byte, toByteOffset: Self.head + index, as: UInt8.self)
            }
        }
    }
}
