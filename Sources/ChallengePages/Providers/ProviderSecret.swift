/// The secret that a provider gave for a site key. Printed, interpolated or dumped it shows nothing of itself.
public struct ProviderSecret: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    /// Hides a secret.
    ///
    /// - Parameter text: as the provider gave it.
    public init(_ text: String) {
        self.text = text
    }

    /// The type's name.
    public var description: String { "ProviderSecret(…)" }
    /// The type's name.
    public var debugDescription: String { description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
