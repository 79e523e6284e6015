internal import Encodings

/// Why a custom token is not taken.
public enum CustomTokenError: Error, Equatable {
    /// Its form, signature, audience or time is wrong; says which.
    case invalid(String)
    /// Signed by nobody whom the project knows.
    case issuerUnknown
    /// It names no user.
    case uidMissing
    case claims(CustomClaimsError)
}

/// What one of the operator's servers says of a user: a JWT, RS256, as the Admin SDKs make them.
struct CustomToken: Sendable {
    static let audience =
        "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
    private static let maximumByteCount = 8192
    private static let maximumUIDCharacters = 128
    private static let longestLife: Int64 = 3600
    /// How far the clocks of the operator's servers may be ahead; seconds.
    private static let clockTolerance: Int64 = 60

    /// Whose token it is; a dash where nobody verified that.
    let issuer: String
    let uid: String
    let claims: CustomClaims?

    /// Checks a token's text (RFC 7519 § 7.2, with the algorithm pinned as RFC 8725 § 3.1 asks).
    init(_ text: String, from issuers: CustomTokenIssuers, at now: Instant) throws(CustomTokenError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.maximumByteCount, parts.count == 3, let header = Self.object(parts[0]),
            let payload = Self.object(parts[1])
        else { throw .invalid("It is no JWT.") }
        var verifiedIssuer: String?
        if case .serviceAccounts(let accounts) = issuers {
            guard case .string(let issuer) = payload["iss"], payload["sub"] == .string(issuer),
                let account = accounts.first(where: { $0.email == issuer })
            else { throw .issuerUnknown }
            guard header["alg"] == .string("RS256"), let signature = Base64URL.decode(parts[2]),
                account.isValid(signature, for: text.utf8.prefix(parts[0].count + 1 + parts[1].count))
            else { throw .invalid("The signature is wrong.") }
            verifiedIssuer = issuer
        }
        guard payload["aud"] == .string(Self.audience) else { throw .invalid("The audience is wrong.") }
        try Self.checkTimes(payload, now)
        guard case .string(let uid) = payload["uid"] ?? payload["user_id"], !uid.isEmpty else { throw .uidMissing }
        guard uid.unicodeScalars.count <= Self.maximumUIDCharacters else {
            throw .invalid("The uid is longer than \(Self.maximumUIDCharacters) characters.")
        }
        issuer = verifiedIssuer ?? "-"
        self.uid = uid
        claims = try Self.claims(payload)
    }

    private static func checkTimes(_ payload: JSONObject, _ now: Instant) throws(CustomTokenError) {
        guard let issuedAt = seconds(payload["iat"]), let expiresAt = seconds(payload["exp"]) else {
            throw .invalid("It has no times.")
        }
        guard expiresAt > issuedAt, expiresAt - issuedAt <= longestLife else {
            throw .invalid("It lives longer than an hour.")
        }
        guard issuedAt <= now.seconds + clockTolerance else { throw .invalid("It is of a later time.") }
        guard now.seconds < expiresAt else { throw .invalid("It has expired.") }
    }

    private static func claims(_ payload: JSONObject) throws(CustomTokenError) -> CustomClaims? {
        switch payload["claims"] {
        case nil, .null: return nil
        case .object(let object):
            let text = String(decoding: JSONWriter.object { $0.members(of: object) }, as: UTF8.self)
            do { return try CustomClaims(text) } catch { throw .claims(error) }
        default: throw .claims(.malformed)
        }
    }

    private static func object(_ part: Substring.UTF8View) -> JSONObject? {
        guard let bytes = Base64URL.decode(part), case .object(let object) = try? JSONValue.parse(bytes) else {
            return nil
        }
        return object
    }

    private static func seconds(_ value: JSONValue?) -> Int64? {
        guard case .number(let text) = value, let seconds = Int64(text), seconds >= 0, seconds < 1 << 40 else {
            return nil
        }
        return seconds
    }
}

extension JSONWriter {
    fileprivate mutating func members(of object: JSONObject) {
        for (name, value) in object.members { member(name, value) }
    }
}
