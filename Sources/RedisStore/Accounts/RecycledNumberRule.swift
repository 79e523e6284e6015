/// What becomes of a sign-in by a number that may have another holder by now, because the account proved it too long ago. It is
/// for accounts only that have another way to sign in.
public struct RecycledNumberRule: Sendable {
    /// What the sign-in is answered.
    public enum Answer: String, Sendable, Hashable {
        /// The user must sign in in another way.
        case ask
        /// The account loses the number, so that whoever has it by now gets a fresh one.
        case fresh
    }

    /// What the sign-in is answered.
    public let answer: Answer
    /// Milliseconds since the Unix epoch.
    public let provenBefore: Int64

    /// For numbers that were last proven before a time; milliseconds since the Unix epoch.
    public init(_ answer: Answer, provenBefore: Int64) {
        self.answer = answer
        self.provenBefore = provenBefore
    }
}

extension RecycledNumberRule {
    /// Whether a sign-in with the account's number takes the number away from it, as `recycled-numbers.lua` decides.
    public func takesNumber(from record: AccountRecord) -> Bool {
        answer == .fresh && record.sealedEmail != nil && record.sealedPassword != nil
            && record.numberProvenAt ?? record.createdAt < provenBefore
    }
}
