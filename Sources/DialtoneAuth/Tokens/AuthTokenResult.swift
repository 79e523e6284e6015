public import Foundation

/// An ID token and its claims.
public final class AuthTokenResult: NSObject, Sendable {
    /// The token itself. Your servers verify it. It must not reach logs.
    public let token: String
    /// When the token expires, by the server's clock.
    public let expirationDate: Date
    /// When the user signed in.
    public let authDate: Date
    /// When the token was issued.
    public let issuedAtDate: Date
    /// How the user signed in, such as `phone`.
    public let signInProvider: String
    /// The second factor of the sign-in, `phone` or `totp`; empty if none was used.
    public let signInSecondFactor: String

    init(_ token: String) throws {
        let claims = try IDTokenClaims(token)
        self.token = token
        expirationDate = claims.expiresAt
        authDate = claims.signedInAt
        issuedAtDate = claims.issuedAt
        signInProvider = claims.signInProvider
        signInSecondFactor = claims.signInSecondFactor
    }

    /// All claims of the token.
    public var claims: [String: Any] {
        guard let payload = IDTokenClaims.payload(of: token),
            let object = try? JSONSerialization.jsonObject(with: payload)
        else { return [:] }
        return object as? [String: Any] ?? [:]
    }
}

extension AuthTokenResult: CustomReflectable {
    /// Empty, because secrets must not reach logs.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
