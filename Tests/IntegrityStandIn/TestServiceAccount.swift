public import Cryptography
internal import Encodings

/// A service account of Google Cloud, as its key file describes it.
public enum TestServiceAccount {
    /// The name of the account.
    public static let email = "decoder@demo-app.iam.example"
    /// The id of its key.
    public static let keyID = "key-1"
    private static let generatedKey = Result { try RSAPrivateKey.generate() }

    /// The key of the account, which all tests of a process share, because making one takes long.
    public static func key() throws -> RSAPrivateKey { try generatedKey.get() }

    /// Returns the key file of the account, whose access tokens come from `tokenURL`.
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
