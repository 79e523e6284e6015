internal import Encodings

/// The id that an app gives one attempt, by which it recognizes the result: 1 to 64 letters, digits and
/// hyphens. The Android SDK sends a UUID.
public struct EventID: Sendable, Hashable {
    /// The characters as received.
    public let text: String

    /// Parses an event id; nil if `text` has another form.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }
}
