public import Encodings

/// The secret that a provider gave for a site key. Printed, interpolated or dumped it shows nothing of itself.
public struct ProviderSecret: Sendable, Confidential {
    let text: String

    /// Hides a secret.
    ///
    /// - Parameter text: as the provider gave it.
    public init(_ text: String) {
        self.text = text
    }
}
