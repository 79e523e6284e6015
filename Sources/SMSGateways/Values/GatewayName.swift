internal import Encodings

/// What an operator calls a gateway: 1 to 32 of `a`…`z`, `0`…`9` and `-`, a letter first.
///
/// It stands in the settings, in logs and in the path of receipts as it is.
public struct GatewayName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Takes a name; nil for what is none.
    public init?(_ text: some StringProtocol) {
        guard (1...32).contains(text.utf8.count), let first = text.utf8.first, first.isASCIILowercaseLetter else {
            return nil
        }
        guard text.utf8.allSatisfy({ $0.isASCIILowercaseLetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }) else {
            return nil
        }
        self.text = String(text)
    }

    /// The name.
    public var description: String { text }
}
