public import Cryptography
public import Encodings

/// The sign-in with which a Firebase session began, as an ID token of the Firebase project describes it.
public struct FirebaseSignIn: Sendable {
    /// How far Google's clock may be ahead, in seconds.
    private static let clockTolerance: Int64 = 60

    let uid: String
    let provider: SignInProvider
    let signedInAt: Instant
    let secondFactor: ProvenSecondFactor?

    /// Verifies an ID token, as Firebase documents it; nil if anything is invalid.
    ///
    /// A sign-in with an identity provider, which Dialtone does not offer, counts as one with a custom token: another
    /// server vouches for the user. Users of tenants are rejected, because their uids may be those of other users.
    ///
    /// - Parameters:
    ///   - token: the ID token.
    ///   - key: Google's key with the token's key id.
    ///   - project: the id of the Firebase project.
    ///   - now: the current time.
    public init?(_ token: CompactJWT, signedBy key: RSAPublicKey, of project: String, at now: Instant) {
        let latest = now.seconds + Self.clockTolerance
        guard token.isSigned("RS256", { key.isValid($0, for: $1) }),
            token.text("iss") == TokenKind.idToken.firebaseIssuer(in: project), token.text("aud") == project,
            let uid = token.text("sub"), AccountID.isLegal(uid),
            let expiresAt = token.seconds("exp"), now.seconds < expiresAt,
            let issuedAt = token.seconds("iat"), issuedAt <= latest,
            let authTime = token.seconds("auth_time"), authTime <= latest,
            let firebase = token.claims["firebase"]?.object, firebase["tenant"] == nil,
            let provider = firebase["sign_in_provider"]?.text
        else { return nil }
        self.uid = uid
        self.provider = SignInProvider(rawValue: provider) ?? .custom
        signedInAt = min(Instant(seconds: authTime), now)
        secondFactor = ProvenSecondFactor(claims: firebase)
    }
}
