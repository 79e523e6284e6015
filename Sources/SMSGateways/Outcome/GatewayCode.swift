internal import Encodings

/// A gateway's numeric error code, or an HTTP status: 1 to 6 digits, so that it is safe to log.
public struct GatewayCode: Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public let value: Int

    /// Creates a code; nil for a negative number or one of more than six digits.
    public init?(_ value: Int) {
        guard (0...999_999).contains(value) else { return nil }
        self.value = value
    }

    /// Parses a code; nil for anything but 1 to 6 digits.
    public init?(_ text: some StringProtocol) {
        guard text.isASCIIDigits, text.utf8.count <= 6, let value = Int(text) else { return nil }
        self.value = value
    }

    /// The digits.
    public var description: String { String(value) }
}
