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
