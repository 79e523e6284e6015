/// What the operator has to correct before a gateway can send anything. The raw value is what a log shows.
public enum MisconfigurationKind: String, Sendable, CaseIterable {
    /// The gateway does not know the account, the key or the token.
    case credentialsRefused = "credentials refused"
    /// The account is closed, suspended or not open for this interface.
    case accountNotEnabled = "account not enabled"
    /// The account has no money left.
    case noCredit = "no credit"
    /// The sender does not belong to the account, or may not be used.
    case senderNotAllowed = "sender not allowed"
    /// The gateway does not take the address of receipts.
    case receiptAddressRefused = "receipt address refused"
    /// There is no such gateway at the configured address.
    case addressUnknown = "address unknown"
    /// The address answers with another address. It is not followed: nobody configured it to get credentials.
    case redirected
    /// The gateway does not take the request as it is.
    case requestRefused = "request refused"
}
