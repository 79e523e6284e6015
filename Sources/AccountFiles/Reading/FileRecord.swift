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
