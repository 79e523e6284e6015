/// The reason why a file cannot be read further. The records before the error are valid.
public enum AccountFileError: Error, Equatable, CustomStringConvertible {
    /// The JSON around the accounts is malformed; the offset in bytes counts from the file's start.
    case unexpectedByte(offset: Int)
    /// The file ends before its JSON does.
    case truncated
    /// The file has no list `users`.
    case noUsers

    /// One line for the operator.
    public var description: String {
        switch self {
        case .unexpectedByte(let offset): "invalid JSON, or not an account file, at byte \(offset)"
        case .truncated: "the file is truncated"
        case .noUsers: "the file has no \"users\" list"
        }
    }
}
