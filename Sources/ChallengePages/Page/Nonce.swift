internal import Encodings

/// The mark by which one response's own scripts and styles are known to its policy (CSP 3 § 2.3.1). Never used twice.
public struct Nonce: Sendable, Equatable {
    let text: String

    /// Makes the mark of one response.
    ///
    /// - Parameter bytes: at least 16 unpredictable ones.
    public init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "a nonce that can be guessed is none")
        text = Base64URL.string(bytes)
    }
}
