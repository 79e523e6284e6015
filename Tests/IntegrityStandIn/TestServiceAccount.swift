public import Cryptography
internal import Encodings

/// A service account of Google Cloud, as its key file describes it.
public enum TestServiceAccount {
    /// The account's e-mail address.
    public static let email = "decoder@demo-app.iam.example"
    /// The key's id.
    public static let keyID = "key-1"
    private static let generatedKey = Result { try RSAPrivateKey.generate() }

    /// Returns the account's key, which all tests of a process share because creating one is slow.
    public static func key() throws -> RSAPrivateKey { try generatedKey.get() }

    /// Returns the account's key file, with `tokenURL` as the source of access tokens.
    public static func file(tokenURL: String) throws -> String {
        let pem = try key().pem()
        let bytes = JSONWriter.object { json in
            json.member("type", "service_account")
            json.member("client_email", email)
            json.member("private_key", pem)
            json.member("private_key_id", keyID)
            json.member("token_uri", tokenURL)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
