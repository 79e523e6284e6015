/// What the operator must correct before the gateway can send messages. The raw value appears in logs.
public enum MisconfigurationKind: String, Sendable, CaseIterable {
    /// The gateway rejects the account, the key or the token.
    case credentialsRefused = "credentials refused"
    /// The account is closed, suspended or not enabled for this API.
    case accountNotEnabled = "account not enabled"
    /// The account has no credit left.
    case noCredit = "no credit"
    /// The sender does not belong to the account, or may not be used.
    case senderNotAllowed = "sender not allowed"
    /// The gateway rejects the receipt URL.
    case receiptAddressRefused = "receipt address refused"
    /// The gateway's API does not exist at the configured URL.
    case addressUnknown = "address unknown"
    /// The URL redirects. Redirects are not followed, because the target is not configured to receive credentials.
    case redirected
    /// The gateway rejects the form of the request.
    case requestRefused = "request refused"
}
