public import Encodings

/// The place of an account in its file.
public enum RecordPlace: Hashable, Sendable, CustomStringConvertible {
    /// The line in a file of lines; the first is 1.
    case line(Int)
    /// The index in the list `users`; the first is 0.
    case user(Int)

    /// A text such as `line 7` or `users[6]`.
    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .user(let index): "users[\(index)]"
        }
    }
}

/// The text of one account in a file, not parsed yet.
public struct FileRecord: Sendable, Confidential {
    /// The maximum size of a text in bytes: more than the limits on all parts of an account together.
    public static let maximumByteCount = 65_536

    /// The place of the text.
    public let place: RecordPlace
    /// The text; nil if it is longer than ``maximumByteCount``.
    public let content: [UInt8]?
}

/// The bytes of a record, as far as they are read.
struct RecordText {
    private var bytes: [UInt8] = []
    private var isTooLong = false

    mutating func append(_ more: ArraySlice<UInt8>) {
        if isTooLong || bytes.count + more.count > FileRecord.maximumByteCount {
            isTooLong = true
        } else {
            bytes += more
        }
    }

    /// Whether the text is only whitespace.
    var isBlank: Bool { !isTooLong && bytes.allSatisfy(\.isJSONWhiteSpace) }

    /// Returns the text, or nil if it is too long, and begins the next one.
    mutating func finish() -> [UInt8]? {
        defer {
            bytes.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        return isTooLong ? nil : bytes
    }
}

/// A splitter that divides the rest of a file into lines. Empty lines are skipped.
struct LineSplitter {
    private var text = RecordText()
    private var number: Int
    /// The record before the lines, which is passed on only if a line follows.
    private(set) var doubtful: FileRecord?

    /// Creates a splitter; `number` is that of the first line.
    init(startingAt number: Int, after doubtful: FileRecord?) {
        self.number = number
        self.doubtful = doubtful
    }

    mutating func split(_ chunk: ArraySlice<UInt8>, _ take: (FileRecord) -> Void) {
        var rest = chunk
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            text.append(rest[..<end])
            finish(take)
            number += 1
            rest = rest[(end + 1)...]
        }
        text.append(rest)
    }

    /// Passes the text after the last line ending to `take`.
    mutating func finish(_ take: (FileRecord) -> Void) {
        let isBlank = text.isBlank
        let content = text.finish()
        guard !isBlank else { return }
        if let doubtful { take(doubtful) }
        doubtful = nil
        take(FileRecord(place: .line(number), content: content))
    }
}
