public import Encodings

/// A request to verify a Play Integrity token.
public struct IntegrityTokenRequest: Sendable, Confidential {
    /// The maximum age of a token. The SDK requests a token for each message, and sends it at once.
    public static let maximumAge: Duration = .seconds(300)
    /// How far Google's clock may be ahead.
    public static let clockTolerance: Duration = .seconds(60)
    /// The time for which a used token is remembered: longer than any worker accepts it. The clocks of two workers may
    /// differ by a minute.
    static let usedMemory = maximumAge + clockTolerance + Policy.workerClockSkew

    /// The token.
    public let token: String
    /// The package name of the app that sent it.
    public let packageName: String
    /// What the token may be bound to: its nonce is the hash of one of these texts.
    public let subjects: [String]
    /// The current time.
    public let now: Instant

    /// Creates a request.
    public init(token: String, packageName: String, subjects: [String], now: Instant) {
        self.token = token
        self.packageName = packageName
        self.subjects = subjects
        self.now = now
    }
}
