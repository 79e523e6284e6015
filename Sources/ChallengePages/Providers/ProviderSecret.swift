public import Encodings

/// The provider's secret of a site key. It is hidden when printed, interpolated or dumped.
public struct ProviderSecret: Sendable, Confidential {
    let text: String

    /// Wraps a secret.
    ///
    /// - Parameter text: the secret as the provider issued it.
    public init(_ text: String) {
        self.text = text
    }
}
