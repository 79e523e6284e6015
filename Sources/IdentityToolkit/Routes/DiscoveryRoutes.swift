internal import Encodings
internal import FastCGI
internal import PhoneAuth

/// The discovery documents of the deployment's own issuers (OpenID Connect Discovery 1.0 § 4). Verifiers that know only
/// the issuer use them to find the keys.
///
/// A document is served only at the URL of its issuer: verifiers reject any other (§ 4.3). A project with Firebase's
/// issuer therefore has no document here, because its URL is Google's.
extension IdentityToolkitHandler {
    /// Returns the document of the issuer whose URL has no path.
    static func openIDConfiguration(
        _ api: Self,
        _ request: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        try api.openIDConfiguration(
            of: api.projects.project(withIssuerAtRootOf: request.parameter("HTTP_HOST")),
            atRoot: true,
            record
        )
    }

    /// Returns the document of the issuer whose path names the project.
    static func projectOpenIDConfiguration(
        _ api: Self,
        _: borrowing Request,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        try api.openIDConfiguration(of: api.projects.project(id: record.pathParameter), atRoot: false, record)
    }

    private func openIDConfiguration(
        of project: Project?,
        atRoot isAtRoot: Bool,
        _ record: RequestRecord
    ) throws(WireError) -> Response {
        guard let project, let issuer = project.ownIssuer, issuer.isAtRoot == isAtRoot else { throw .noIssuerHere }
        record.project = project.id
        return .json(
            JSONWriter.object { json in
                json.member("issuer", issuer.url)
                json.member("jwks_uri", issuer.keysURL)
                // The specification also requires an authorization endpoint. Like other issuers that only issue tokens
                // (Firebase, `Kubernetes`, GitHub Actions), Dialtone has none: apps sign in with an SDK.
                json.array("response_types_supported") { $0.value("id_token") }
                json.array("subject_types_supported") { $0.value("public") }
                json.array("id_token_signing_alg_values_supported") { $0.value("RS256") }
                json.array("claims_supported") { json in for claim in Self.claims { json.value(claim) } }
            },
            publicFor: authenticator.publicKeyCacheLifetime
        )
    }

    /// The claims that ID tokens may have, besides an account's custom claims.
    private static let claims = [
        "iss", "aud", "sub", "iat", "exp", "auth_time", "user_id", "name", "picture", "email", "email_verified",
        "phone_number", "provider_id", "firebase",
    ]
}

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
