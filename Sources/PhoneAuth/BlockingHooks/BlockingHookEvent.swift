/// What a blocking hook is asked about. The raw values are the protocol's.
public enum BlockingHookEvent: String, Sendable, CaseIterable {
    /// An account is about to be made.
    case beforeCreate
    /// A user has been proven, by all factors that the account asks for, and is about to get tokens.
    case beforeSignIn
}
