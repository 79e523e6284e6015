public import Encodings

/// A second factor that an operator gives to an account.
public struct AssignedSecondFactor: Sendable, Confidential {
    /// The factor's id in its account.
    public enum ID: Sendable {
        /// Generate an id.
        case made
        /// The operator's id, or the id of an existing factor of the account.
        case named(String)
    }

    /// The kind of factor.
    public enum Content: Sendable, Confidential {
        /// Codes by SMS to this number, in any unambiguous form.
        case phone(number: String)
        /// Codes of an authenticator app with this secret in base32.
        case totp(secret: String)
        /// The authenticator app that the account already has under this id.
        case presentTOTP

        /// Creates the content from the protocol's members: `phoneInfo`, or an authenticator app. The secret is nil for
        /// an app that the account already has. Returns nil if both are set.
        public init?(phoneNumber: String?, isApp: Bool, secret: String?) {
            guard isApp else {
                self = .phone(number: phoneNumber ?? "")
                return
            }
            guard phoneNumber == nil else { return nil }
            self = secret.map { .totp(secret: $0) } ?? .presentTOTP
        }
    }

    /// The factor's id in its account.
    public var id: ID
    /// The kind of factor.
    public var content: Content
    /// The user's name for it; nil if there is none.
    public var displayName: String?
    /// When it was enrolled; nil keeps the time of an existing factor, and means now for a new factor.
    public var enrolledAt: Instant?

    /// Creates a second factor for an account.
    public init(_ id: ID, _ content: Content, displayName: String? = nil, enrolledAt: Instant? = nil) {
        self.id = id
        self.content = content
        self.displayName = displayName
        self.enrolledAt = enrolledAt
    }
}
