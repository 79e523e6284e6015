/// The text of several accounts in a file.
public struct AccountFilePage: Sendable {
    /// The text. The caller writes ``AccountFileWriter/separator`` between two pages that are not empty.
    public let text: [UInt8]
    /// The number of accounts.
    public let accountCount: Int
    /// The number of accounts whose password is not in the text.
    public let omittedPasswordCount: Int
    /// The number of second factors that are not in the text.
    public let omittedSecondFactorCount: Int
}
