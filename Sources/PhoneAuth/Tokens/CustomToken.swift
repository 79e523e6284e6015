internal import Encodings

/// Why a custom token was rejected.
public enum CustomTokenError: Error, Equatable {
    /// The token's format, signature, audience or time is invalid, as the text says.
    case invalid(String)
    /// The token was not signed by a service account of the project.
    case issuerUnknown
    /// The token has no uid.
    case uidMissing
    case claims(CustomClaimsError)
}

/// An assertion about a user by one of the operator's servers: a JWT, RS256, as the Admin SDKs create it.
struct CustomToken: Sendable {
    static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    private static let maximumByteCount = 8192
    private static let longestLife: Int64 = 3600
    /// The tolerance for operators' servers whose clocks are ahead, in seconds.
    private static let clockTolerance: Int64 = 60

    /// The service account that issued the token; a dash if the signature was not verified.
    let issuer: String
    let uid: String
    let claims: CustomClaims?

    /// Verifies a token (RFC 7519 § 7.2).
    init(_ text: String, from issuers: CustomTokenIssuers, at now: Instant) throws(CustomTokenError) {
        guard text.utf8.count <= Self.maximumByteCount else { throw .invalid("It is too long.") }
        let payload: JSONObject
        var verifiedIssuer: String?
        switch issuers {
        case .serviceAccounts(let accounts):
            guard let token = CompactJWT(text) else { throw .invalid("It is not a JWT.") }
            payload = token.claims
            guard let issuer = payload["iss"]?.text, payload["sub"] == .string(issuer),
                let account = accounts.first(where: { $0.email == issuer })
            else { throw .issuerUnknown }
            guard token.isSigned(by: account) else { throw .invalid("The signature is wrong.") }
            verifiedIssuer = issuer
            try Self.checkAudience(payload)
            try Self.checkTimes(token, now)
        case .anyoneUnverified:
            payload = try Self.unverifiedPayload(text, now)
        }
        guard let uid = (payload["uid"] ?? payload["user_id"])?.text, !uid.isEmpty else { throw .uidMissing }
        guard AccountID.isLegal(uid) else { throw .invalid("A uid has \(AccountID.rule).") }
        issuer = verifiedIssuer ?? "-"
        self.uid = uid
        claims = try Self.claims(payload)
    }

    /// Parses an unsigned token: a JWT, with or without times, or only its payload in JSON. Test suites for the
    /// reference emulator send all of these.
    private static func unverifiedPayload(_ text: String, _ now: Instant) throws(CustomTokenError) -> JSONObject {
        if let token = CompactJWT(text) {
            try checkAudience(token.claims)
            if token.claims["iat"] != nil, token.claims["exp"] != nil { try checkTimes(token, now) }
            return token.claims
        }
        guard let payload = JSONObject(parsing: Array(text.utf8)) else { throw .invalid("It is not a JWT.") }
        return payload
    }

    private static func checkAudience(_ payload: JSONObject) throws(CustomTokenError) {
        guard payload["aud"] == .string(audience) else { throw .invalid("The audience is wrong.") }
    }

    private static func checkTimes(_ token: CompactJWT, _ now: Instant) throws(CustomTokenError) {
        guard let issuedAt = token.seconds("iat"), let expiresAt = token.seconds("exp") else {
            throw .invalid("It lacks iat or exp.")
        }
        guard expiresAt > issuedAt, expiresAt - issuedAt <= longestLife else {
            throw .invalid("Its lifetime is not 1 to \(longestLife) seconds.")
        }
        guard issuedAt <= now.seconds + clockTolerance else { throw .invalid("Its iat is in the future.") }
        guard now.seconds < expiresAt else { throw .invalid("It has expired.") }
    }

    private static func claims(_ payload: JSONObject) throws(CustomTokenError) -> CustomClaims? {
        switch payload["claims"] {
        case nil, .null: return nil
        case .object(let object):
            do { return try CustomClaims(object) } catch { throw .claims(error) }
        default: throw .claims(.malformed)
        }
    }
}
