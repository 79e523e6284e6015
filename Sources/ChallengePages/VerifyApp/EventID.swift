internal import Encodings

/// The id that an app gives one attempt, by which it recognizes the result: 1 to 64 letters and digits.
public struct EventID: Sendable, Hashable {
    /// The characters as received.
    public let text: String

    /// Parses an event id; nil if `text` has another form.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            return nil
        }
        self.text = text
    }
}
