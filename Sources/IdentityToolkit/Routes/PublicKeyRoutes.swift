internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// The public keys with which other servers verify ID tokens.
extension IdentityToolkitHandler {
    /// Returns a map from key id to PEM certificate, which the Admin SDKs fetch.
    static func publicKeyCertificates(_ api: Self, _: borrowing Request, _: RequestRecord) -> Response {
        .json(
            JSONWriter.object { json in
                for key in api.authenticator.publishedKeys { json.member(key.id, key.certificate) }
            },
            publicFor: api.authenticator.publicKeyCacheLifetime
        )
    }

    /// Returns a project's JWK set. Projects share their keys, and tokens name their project as the audience.
    static func projectPublicKeySet(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        guard api.projects.project(id: record.pathParameter) != nil else { throw .notFound }
        return publicKeySet(api, request, record)
    }

    /// Returns a JWK set (RFC 7517).
    static func publicKeySet(_ api: Self, _: borrowing Request, _: RequestRecord) -> Response {
        .json(
            JSONWriter.object { json in
                json.array("keys") { json in
                    for key in api.authenticator.publishedKeys {
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
            publicFor: api.authenticator.publicKeyCacheLifetime
        )
    }
}
