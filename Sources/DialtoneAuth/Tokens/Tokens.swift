internal import Foundation

/// The tokens of a session.
struct Tokens: Codable, Sendable, Equatable {
    /// How long before it expires a token is replaced, in seconds.
    static let margin: TimeInterval = 300

    let idToken: String
    let refreshToken: String
    /// When the ID token expires, by the server's clock.
    let expiresAt: Date

    /// Creates tokens from those of a response.
    ///
    /// - Throws: ``AuthErrorCode/malformedJWT`` if the ID token cannot be read.
    init(idToken: String, refreshToken: String) throws {
        self.idToken = idToken
        self.refreshToken = refreshToken
        expiresAt = try IDTokenClaims(idToken).expiresAt
    }

    private enum CodingKeys: String, CodingKey { case idToken, refreshToken }

    /// Decodes stored tokens. The time of expiry is read from the ID token itself.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            idToken: values.decode(String.self, forKey: .idToken),
            refreshToken: values.decode(String.self, forKey: .refreshToken)
        )
    }

    /// Returns whether the token remains valid for longer than ``margin``.
    func isValid(at now: Date) -> Bool { expiresAt.timeIntervalSince(now) > Self.margin }
}

/// A session as it is stored.
struct StoredSession: Codable, Sendable {
    static let key = "session"
    /// The key of an emulator's session.
    static let emulatorKey = "emulator-session"
    /// The key under which the name of the current access group is stored.
    static let accessGroupKey = "access-group"

    let account: Account
    let tokens: Tokens
    /// How far the server's clock was ahead of the device's, in seconds.
    let clockOffset: TimeInterval
}
