/// What a blocking hook is asked about. The raw values are the protocol's, but the last one.
public enum BlockingHookEvent: String, Sendable, CaseIterable {
    /// An account is about to be made.
    case beforeCreate
    /// A user has been proven, by all factors that the account asks for, and is about to get tokens.
    case beforeSignIn
    /// An account is about to get a second factor, which has been proven. Not the protocol's: Firebase mails the user instead.
    case beforeSecondFactorEnrollment

    /// What sign-ins ask about.
    static let ofSignIns: [BlockingHookEvent] = [.beforeCreate, .beforeSignIn]
}
