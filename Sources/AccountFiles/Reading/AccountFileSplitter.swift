/// Takes a file of accounts apart into its records, chunk by chunk: what it holds at a time is one record.
public struct AccountFileSplitter {
    private enum Splitter {
        /// The format is yet to be seen; what came so far.
        case undecided([UInt8])
        case lines(LineSplitter)
        case users(UserListSplitter)
    }

    /// How much of a file is looked at to see its format, in bytes behind the byte order mark, however large its chunks are.
    private static let headByteCount = 4096
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var splitter: Splitter

    /// A splitter for a format, or for the one that the file turns out to have: where the first member of the first object is
    /// `users`, Firebase's, else lines.
    public init(_ format: AccountFileFormat?) {
        splitter = format.map { Self.splitter(for: $0, startingAt: 0) } ?? .undecided([])
    }

    private static func splitter(for format: AccountFileFormat, startingAt offset: Int) -> Splitter {
        switch format {
        case .jsonLines: .lines(LineSplitter())
        case .firebase: .users(UserListSplitter(startingAt: offset))
        }
    }

    /// Goes over the next bytes of the file, and hands over each record that ends in them.
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

    /// Hands over what the end of the file completes.
    /// - Throws: ``AccountFileError`` where the file ends too early.
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

    /// Nil where more must be seen.
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
