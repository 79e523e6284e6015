public import Encodings

/// The operator's servers that are called before accounts are created, users sign in or second factors are enrolled,
/// and that may deny it: the protocol's blocking functions.
///
/// They are called for sign-ins by phone and with a password, as in Firebase. They are not called for anonymous users,
/// for custom tokens, which the operator's own servers make, or for token refreshes. Giving an account a number, an
/// e-mail address or a first password calls ``BlockingHookEvent/beforeSignIn``.
public struct BlockingHooks: Hashable, Sendable {
    /// The deadline for all blocking hooks of one sign-in or enrollment together: Firebase's 7 seconds.
    public static let deadline: Duration = .seconds(7)

    /// Called before an account is created.
    public let beforeCreate: ServiceURL?
    /// Called before a user gets tokens, new users included.
    public let beforeSignIn: ServiceURL?
    /// Called before an account gets a second factor.
    public let beforeSecondFactorEnrollment: ServiceURL?

    /// No hooks.
    public static let none = BlockingHooks()

    /// Creates a set of hooks; nil means that no hook is called.
    public init(
        beforeCreate: ServiceURL? = nil,
        beforeSignIn: ServiceURL? = nil,
        beforeSecondFactorEnrollment: ServiceURL? = nil
    ) {
        self.beforeCreate = beforeCreate
        self.beforeSignIn = beforeSignIn
        self.beforeSecondFactorEnrollment = beforeSecondFactorEnrollment
    }

    /// Whether no hook is set.
    public var isEmpty: Bool { BlockingHookEvent.allCases.allSatisfy { self[$0] == nil } }

    /// The hook that is called for an event.
    public subscript(event: BlockingHookEvent) -> ServiceURL? {
        switch event {
        case .beforeCreate: beforeCreate
        case .beforeSignIn: beforeSignIn
        case .beforeSecondFactorEnrollment: beforeSecondFactorEnrollment
        }
    }
}

/// What a request reveals about its client, for blocking hooks.
public struct ClientDescription: Sendable, Confidential {
    /// The client's network address in text form.
    public var networkAddress: String
    /// The header field `User-Agent`.
    var userAgent: String
    /// The user's languages, as named by the client.
    public var locale: String

    /// Creates a description; empty strings mean unknown.
    public init(networkAddress: String = "", userAgent: String = "", locale: String = "") {
        self.networkAddress = networkAddress
        self.userAgent = userAgent
        self.locale = locale
    }
}

/// An event for which a blocking hook is called. The raw values are the protocol's, except the last one.
public enum BlockingHookEvent: String, Sendable, CaseIterable {
    /// An account is about to be created.
    case beforeCreate
    /// A user has proven all factors that the account requires, and is about to get tokens.
    case beforeSignIn
    /// An account is about to get a second factor, which has been proven. Not in the protocol: Firebase sends the user
    /// an e-mail instead.
    case beforeSecondFactorEnrollment

    /// The events of sign-ins.
    static let ofSignIns: [BlockingHookEvent] = [.beforeCreate, .beforeSignIn]
}
