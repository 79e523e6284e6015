/// The hash by which Google Play services recognize messages for an Android app (SMS Retriever): the first 11
/// characters of the Base64 form of a SHA-256 of its package name and certificate.
public struct AppSignatureHash: Sendable, Hashable {
    /// The 11 characters, as clients send them in `autoRetrievalInfo.appSignatureHash`.
    public let text: String

    /// Returns nil unless `text` is exactly 11 characters of the Base64 alphabet (RFC 4648 § 4).
    public init?(_ text: String) {
        guard text.utf8.count == 11, text.utf8.allSatisfy(Self.isBase64) else { return nil }
        self.text = text
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "+", "/": true
        default: false
        }
    }
}
