internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// The keys with which other servers verify ID tokens.
extension IdentityToolkitHandler {
    /// How long verifiers may keep the keys, in seconds; a new key is published at least so long before it signs.
    private static let cacheSeconds: Int64 = 3600

    /// Key id → PEM certificate: what the Admin SDKs fetch.
    func publicKeyCertificates() -> Response {
        .json(
            JSONWriter.object { json in
                for key in signingKeys { json.member(key.id, key.certificate) }
            },
            publicForSeconds: Self.cacheSeconds
        )
    }

    /// A JWK set (RFC 7517).
    func publicKeySet() -> Response {
        .json(
            JSONWriter.object { json in
                json.array("keys") { json in
                    for key in signingKeys {
                        json.object { json in
                            json.member("kty", "RSA")
                            json.member("alg", "RS256")
                            json.member("use", "sig")
                            json.member("kid", key.id)
                            json.member("n", key.publicKey.modulus)
                            json.member("e", key.publicKey.exponent)
                        }
                    }
                }
            },
            publicForSeconds: Self.cacheSeconds
        )
    }
}
