public import Encodings

/// The servers of the operator's that are asked before accounts are made, before users sign in and before they get second
/// factors, and that may forbid it. What the protocol calls blocking functions.
///
/// They are asked about sign-ins by phone and with a password, as in Firebase: not about anonymous users nor custom tokens, which
/// the operator's own servers make, and not about refreshes. Giving an account a number, an e-mail address or a first
/// password asks ``BlockingHookEvent/beforeSignIn``.
public struct BlockingHooks: Hashable, Sendable {
    /// Who is asked before an account is made.
    public let beforeCreate: ServiceURL?
    /// Who is asked before a user gets tokens, new users included.
    public let beforeSignIn: ServiceURL?
    /// Who is asked before an account gets a second factor.
    public let beforeSecondFactorEnrollment: ServiceURL?

    /// Nobody is asked.
    public static let none = BlockingHooks()

    /// Names the servers; nil where nobody is asked.
    public init(
        beforeCreate: ServiceURL? = nil,
        beforeSignIn: ServiceURL? = nil,
        beforeSecondFactorEnrollment: ServiceURL? = nil
    ) {
        self.beforeCreate = beforeCreate
        self.beforeSignIn = beforeSignIn
        self.beforeSecondFactorEnrollment = beforeSecondFactorEnrollment
    }

    /// Whether nobody is asked about anything.
    public var isEmpty: Bool { BlockingHookEvent.allCases.allSatisfy { self[$0] == nil } }

    /// Who is asked about an event.
    public subscript(event: BlockingHookEvent) -> ServiceURL? {
        switch event {
        case .beforeCreate: beforeCreate
        case .beforeSignIn: beforeSignIn
        case .beforeSecondFactorEnrollment: beforeSecondFactorEnrollment
        }
    }
}
