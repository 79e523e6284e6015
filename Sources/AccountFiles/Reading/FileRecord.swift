public import Encodings

/// Where an account stands in its file.
public enum RecordPlace: Hashable, Sendable, CustomStringConvertible {
    /// Of a file of lines; the first is 1.
    case line(Int)
    /// Of the list `users`; the first is 0.
    case user(Int)

    /// Such as `line 7` or `users[6]`.
    public var description: String {
        switch self {
        case .line(let number): "line \(number)"
        case .user(let index): "users[\(index)]"
        }
    }
}

/// The text of one account in a file, not read yet.
public struct FileRecord: Sendable, Confidential {
    /// How long a text may be, in bytes: more than all limits on an account's parts make together.
    public static let maximumByteCount = 65_536

    /// Where it stands.
    public let place: RecordPlace
    /// The text; nil where it is longer than ``maximumByteCount``.
    public let content: [UInt8]?
}
