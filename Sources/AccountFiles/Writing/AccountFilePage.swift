/// Some accounts as they stand in a file, one after the other.
public struct AccountFilePage: Sendable {
    /// Their text. Between two pages that have one stands ``AccountFileWriter/separator``.
    public let text: [UInt8]
    /// How many accounts there are.
    public let accountCount: Int
    /// How many of them have a password that is not in the text.
    public let omittedPasswordCount: Int
    /// How many second factors they have that are not in the text.
    public let omittedSecondFactorCount: Int
}
