internal import Foundation

/// The claims of an ID token. This library displays them and schedules refreshes by them; only servers verify the
/// signature.
struct IDTokenClaims: Sendable {
    let uid: String
    /// The project ID; nil if the token names none, or several.
    let audience: String?
    let issuedAt: Date
    let expiresAt: Date
    let signedInAt: Date
    let signInProvider: String
    let signInSecondFactor: String
    let name: String?
    let picture: String?
    let email: String?
    let isEmailVerified: Bool
    let phoneNumber: String?

    /// Reads the payload of a token.
    ///
    /// - Throws: ``AuthErrorCode/malformedJWT``
    init(_ token: String) throws {
        guard let data = Self.payload(of: token), let payload = try? JSONDecoder().decode(Payload.self, from: data),
            let uid = payload.sub ?? payload.user_id, (1...128).contains(uid.utf8.count),
            [payload.iat, payload.exp, payload.auth_time ?? 0].allSatisfy(ServerClock.times.contains)
        else { throw AuthErrorCode.malformedJWT.error("The server's ID token cannot be read.") }
        self.uid = uid
        audience = payload.aud?.text
        issuedAt = Date(timeIntervalSince1970: payload.iat)
        expiresAt = Date(timeIntervalSince1970: payload.exp)
        signedInAt = Date(timeIntervalSince1970: payload.auth_time ?? payload.iat)
        signInProvider = payload.firebase?.sign_in_provider ?? ""
        signInSecondFactor = payload.firebase?.sign_in_second_factor ?? ""
        name = payload.name
        picture = payload.picture
        email = payload.email
        isEmailVerified = payload.email_verified ?? false
        phoneNumber = payload.phone_number
    }

    /// Returns the bytes of the payload; nil if the token is malformed.
    static func payload(of token: String) -> Data? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var base64 = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
        return Data(base64Encoded: base64)
    }

    private struct Payload: Decodable {
        struct Firebase: Decodable {
            let sign_in_provider: String?
            let sign_in_second_factor: String?
        }

        /// An audience, which may be a string or a list.
        struct Audience: Decodable {
            let text: String?

            init(from decoder: any Decoder) throws {
                text = try? decoder.singleValueContainer().decode(String.self)
            }
        }

        let aud: Audience?
        let sub: String?
        let user_id: String?
        let iat: Double
        let exp: Double
        let auth_time: Double?
        let name: String?
        let picture: String?
        let email: String?
        let email_verified: Bool?
        let phone_number: String?
        let firebase: Firebase?
    }
}
