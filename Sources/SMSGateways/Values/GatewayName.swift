internal import Encodings

/// An operator's name for a gateway: 1 to 32 of `a`…`z`, `0`…`9` and `-`, beginning with a letter.
///
/// The name appears unescaped in the settings, in logs and in the path of receipt URLs.
public struct GatewayName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let text: String

    /// Creates a name; nil if the text is not valid.
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
