internal import Encodings
internal import RedisScripts

/// When a number may have been recycled, and what then happens to a sign-in with it.
///
/// Networks reassign disconnected numbers, some after 45 days (47 CFR § 52.15(f)(1)(ii) requires at least that).
/// A SIM swap moves a number at once; second factors protect against it.
///
/// The policy matters only if the account has another way to sign in: without one, only the number's holder can use the
/// account.
public struct RecycledNumberPolicy: Hashable, Sendable {
    /// How long a number counts as proven.
    public let provenFor: Duration
    /// The response to a sign-in with the number after that time.
    public let answer: RecycledNumberRule.Answer

    /// Creates a policy; nil if `provenFor` is not positive.
    public init?(provenFor: Duration, answer: RecycledNumberRule.Answer) {
        guard provenFor > .zero else { return nil }
        self.provenFor = provenFor
        self.answer = answer
    }
}

extension OperationContext {
    /// Returns a project's policy for the store; nil if there is none, or if users can sign in only with their number.
    func recycledNumberRule() -> RecycledNumberRule? {
        guard let policy = project.recycledNumbers, project.isPasswordSignInEnabled else { return nil }
        return RecycledNumberRule(
            policy.answer,
            provenBefore: now.milliseconds - policy.provenFor.milliseconds
        )
    }
}
