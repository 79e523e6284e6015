internal import Encodings

/// Tokens without a signature (RFC 7519 § 6), as the reference emulator issues them.
///
/// The signature moves into the token's header, which verifiers of unsigned tokens ignore. So the server itself still
/// accepts only tokens that it issued, and verifies them as in production.
extension DevelopmentPolicy {
    private static let headerMember = "dialtone"

    /// Returns a token's form for clients.
    func issued(_ token: String) -> String {
        guard issuesUnsignedTokens else { return token }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return token }
        let header = JSONWriter.object { json in
            json.member("alg", "none")
            json.member("typ", "JWT")
            json.member(Self.headerMember, "\(parts[0]).\(parts[2])")
        }
        return "\(Base64URL.string(header)).\(parts[1])."
    }

    /// Returns the signed form of a token that a client presents.
    func presented(_ token: String) -> String {
        guard issuesUnsignedTokens else { return token }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].isEmpty, let bytes = Base64URL.decode(parts[0].utf8),
            let header = JSONObject(parsing: bytes),
            let signature = header[Self.headerMember]?.text
        else { return token }
        let signed = signature.split(separator: ".", omittingEmptySubsequences: false)
        guard signed.count == 2 else { return token }
        return "\(signed[0]).\(parts[1]).\(signed[1])"
    }
}
