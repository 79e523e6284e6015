public import Encodings

/// The servers of the operator's that are asked before accounts are made and before users sign in, and that may forbid it. What
/// the protocol calls blocking functions.
///
/// They are asked about sign-ins by phone and with a password, as in Firebase: not about anonymous users nor custom tokens, which
/// the operator's own servers make, and not about refreshes. Giving an account a number asks ``BlockingHookEvent/beforeSignIn``.
public struct BlockingHooks: Hashable, Sendable {
    /// Who is asked before an account is made.
    public let beforeCreate: ServiceURL?
    /// Who is asked before a user gets tokens, new users included.
    public let beforeSignIn: ServiceURL?

    /// Nobody is asked.
    public static let none = BlockingHooks()

    /// Names the servers; nil where nobody is asked.
    public init(beforeCreate: ServiceURL? = nil, beforeSignIn: ServiceURL? = nil) {
        self.beforeCreate = beforeCreate
        self.beforeSignIn = beforeSignIn
    }

    /// Whether nobody is asked about anything.
    public var isEmpty: Bool { beforeCreate == nil && beforeSignIn == nil }

    /// Who is asked about an event.
    public subscript(event: BlockingHookEvent) -> ServiceURL? {
        switch event {
        case .beforeCreate: beforeCreate
        case .beforeSignIn: beforeSignIn
        }
    }
}
