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
