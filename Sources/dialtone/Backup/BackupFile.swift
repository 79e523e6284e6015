import Cryptography
import Encodings
import PhoneAuth
import RedisScripts

/// The first line of a backup, which is not encrypted:
///
///     dialtone-backup 1 1800000000000 1a2b3c4d mVYo…
///
/// It names the version of the format, the time in milliseconds since the Unix epoch, the deployment's fingerprint, and
/// 32 random bytes that make the backup's key unique (``SealedStream``). An encrypted record for each key follows: the
/// lengths of the key and of its value (4 bytes each, big-endian), when it expires (8 bytes; 0 for never), the key and
/// the value as ``SnapshotEntry`` has them. The first record has an empty key, and its value is the key file.
struct BackupHeader {
    private static let beginning = "dialtone-backup 1"

    let time: Instant
    let fingerprint: String
    /// Identifies the backup.
    let id: String

    init(_ fingerprint: String, _ environment: Environment) {
        time = environment.now()
        self.fingerprint = fingerprint
        id = Base64URL.string(environment.randomBytes(32))
    }

    /// Parses the line; nil if it is not that of a backup in this format.
    init?(line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 5, words[..<2].joined(separator: " ") == Self.beginning, let time = Int64(words[2]) else {
            return nil
        }
        self.time = Instant(milliseconds: time)
        (fingerprint, id) = (String(words[3]), String(words[4]))
    }

    var line: String { "\(Self.beginning) \(time.milliseconds) \(fingerprint) \(id)" }
}

/// The key of backups: a file with 32 bytes in base64url.
enum BackupKey {
    static func make(_ environment: Environment) -> [UInt8] {
        Base64URL.encode(environment.randomBytes(SealedStream.keyByteCount)) + [UInt8(ascii: "\n")]
    }

    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let text = String(decoding: try readFile(path), as: UTF8.self).filter { !$0.isWhitespace }
        guard let key = Base64URL.decode(text.utf8), key.count == SealedStream.keyByteCount else {
            throw Failure("\(path): not a key for backups, which dialtone keys generate --for-backups creates")
        }
        return key
    }
}

/// Writes a backup.
final class BackupWriter {
    private let file: ExportFile
    private var stream: SealedStream
    /// What has not been encrypted yet.
    private var buffer: [UInt8] = []

    init(_ file: ExportFile, _ header: BackupHeader, key: [UInt8], keyFile: [UInt8]) throws(Failure) {
        self.file = file
        guard let stream = SealedStream(key: key, header: Array(header.line.utf8)) else {
            throw Failure("the key for backups has a wrong length")
        }
        self.stream = stream
        try file.write(Array((header.line + "\n").utf8))
        try add(SnapshotEntry(key: "", expiry: nil, payload: keyFile))
    }

    func add(_ entry: SnapshotEntry) throws(Failure) {
        let key = Array(entry.key.utf8)
        for count in [key.count, entry.payload.count] {
            withUnsafeBytes(of: UInt32(count).bigEndian) { buffer += $0 }
        }
        withUnsafeBytes(of: (entry.expiry ?? 0).bigEndian) { buffer += $0 }
        buffer += key
        buffer += entry.payload
        var start = 0
        while buffer.count - start > SealedStream.chunkByteCount {
            try write(Array(buffer[start..<start + SealedStream.chunkByteCount]), isLast: false)
            start += SealedStream.chunkByteCount
        }
        buffer.removeFirst(start)
    }

    /// Writes the end, and gives the file its name.
    func finish() throws(Failure) {
        try write(buffer, isLast: true)
        try file.finish()
    }

    private func write(_ chunk: [UInt8], isLast: Bool) throws(Failure) {
        let sealed: [UInt8]
        do { sealed = try stream.seal(chunk, isLast: isLast) } catch { throw Failure("the encryption failed") }
        try file.write(sealed)
    }
}

/// Reads a backup. Each record was authenticated before it is returned; only the end shows that none is missing.
final class BackupReader {
    private static let sealedByteCount = SealedStream.chunkByteCount + SealedStream.overhead
    private static let lineFeed = UInt8(ascii: "\n")
    private static let maximumHeaderBytes = 200

    let header: BackupHeader
    /// The key file at the time of the backup.
    private(set) var keyFile: [UInt8] = []
    private let path: String
    private let input: InputFile
    private var stream: SealedStream
    private var sealed: ArraySlice<UInt8> = []
    private var opened: ArraySlice<UInt8> = []
    private var isOver = false

    init(_ path: String, key: [UInt8]) throws(Failure) {
        self.path = path
        input = try InputFile(path)
        var beginning = try input.nextChunk()[...]
        while beginning.count < Self.maximumHeaderBytes {
            let chunk = try input.nextChunk()
            if chunk.isEmpty { break }
            beginning += chunk
        }
        let first = beginning.prefix(Self.maximumHeaderBytes).prefix { $0 != Self.lineFeed }
        guard let header = BackupHeader(line: String(decoding: first, as: UTF8.self)),
            let stream = SealedStream(key: key, header: Array(first))
        else { throw Failure("\(path): not a backup of this version of Dialtone") }
        self.header = header
        self.stream = stream
        sealed = beginning.dropFirst(first.count + 1)
        keyFile = try next()?.payload ?? []
    }

    /// Returns the next key, or nil at the end.
    func next() throws(Failure) -> SnapshotEntry? {
        if opened.isEmpty, isOver { return nil }
        let (keyCount, payloadCount) = (Int(try number(4)), Int(try number(4)))
        let expiry = Int64(truncatingIfNeeded: try number(8))
        let key = String(decoding: try bytes(keyCount), as: UTF8.self)
        return SnapshotEntry(key: key, expiry: expiry == 0 ? nil : expiry, payload: Array(try bytes(payloadCount)))
    }

    private func number(_ byteCount: Int) throws(Failure) -> UInt64 {
        try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func bytes(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        while opened.count < count { try open() }
        defer { opened = opened.dropFirst(count) }
        return opened.prefix(count)
    }

    /// Decrypts the next chunk.
    private func open() throws(Failure) {
        while sealed.count <= Self.sealedByteCount, case let chunk = try input.nextChunk(), !chunk.isEmpty {
            sealed += chunk
        }
        let isLast = sealed.count <= Self.sealedByteCount
        guard !isOver, let chunk = stream.open(Array(sealed.prefix(Self.sealedByteCount)), isLast: isLast) else {
            throw Failure(
                keyFile.isEmpty
                    ? "\(path): encrypted with another key, or damaged" : "\(path): damaged or incomplete"
            )
        }
        isOver = isLast
        sealed = sealed.dropFirst(Self.sealedByteCount)
        opened += chunk
    }
}
