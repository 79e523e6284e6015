import Cryptography
import Delivery
import Encodings

/// A team's key as Apple issues it, and its public key to verify signatures.
struct TestKey: Sendable {
    static let keyID = "ABC123DEFG"
    static let teamID = "TEAM456789"

    private let privateKey: P256PrivateKey
    let pem: String

    init() {
        do {
            privateKey = try P256PrivateKey.generate()
            pem = try privateKey.pem()
        } catch {
            fatalError("no key: \(error)")
        }
    }

    func providerTokenKey() throws -> ProviderTokenKey {
        try ProviderTokenKey(keyID: Self.keyID, teamID: Self.teamID, privateKey: pem)
    }

    /// Returns header and claims of a token signed with this key; nil for any other token.
    func verified(_ token: String) -> (header: JSONValue, claims: JSONValue)? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Base64URL.decode(parts[0].utf8), let claims = Base64URL.decode(parts[1].utf8),
            let bytes = Base64URL.decode(parts[2].utf8),
            privateKey.publicKey.isValid(bytes, for: Array("\(parts[0]).\(parts[1])".utf8)),
            let headerValue = try? JSONValue.parse(header), let claimsValue = try? JSONValue.parse(claims)
        else { return nil }
        return (headerValue, claimsValue)
    }
}
