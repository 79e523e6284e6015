public import Encodings

/// What we call a message: 1 to 64 letters, digits, `-` and `_`, the same each time that it is sent.
///
/// It goes out to gateways, as an idempotency key and in the address of receipts, so that a receipt finds its message by it. Whoever reads a
/// gateway's logs sees it: it must not be the id of a session, nor anything else that opens something.
public struct MessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Takes an id; nil for what is none.
    public init?(_ text: some StringProtocol) {
        let isOfAlphabet = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
        guard (1...64).contains(text.utf8.count), isOfAlphabet else { return nil }
        self.text = String(text)
    }
}
