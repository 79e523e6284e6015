public import Encodings

/// What a gateway calls a message: 1 to 128 printable ASCII characters without spaces. It is a gateway's text, so it is not printed by itself.
public struct GatewayMessageID: Hashable, Sendable, Confidential {
    /// The id.
    public let text: String

    /// Takes an id; nil for what is none.
    public init?(_ text: some StringProtocol) {
        guard (1...128).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        self.text = String(text)
    }
}
