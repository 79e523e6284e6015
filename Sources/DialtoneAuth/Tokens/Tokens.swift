internal import Foundation

/// The tokens of a session.
struct Tokens: Codable, Sendable, Equatable {
    /// How long before its expiry a token is replaced, in seconds.
    static let margin: TimeInterval = 300

    let idToken: String
    let refreshToken: String
    /// By the server's clock.
    let expiresAt: Date

    /// Takes tokens of a response.
    ///
    /// - Throws: ``AuthErrorCode/malformedJWT`` if the ID token cannot be read.
    init(idToken: String, refreshToken: String) throws {
        self.idToken = idToken
        self.refreshToken = refreshToken
        expiresAt = try IDTokenClaims(idToken).expiresAt
    }

    private enum CodingKeys: String, CodingKey { case idToken, refreshToken }

    /// Reads stored tokens. Only the ID token itself tells when it expires.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            idToken: values.decode(String.self, forKey: .idToken),
            refreshToken: values.decode(String.self, forKey: .refreshToken)
        )
    }

    /// Returns whether the token will be valid for some minutes.
    func isValid(at now: Date) -> Bool { expiresAt.timeIntervalSince(now) > Self.margin }
}

/// A session as it is stored.
struct StoredSession: Codable, Sendable {
    static let key = "session"
    /// Of an emulator's session.
    static let emulatorKey = "emulator-session"
    /// Of the name of the access group whose session is used.
    static let accessGroupKey = "access-group"

    let account: Account
    let tokens: Tokens
    /// How far the server was ahead of the device, in seconds.
    let clockOffset: TimeInterval
}
