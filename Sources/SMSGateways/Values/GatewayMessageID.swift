public import Encodings

/// A gateway's id of a message: 1 to 128 printable ASCII characters without spaces. The gateway chooses the text, so
/// the description does not show it.
public struct GatewayMessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Creates an id; nil if the text is not valid.
    public init?(_ text: some StringProtocol) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.text = String(text)
    }
}
