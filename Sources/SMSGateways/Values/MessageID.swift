public import Encodings

/// Dialtone's id of a message: 1 to 100 letters, digits, `-` and `_`, as many as Vonage takes. Retries of a message
/// keep the id.
///
/// Gateways receive the id as an idempotency key and in receipt URLs; receipts are matched to messages by it. The id
/// appears in gateways' logs, so it must not be a session id or anything else that grants access.
public struct MessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Creates an id; nil if the text is not valid.
    public init?(_ text: some StringProtocol) {
        let isOfAlphabet = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        guard (1...100).contains(text.utf8.count), isOfAlphabet else { return nil }
        self.text = String(text)
    }
}
