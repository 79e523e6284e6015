/// A key of a snapshot with what `RESTORE` needs.
public struct SnapshotEntry: Equatable, Sendable {
    /// The key.
    public let key: String
    /// When the key expires, in milliseconds since the Unix epoch; nil for never.
    public let expiry: Int64?
    /// The value in the form that `DUMP` returns: type, value, format version, checksum.
    public let payload: [UInt8]

    /// Creates an entry.
    public init(key: String, expiry: Int64?, payload: [UInt8]) {
        self.key = key
        self.expiry = expiry
        self.payload = payload
    }
}

/// Reads the keys of a snapshot in the format of RDB files.
///
/// A value in a snapshot has the form in which `DUMP` returns it, except for the version and checksum at the end. So
/// values are only skipped: their structure is read, but not what they contain.
struct SnapshotReader {
    /// The length of a string must not exceed this number of bytes, which is Redis's own default limit.
    private static let maximumStringBytes: UInt64 = 512 << 20
    /// The bytes that have been read stay in memory up to this number.
    private static let keptBytes = 65_536

    private let source: () throws(StoreUnavailable) -> [UInt8]
    private let database: Int
    private var buffer: [UInt8] = []
    private var position = 0
    /// Of the bytes before the buffer.
    private var checksum = CRC64()
    /// The format version as `DUMP` appends it; empty before the beginning was read.
    private var version: [UInt8] = []
    private var currentDatabase: UInt64 = 0

    /// Reads keys of a database from a `source` that returns at least one byte at a time.
    init(database: Int, source: @escaping () throws(StoreUnavailable) -> [UInt8]) {
        self.database = database
        self.source = source
    }

    /// Returns the next key, or nil at the end.
    /// - Throws: ``StoreUnavailable`` of the source, or if the snapshot cannot be read.
    mutating func next() throws(StoreUnavailable) -> SnapshotEntry? {
        if version.isEmpty { try readVersion() }
        var expiry: Int64?
        while true {
            forget()
            switch try byte() {
            case 0xF4: try skipLengths(3)  // the size of a slot
            case 0xF5: try skipString()  // functions
            case 0xF8: try skipLengths(1)  // idle time
            case 0xF9: try skip(1)  // frequency
            case 0xFA:  // information about the server
                try skipString()
                try skipString()
            case 0xFB: try skipLengths(2)  // the number of keys
            case 0xFC: expiry = Int64(truncatingIfNeeded: try littleEndian(8))
            case 0xFE: currentDatabase = try length()
            case 0xFF:
                try checkEnd()
                return nil
            case let type:
                let key = try string()
                let start = position
                try skipValue(type)
                guard currentDatabase == database else {
                    expiry = nil
                    continue
                }
                var payload = [type] + buffer[start..<position] + version
                var checksum = CRC64()
                checksum.update(payload[...])
                payload += checksum.bytes
                return SnapshotEntry(key: String(decoding: key, as: UTF8.self), expiry: expiry, payload: payload)
            }
        }
    }

    private static func unreadable(_ reason: String) -> StoreUnavailable {
        StoreUnavailable(description: "Redis sent a snapshot that cannot be read: \(reason)")
    }

