/// An iOS app's bundle id, such as `com.example.app`: the APNs topic of its pushes.
public struct BundleID: Hashable, Sendable, CustomStringConvertible {
    /// The bundle id.
    public let text: String

    /// Validates a bundle id: 1 to 155 letters, digits, `-` and `.`, as Apple allows; nil for anything else.
    public init?(_ text: String) {
        guard RegisteredApp.isIdentifier(text, besides: "-.") else { return nil }
        self.text = text
    }

    /// The bundle id.
    public var description: String { text }
}
