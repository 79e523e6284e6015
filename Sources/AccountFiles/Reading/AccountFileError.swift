/// The reason why a file cannot be read, or not further. The records before the error are valid.
public enum AccountFileError: Error, Equatable, CustomStringConvertible {
    /// The JSON around the accounts is malformed; the offset in bytes counts from the file's start.
    case unexpectedByte(offset: Int)
    /// The file ends before its JSON does.
    case truncated
    /// The file has no content.
    case empty
    /// The file is not JSON, for example a CSV file.
    case notJSON
    /// The file is JSON, but does not contain accounts.
    case noAccounts
    /// The file is not the last page of its list, which continues after so many accounts.
    case nextPageMissing(accountCount: Int)

    /// One line for the operator.
    public var description: String {
        switch self {
        case .unexpectedByte(let offset): "invalid JSON at byte \(offset)"
        case .truncated: "the file is truncated"
        case .empty: "the file is empty"
        case .notJSON:
            "the file is not JSON; CSV files cannot be imported: export the accounts as JSON, with "
                + "\"firebase auth:export users.json\""
        case .noAccounts:
            "the file is JSON, but has neither a \"users\" list nor accounts with a localId: import what "
                + "\"firebase auth:export users.json\" or \"dialtone users export\" writes, or the accounts.json of "
                + "an emulator's export"
        case .nextPageMissing(let accountCount):
            "the file is a page of a longer list, and the accounts after the first \(accountCount) are missing: "
                + "request the next page with the file's nextPageToken, append it to the file, and import it again"
        }
    }
}
