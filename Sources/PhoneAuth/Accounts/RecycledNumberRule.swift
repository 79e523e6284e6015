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
    public let answer: Answer
    /// The rule applies to numbers last proven before this time; milliseconds since the Unix epoch.
    public let provenBefore: Int64

    /// Creates a rule for numbers last proven before a time; milliseconds since the Unix epoch.
    public init(_ answer: Answer, provenBefore: Int64) {
        self.answer = answer
        self.provenBefore = provenBefore
    }
}

extension RecycledNumberRule {
    /// Returns whether a sign-in by the account's number takes the number from the account, as `recycled-numbers.lua`
    /// decides.
    public func takesNumber(from record: AccountRecord) -> Bool {
        answer == .fresh && record.sealedEmail != nil && record.sealedPassword != nil
            && record.numberProvenAt ?? record.createdAt < provenBefore
    }
}