    private mutating func readVersion() throws(StoreUnavailable) {
        let text = String(decoding: try bytes(9), as: UTF8.self)
        guard text.hasPrefix("REDIS"), let number = UInt16(text.dropFirst(5)) else {
            throw Self.unreadable("it does not begin with REDIS and a version")
        }
        version = [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
    }

    /// Compares the checksum at the end. It is zero if the server is configured not to compute it.
    private mutating func checkEnd() throws(StoreUnavailable) {
        checksum.update(buffer[..<position])
        let stored = Array(try bytes(8))
        guard stored == checksum.bytes || stored.allSatisfy({ $0 == 0 }) else {
            throw Self.unreadable("its checksum is wrong")
        }
    }

    // MARK: Bytes

    /// Drops bytes that have been read.
    private mutating func forget() {
        guard position >= Self.keptBytes else { return }
        checksum.update(buffer[..<position])
        buffer.removeFirst(position)
        position = 0
    }

    private mutating func need(_ count: Int) throws(StoreUnavailable) {
        while buffer.count - position < count { buffer += try source() }
    }

    private mutating func byte() throws(StoreUnavailable) -> UInt8 {
        try need(1)
        defer { position += 1 }
        return buffer[position]
    }

    private mutating func skip(_ count: UInt64) throws(StoreUnavailable) {
        guard count <= Self.maximumStringBytes else { throw Self.unreadable("a value is too long") }
        try need(Int(count))
        position += Int(count)
    }

    private mutating func bytes(_ count: UInt64) throws(StoreUnavailable) -> ArraySlice<UInt8> {
        let start = position
        try skip(count)
        return buffer[start..<position]
    }

    private mutating func littleEndian(_ count: UInt64) throws(StoreUnavailable) -> UInt64 {
        try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func bigEndian(_ count: UInt64) throws(StoreUnavailable) -> UInt64 {
        try bytes(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    // MARK: Lengths and strings

    /// What precedes a string.
    private enum Prefix {
        case length(UInt64)
        /// A number of this many bytes instead of a string.
        case number(bytes: UInt64)
        /// A string that is compressed with LZF.
        case compressed
    }

    private mutating func prefix() throws(StoreUnavailable) -> Prefix {
        let first = try byte()
        switch (first >> 6, first & 0x3F) {
        case (0, let length): return .length(UInt64(length))
        case (1, let high): return .length(UInt64(high) << 8 | UInt64(try byte()))
        case (2, 0): return .length(try bigEndian(4))
        case (2, 1): return .length(try bigEndian(8))
        case (3, let form) where form < 3: return .number(bytes: 1 << UInt64(form))
        case (3, 3): return .compressed
        default: throw Self.unreadable("a length has an unknown form")
        }
    }

    private mutating func length() throws(StoreUnavailable) -> UInt64 {
        guard case .length(let length) = try prefix() else { throw Self.unreadable("a length is missing") }
        return length
    }

    private mutating func skipString() throws(StoreUnavailable) {
        switch try prefix() {
        case .length(let count), .number(let count): try skip(count)
        case .compressed:
            let count = try length()
            _ = try length()
            try skip(count)
        }
    }

    /// Returns a string. A number is returned as the empty string: no key of Dialtone is one.
    private mutating func string() throws(StoreUnavailable) -> [UInt8] {
        switch try prefix() {
        case .length(let count): return Array(try bytes(count))
        case .number(let count):
            try skip(count)
            return []
        case .compressed:
            let (count, fullCount) = (try length(), try length())
            guard let string = Self.decompress(try bytes(count), to: fullCount) else {
                throw Self.unreadable("a compressed key is damaged")
            }
            return string
        }
    }

    /// Decompresses LZF: runs of bytes, and copies of earlier bytes.
    private static func decompress(_ compressed: ArraySlice<UInt8>, to byteCount: UInt64) -> [UInt8]? {
        var (rest, output) = (compressed, [UInt8]())
        while let control = rest.popFirst() {
            if control < 32 {
                guard rest.count > control else { return nil }
                output += rest.prefix(Int(control) + 1)
                rest = rest.dropFirst(Int(control) + 1)
            } else {
                var count = Int(control >> 5) + 2
                if count == 9 { count += Int(rest.popFirst() ?? 0) }
                guard let low = rest.popFirst() else { return nil }
                let start = output.count - (Int(control & 0x1F) << 8) - Int(low) - 1
                guard start >= 0 else { return nil }
                for index in start..<start + count { output.append(output[index]) }
            }
            guard output.count <= byteCount else { return nil }
        }
        return output.count == byteCount ? output : nil
    }

    // MARK: Values

    private mutating func skipValue(_ type: UInt8) throws(StoreUnavailable) {
        switch type {
        // A string, or a small list, set, sorted set or hash in one string.
        case 0, 9...13, 16, 17, 20: try skipString()
        // A list, or a set.
        case 1, 2, 14: try skipItems(strings: 1)
        // A hash.
        case 4: try skipItems(strings: 2)
        // A sorted set.
        case 5: try skipItems(strings: 1, bytes: 8)
        // A list of several nodes.
        case 18: try skipItems(lengths: 1, strings: 1)
        case 15, 19, 21: try skipStream(hasOffsets: type >= 19, hasActiveTimes: type >= 21)
        default: throw Self.unreadable("it has a value of the unknown type \(type)")
        }
    }

    private mutating func skipStream(hasOffsets: Bool, hasActiveTimes: Bool) throws(StoreUnavailable) {
        try skipItems(strings: 2)
        try skipLengths(hasOffsets ? 8 : 3)
        for _ in 0..<(try length()) {  // groups
            try skipString()
            try skipLengths(hasOffsets ? 3 : 2)
            for _ in 0..<(try length()) {  // pending entries
                try skip(16 + 8)
                _ = try length()
            }
            for _ in 0..<(try length()) {  // consumers
                try skipString()
                try skip(hasActiveTimes ? 16 : 8)
                try skipItems(bytes: 16)
            }
        }
    }

    private mutating func skipLengths(_ count: Int) throws(StoreUnavailable) {
        for _ in 0..<count { _ = try length() }
    }

    /// Skips a number of items after that number.
    private mutating func skipItems(
        lengths: Int = 0,
        strings: Int = 0,
        bytes: UInt64 = 0
    ) throws(StoreUnavailable) {
        for _ in 0..<(try length()) {
            try skipLengths(lengths)
            for _ in 0..<strings { try skipString() }
            try skip(bytes)
        }
    }
}

/// The checksum of snapshots and of `DUMP`: CRC-64 with the polynomial of Jones.
struct CRC64 {
    private static let table: [UInt64] = (0..<256).map { byte in
        (0..<8).reduce(UInt64(byte)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x95AC_9329_AC4B_C9B5 }
    }

    private var value: UInt64 = 0

    /// The checksum as it is stored.
    var bytes: [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    mutating func update(_ bytes: ArraySlice<UInt8>) {
        value = Self.table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                bytes.reduce(value) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
            }
        }
    }
}
