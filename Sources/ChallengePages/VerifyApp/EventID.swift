internal import Encodings

/// The name that an app gives one attempt of its own, and by which it knows the answer: 1 to 64 letters and digits.
public struct EventID: Sendable, Hashable {
    /// The characters as they came.
    public let text: String

    /// Returns nil where `text` cannot be one.
    public init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit }) else {
            return nil
        }
        self.text = text
    }
}
