public import Encodings

/// A second factor as an operator says that an account is to have it.
public struct GivenSecondFactor: Sendable, Confidential {
    /// What names it in its account.
    public enum ID: Sendable {
        /// A new id is made.
        case made
        /// The operator's, or the one that the account's factor has.
        case named(String)
    }

    /// What it is.
    public enum Content: Sendable, Confidential {
        /// Codes by SMS to this number, in any form that means just one.
        case phone(number: String)
        /// Codes of an authenticator app with this secret, in base 32.
        case totp(secret: String)
        /// The authenticator app that the account has under this id.
        case presentTOTP

        /// What the protocol's members say: `phoneInfo`, or an authenticator app with its secret or, where the account has it, without.
        /// nil where they say both.
        public init?(phoneNumber: String?, isApp: Bool, secret: String?) {
            guard isApp else {
                self = .phone(number: phoneNumber ?? "")
                return
            }
            guard phoneNumber == nil else { return nil }
            self = secret.map { .totp(secret: $0) } ?? .presentTOTP
        }
    }

    /// What names it in its account.
    public var id: ID
    /// What it is.
    public var content: Content
    /// What the user calls it; nil where it has no name.
    public var displayName: String?
    /// When it was enrolled; nil leaves what is known of one that the account has, and is now for another one.
    public var enrolledAt: Instant?

    /// A second factor for an account.
    public init(_ id: ID, _ content: Content, displayName: String? = nil, enrolledAt: Instant? = nil) {
        self.id = id
        self.content = content
        self.displayName = displayName
        self.enrolledAt = enrolledAt
    }
}

/// What is wrong with the second factors that an operator gives.
public enum GivenSecondFactorFault: Error, Hashable {
    case numberInvalid
    case idMissing
    /// It has more than ``Policy/maximumUIDCharacters``.
    case idTooLong
    /// Two of them have one id.
    case idRepeated
    /// There is no secret, and the account has no authenticator app of that id.
    case secretMissing
    /// It is no base 32, or too short or too long to be a secret.
    case secretInvalid
    /// There are more than ``Policy/maximumSecondFactors``.
    case tooMany
}
