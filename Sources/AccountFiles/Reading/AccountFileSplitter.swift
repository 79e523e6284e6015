/// A splitter that divides an account file into its records, chunk by chunk. It buffers one record at a time.
public struct AccountFileSplitter {
    private enum Splitter {
        /// The format is not known yet; the bytes so far.
        case undecided([UInt8])
        case lines(LineSplitter)
        case users(UserListSplitter)
    }

    /// The maximum number of bytes that are examined to detect the format, after the byte order mark and independent of
    /// the chunk size.
    private static let headByteCount = 4096
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var splitter: Splitter

    /// Creates a splitter for a format. If `format` is nil, the format is detected: Firebase's if the first member of
    /// the first object is `users`, else lines.
    public init(_ format: AccountFileFormat?) {
        splitter = format.map { Self.splitter(for: $0, startingAt: 0) } ?? .undecided([])
    }

    private static func splitter(for format: AccountFileFormat, startingAt offset: Int) -> Splitter {
        switch format {
        case .jsonLines: .lines(LineSplitter())
        case .firebase: .users(UserListSplitter(startingAt: offset))
        }
    }

    /// Reads the next bytes of the file, and passes each record that ends in them to `take`.
    /// - Throws: ``AccountFileError``; then nothing more can be read.
    public mutating func split(_ chunk: [UInt8], _ take: (FileRecord) -> Void) throws(AccountFileError) {
        switch splitter {
        case .undecided(let before):
            let head = before + chunk
            guard let format = Self.format(of: head, isWhole: false) else {
                splitter = .undecided(head)
                return
            }
            try begin(format, head, take)
        case .lines(var lines):
            splitter = .undecided([])
            lines.split(chunk, take)
            splitter = .lines(lines)
        case .users(var users):
            splitter = .undecided([])
            try users.split(chunk, take)
            splitter = .users(users)
        }
    }

    /// Passes the last record to `take`, if the end of the file completes it.
    /// - Throws: ``AccountFileError`` if the file ends too early.
    public mutating func finish(_ take: (FileRecord) -> Void) throws(AccountFileError) {
        if case .undecided(let head) = splitter {
            try begin(Self.format(of: head, isWhole: true) ?? .jsonLines, head, take)
        }
        switch splitter {
        case .undecided: break
        case .lines(var lines): lines.finish(take)
        case .users(let users): try users.finish()
        }
    }

    private mutating func begin(
        _ format: AccountFileFormat,
        _ head: [UInt8],
        _ take: (FileRecord) -> Void
    ) throws(AccountFileError) {
        let start = head.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        splitter = Self.splitter(for: format, startingAt: start)
        try split(Array(head[start...]), take)
    }

    /// Detects the format; nil if more bytes are needed.
    private static func format(of head: [UInt8], isWhole: Bool) -> AccountFileFormat? {
        if !isWhole, head.count < byteOrderMark.count, byteOrderMark.starts(with: head) { return nil }
        let text = head.dropFirst(head.starts(with: byteOrderMark) ? byteOrderMark.count : 0).prefix(headByteCount)
        let significant = text.lazy.filter { !$0.isJSONWhiteSpace }
        let beginning = Array("{\"users\":".utf8)
        let seen = Array(significant.prefix(beginning.count))
        if seen == beginning { return .firebase }
        let mayStillBe = beginning.starts(with: seen) && !isWhole && text.count < headByteCount
        return mayStillBe ? nil : .jsonLines
    }
}
