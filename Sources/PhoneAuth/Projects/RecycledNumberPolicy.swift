/// When a number may have been recycled, and what then happens to a sign-in with it.
///
/// Networks reassign disconnected numbers, some after 45 days (47 CFR § 52.15(f)(1)(ii) requires at least that).
/// A SIM swap moves a number at once; second factors protect against it.
///
/// The policy matters only if the account has another way to sign in: without one, only the number's holder can use the
/// account.
public struct RecycledNumberPolicy: Hashable, Sendable {
    /// How long a number counts as proven.
    let provenFor: Duration
    /// The response to a sign-in with the number after that time.
    public let answer: RecycledNumberRule.Answer

    /// Creates a policy; nil if `provenFor` is not positive.
    public init?(provenFor: Duration, answer: RecycledNumberRule.Answer) {
        guard provenFor > .zero else { return nil }
        self.provenFor = provenFor
        self.answer = answer
    }
}

/// The rule for sign-ins with a number that may have been recycled, because the account proved it too long ago. The
/// rule applies only to accounts that have another way to sign in.
public struct RecycledNumberRule: Sendable {
    /// The response to the sign-in.
    public enum Answer: String, Sendable, Hashable {
        /// The user must sign in in another way.
        case ask
        /// The account loses the number, so that its new holder gets a new account.
        case fresh
    }

    /// The response to the sign-in.
    let answer: Answer
    /// The rule applies to numbers last proven before this time; milliseconds since the Unix epoch.
    let provenBefore: Int64

    /// Creates a rule for numbers last proven before a time; milliseconds since the Unix epoch.
    public init(_ answer: Answer, provenBefore: Int64) {
        self.answer = answer
        self.provenBefore = provenBefore
    }
}
